"""Rows copied in bulk into a table that is told by name: pgx's CopyFrom, .NET's bulk copies."""

from collections.abc import Iterator

from commonplace.domain.code import At
from commonplace.domain.expr import Expr
from commonplace.link.code.orm.base import (
    Asked,
    Orm,
    Sight,
    argument,
    never,
    no_claims,
    no_columns,
    tail,
)
from commonplace.link.code.queries.chains import Chain, chains, words

_COPY, _TARGET, _MAPPINGS = "CopyFrom", "DestinationTableName", "ColumnMappings"
_PUTTING = frozenset({"WriteToServer", "WriteToServerAsync"})
_PLACES = (1, 2)
"""Of the table and its columns among the arguments of ``CopyFrom``."""


def _asks(sight: Sight, chain: Chain) -> Iterator[Asked]:
    """``pool.CopyFrom(ctx, pgx.Identifier{"s", "t"}, []string{"a", "b"}, rows)``."""
    for step in chain.steps if sight.unit.facts.language == "go" else ():
        named, listed = (argument(step.call, place) for place in _PLACES)
        if step.name != _COPY or named is None or named[0] != "call":
            continue
        made = sight.unit.facts.calls[named[1]]
        parts = [sight.said(chain.scope, one) for one in made.arguments]
        if tail(made.callee) == "Identifier" and parts and all(parts):
            columns = _strings(sight, chain.scope, listed)
            yield Asked(None, "WRITES", columns, ".".join(parts))


def _strings(sight: Sight, scope: int, listed: Expr | None) -> tuple[str, ...]:
    members = listed[2] if listed is not None and listed[0] == "seq" else ()
    return tuple(said for one in members if (said := sight.said(scope, one)))


def _defines(sight: Sight) -> Iterator[tuple[int, At, Asked]]:
    """``bulk.DestinationTableName = "t"`` and the columns of its mappings."""
    facts = sight.unit.facts
    if not _PUTTING & words(sight.unit):
        return
    told = [
        (call.scope, call.at, value)
        for call in facts.calls
        for key, value in call.keywords
        if key == _TARGET
    ]
    told += (
        (use.scope, use.at, flow.value)
        for use in facts.uses
        if use.access == "write" and use.expr[0] == "attr" and use.expr[2] == _TARGET
        for flow in facts.flows
        if flow.scope == use.scope and flow.target == use.expr
    )
    for scope, at, value in told:
        table = sight.said(scope, value)
        if table:
            yield scope, at, Asked(None, "WRITES", tuple(_mapped(sight, scope)), table)


def _mapped(sight: Sight, scope: int) -> Iterator[str]:
    """``bulk.ColumnMappings.Add("from", "to")``."""
    for chain in chains(sight.unit):
        is_mapping = chain.scope == scope and chain.names()[-2:] == (_MAPPINGS, "Add")
        said = sight.said(scope, argument(chain.steps[-1].call, 1)) if is_mapping else ""
        if said:
            yield said


BULK = Orm(
    name="bulk",
    languages=frozenset({"go", "csharp"}),
    may=never,
    claims=no_claims,
    columns=no_columns,
    words=frozenset({_COPY}),
    needs_no_class=True,
    asks=_asks,
    defines=_defines,
)
