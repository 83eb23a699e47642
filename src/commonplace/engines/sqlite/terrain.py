"""The terrain of a walk in SQLite: prepared statements over the numbered edges.

Every statement is bound to what the call may see. A whole project sees all its nodes; a narrower
selection only edges that a selected document states, and nodes of selected documents or, of no
document, at such an edge.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import apsw

from commonplace.domain.scope import Selection
from commonplace.domain.walk import Direction, Reach, Way
from commonplace.engines.sqlite.rows import as_json, selected
from commonplace.engines.sqlite.statements import relations_of
from commonplace.engines.terrain import MOST_DEGREE, WAYS, Asked, Key, Pair, Step

_ENDS: Mapping[Way, tuple[str, str]] = {"out": ("source", "target"), "in": ("target", "source")}
_STEP = "e.{0}, n.id, n.kind, e.relation, e.confidence, e.document"
_LOOKED_AT = 20_000
"""Edges of one relation of a hub that a walk looks at, the surest, when it wants few of them."""
_SAMPLED = 512
"""Edges of a hub that are looked at to tell how many of them are seen."""
_MOST_IN_SET = 20_000


def seen(
    connection: apsw.Connection, selection: Selection, project: int
) -> tuple[str, str, dict[str, Any]]:
    """What of ``edges AS e`` and ``nodes AS n`` a selection may see, and the parameters of both.

    A walk asks of every edge whether its document is selected: by a set, where that is small
    enough to be made for each call, else by looking the document up.
    """
    if selection.is_whole_project:
        return "", "", {}
    terms, bound = selected(selection, project)
    rows = connection.execute(
        "SELECT x.number FROM documents AS d CROSS JOIN nodes AS x "  # noqa: S608 - our own text
        f"ON x.project = d.project AND x.id = d.id WHERE {terms} LIMIT {_MOST_IN_SET + 1}",
        bound,
    ).fetchall()
    if len(rows) <= _MOST_IN_SET:
        numbers: set[Any] = {row[0] for row in rows}

        def is_seen(*given: Any) -> bool:  # noqa: ANN401 - SQL values
            return given[0] in numbers

        connection.create_scalar_function("document_seen", is_seen, 1)
        found, bound = "document_seen(%s)", {}
    else:
        found, bound = _looked_up(selection, project)
    return (
        f" AND {found % 'e.document'}",
        f" AND (n.document IS NULL OR {found % 'n.document'})",
        bound,
    )


def _looked_up(selection: Selection, project: int) -> tuple[str, dict[str, Any]]:
    terms, bound = selected(replace(selection, tags=()), project)
    for place, choice in enumerate(selection.tags):
        # Asked of one document at a time; the list of all that carry a tag is long.
        terms += (
            " AND EXISTS (SELECT 1 FROM tags WHERE document = d.number "  # noqa: S608 - our own text
            f"AND tag IN (SELECT value FROM json_each(:tags{place})))"
        )
        bound[f"tags{place}"] = as_json(choice)
    found = (
        "EXISTS (SELECT 1 FROM nodes AS x CROSS JOIN documents AS d "  # noqa: S608 - our own text
        f"ON d.project = x.project AND d.id = x.id WHERE x.number = %s AND {terms})"
    )
    return found, bound


class SqliteTerrain:
    """Steps of one reach, as one selection of a project sees them."""

    def __init__(
        self, connection: apsw.Connection, place: tuple[Selection, int], reach: Reach
    ) -> None:
        self._connection = connection
        selection, project = place
        self._project = project
        self._edge, self.node, self.bound = seen(connection, selection, project)
        known = relations_of(connection, project)
        wanted = {
            name: number
            for name, number in known.items()
            if not reach.relations or name in reach.relations
        }
        self.relations = dict(sorted(wanted.items()))
        self._names = {number: name for name, number in wanted.items()}
        self._is_any = not reach.relations
        self._counts: dict[Key, dict[Way, int]] = {}

    def steps(
        self, heres: Sequence[Key], asked: Asked
    ) -> tuple[Mapping[Key, Sequence[Step]], bool]:
        """Steps from each of these nodes, and whether there are more than asked for."""
        found: dict[Key, list[Step]] = {here: [] for here in heres}
        is_capped = False
        kinds = "AND n.kind IN (SELECT value FROM json_each(:kinds))" if asked.kinds else ""
        bound = self.bound | ({"kinds": as_json(asked.kinds)} if asked.kinds else {})
        for way in WAYS[asked.direction]:
            self._count(heres)
            most = min(asked.most, MOST_DEGREE - 1)
            few = [here for here in heres if self._counts[here][way] <= most]
            for near, step in self._all(few, way, kinds, bound):
                found[near].append(step)
            for here in heres:
                if self._counts[here][way] > most:
                    steps, more = self._surest(here, way, kinds, bound | {"most": asked.most + 1})
                    found[here] += steps
                    is_capped |= more
        return found, is_capped

    def _all(
        self, heres: Sequence[Key], way: Way, terms: str, bound: Mapping[str, Any]
    ) -> Iterator[tuple[Key, Step]]:
        """Every step from nodes with few edges, in one query."""
        near, far = _ENDS[way]
        names, is_any = self._names, self._is_any
        rows: Iterable[tuple[Any, ...]] = self._connection.execute(
            f"SELECT e.{near}, {_STEP.format(far)} FROM json_each(:heres) AS f "  # noqa: S608 - our own names
            f"CROSS JOIN edges AS e INDEXED BY edges_{way} ON e.{near} = f.value "
            f"CROSS JOIN nodes AS n ON n.number = e.{far} "
            f"WHERE n.kind IS NOT NULL {terms} {self._edge} {self.node}",
            {**bound, "heres": str(list(heres))},
        )
        for here, key, far_id, kind, relation, confidence, document in rows:
            if is_any or relation in names:
                yield here, Step(key, far_id, kind, names[relation], way, confidence, document)

    def every(
        self, heres: Sequence[Key], way: Way, relations: frozenset[str], least: float
    ) -> Iterator[tuple[Key, Step]]:
        """All steps one way from these nodes, of at least this confidence; none is left out."""
        terms = "AND e.confidence >= :least"
        bound = {**self.bound, "least": least}
        if relations or not self._is_any:
            terms += " AND e.relation IN (SELECT value FROM json_each(:relations))"
            wanted = [n for name, n in self.relations.items() if not relations or name in relations]
            bound["relations"] = str(wanted)
        return self._all(heres, way, terms, bound)

    def _surest(
        self, here: Key, way: Way, terms: str, bound: Mapping[str, Any]
    ) -> tuple[list[Step], bool]:
        """Of each relation of a hub, the surest steps; of many edges only so many are looked at."""
        near, far = _ENDS[way]
        edges = (
            f"edges AS e INDEXED BY edges_{way} WHERE e.{near} = :here AND e.relation = :relation"
        )
        found: list[Step] = []
        is_capped = False
        for number, name in self._names.items():
            place = {"here": here, "relation": number}
            rows: list[tuple[Any, ...]] = self._connection.execute(
                f"SELECT {_STEP.format(far)} FROM (SELECT e.{far}, e.relation, e.confidence, "  # noqa: S608 - our own names
                f"e.document FROM {edges} ORDER BY e.confidence DESC, e.{far} "
                f"LIMIT {_LOOKED_AT}) AS e "
                f"CROSS JOIN nodes AS n ON n.number = e.{far} WHERE n.kind IS NOT NULL "
                f"{terms} {self._edge} {self.node} LIMIT :most",
                {**bound, **place},
            ).fetchall()
            is_capped |= len(rows) == bound["most"]
            if not is_capped and (terms or self._edge):
                beyond = f"SELECT EXISTS (SELECT 1 FROM {edges} LIMIT 1 OFFSET {_LOOKED_AT})"  # noqa: S608 - our own names
                is_capped = bool(self._connection.execute(beyond, place).get)
            found += [
                Step(key, far_id, kind, name, way, confidence, document)
                for key, far_id, kind, _, confidence, document in rows[: bound["most"] - 1]
            ]
        return found, is_capped

    def fan(self, here: Key, direction: Direction, most: int) -> Mapping[Key, float]:
        """Nodes one step away with the confidence of the surest edge to each."""
        found: dict[Key, float] = {}
        for way in WAYS[direction]:
            near, far = _ENDS[way]
            for number in self._names:
                rows: list[tuple[Any, ...]] = self._connection.execute(
                    f"SELECT e.{far}, e.confidence FROM edges AS e INDEXED BY edges_{way} "  # noqa: S608 - our own names
                    f"WHERE e.{near} = :here AND e.relation = :relation {self._edge} "
                    "ORDER BY e.confidence DESC LIMIT :most",
                    self.bound | {"here": here, "relation": number, "most": most - len(found)},
                ).fetchall()
                rows.reverse()  # so that the surest of several to one node stays
                more = dict(rows)
                if found:
                    more |= {key: max(more[key], found[key]) for key in more.keys() & found.keys()}
                found |= more
        return found

    def between(self, pairs: Sequence[Pair], direction: Direction) -> Mapping[Pair, Sequence[Step]]:
        """Every step from the first to the second node of each pair that has one."""
        found: dict[Pair, list[Step]] = {}
        asked = {"pairs": json.dumps(pairs), "relations": str(list(self._names))}
        for way in WAYS[direction]:
            near, far = _ENDS[way]
            rows: Iterable[tuple[Any, ...]] = self._connection.execute(
                f"SELECT e.{near}, {_STEP.format(far)} FROM json_each(:pairs) AS p "  # noqa: S608 - our own names
                "CROSS JOIN json_each(:relations) AS r CROSS JOIN edges AS e "
                f"ON e.{near} = p.value ->> 0 AND e.relation = r.value AND e.{far} = p.value ->> 1 "
                f"CROSS JOIN nodes AS n ON n.number = e.{far} "
                f"WHERE n.kind IS NOT NULL {self._edge} {self.node}",
                self.bound | asked,
            )
            for here, key, far_id, kind, relation, confidence, document in rows:
                step = Step(key, far_id, kind, self._names[relation], way, confidence, document)
                found.setdefault((here, key), []).append(step)
        return found

    def degrees(self, heres: Sequence[Key]) -> Mapping[Key, int]:
        """How many edges touch each node, counted no further than ``MOST_DEGREE`` each way."""
        if self._edge:
            return {here: sum(counts) for here, *counts in self._counted(heres, self._edge)}
        self._count(heres)
        return {here: sum(self._counts[here].values()) for here in heres}

    def _count(self, heres: Sequence[Key]) -> None:
        """Remember how many edges leave and enter each node, seen or not."""
        new = [here for here in heres if here not in self._counts]
        if new:
            for here, outward, inward in self._counted(new, ""):
                self._counts[here] = {"out": outward, "in": inward}

    def _counted(self, heres: Sequence[Key], terms: str) -> Sequence[tuple[Any, ...]]:
        # Of a hub only the first edges are looked at, however few of them are seen.
        counts = ", ".join(
            f"(SELECT count(*) FROM (SELECT 1 FROM (SELECT document FROM edges INDEXED BY "  # noqa: S608 - our own names
            f"edges_{way} WHERE {near} = f.value LIMIT {_SAMPLED if terms else MOST_DEGREE}) "
            f"AS e WHERE true {terms} LIMIT {MOST_DEGREE}))"
            for way, (near, _far) in _ENDS.items()
        )
        return self._connection.execute(
            f"SELECT f.value, {counts} FROM json_each(:heres) AS f",  # noqa: S608 - our own names
            {**self.bound, "heres": str(list(heres))} if terms else {"heres": str(list(heres))},
        ).fetchall()

    def is_seen(self, here: Key) -> bool:
        """Whether a node of no document stands at an edge, or in a statement, that is seen."""
        if not self._edge:
            return True
        at_edge = " UNION ALL ".join(
            f"SELECT 1 FROM edges AS e WHERE e.{near} = :here {self._edge}"  # noqa: S608 - our own names
            for near, _far in _ENDS.values()
        )
        stated = f"SELECT 1 FROM statements AS e WHERE e.node = :here {self._edge}"  # noqa: S608 - our own names
        found = self._connection.execute(
            f"SELECT EXISTS ({stated} UNION ALL {at_edge})",
            self.bound | {"here": here},
        ).get
        return bool(found)

    def counts(self, heres: Sequence[Key], way: Way, most: int) -> Mapping[Key, dict[str, int]]:
        """How many edges of each relation leave or enter each node, no further than ``most``."""
        self._count(heres)
        near, far = _ENDS[way]
        counted: dict[Key, dict[str, int]] = {here: {} for here in heres}
        few = [here for here in heres if self._counts[here][way] < min(most, MOST_DEGREE)]
        joined, terms = self._real(far)
        rows: Iterable[tuple[Any, ...]] = self._connection.execute(
            f"SELECT f.value, e.relation, count(*) FROM json_each(:heres) AS f "  # noqa: S608 - our own names
            f"CROSS JOIN edges AS e INDEXED BY edges_{way} ON e.{near} = f.value "
            f"{joined} WHERE true {terms} {self._edge} GROUP BY f.key, e.relation",
            {**self.bound, "heres": str(few)},
        )
        for here, relation, count in rows:
            if relation in self._names:
                counted[here][self._names[relation]] = count
        for here in set(heres).difference(few):
            counted[here] = self._hub_counts(here, way, most)
        return {here: dict(sorted(found.items())) for here, found in counted.items()}

    def _real(self, far: str) -> tuple[str, str]:
        """How edges are kept to those whose other end is there: a join and its terms.

        Looking up every end would cost more than all else, and mostly all of them are there.
        """
        if self._is_complete and not self.node:
            return "", ""
        return f"CROSS JOIN nodes AS n ON n.number = e.{far}", f"AND n.kind IS NOT NULL {self.node}"

    @cached_property
    def _is_complete(self) -> bool:
        """Whether no edge of the project leads to a node that was never written."""
        sql = "SELECT EXISTS (SELECT 1 FROM nodes WHERE project = ? AND kind IS NULL)"
        return not self._connection.execute(sql, (self._project,)).get

    def _hub_counts(self, here: Key, way: Way, most: int) -> dict[str, int]:
        """The same of a node with many edges: relation by relation, so that it can stop."""
        near, far = _ENDS[way]
        found: dict[str, int] = {}
        joined, terms = self._real(far)
        there = self._touching(here, way)
        for name, number in self.relations.items():
            if number not in there:
                continue
            count = self._connection.execute(
                f"SELECT count(*) FROM (SELECT 1 FROM edges AS e INDEXED BY edges_{way} "  # noqa: S608 - our own names
                f"{joined} WHERE e.{near} = :here AND e.relation = :relation "
                f"{terms} {self._edge} LIMIT :most)",
                self.bound | {"here": here, "relation": number, "most": most},
            ).get
            if count:
                found[name] = count
        return found

    def _touching(self, here: Key, way: Way) -> set[int]:
        """Which relations leave or enter a node at all: from one to the next in the index."""
        near, _ = _ENDS[way]
        rows: Iterable[tuple[Any, ...]] = self._connection.execute(
            "WITH RECURSIVE there (number) AS ("  # noqa: S608 - our own names
            f"SELECT min(relation) FROM edges INDEXED BY edges_{way} WHERE {near} = :here "
            "UNION ALL SELECT (SELECT min(relation) FROM edges "
            f"INDEXED BY edges_{way} WHERE {near} = :here AND relation > there.number) "
            "FROM there WHERE there.number IS NOT NULL) "
            "SELECT number FROM there WHERE number IS NOT NULL",
            {"here": here},
        )
        return {row[0] for row in rows}
