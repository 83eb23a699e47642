"""Changing a tree: the same tree with some of its expressions replaced."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar, cast

from commonplace.cypher import syntax as s

T = TypeVar("T")
Change = Callable[[s.Expr], s.Expr | None]
"""The expression to stand instead, or None to look inside."""


def rebuilt(tree: T, change: Change) -> T:
    """The tree with every outermost expression that ``change`` replaces replaced."""
    if isinstance(tree, s.Expr):
        changed = change(tree)
        if changed is not None:
            return cast("T", changed)
    if isinstance(tree, tuple):
        return cast("T", tuple(rebuilt(one, change) for one in tree))
    if not is_dataclass(tree) or isinstance(tree, type):
        return tree
    values = {one.name: getattr(tree, one.name) for one in fields(tree)}
    new = {name: rebuilt(value, change) for name, value in values.items()}
    if all(new[name] is value for name, value in values.items()):
        return tree
    return replace(tree, **new)
