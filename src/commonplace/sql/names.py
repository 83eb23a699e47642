"""Names of SQL: what is written, what is compared, and where one part ends."""

import re
from functools import lru_cache

DEFAULT_SCHEMAS = frozenset({"dbo", "public", "main"})
_PART = re.compile(
    r"""\[(?P<bracket>(?:[^\]]|\]\])*)\]
      | "(?P<double>(?:[^"]|"")*)"
      | `(?P<tick>(?:[^`]|``)*)`
      | (?P<plain>[^.\[\]"`]+)
      | (?P<dot>\.)""",
    re.VERBOSE,
)
_ESCAPES = {"bracket": "]", "double": '"', "tick": "`"}
_PLAIN = re.compile(r"[^\W\d][\w$#@]*|[#@][\w$#@]+")


def parts(written: str) -> list[str]:
    """The parts of a dotted name without quotes or brackets; a part left out is empty.

    >>> parts('[dbo].[Order Details]'), parts('shop..orders'), parts('"a.b".c')
    (['dbo', 'Order Details'], ['shop', '', 'orders'], ['a.b', 'c'])
    """
    found = [""]
    for match in _PART.finditer(written):
        kind = match.lastgroup or "plain"
        if kind == "dot":
            found.append("")
        else:
            mark = _ESCAPES.get(kind, "")
            inner = match.group(kind)
            found[-1] += inner.replace(mark * 2, mark) if mark else inner.strip()
    return found


def bare(written: str) -> str:
    """One part without its quotes; a dot in it is part of the name.

    >>> bare("[Order Date]"), bare("Order Date"), bare("a.b")
    ('Order Date', 'Order Date', 'a.b')
    """
    match = _PART.fullmatch(written)
    return parts(written)[0] if match and match.lastgroup != "dot" else written


def spell(*names: str) -> str:
    """Parts as one dotted name, quoted only where a part would be misread.

    >>> spell("dbo", "Order Details"), spell("a.b", "c"), spell("", "Orders")
    ('dbo."Order Details"', '"a.b".c', 'Orders')
    """
    shown = [one for place, one in enumerate(names) if one or any(names[:place])]
    return ".".join(
        one if not one or _PLAIN.fullmatch(one) else '"' + one.replace('"', '""') + '"'
        for one in shown
    )


@lru_cache(maxsize=8192)
def fold(written: str) -> str:
    """The name as it is compared: lower case, no quotes, without the default schema.

    >>> fold("[dbo].[Customers]") == fold('"customers"') == fold("public.CUSTOMERS")
    True
    >>> fold("Shop.dbo.Orders"), fold("shop..orders"), fold("sales.Orders")
    ('shop..orders', 'shop..orders', 'sales.orders')
    """
    names = [one.lower() for one in parts(written)]
    if len(names) > 1 and names[-2] in DEFAULT_SCHEMAS:
        names[-2] = ""
    return spell(*names)
