"""Turning patterns into operations on a stream of rows."""

from collections.abc import Callable, Iterable, Iterator, Set

from commonplace.cypher import syntax as s
from commonplace.cypher.evaluate import Row
from commonplace.cypher.nearby import chunks
from commonplace.cypher.plan import (
    Named,
    Pin,
    conjuncts,
    held_of,
    labels_of,
    name_all,
    names_in,
    pins_of,
    settle,
)
from commonplace.cypher.reading import Wanted
from commonplace.cypher.shortest import shortest_paths
from commonplace.cypher.steps import (
    USED,
    Checks,
    Ground,
    Op,
    Step,
    bind_path,
    bound_node,
    filtered,
    has,
    is_same,
    shortest_row,
    wanted_links,
)
from commonplace.cypher.values import Link, Vertex, equals
from commonplace.cypher.walking import walks

_SCAN = 4
_MOST_SCANNED = 20_000  # nodes of a scan kept for the next row


class Planner:
    """Turns patterns into operations on a stream of rows."""

    def __init__(
        self,
        ground: Ground,
        patterns: tuple[s.PathPattern, ...],
        where: s.Expr | None,
        bound: Set[str],
    ) -> None:
        self._ground, self._guard = ground, ground.guard
        self._evaluator = ground.evaluator
        self._paths, promised = settle(name_all(patterns))
        self._conditions = [*promised, *conjuncts(where)]
        self._waiting = list(self._conditions)
        self._bound = set(bound)
        self._own = {name for path in self._paths for name in (*path.nodes, *path.edges)}
        self._own |= {path.pattern.variable for path in self._paths if path.pattern.variable}
        self._is_unique = sum(len(path.edges) for path in self._paths) > 1
        self._ops: list[Op] = []

    def plan(self) -> list[Op]:
        """The operations, in order."""
        if self._is_unique:
            self._ops.append(lambda rows: ({**row, USED: frozenset()} for row in rows))
        self._filter()
        waiting = list(self._paths)
        while waiting:
            path = self._best(waiting)
            waiting.remove(path)
            self._path(path)
        return self._ops

    def _best(self, paths: list[Named]) -> Named:
        if len(paths) == 1:
            return paths[0]
        # Two known ends make a shortest path cheap: what could bind them goes first.
        return min(paths, key=lambda one: (bool(one.pattern.shortest), min(self._ranks(one))))

    def _ranks(self, path: Named) -> list[tuple[int, int]]:
        """How good a start each node is; labels are counted only where nothing better is known."""
        tiers = [self._tier(path, place) for place in range(len(path.nodes))]
        if min(tiers) < _SCAN or (len(tiers) == 1 and len(self._paths) == 1):
            return [(tier, 0) for tier in tiers]
        return [(_SCAN, self._scanned_count(path, place)) for place in range(len(path.nodes))]

    def _scanned_count(self, path: Named, place: int) -> int:
        name, node = path.nodes[place], path.pattern.nodes[place]
        labels = labels_of(name, node, self._conditions)
        return min(self._ground.count(label) for label in labels or (None,))

    def _tier(self, path: Named, place: int) -> int:
        """How a start here is found: bound, at a bound edge, by id, by name, by a scan."""
        name, node = path.nodes[place], path.pattern.nodes[place]
        if name in self._bound:
            return 0
        if any(edge in self._bound for edge in path.edges[max(0, place - 1) : place + 1]):
            return 1
        pins = {pin.key for pin in self._pins(name, node)}
        if pins:
            return 2 if "id" in pins else 3
        return _SCAN

    def _pins(self, name: str, node: s.NodePattern) -> list[Pin]:
        known = self._bound - {name}
        return pins_of(name, node, self._conditions, known)

    def _path(self, path: Named) -> None:
        ranks = self._ranks(path)
        start = ranks.index(min(ranks))
        self._start(path, start)
        if path.pattern.shortest:
            if path.nodes[1 - start] not in self._bound and self._tier(path, 1 - start) < _SCAN:
                self._start(path, 1 - start)
            self._shortest(path, start)
            return
        for place in range(start, len(path.edges)):
            self._expand(path, place, is_forward=True)
        for place in range(start - 1, -1, -1):
            self._expand(path, place, is_forward=False)
        if path.pattern.variable:
            self._ops.append(bind_path(path))
            self._bind(path.pattern.variable)

    def _bind(self, *names: str) -> None:
        self._bound.update(names)
        self._filter()

    def _filter(self) -> None:
        """Check every condition whose names are all there by now."""
        missing = self._own - self._bound
        ready = [one for one in self._waiting if not names_in(one) & missing]
        self._waiting = [one for one in self._waiting if one not in ready]
        for one in ready:
            holds = self._evaluator.test(one)
            self._ops.append(filtered(holds))

    def _fits(self, node: s.NodePattern) -> Callable[[Vertex, Row], bool]:
        labels, own = node.labels, self._evaluator.maybe(node.properties)

        def fits(vertex: Vertex, row: Row) -> bool:
            if labels and not all(label in vertex.labels for label in labels):
                return False
            return own is None or has(vertex, own(row))

        return fits

    def _start(self, path: Named, place: int) -> None:
        name, node = path.nodes[place], path.pattern.nodes[place]
        fits, guard = self._fits(node), self._guard
        is_bound = name in self._bound
        candidates = self._candidates(path, place)

        def op(rows: Iterable[Row]) -> Iterator[Row]:
            for row in rows:
                for vertex in candidates(row):
                    guard.tick()
                    if fits(vertex, row):
                        yield row if is_bound else {**row, name: vertex}

        self._ops.append(op)
        self._bind(name)

    def _candidates(self, path: Named, place: int) -> Callable[[Row], Iterable[Vertex]]:
        name, node = path.nodes[place], path.pattern.nodes[place]
        if name in self._bound:
            return lambda row: bound_node(row[name])
        near = [edge for edge in path.edges[max(0, place - 1) : place + 1] if edge in self._bound]
        if near:
            return self._ends(near[0])
        pins = sorted(self._pins(name, node), key=lambda pin: (pin.key != "id", pin.is_list))
        labels = labels_of(name, node, self._conditions)
        if pins:
            return self._pinned(pins[0], labels)
        return self._scanned(labels, held_of(name, self._conditions))

    def _ends(self, edge: str) -> Callable[[Row], Iterable[Vertex]]:
        reading = self._ground.reading

        def candidates(row: Row) -> Iterable[Vertex]:
            link = row[edge]
            links = link if isinstance(link, list) else [link]
            ids = [
                end for one in links if isinstance(one, Link) for end in (one.source, one.target)
            ]
            return reading.nodes(list(dict.fromkeys(ids)))

        return candidates

    def _pinned(self, pin: Pin, labels: tuple[str, ...]) -> Callable[[Row], Iterable[Vertex]]:
        value, reading = self._evaluator.compile(pin.value), self._ground.reading

        def candidates(row: Row) -> Iterator[Vertex]:
            given = value(row)
            wanted = given if pin.is_list and isinstance(given, list) else [given]
            texts = list(dict.fromkeys(one for one in wanted if isinstance(one, str)))
            if pin.key == "id":
                yield from reading.nodes(texts)
            elif any(not isinstance(one, str) for one in wanted):
                yield from reading.scan(Wanted(labels[0] if labels else None))
            else:
                for text in texts:
                    yield from reading.scan(Wanted(labels[0] if labels else None, text))

        return candidates

    def _scanned(
        self, labels: tuple[str, ...], held: tuple[str, ...]
    ) -> Callable[[Row], Iterable[Vertex]]:
        reading, kept = self._ground.reading, list[Vertex]()
        label = min(labels, key=self._ground.count) if len(labels) > 1 else (*labels, None)[0]
        state = {"is_whole": False}

        def candidates(_row: Row) -> Iterator[Vertex]:
            if state["is_whole"]:
                yield from kept
                return
            found: list[Vertex] = []
            for vertex in reading.scan(Wanted(label, held=held)):
                if len(found) <= _MOST_SCANNED:
                    found.append(vertex)
                yield vertex
            if len(found) <= _MOST_SCANNED:
                kept[:] = found
                state["is_whole"] = True

        return candidates

    def _expand(self, path: Named, place: int, *, is_forward: bool) -> None:
        edge, edge_name = path.pattern.edges[place], path.edges[place]
        here, there = (place, place + 1) if is_forward else (place + 1, place)
        source, target = path.nodes[here], path.nodes[there]
        direction = edge.direction if is_forward else s.turned(edge.direction)
        fits = self._fits(path.pattern.nodes[there])
        step = Step(edge_name, source, target, direction, is_forward)
        checks = Checks(
            fits, self._evaluator.maybe(edge.properties), edge_name in self._bound,
            target in self._bound, self._is_unique,
        )  # fmt: skip
        if edge.is_long:
            self._ops.append(self._long(edge, step, checks))
        else:
            self._ops.append(self._short(edge, step, checks))
        self._bind(edge_name, target, f"{edge_name} between")

    def _short(self, edge: s.EdgePattern, step: "Step", checks: "Checks") -> Op:
        nearby, types, guard = self._ground.nearby, edge.types, self._guard

        def op(rows: Iterable[Row]) -> Iterator[Row]:
            for place, chunk in enumerate(chunks(rows)):
                around = nearby.steps if place else nearby.stream
                if place:
                    nearby.load((row[step.source].id for row in chunk), step.direction, types)
                for row in chunk:
                    wanted = checks.own(row) if checks.own is not None else None
                    for link, vertex in around(row[step.source].id, step.direction, types):
                        guard.tick()
                        if not checks.allows(row, step, link, vertex):
                            continue
                        if checks.own is not None and not has(link, wanted):
                            continue
                        found = {**row, step.edge: link, step.target: vertex}
                        if checks.is_unique:
                            found[USED] = row[USED] | {link.key}
                        yield found

        return op

    def _long(self, edge: s.EdgePattern, step: "Step", checks: "Checks") -> Op:
        nearby, guard, between = self._ground.nearby, self._guard, f"{step.edge} between"

        def op(rows: Iterable[Row]) -> Iterator[Row]:
            for row in rows:
                used = row[USED] if checks.is_unique else frozenset()
                is_wanted = wanted_links(checks.own(row) if checks.own is not None else {}, used)
                start = row[step.source]
                for links, nodes in walks(nearby, guard, (edge, step.direction), start, is_wanted):
                    if not checks.fits(nodes[-1], row):
                        continue
                    if checks.target_bound and not is_same(row[step.target], nodes[-1]):
                        continue
                    path = links if step.is_forward else links[::-1]
                    if checks.edge_bound and equals(row[step.edge], path) is not True:
                        continue
                    found = {**row, step.edge: path, step.target: nodes[-1]}
                    found[between] = nodes if step.is_forward else nodes[::-1]
                    if checks.is_unique:
                        found[USED] = used | {link.key for link in links}
                    yield found

        return op

    def _shortest(self, path: Named, start: int) -> None:
        edge, end = path.pattern.edges[0], 1 - start
        fits, own = self._fits(path.pattern.nodes[end]), self._evaluator.maybe(edge.properties)
        is_bound, target = path.nodes[end] in self._bound, path.nodes[end]
        nearby, guard = self._ground.nearby, self._guard
        direction = edge.direction if start == 0 else s.turned(edge.direction)

        def op(rows: Iterable[Row]) -> Iterator[Row]:
            for row in rows:
                goal = row[target] if is_bound else None
                if is_bound and not isinstance(goal, Vertex):
                    continue
                is_wanted = wanted_links(own(row) if own is not None else {}, frozenset())
                search = (edge, direction, path.pattern.shortest == "all", goal)
                origin = row[path.nodes[start]]
                for found in shortest_paths(nearby, guard, search, origin, is_wanted):
                    if fits(found.nodes[-1], row):
                        yield shortest_row(row, path, found, start == 0)

        self._ops.append(op)
        self._bind(path.edges[0], target, *filter(None, [path.pattern.variable]))
