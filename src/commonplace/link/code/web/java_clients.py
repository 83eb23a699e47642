"""RestTemplate by its methods; WebClient, RestClient and HttpRequest by the chain that builds."""

from collections.abc import Iterator

from commonplace.domain.expr import Expr
from commonplace.link.code.chains import Chain, chains, peeled, words
from commonplace.link.code.orm.base import Sight, argument, tail
from commonplace.link.code.web.annotated import METHODS, annotated
from commonplace.link.code.web.base import Marks, Sends, Sent, Web
from commonplace.link.code.web.sent import request
from commonplace.link.code.web.spring import SPRING

_TOLD = {"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH"}
_STARTS = frozenset({"newBuilder", *_TOLD, "method"})


def _asks(sight: Sight) -> Iterator[Sent]:
    for one in annotated(sight, SPRING.marks or Marks(), of_clients=True):
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
    address = peeled(address)
    if address[0] == "call":
        inner = sight.unit.facts.calls[address[1]]
        address = inner.arguments[0] if inner.arguments else address
    for one in sight.strings.read(chain.scope, address):
        found = request(one.text, "")
        if found is not None:
            yield Sent(chain.scope, method, found[0], chain.at, found[1])


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
