"""Routes said by calls of a router, with what routers are mounted under."""

from collections.abc import Iterator

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.chains import Chain, chains, peeled
from commonplace.link.code.orm.asking import prefix
from commonplace.link.code.orm.base import Sight, argument
from commonplace.link.code.program import Place
from commonplace.link.code.strings import HOLE
from commonplace.link.code.web.annotated import METHODS
from commonplace.link.code.web.base import Handled, Verbs
from commonplace.link.code.web.mounts import Mounts
from commonplace.link.code.web.paths import joined


def routed(sight: Sight, table: Verbs, mounts: Mounts) -> Iterator[Handled]:
    """The routes of one file."""
    decorated = _decorated(sight)
    for chain in chains(sight.unit):
        for place, step in enumerate(chain.steps):
            if step.call is None or step.name not in table.methods:
                continue
            router = chain.root if place == 0 else prefix(chain, place)
            if router is None or not mounts.is_router(sight, chain.scope, router, table):
                continue
            yield from _routes(sight, table, mounts, (chain, place, router, decorated))


def _decorated(sight: Sight) -> dict[Call, int]:
    facts = sight.unit.facts
    return {
        facts.calls[one[1]]: number
        for number, symbol in enumerate(facts.symbols)
        for one in symbol.decorators
        if one[0] == "call"
    }


def _routes(
    sight: Sight, table: Verbs, mounts: Mounts, found: tuple[Chain, int, Expr, dict[Call, int]]
) -> Iterator[Handled]:
    chain, place, router, decorated = found
    step = chain.steps[place]
    call = step.call
    if call is None:
        return
    path = sight.strings.read(chain.scope, call.arguments[0])[0].text if call.arguments else ""
    if path and table.usual and not path.startswith(("/", HOLE)) and " /" not in path:
        return
    own = decorated.get(call)
    handlers = [Place(sight.unit.document_id, own)] if own else list(_handlers(sight, chain, call))
    methods, path = _methods(sight, chain, place, (table, path))
    for before in mounts.prefixes(sight, chain.scope, router, table):
        for handler in handlers:
            for method in methods:
                yield Handled(
                    method,
                    joined(before, path),
                    handler,
                    call.at,
                    "call" if not own else "decorator",
                )


def _handlers(sight: Sight, chain: Chain, call: Call) -> Iterator[Place]:
    """The last argument that is a function."""
    for expr in reversed(call.arguments[1:]):
        expr = peeled(expr)
        if expr[0] == "call":
            inner = sight.unit.facts.calls[expr[1]]
            expr = peeled(inner.arguments[0]) if inner.arguments else expr
        if expr[0] == "made":
            yield Place(sight.unit.document_id, expr[1])
            return
        places = [
            one
            for one in sight.look.places(sight.unit, chain.scope, expr)
            if sight.look.symbol(one).kind
            in ("Function", "Method", "Class", "Variable", "Constant")
        ]
        if places:
            yield places[0]
            return


def _methods(
    sight: Sight, chain: Chain, place: int, told: tuple[Verbs, str]
) -> tuple[list[str], str]:
    """The methods of a route, and its path without one written before it."""
    table, path = told
    step = chain.steps[place]
    fixed = table.methods[step.name]
    word, _space, rest = path.partition(" ")
    if word in METHODS and rest:
        return [word], rest
    if fixed:
        return [fixed], path
    later = [one for one in chain.steps[place + 1 :] if one.name == "Methods"]
    given = argument(step.call, -1, "methods")
    exprs: list[Expr] = list(given[2]) if given is not None and given[0] == "seq" else []
    for one in later:
        exprs += one.call.arguments if one.call else ()
    named = [sight.said(chain.scope, one).upper() for one in exprs]
    return [one for one in named if one in METHODS] or ["*"], path
