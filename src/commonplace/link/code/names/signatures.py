"""Whether one method stands in place of another: by how much it takes, and of what types."""

from collections.abc import Iterable, Sequence

from commonplace.domain.code import Symbol
from commonplace.domain.expr import Expr

_SAME = {"String": "string", "Integer": "int", "Int32": "int", "Boolean": "bool"}


def is_hidden(nearer: Iterable[Symbol], symbols: Sequence[Symbol], number: int) -> bool:
    """Whether a method is overridden or hidden by one of a class below."""
    return any(is_same(one, symbols, number) for one in nearer)


def is_same(near: Symbol, symbols: Sequence[Symbol], number: int) -> bool:
    """Whether a method may take the very types another does, as far as they are written.

    A type parameter above may stand for anything: ``handle(T)`` is overridden by ``handle(Order)``.
    """
    far = symbols[number]
    mine = [one for one in near.parameters if one.flavour != "receiver"]
    others = [one for one in far.parameters if one.flavour != "receiver"]
    if len(mine) != len(others):
        return False
    open_ = {one.name for one in (*far.type_parameters, *symbols[far.parent].type_parameters)}
    return all(
        _may_be(one.type, other.type, open_) for one, other in zip(mine, others, strict=True)
    )


def _may_be(near: Expr | None, far: Expr | None, open_: set[str]) -> bool:
    if near is None or far is None:
        return True
    one, other = _name(near), _name(far)
    return other in open_ or not one or not other or one == other


def _name(type_: Expr) -> str:
    """The last name of a type without its arguments; empty where it has none."""
    while type_[0] == "generic":
        type_ = type_[1]
    last = str(type_[-1]) if type_[0] in ("name", "attr") else ""
    return _SAME.get(last, last)
