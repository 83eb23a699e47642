"""What a pass is: the relations it draws and one function from a program to edges."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from commonplace.domain.graph import Edge, Node
from commonplace.link.code.program import Program


@dataclass(slots=True)
class Found:
    """What a pass found in one document."""

    nodes: list[Node] = field(default_factory=list)
    """Without a document: shared, gone with the last document that names them."""
    edges: list[Edge] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """A catalog record; passes do not see each other's edges and run in any order.

    ``run`` looks at these documents only, but may look anything up in the program. What it gives
    for a document depends on the program alone, not on which documents are asked for together.
    """

    name: str
    relations: frozenset[str]
    run: Callable[[Program, Collection[str]], dict[str, Found]]
    """By document id."""
