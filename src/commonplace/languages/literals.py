"""How much of a string is kept: queries whole, other long ones by their beginning."""

import re
from collections.abc import Sequence

from commonplace.domain.expr import Expr

MOST_TEXT = 200  # names, paths, formats and keys are shorter; prose is what is longer
MOST_QUERY = 100_000  # a procedure in a string may be long; a dump in a string is no query
_QUERY = re.compile(
    r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*"
    r"(?:select|insert|update|delete|merge|with|create|alter|drop|truncate|exec|execute|call|"
    r"replace|upsert|declare|begin|grant|set|if|from|where|join|order\s+by|group\s+by|union|"
    r"values|on\s+conflict|returning|limit)\b",
    re.IGNORECASE | re.DOTALL,
)


def looks_like_sql(text: str) -> bool:
    """Whether a string begins as a statement or a clause of SQL does.

    >>> looks_like_sql("  select id from orders"), looks_like_sql("Selected rows")
    (True, False)
    """
    return _QUERY.match(text) is not None


def keep_text(text: str) -> str:
    """A literal as facts keep it: whole if short or SQL, else its beginning and an ellipsis.

    >>> keep_text("orders.id"), len(keep_text("word " * 100))
    ('orders.id', 201)
    """
    if len(text) <= MOST_TEXT or (len(text) <= MOST_QUERY and looks_like_sql(text)):
        return text
    return text[:MOST_TEXT] + "…"


def keep_parts(parts: Sequence[Expr | str]) -> list[Expr | str]:
    """Parts of a string as facts keep them: those of a query whole, whatever they begin with.

    >>> [len(one) for one in keep_parts(["SELECT a FROM ", ("name", "t"), " WHERE b" * 99])]
    [14, 2, 792]
    """
    is_query = bool(parts) and isinstance(parts[0], str) and looks_like_sql(parts[0])
    if is_query and sum(map(len, parts)) <= MOST_QUERY:
        return list(parts)
    return [keep_text(one) if isinstance(one, str) else one for one in parts]
