"""Edges around nodes, fetched many nodes at a time and kept while the query runs."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from commonplace.cypher.faults import too_much
from commonplace.cypher.guard import Guard
from commonplace.cypher.reading import Reading
from commonplace.cypher.syntax import Direction
from commonplace.cypher.values import Link, Vertex

_FIRST_CHUNK, _CHUNK = 8, 512
_MOST_KEPT = 100_000  # edges kept between two fetches
_MOST_AT_ONCE = 400_000

T = TypeVar("T")
Step = tuple[Link, Vertex]


def chunks(stream: Iterable[T]) -> Iterator[list[T]]:
    """The stream in lists: short ones first, so that a LIMIT costs little; then longer ones.

    >>> [len(chunk) for chunk in chunks(range(50))]
    [8, 32, 10]
    """
    source, size = iter(stream), _FIRST_CHUNK
    while chunk := list(islice(source, size)):
        yield chunk
        size = min(_CHUNK, size * 4)


class Nearby:
    """The edges of nodes, by direction and type."""

    def __init__(self, reading: Reading, guard: Guard) -> None:
        self._reading = reading
        self._guard = guard
        self._known: dict[tuple[bool, tuple[str, ...]], dict[str, list[Step]]] = {}
        self._kept = 0

    def load(self, node_ids: Iterable[str], direction: Direction, types: tuple[str, ...]) -> None:
        """Fetch what is not known yet of these nodes."""
        wanted = list(dict.fromkeys(node_ids))
        if self._kept > _MOST_KEPT:
            self._known.clear()
            self._kept = 0
        for is_out in _ways(direction):
            known = self._known.setdefault((is_out, types), {})
            missing = [one for one in wanted if one not in known]
            for start in range(0, len(missing), _CHUNK):
                self._fetch(missing[start : start + _CHUNK], known, is_out, types)

    def _fetch(
        self,
        node_ids: Sequence[str],
        known: dict[str, list[Step]],
        is_out: bool,
        types: tuple[str, ...],
    ) -> None:
        known.update((one, []) for one in node_ids)
        count = 0
        for near, link, far in self._reading.edges(node_ids, is_out=is_out, types=types):
            self._guard.tick()
            count += 1
            if count > _MOST_AT_ONCE:
                raise too_much("meets a node with too many edges", _MOST_AT_ONCE,
                               "name relationship types, or start at the other end")  # fmt: skip
            known[near].append((link, far))
        self._kept += count + len(node_ids)

    def steps(self, node_id: str, direction: Direction, types: tuple[str, ...]) -> Iterator[Step]:
        """The edges of a node and where they lead; an edge to itself once."""
        for is_out in _ways(direction):
            known = self._known.get((is_out, types), {})
            if node_id not in known:
                self.load([node_id], direction, types)
                known = self._known[is_out, types]
            for link, far in known[node_id]:
                if is_out or direction == "in" or link.source != link.target:
                    yield link, far

    def stream(self, node_id: str, direction: Direction, types: tuple[str, ...]) -> Iterator[Step]:
        """The same, not kept: who wants only the first few of a hub's edges reads no more."""
        for is_out in _ways(direction):
            known = self._known.get((is_out, types), {}).get(node_id)
            steps = self._unkept(node_id, is_out, types) if known is None else iter(known)
            for link, far in steps:
                if is_out or direction == "in" or link.source != link.target:
                    yield link, far

    def _unkept(self, node_id: str, is_out: bool, types: tuple[str, ...]) -> Iterator[Step]:
        for _, link, far in self._reading.edges([node_id], is_out=is_out, types=types):
            yield link, far


def _ways(direction: Direction) -> tuple[bool, ...]:
    return {"out": (True,), "in": (False,), "both": (True, False)}[direction]
