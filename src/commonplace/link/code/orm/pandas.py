"""pandas: frames read from and put into tables by their names."""

from collections.abc import Iterator

from commonplace.link.code.orm.asking import in_objects
from commonplace.link.code.orm.base import (
    Asked,
    Orm,
    Sight,
    argument,
    never,
    no_claims,
    no_columns,
)
from commonplace.link.code.queries.chains import Chain

_PUT, _GET = "to_sql", "read_sql_table"


def _asks(sight: Sight, chain: Chain) -> Iterator[Asked]:
    for step in chain.steps:
        if step.call is None or step.name not in (_PUT, _GET):
            continue
        table = sight.said(chain.scope, argument(step.call, 0, "name", "table_name"))
        schema = sight.said(chain.scope, argument(step.call, -1, "schema"))
        if table:
            named = f"{schema}.{table}" if schema else table
            listed = argument(step.call, -1, "columns") if step.name == _GET else None
            columns = in_objects(sight, listed)
            yield Asked(None, "WRITES" if step.name == _PUT else "READS", columns, named)


PANDAS = Orm(
    name="pandas",
    languages=frozenset({"python"}),
    may=never,
    claims=no_claims,
    columns=no_columns,
    words=frozenset({_PUT, _GET}),
    needs_no_class=True,
    asks=_asks,
)
