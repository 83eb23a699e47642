"""Expressions of code, reduced to what decides which definition a name means.

Nested tuples whose first member says what they are: small to send between processes, quick to
store as JSON, and the same for every language. Make them with the functions below only.
"""

from typing import Any, TypeAlias

Expr: TypeAlias = tuple[Any, ...]


def name(identifier: str) -> Expr:
    """What a bare name means in its scope."""
    return ("name", identifier)


def attr(base: Expr, identifier: str) -> Expr:
    """A member of a value: ``base.identifier``."""
    return ("attr", base, identifier)


def item(base: Expr, key: str | int | None = None) -> Expr:
    """An element by a key; None when the key is not a literal."""
    return ("item", base, key)


def begins(base: Expr, beginning: str) -> Expr:
    """A member of which only the beginning of its name is known: ``base["on" + kind]``."""
    return ("begins", base, beginning)


def call(number: int) -> Expr:
    """What ``Facts.calls[number]`` gives back."""
    return ("call", number)


def made(number: int) -> Expr:
    """``Facts.symbols[number]`` as a value: a lambda, a class expression, a nested function."""
    return ("made", number)


def text(*parts: str | Expr) -> Expr:
    """A string: literal parts, and expressions where something is filled in.

    >>> text("SELECT * FROM ", name("table"))
    ('text', ('SELECT * FROM ', ('name', 'table')))
    """
    return ("text", parts)


def value(type_name: str) -> Expr:
    """Another literal, of which only the type counts: int, float, bool, none, str, bytes, regex."""
    return ("value", type_name)


def seq(kind: str, *members: Expr) -> Expr:
    """A list, tuple or set display with its members in order; ``star(x)`` for a spread one."""
    return ("seq", kind, members)


def mapping(*pairs: tuple[str | int | None, Expr]) -> Expr:
    """A dict or object display; the key None is not a literal, or a spread mapping."""
    return ("map", pairs)


def one(*options: Expr) -> Expr:
    """One of several: a conditional, ``a or b``, a match."""
    return ("one", options)


def self_() -> Expr:
    """The object a method runs on, where the language has a word for it (not Python)."""
    return ("self",)


THIS: Expr = ("name", "this~")
"""The object a function of an object without a class runs on: mostly that one, as it is told."""


def super_(above: Expr | None = None) -> Expr:
    """The same object seen as its superclass; as that of a class which is named (Python)."""
    return ("super",) if above is None else ("super", above)


def each(base: Expr) -> Expr:
    """What iterating gives, one at a time."""
    return ("each", base)


def tail(base: Expr, start: int) -> Expr:
    """The elements from a place on: ``base[1:]``, what ``[first, ...rest]`` leaves."""
    return ("tail", base, start)


def wait(base: Expr) -> Expr:
    """What awaiting gives."""
    return ("wait", base)


def enter(base: Expr) -> Expr:
    """What a ``with`` block binds."""
    return ("enter", base)


def star(base: Expr) -> Expr:
    """A spread argument or member."""
    return ("star", base)


def typed(type_: Expr) -> Expr:
    """Some instance of a type: a cast, a declared local, a parameter with a type."""
    return ("typed", type_)


def narrow(base: Expr, *types: Expr) -> Expr:
    """A value that is known to be of one of these types: below ``if isinstance(x, Order):``."""
    return ("narrow", base, types)


def generic(base: Expr, *arguments: Expr) -> Expr:
    """A type with type arguments: ``List<Order>``, ``dict[str, int]``."""
    return ("generic", base, arguments)


def query(base: Expr) -> Expr:
    """The type a value has: ``typeof x``."""
    return ("query", base)


def keys(type_: Expr) -> Expr:
    """The names of the members of a type: ``keyof T``."""
    return ("keys", type_)


def says(about: str, type_: Expr) -> Expr:
    """What a function gives back that tells whether a parameter is of a type: ``x is T``."""
    return ("says", name(about), (type_,))


RESULT: Expr = ("result",)
"""As the target of a flow: what the function of this scope gives back."""
YIELDED: Expr = ("yielded",)
"""As the target of a flow: what the generator of this scope gives, one at a time."""
