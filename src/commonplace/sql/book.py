"""What reading a script fills: symbols, queries, problems, each at its place."""

from collections.abc import Sequence
from typing import TypeAlias

from commonplace.domain import expr
from commonplace.domain.clip import clip
from commonplace.domain.code import At, Derived, Parameter, Problem, Query, Source, Symbol
from commonplace.sql.define import Defined
from commonplace.sql.lines import Lines
from commonplace.sql.names import parts, spell
from commonplace.sql.pieces import Piece
from commonplace.sql.resolve import Resolver
from commonplace.sql.shapes import VARIABLES, Shape
from commonplace.sql.sources import CANDIDATE, STAR, Flowing, Nothing, Sources

Names: TypeAlias = Sequence[str]
_MOST_SIGNATURE = 200
_NOTHING = Nothing()


class Book:
    """The facts of one text. ``scope`` is where its statements stand when it is not a file."""

    def __init__(self, text: str, path: str = "", at: At | None = None) -> None:
        self.lines = Lines(text)
        self.fixed = at
        whole = at or self.lines.at(0, len(text))
        name = path.rsplit("/", 1)[-1]
        self.symbols = [Symbol(kind="File", name=name, path="", parent=-1, at=whole)]
        self.queries: list[Query] = []
        self.problems: list[Problem] = []
        self.dialect = ""
        self.is_partial = False
        self.numbers: dict[tuple[str, str], int] = {}

    def at(self, piece: Piece) -> At:
        """Where a piece stands."""
        return self.fixed or self.lines.at(*piece.span)

    def problem(self, what: str, at: At) -> None:
        """Record what was not understood."""
        self.problems.append(Problem(what, at))

    def symbol(self, kind: str, name: str, at: At, **told: object) -> int:
        """Add a definition; its number."""
        short = parts(name)[-1]
        number = len(self.symbols)
        told.setdefault("parent", 0)
        self.symbols.append(Symbol(kind=kind, name=short, path=name, at=at, **told))  # type: ignore[arg-type]
        self.numbers[(kind, name.lower())] = number
        return number

    def columns(self, found: Defined, piece: Piece, parent: int) -> None:
        """The columns a definition adds, as symbols below their table."""
        for op in found.ops:
            if op[0] != "add":
                continue
            low, high = found.places[op[1]]
            at = self.at(Piece("column", piece.scanned, low, high))
            signature = clip(piece.scanned.written(low, high), _MOST_SIGNATURE)
            kind = expr.name(op[2]) if op[2] else None
            path = spell(*parts(found.name), op[1])
            self.symbol("Column", path, at, parent=parent, signature=signature, type=kind)

    def query(self, scope: int, verb: str, target: str, shape: Shape, at: At) -> None:
        """Add a statement, with what can be said of it before any table is known."""
        resolver = Resolver(shape, _NOTHING)
        flows = resolver.flows()
        self.queries.append(
            Query(
                scope=scope,
                verb=verb,
                target=target,
                reads=_flat(resolver.reads()),
                writes=tuple(dict.fromkeys(one.column for one in flows if one.target == target)),
                derived=_derived(flows, target),
                tables=tuple(resolver.tables_read(target)),
                at=at,
                dialect=self.dialect,
                is_partial=self.is_partial,
                shape=shape,
            )
        )

    def tell(
        self, scope: int, verb: str, target: str, at: At, more: tuple[Names, Names, Shape]
    ) -> None:
        """Add a statement without a query in it: the columns it writes, tables it names, ops."""
        writes, tables, ops = more
        shape = ((), (), (), ops) if ops else ()
        said = Query(scope, verb, target, (), tuple(writes), (), tuple(tables), at)
        self.queries.append(
            said._replace(dialect=self.dialect, is_partial=self.is_partial, shape=shape)
        )


def _flat(sources: Sources) -> tuple[Source, ...]:
    found = {
        Source("" if sure <= CANDIDATE else table, column): None
        for (table, column), (_how, sure) in sources.items()
        if table != VARIABLES
    }
    return tuple(found)


def _derived(flows: list[Flowing], target: str) -> tuple[Derived, ...]:
    return tuple(
        Derived(one.column if one.column != STAR else "", _flat(one.sources), _made(one.sources))
        for one in flows
        if one.target == target and one.sources
    )


def _made(sources: Sources) -> str:
    made = {how for how, _sure in sources.values()}
    return (
        "aggregate"
        if "aggregate" in made
        else "copy"
        if made == {"copy"} and len(sources) == 1
        else "expression"
    )


def parameters(listed: Sequence[tuple[str, str]]) -> tuple[Parameter, ...]:
    """Parameters of a routine from names and types."""
    return tuple(Parameter(name, type=expr.name(kind) if kind else None) for name, kind in listed)
