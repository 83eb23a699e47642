"""RestTemplate by its methods; WebClient, RestClient and HttpRequest by the chain that builds."""

from collections.abc import Iterator

from commonplace.domain.expr import Expr
from commonplace.link.code.orm.base import Sight, argument, tail
from commonplace.link.code.queries.chains import Chain, below, chains, peeled, words
from commonplace.link.code.web.annotated import METHODS, annotated
from commonplace.link.code.web.base import Marks, Sends, Sent, Web
from commonplace.link.code.web.sent import request
from commonplace.link.code.web.spring import SPRING

_TOLD = {"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH"}
_EXCHANGES = Marks(
    prefixes=(SPRING.marks or Marks()).prefixes | {"HttpExchange"},
    methods={
        **(SPRING.marks or Marks()).methods,
        **{f"{one.capitalize()}Exchange": method for one, method in _TOLD.items()},
    },
    keys=("value", "path", "url"),
)
_STARTS = frozenset({"newBuilder", *_TOLD, "method"})


def _asks(sight: Sight) -> Iterator[Sent]:
    for one in annotated(sight, _EXCHANGES, of_clients=True):
        yield Sent(one.handler.number, one.method, one.path, one.at)
    for chain in chains(sight.unit) if "uri" in words(sight.unit) else ():
        names = chain.names()
        if "uri" in names and _STARTS & set(names):
            yield from _built(sight, chain)


def _built(sight: Sight, chain: Chain) -> Iterator[Sent]:
    method = "GET"
    address: Expr | None = None
    for step in chain.steps:
        if step.name == "uri":
            address = argument(step.call, 0)
        elif step.name in METHODS:
            method = step.name
        elif step.name in _TOLD and not (step.call and step.call.arguments):
            method = _TOLD[step.name]
        elif step.name == "method":
            named = argument(step.call, 0)
            method = (sight.said(chain.scope, named) or tail(named)).upper() if named else method
    if address is None:
        return
    address = _given(sight, peeled(address))
    for one in sight.strings.read(chain.scope, address):
        found = request(one.text, "")
        if found is not None:
            yield Sent(chain.scope, method, found[0], chain.at, found[1])


def _given(sight: Sight, address: Expr) -> Expr:
    """What says the address: itself, what a function builds, or what ``URI.create(…)`` is given."""
    if address[0] == "made":
        address = _path_in(sight, address[1]) or address
    if address[0] == "call":
        inner = sight.unit.facts.calls[address[1]]
        address = inner.arguments[0] if inner.arguments else address
    return address


def _path_in(sight: Sight, number: int) -> Expr | None:
    """``uri(b -> b.path("/x").build())``: what the function builds."""
    facts = sight.unit.facts
    for call in facts.calls:
        if tail(call.callee) == "path" and call.arguments and below(facts, number, call.scope):
            return call.arguments[0]
    return None


JAVA_CLIENTS = Web(
    name="java_clients",
    languages=frozenset({"java"}),
    sends=Sends(
        methods={"getForObject": "GET", "getForEntity": "GET", "postForObject": "POST"}
        | {"postForEntity": "POST", "postForLocation": "POST", "put": "PUT", "delete": "DELETE"}
        | {"patchForObject": "PATCH", "exchange": ""},
        makers=("RestTemplate", "TestRestTemplate", "RestOperations"),
    ),
    asks=_asks,
)
