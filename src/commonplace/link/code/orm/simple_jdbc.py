"""Spring's SimpleJdbcInsert: told its table once, given rows where it runs."""

from collections.abc import Iterator

from commonplace.domain.code import At, Call
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
from commonplace.link.code.orm.jpa import JAVA
from commonplace.link.code.queries.chains import chain_of, words
from commonplace.link.code.queries.prepared import runs

_TABLE, _SCHEMA = "withTableName", "withSchemaName"
_MAPS = frozenset({"of", "MapSqlParameterSource", "addValue", "put"})


def _defines(sight: Sight) -> Iterator[tuple[int, At, Asked]]:
    """``insert.execute(Map.of("a", 1))`` of ``new SimpleJdbcInsert(…).withTableName("t")``."""
    for number, call in enumerate(sight.unit.facts.calls if _TABLE in words(sight.unit) else ()):
        table = sight.said(call.scope, argument(call, 0)) if tail(call.callee) == _TABLE else ""
        for by in runs(sight, number, call) if table else ():
            yield by.scope, by.at, Asked(None, "WRITES", tuple(_columns(sight, by)), table)


def _columns(sight: Sight, by: Call) -> Iterator[str]:
    """Keys of the row that is given, where it is made there."""
    for one in by.arguments:
        chain = chain_of(sight.unit.facts, by.scope, one, by.at)
        for step in chain.steps:
            if step.call is not None and step.name in _MAPS:
                for key in step.call.arguments[:: 2 if step.name == "of" else 9]:
                    said = sight.said(by.scope, key)
                    if said:
                        yield said


SIMPLE_JDBC = Orm(
    name="simple_jdbc",
    languages=JAVA,
    may=never,
    claims=no_claims,
    columns=no_columns,
    needs_no_class=True,
    defines=_defines,
)
