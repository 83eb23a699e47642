"""What classes and tables hold, read and write, who calls into them, and the ends of routes.

A whole has few edges of its own: its methods call, read and are called. So its card, at every
verbosity, sums up its parts.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from commonplace.domain.course import Course, Followed
from commonplace.domain.graph import Node
from commonplace.domain.scope import Selection
from commonplace.domain.walk import Described
from commonplace.tools.app import App
from commonplace.tools.code.cards import full_names, names, tally
from commonplace.tools.code.kinds import CONTAINERS, CONTAINS
from commonplace.tools.code.sharing import Row

_MOST_WHOLES = 10
_MOST_PARTS = 1000
_NAMES = 8
_METHODS = ("Method", "Function", "Procedure")
_COURSES = (
    # Apart, because a table that is read and written is reached only once in each.
    Course(relations=frozenset({CONTAINS, "READS"}), depth=2, limit=_MOST_PARTS),
    Course(relations=frozenset({CONTAINS, "WRITES"}), depth=2, limit=_MOST_PARTS),
    Course(
        relations=frozenset({CONTAINS}),
        backward=frozenset({"CALLS"}),
        depth=2,
        limit=_MOST_PARTS,
    ),
)

_ENDS = {"HANDLES": "handled_by", "REQUESTS": "requested_by"}
_ROUTE = Course(relations=frozenset({"HANDLES"}), backward=frozenset({"REQUESTS"}))


@dataclass(frozen=True, slots=True)
class Holding:
    """What one whole holds, by what it is."""

    lists: Mapping[str, Sequence[Node]]
    """Methods and members, tables it reads and writes; the best connected first."""
    tests: int
    callers: int

    def listed(self) -> Row:
        """The names of the first of each; of who handles and requests a route the full ones."""
        return {
            name: (full_names if name in _ENDS.values() else names)(nodes, _NAMES)
            for name, nodes in self.lists.items()
            if nodes
        }

    def counted(self) -> dict[str, int]:
        """How many of each."""
        tables = {"reads": "reads_tables", "writes": "writes_tables"}
        counts = {tables.get(name, name): len(nodes) for name, nodes in self.lists.items() if nodes}
        return counts | self.summed()

    def summed(self) -> dict[str, int]:
        """What has no list: tests, whose number tells more than their names, and callers."""
        counts = {"test_methods": self.tests, "callers": self.callers}
        return {name: n for name, n in counts.items() if n}


async def holdings(app: App, selection: Selection, shown: Sequence[Node]) -> dict[str, Holding]:
    """What the first wholes among some symbols hold, by their ids."""
    wholes = [node for node in shown if node.kind in CONTAINERS][:_MOST_WHOLES]
    follow = app.store.graph.follow
    found = await asyncio.gather(
        *(follow(selection, [one.id], course) for one in wholes for course in _COURSES)
    )
    size = len(_COURSES)
    held = {
        whole.id: _holding(*found[place * size : (place + 1) * size])
        for place, whole in enumerate(wholes)
    }
    routes = [node for node in shown if node.kind == "Route"][:_MOST_WHOLES]
    ends = await asyncio.gather(*(follow(selection, [one.id], _ROUTE) for one in routes))
    return held | {one.id: _route(end) for one, end in zip(routes, ends, strict=True)}


def _route(found: Followed) -> Holding:
    """Who handles and who requests it."""
    lists: dict[str, list[Node]] = {name: [] for name in _ENDS.values()}
    for step in found.steps:
        lists[_ENDS[step.edge.relation]].append(step.node)
    return Holding(lists, tests=0, callers=0)


def _holding(reads: Followed, writes: Followed, calls: Followed) -> Holding:
    held = [s for s in reads.steps if s.edge.relation == CONTAINS and s.depth == 1]
    own = [s.node for s in sorted(held, key=lambda s: (-s.degree, s.node.id))]
    others = [one for one in own if one.kind not in (*_METHODS, "Constructor", "Test")]
    lists = {"methods": [one for one in own if one.kind in _METHODS], "members": others}
    for name, followed in (("reads", reads), ("writes", writes)):
        reached = [s for s in followed.steps if s.edge.relation != CONTAINS]
        reached.sort(key=lambda s: (-s.degree, s.node.id))
        lists[name] = [s.node for s in reached if s.node.kind != "Column"]
    callers = sum(step.edge.relation == "CALLS" for step in calls.steps)
    return Holding(lists, sum(one.kind == "Test" for one in own), callers)


def counts_of(
    described: Described | None, held: Holding | None, *, is_listed: bool = False
) -> dict[str, int]:
    """What touches a symbol, of a whole with its parts; what is listed by name is not counted."""
    counts = tally(described) if described else {}
    if held is None:
        return counts
    summed = {"members", "callers"} | {name for name in ("reads", "writes") if held.lists.get(name)}
    summed |= {"calls"} if held.lists.get("methods") else set()  # those of its fields alone
    own = {name: n for name, n in counts.items() if name not in summed}
    return (held.summed() if is_listed else held.counted()) | own
