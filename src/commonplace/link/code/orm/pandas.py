"""pandas: frames read from and put into tables by their names."""

from collections.abc import Iterable, Iterator

from commonplace.link.code.chains import Chain
from commonplace.link.code.orm.base import Asked, Claim, Column, Orm, Sight, argument, never
from commonplace.link.code.program import Place

_PUT, _GET = "to_sql", "read_sql_table"


def _claims(sight: Sight) -> Iterable[Claim]:
    del sight
    return ()


def _columns(sight: Sight, place: Place) -> Iterable[Column]:
    del sight, place
    return ()


def _asks(sight: Sight, chain: Chain) -> Iterator[Asked]:
    for step in chain.steps:
        if step.call is None or step.name not in (_PUT, _GET):
            continue
        table = sight.said(chain.scope, argument(step.call, 0, "name", "table_name"))
        schema = sight.said(chain.scope, argument(step.call, -1, "schema"))
        if table:
            named = f"{schema}.{table}" if schema else table
            yield Asked(None, "WRITES" if step.name == _PUT else "READS", table=named)


PANDAS = Orm(
    name="pandas",
    languages=frozenset({"python"}),
    may=never,
    claims=_claims,
    columns=_columns,
    words=frozenset({_PUT, _GET}),
    needs_no_class=True,
    asks=_asks,
)
