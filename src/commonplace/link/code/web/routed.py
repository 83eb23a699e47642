"""Routes said by calls of a router, with what routers are mounted under."""

from collections.abc import Iterator
from typing import NamedTuple

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.orm.asking import prefix
from commonplace.link.code.orm.base import Sight, argument, entry, tail
from commonplace.link.code.program import Place
from commonplace.link.code.queries.chains import Chain, chains, peeled
from commonplace.link.code.queries.strings import HOLE
from commonplace.link.code.web.annotated import METHODS
from commonplace.link.code.web.base import Handled, Verbs
from commonplace.link.code.web.mounts import Mounts
from commonplace.link.code.web.paths import joined

_WRAPPED = 3


class _Seen(NamedTuple):
    """A call that may say a route."""

    chain: Chain
    place: int
    call: Call
    router: Expr
    sure: float
    path: str


def routed(sight: Sight, table: Verbs, mounts: Mounts) -> Iterator[Handled]:
    """The routes of one file."""
    decorated = _decorated(sight)
    for chain in chains(sight.unit):
        for place, step in enumerate(chain.steps):
            if step.call is not None and step.name in table.objects:
                yield from _object(sight, (table, mounts), (chain, place, step.call))
            if step.call is None or step.name not in table.methods:
                continue
            start = next((n for n, one in enumerate(chain.steps) if one.call is not None), place)
            router = chain.root if start == 0 else prefix(chain, start)
            sure = mounts.sureness(sight, chain.scope, router, table) if router else 0.0
            path = _path(sight, chain, (start, place), table) if sure else None
            if router is not None and path is not None:
                seen = _Seen(chain, place, step.call, router, sure, path)
                yield from _routes(sight, (table, mounts), seen, decorated)


def _object(
    sight: Sight, told: tuple[Verbs, Mounts], where: tuple[Chain, int, Call]
) -> Iterator[Handled]:
    """``server.route({ method: "POST", url: "/x", handler })``."""
    (table, mounts), (chain, place, call) = told, where
    given, router = argument(call, 0), prefix(chain, place)
    written, answers = entry(given, "url") or entry(given, "path"), entry(given, "handler")
    if router is None or written is None or answers is None:
        return
    sure = mounts.sureness(sight, chain.scope, router, table)
    path = sight.said(chain.scope, written)
    named = entry(given, "method")
    methods = named[2] if named is not None and named[0] == "seq" else (named,)
    seen = _Seen(chain, place, call._replace(arguments=(answers,)), router, sure, path)
    for handler in _handlers(sight, seen) if sure and path else ():
        for before in mounts.prefixes(sight, chain.scope, router, table):
            for one in methods:
                method = sight.said(chain.scope, one).upper() or table.unsaid
                yield Handled(method, joined(before, path), handler, call.at, "call", sure)


def _path(sight: Sight, chain: Chain, places: tuple[int, int], table: Verbs) -> str | None:
    """The path of a route; also as ``router.route("/x").get(…)``. None when it is not known."""
    start, place = places
    first = chain.steps[start]
    at = start if start != place and first.name == "route" else place
    if start != place and at == place and chain.steps[start].name not in table.methods:
        return None
    call = chain.steps[at].call
    if call is None or not call.arguments:
        return "" if at == place and call is not None else None
    path = sight.strings.read(chain.scope, call.arguments[0])[0].text
    if path in METHODS and len(call.arguments) > 2:  # Handle("DELETE", "/x", handler)
        path = f"{path} {sight.strings.read(chain.scope, call.arguments[1])[0].text}"
    if not path.strip(HOLE) and path:
        return None
    if path and table.usual and not path.startswith(("/", HOLE)) and " /" not in path:
        return None
    return path


def _decorated(sight: Sight) -> dict[Call, int]:
    facts = sight.unit.facts
    return {
        facts.calls[one[1]]: number
        for number, symbol in enumerate(facts.symbols)
        for one in symbol.decorators
        if one[0] == "call"
    }


def _routes(
    sight: Sight, told: tuple[Verbs, Mounts], seen: _Seen, decorated: dict[Call, int]
) -> Iterator[Handled]:
    table, mounts = told
    own = decorated.get(seen.call)
    handlers = [Place(sight.unit.document_id, own)] if own else list(_handlers(sight, seen))
    methods, path = _methods(sight, seen, table)
    how = "decorator" if own else "call"
    for before in mounts.prefixes(sight, seen.chain.scope, seen.router, table):
        for handler in handlers:
            for method in methods:
                full = joined(before, path)
                yield Handled(method, full, handler, seen.call.at, how, seen.sure)


def _handlers(sight: Sight, seen: _Seen) -> Iterator[Place]:
    """The last argument that is a function."""
    for expr in reversed(seen.call.arguments):
        expr = peeled(expr)
        for _ in range(_WRAPPED):  # auth(http.HandlerFunc(show))
            inner = sight.unit.facts.calls[expr[1]] if expr[0] == "call" else None
            expr = peeled(inner.arguments[0]) if inner is not None and inner.arguments else expr
        if expr[0] == "made":
            yield Place(sight.unit.document_id, expr[1])
            return
        places = [
            one
            for one in sight.look.places(sight.unit, seen.chain.scope, expr)
            if sight.look.symbol(one).kind
            in ("Function", "Method", "Class", "Variable", "Constant")
        ]
        if places:
            yield places[0]
            return


def _methods(sight: Sight, seen: _Seen, table: Verbs) -> tuple[list[str], str]:
    """The methods of a route, and its path without one written before it."""
    chain = seen.chain
    fixed = table.methods[chain.steps[seen.place].name]
    word, _space, rest = seen.path.partition(" ")
    if word in METHODS and rest:
        return [word], rest
    if fixed:
        return [fixed], seen.path
    later = [one for one in chain.steps[seen.place + 1 :] if one.name == "Methods"]
    given = argument(seen.call, -1, "methods")
    exprs: list[Expr] = list(given[2]) if given is not None and given[0] == "seq" else []
    for one in later:
        exprs += one.call.arguments if one.call else ()
    said = ((sight.said(chain.scope, one) or tail(one)).upper() for one in exprs)
    named = [one.removeprefix("METHOD") for one in said]
    return [one for one in named if one in METHODS] or [table.unsaid], seen.path
