"""What a script says of tables and routines by name, so that who asked for a name is bound anew."""

from collections.abc import Iterator

from commonplace.domain.code import Facts, Query
from commonplace.link.code.lineage.schema import is_real
from commonplace.sql.names import parts

_DEFINED = frozenset({"Table", "View", "Procedure", "Function", "Trigger", "Synonym"})


def asked_key(name: str) -> str:
    """The key of a table or routine: its own name only, since a schema may be left out.

    >>> asked_key("dbo.[Orders]")
    'table:orders'
    """
    return f"table:{parts(name)[-1].lower()}"


def said_keys(facts: Facts) -> set[str]:
    """The tables and routines a script defines, changes or drops, and what they are made from."""
    return {asked_key(name) for query in facts.queries for name in _names(query) if name}


def _names(query: Query) -> Iterator[str]:
    if len(query.shape) > 3 and any(op[0] == "kind" and op[1] in _DEFINED for op in query.shape[3]):
        yield query.target
        for op in query.shape[3]:
            if op[0] in {"table", "fires"}:
                yield str(op[-1])
    for one in query.shape[1] if query.shape else ():
        if one[0] == "make" and is_real(one[1]):
            yield one[1]
