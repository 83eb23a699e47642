"""Requests said by calls of a client."""

from collections.abc import Iterator

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.names.look import flows_in
from commonplace.link.code.orm.asking import prefix
from commonplace.link.code.orm.base import Sight, argument, entry, tail
from commonplace.link.code.queries.chains import Chain, Step, chains, peeled
from commonplace.link.code.queries.strings import HOLE
from commonplace.link.code.web.annotated import METHODS
from commonplace.link.code.web.base import Sends, Sent
from commonplace.link.code.web.paths import is_whole, joined, normal

_URLS = ("url", "uri", "requestUri", "input")
_GUESS = 0.6
_UNTOLD = 0.4


def sent(sight: Sight, table: Sends) -> Iterator[Sent]:
    """The requests of one file."""
    for chain in chains(sight.unit):
        for place, step in enumerate(chain.steps):
            if step.call is None or not may_send(chain, place, table):
                continue
            confidence, base = client_of(sight, chain, place, table)
            if confidence:
                yield from _requests(sight, chain, step, (table, confidence, base))


def may_send(chain: Chain, place: int, table: Sends) -> bool:
    """Whether a step is called as requests are; or is a client called with an object."""
    step = chain.steps[place]
    if step.name in table.methods or step.name in table.bare:
        return True
    is_called = len(chain.steps) == 1 and chain.root is None
    return is_called and entry(argument(step.call, 0), "url") is not None


def client_of(sight: Sight, chain: Chain, place: int, table: Sends) -> tuple[float, str]:
    """How surely the call is a client's, and the beginning of its addresses."""
    if place == 0 and chain.root is None:
        return _called(sight, chain, table)
    receiver = chain.root if place == 0 else prefix(chain, place)
    if receiver is None:
        made = chain.steps[place - 1].call if place else None
        full = sight.look.external(sight.unit, chain.scope, made.callee) if made else ""
        return (0.9, "") if full.endswith(table.makers) else (0.0, "")
    names = sight.look.type_names(sight.unit, chain.scope, receiver)
    names.add(sight.look.external(sight.unit, chain.scope, receiver))
    if any(one.endswith(table.makers) for one in names):
        return 0.9, _base(sight, chain.scope, receiver, table)
    return (_GUESS, "") if tail(receiver) in table.usual else (0.0, "")


def _called(sight: Sight, chain: Chain, table: Sends) -> tuple[float, str]:
    """A function called by its bare name."""
    name = chain.steps[0].name
    if name in table.bare and not sight.look.places(sight.unit, chain.scope, ("name", name)):
        return 0.9, ""
    own = sight.look.type_names(sight.unit, chain.scope, ("name", name))
    if any(one.endswith(table.makers) for one in own) and name not in table.methods:
        return 0.9, _base(sight, chain.scope, ("name", name), table)
    full = sight.look.external(sight.unit, chain.scope, ("name", name))
    return (
        (0.9, "") if "." in full and full.rpartition(".")[0].endswith(table.makers) else (0.0, "")
    )


def _base(sight: Sight, scope: int, receiver: Expr, table: Sends) -> str:
    """What every address of a client begins with, when its maker says so."""
    for one in sight.look.makers(sight.unit, scope, receiver):
        call = one.unit.facts.calls[one.expr[1]]
        strings = (
            sight.strings if one.unit is sight.unit else type(sight.strings)(sight.look, one.unit)
        )
        for key in table.base_keys:
            value = argument(call, -1, key) or entry(argument(call, 0), key)
            if value is not None:
                return strings.read(one.scope, value)[0].text
    return ""


def _requests(
    sight: Sight, chain: Chain, step: Step, told: tuple[Sends, float, str]
) -> Iterator[Sent]:
    table, confidence, base = told
    if step.call is None:
        return
    call = without_context(step.call, step.name)
    method = table.methods.get(step.name, "") or _method(sight, chain, call, table)
    if not method:  # what is asked is known, how is not
        method, confidence = "GET", _UNTOLD
    address = address_of(call, table, step.name)
    if address is None:
        return
    for one in sight.strings.read(chain.scope, address):
        found = request(one.text, base)
        if found is not None:
            yield Sent(chain.scope, method, found[0], call.at, found[1], confidence)


def request(address: str, base: str) -> tuple[str, bool] | None:
    """A path and whether it is whole; nothing when an address says too little."""
    if address.startswith(HOLE):
        rest = address.lstrip(HOLE)
        if not rest.startswith("/"):
            return None
        return normal(rest), False
    if not address or ("/" not in address and not base):
        return None
    if base and not address.lower().startswith(("http:", "https:")):
        known = base.lstrip(HOLE)
        start = normal(known) if known else ""
        return joined(start, address), HOLE not in base.partition("://")[2][:1] and known == base
    return normal(address), is_whole(address)


def without_context(call: Call, name: str) -> Call:
    """A call of Go without the context it is given first."""
    return call._replace(arguments=call.arguments[1:]) if name.endswith("WithContext") else call


def address_of(call: Call, table: Sends, name: str) -> Expr | None:
    """What a request is told to ask for."""
    own = argument(call, -1, *_URLS)
    if own is not None:
        return own
    place = 0
    if table.method_place >= 0 and not table.methods.get(name, ""):
        place = table.method_place + 1
    expr = argument(call, place)
    if expr is not None and expr[0] == "map":
        return entry(expr, "url")
    return _inside(expr)


def _inside(expr: Expr | None) -> Expr | None:
    return peeled(expr) if expr is not None else None


def _method(sight: Sight, chain: Chain, call: Call, table: Sends) -> str:
    """From a keyword, an argument of its own, or an object of options; else GET.

    Empty where the options are not known.
    """
    options = [argument(call, -1, "method")]
    if table.method_place >= 0:
        options.append(argument(call, table.method_place))
    given = [shown(sight, chain.scope, one) for one in call.arguments]
    options += [entry(one, key) for one in given for key in ("method", "type")]
    options += [one for one in call.arguments if one[0] == "attr"]
    for one in options:
        if one is None:
            continue
        name = sight.said(chain.scope, one) or tail(one)
        if name.upper().removeprefix("METHOD") in METHODS:
            return name.upper().removeprefix("METHOD")
    is_untold = table.method_place < 0 and any(one[0] == "name" for one in given[1:2])
    return "" if is_untold else "GET"


def shown(sight: Sight, scope: int, expr: Expr) -> Expr:
    """An object that has a name here as it is written."""
    if expr[0] != "name":
        return expr
    made = [one.value for one in flows_in(sight.unit, scope) if one.target == expr]
    return made[0] if len(made) == 1 and made[0][0] == "map" else expr
