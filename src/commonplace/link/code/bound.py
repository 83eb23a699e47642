"""One edge as binding finds it, before it is drawn."""

from typing import NamedTuple

from commonplace.domain.code import At, Symbol
from commonplace.link.code.program import Place


class Bound(NamedTuple):
    """From a symbol of the file to a definition, or to a library's thing by name."""

    source: int
    relation: str
    target: Place | str
    how: str
    confidence: float
    at: At


class Bounds(list[Bound]):
    """The edges of one file as they are found.

    ``add`` makes the tuples itself: their constructors took a tenth of binding.
    """

    def add(self, *told: object) -> None:
        """One edge more, by the fields of ``Bound``."""
        self.append(tuple.__new__(Bound, told))


def place(value: tuple[str, str, int]) -> Place:
    """Where a function, class or instance is defined."""
    return tuple.__new__(Place, value[1:3])


def beginning(symbol: Symbol) -> At:
    """Where a definition begins: what it says as a whole is proven there."""
    line, column = symbol.at[:2]
    return At(line, column, line, column)
