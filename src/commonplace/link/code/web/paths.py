"""Paths of routes in one spelling, so that those who answer and those who ask can meet."""

import re

from commonplace.link.code.queries.strings import HOLE

ANY = "{}"
REST = "{*}"
_HOST = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//[^/?#]*", re.IGNORECASE)
_GROUP = re.compile(r"\((?:[^()]|\([^()]*\))*\)")
_PARAMETER = re.compile(r"\{[^{}]*\}|<[^<>]*>|\[[^\[\]]*\]|:\w+\??(?:\([^)]*\))?")


def normal(written: str) -> str:
    """A path as it is compared: no host, no query, parameters without their names.

    >>> normal("/orders/{id:int}/"), normal("orders/<int:pk>"), normal("/a/:id?x=1")
    ('/orders/{}', '/orders/{}', '/a/{}')
    >>> normal("https://shop.example/api//v1/"), normal("")
    ('/api/v1', '/')
    """
    path = _HOST.sub("", written.strip())
    path = path.replace(HOLE, ANY).partition("#")[0]
    path = re.sub(r"\?(?![^{}]*\}).*$", "", path)
    segments = [_segment(one.strip()) for one in path.split("/") if one.strip()]
    return "/" + "/".join(segments)


def _segment(written: str) -> str:
    if written.startswith(("{*", "*", "{path:path", "<path:")) or written.endswith(
        ("...}", ":path}")
    ):
        return REST
    if ANY in written or _PARAMETER.search(written):
        return ANY
    return written


def of_pattern(pattern: str) -> str:
    """The path a regular expression stands for.

    >>> of_pattern(r"^orders/(?P<pk>[0-9]+)/$")
    '/orders/{}'
    """
    bare = pattern.lstrip("^").rstrip("$").replace("\\\\Z", "")
    return normal(_GROUP.sub(ANY, bare).replace("\\\\", ""))


def joined(*parts: str) -> str:
    """Prefixes and a path as one.

    >>> joined("/api", "", "/orders/"), joined("", "")
    ('/api/orders', '/')
    """
    return normal("/" + "/".join(one.strip("/") for one in parts if one.strip("/")))


def is_whole(address: str) -> bool:
    """Whether an address begins at the root of a server: nothing unknown before its path.

    >>> is_whole("/a"), is_whole("https://x/a"), is_whole("orders")
    (True, True, False)
    """
    return address.startswith("/") or bool(_HOST.match(address))


def fit(asked: str, answered: str) -> float:
    """How well a request's path fits a route's: 0 not at all, 1 word for word.

    >>> fit("/orders/{}", "/orders/{}"), fit("/orders/5", "/orders/{}"), fit("/orders", "/items")
    (1.0, 0.95, 0.0)
    """
    if asked == answered:
        return 1.0
    left, right = asked.strip("/").split("/"), answered.strip("/").split("/")
    if right[-1] == REST and len(left) >= len(right):
        left, right = left[: len(right) - 1], right[:-1]
        return 0.8 if not right or fit("/".join(left), "/".join(right)) else 0.0
    if len(left) != len(right):
        return 0.0
    score = 1.0
    for one, other in zip(left, right, strict=True):
        if one == other:
            continue
        if other == ANY:
            score = min(score, 0.95)
        elif one == ANY:
            score = min(score, 0.4)
        elif one.lower() == other.lower():
            score = min(score, 0.9)
        else:
            return 0.0
    return score
