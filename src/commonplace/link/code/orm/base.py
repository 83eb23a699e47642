"""What an object-relational mapper is: the classes it maps, and how code asks for them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from commonplace.domain.code import At, Call
from commonplace.domain.expr import Expr
from commonplace.link.code.names.look import Look
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import Chain
from commonplace.link.code.queries.strings import Strings

Access = Literal["READS", "WRITES"]


class Column(NamedTuple):
    """The column a field is kept in."""

    field: str
    name: str
    how: str = "convention"


class Claim(NamedTuple):
    """Something a file says about the table of a class."""

    subject: Place
    table: str = ""
    """Empty when it speaks of columns only."""
    columns: tuple[Column, ...] = ()
    how: str = "declared"
    rank: int = 2
    """Of several claims the highest holds: 1 by naming rule, 2 said at the class, 3 configured."""


class Mapped(NamedTuple):
    """A class and its table, all claims put together."""

    subject: Place
    table: str
    columns: Mapping[str, tuple[Column, str]]
    """By field: the column and the document that proves it."""
    orm: str
    document_id: str
    how: str


class Asked(NamedTuple):
    """A chain that reads or writes what a class maps."""

    subject: Place | None
    access: Access
    fields: tuple[str, ...] = ()
    """Fields it names; those that map to nothing are passed over."""
    table: str = ""
    """Without a class: the table itself, and ``fields`` are its columns."""
    confidence: float = 0.9
    how: str = "orm"


@dataclass(frozen=True, slots=True)
class Sight:
    """One file, with all that helps to read it."""

    look: Look
    unit: Unit
    strings: Strings
    mapped: Mapping[Place, Mapped]

    def calls(self, exprs: Iterable[Expr]) -> Iterable[tuple[str, Call]]:
        """Of decorators and values, those that are calls, with the name that is called."""
        for expr in exprs:
            if expr[0] == "call":
                call = self.unit.facts.calls[expr[1]]
                yield tail(call.callee), call

    def said(self, scope: int, expr: Expr | None) -> str:
        """What a string says when it is all known."""
        return self.strings.said(scope, expr)


@dataclass(frozen=True, slots=True, kw_only=True)
class Orm:
    """A catalog record."""

    name: str
    languages: frozenset[str]
    may: Callable[[Unit], bool]
    """Whether a file can claim anything: from its facts alone, asked once for each."""
    claims: Callable[[Sight], Iterable[Claim]]
    """What one file says about tables of classes; asked without knowing what is mapped."""
    columns: Callable[[Sight, Place], Iterable[Column]]
    """The columns of a class by its own fields, its file in sight."""
    parts: Callable[[Sight, Place, Place], bool] | None = None
    """Whether what a class above declares is kept elsewhere than in the table of the class."""
    words: frozenset[str] = frozenset()
    """A file whose calls name none of these has no chain that asks."""
    of: frozenset[str] = frozenset()
    """Mappers whose classes it asks for, when not its own."""
    needs_no_class: bool = False
    """Whether it asks for tables by their names."""
    asks: Callable[[Sight, Chain], Iterable[Asked]] | None = None
    """What a chain of calls reads or writes."""
    defines: Callable[[Sight], Iterable[tuple[int, At, Asked]]] | None = None
    """What functions read or write by what they are called: (symbol, where, what)."""


def naming(subject: Place | None, access: Access, fields: tuple[str, ...]) -> Iterator[Asked]:
    """What a link asks for by naming fields; nothing when it names none."""
    if fields:
        yield Asked(subject, access, fields)


def tail(expr: Expr) -> str:
    """The last name of an expression.

    >>> tail(("attr", ("name", "sa"), "Column"))
    'Column'
    """
    while expr[0] == "generic":
        expr = expr[1]
    return expr[-1] if expr[0] in ("name", "attr") and isinstance(expr[-1], str) else ""


def never(unit: Unit) -> bool:
    """For what maps no classes."""
    del unit
    return False


def no_claims(sight: Sight) -> Iterable[Claim]:
    """For what maps no classes."""
    del sight
    return ()


def no_columns(sight: Sight, place: Place) -> Iterable[Column]:
    """For classes whose claims say all."""
    del sight, place
    return ()


def decorates(unit: Unit, *names: str) -> bool:
    """Whether a decorator or annotation of a file is so called."""
    facts = unit.facts
    for symbol in facts.symbols:
        for expr in symbol.decorators:
            if tail(facts.calls[expr[1]].callee if expr[0] == "call" else expr) in names:
                return True
    return False


def marks(exprs: Iterable[Expr], sight: Sight) -> dict[str, Call | None]:
    """Decorators or annotations by their last name, with their call when they take arguments."""
    found: dict[str, Call | None] = {}
    for expr in exprs:
        call = sight.unit.facts.calls[expr[1]] if expr[0] == "call" else None
        found[tail(call.callee if call else expr)] = call
    return found


def argument(call: Call | None, place: int, *names: str) -> Expr | None:
    """An argument by its keyword or else by its place."""
    if call is None:
        return None
    for key, value in call.keywords:
        if key in names:
            return value
    return call.arguments[place] if 0 <= place < len(call.arguments) else None


def snake(name: str) -> str:
    """A name in lower case with underscores between its words.

    >>> snake("lastName"), snake("OrderLine"), snake("HTTPCode")
    ('last_name', 'order_line', 'http_code')
    """
    out = []
    for place, letter in enumerate(name):
        before = name[place - 1] if place else ""
        after = name[place + 1 : place + 2]
        if letter.isupper() and (
            before.islower() or before.isdigit() or (before.isupper() and after.islower())
        ):
            out.append("_")
        out.append(letter.lower())
    return "".join(out)


def plural(name: str) -> str:
    """The table of a model where the rule is its plural.

    >>> plural("Order"), plural("Category"), plural("Box")
    ('Orders', 'Categories', 'Boxes')
    """
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "z", "ch", "sh")) else f"{name}s"


def entry(expr: Expr | None, key: str) -> Expr | None:
    """The value of a key of an object display."""
    if expr is None or expr[0] != "map":
        return None
    return next((value for name, value in expr[1] if name == key), None)


def keys(expr: Expr | None) -> list[str]:
    """The literal keys of an object display."""
    if expr is None or expr[0] != "map":
        return []
    return [name for name, _value in expr[1] if isinstance(name, str)]
