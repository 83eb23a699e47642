"""Requests that functions of a program make for others: ``request(method, path)`` of a client."""

from collections.abc import Iterator
from typing import NamedTuple

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.orm.base import Sight, entry, tail
from commonplace.link.code.orm.mapped import sight_of
from commonplace.link.code.program import Place, Program
from commonplace.link.code.queries.chains import chains, owner, words
from commonplace.link.code.web.annotated import METHODS
from commonplace.link.code.web.base import Sends, Sent, Web
from commonplace.link.code.web.sent import (
    address_of,
    client_of,
    may_send,
    request,
    without_context,
)

_PATHS = frozenset({"path", "url", "uri", "endpoint", "route", "resource", "href", "pathname"})
"""What a parameter that is an address is called."""
_SURE = 0.85
Relays = dict[str, dict[Place, "Relay"]]


class Relay(NamedTuple):
    """A function that asks for the address it is given."""

    path: tuple[int, str]
    """Place and name of the parameter."""
    base: str
    """What it puts before."""
    method: str
    """The one it always asks with; empty where a parameter tells."""
    told: tuple[int, str]
    """Place and name of the parameter that is the method, or an object with it."""


def relayed(sight: Sight, web: Web) -> Iterator[Sent]:
    """The requests a file makes through functions of the program."""
    known = _relays(sight.look.program, web)
    for call in sight.unit.facts.calls if known else ():
        by_place = known.get(tail(call.callee))
        for place in _places(sight, call) if by_place else ():
            relay = by_place.get(place) if by_place else None
            given = _given(call, relay.path) if relay is not None else None
            if relay is None or given is None:
                continue
            for one in sight.strings.read(call.scope, given):
                found = request(one.text, relay.base)
                if found is not None:
                    method = relay.method or _method(sight, call, relay)
                    yield Sent(call.scope, method, found[0], call.at, found[1], _SURE)


def is_relay(sight: Sight, web: Web, scope: int) -> bool:
    """Whether a function asks for what others give it: what it asks for itself is not known."""
    facts = sight.unit.facts
    number = owner(facts, scope)
    by_place = _relays(sight.look.program, web).get(facts.symbols[number].name, {})
    return Place(sight.unit.document_id, number) in by_place


def _places(sight: Sight, call: Call) -> list[Place]:
    return sight.look.places(sight.unit, call.scope, call.callee)


def _given(call: Call, parameter: tuple[int, str]) -> Expr | None:
    place, name = parameter
    named = (value for key, value in call.keywords if key == name)
    positional = call.arguments[place] if 0 <= place < len(call.arguments) else None
    return next(named, positional)


def _method(sight: Sight, call: Call, relay: Relay) -> str:
    given = _given(call, relay.told) if relay.told[0] >= 0 else None
    inner = entry(given, "method") if given is not None and given[0] == "map" else given
    said = (sight.said(call.scope, inner) or tail(inner)) if inner is not None else ""
    name = said.upper().removeprefix("METHOD")
    return name if name in METHODS else "GET"


def _relays(program: Program, web: Web) -> Relays:
    """Such functions by name."""
    key = f"web.relays.{web.name}"
    known: Relays | None = program.memo.get(key)
    if known is None:
        known = program.memo[key] = {}
        table = web.sends
        for unit in program.units.values() if table is not None else ():
            is_one = unit.facts.language in web.languages and any(
                one.name in _PATHS for symbol in unit.facts.symbols for one in symbol.parameters
            )
            if table is not None and is_one and (table.methods.keys() | table.bare) & words(unit):
                for number, relay in _of_file(sight_of(program, unit), table):
                    name = unit.facts.symbols[number].name
                    known.setdefault(name, {})[Place(unit.document_id, number)] = relay
    return known


def _of_file(sight: Sight, table: Sends) -> Iterator[tuple[int, Relay]]:
    facts = sight.unit.facts
    for chain in chains(sight.unit):
        for place, step in enumerate(chain.steps):
            if step.call is None or not may_send(chain, place, table):
                continue
            number = owner(facts, chain.scope)
            symbol = facts.symbols[number]
            names = [one.name for one in symbol.parameters if one.flavour != "receiver"]
            call = without_context(step.call, step.name)
            address = address_of(call, table, step.name)
            ended = _ended(address, names) if address is not None else None
            sure, base = client_of(sight, chain, place, table) if ended is not None else (0.0, "")
            if ended is None or not sure:
                continue
            before, name = ended
            said = sight.strings.read(chain.scope, before)[0].text if before is not None else ""
            method = table.methods.get(step.name, "")
            told = _told(call, table, names) if not method else (-1, "")
            yield number, Relay((names.index(name), name), base or said, method, told)


def _ended(address: Expr, names: list[str]) -> tuple[Expr | None, str] | None:
    """The parameter an address ends with, and what stands before it."""
    if address[0] == "name" and address[1] in names and address[1] in _PATHS:
        return None, address[1]
    parts = address[1] if address[0] == "text" else ()
    last = parts[-1] if parts else ""
    if not isinstance(last, tuple) or last[0] != "name" or last[1] not in names:
        return None
    return (("text", parts[:-1]), last[1]) if last[1] in _PATHS else None


def _told(call: Call, table: Sends, names: list[str]) -> tuple[int, str]:
    """The parameter that tells the method."""
    options = [
        call.arguments[place]
        for place in (table.method_place, 1)
        if 0 <= place < len(call.arguments)
    ]
    options += [found for one in call.arguments if (found := entry(one, "method")) is not None]
    options += [value for key, value in call.keywords if key == "method"]
    for one in options:
        if one[0] == "name" and one[1] in names and one[1] not in _PATHS:
            return names.index(one[1]), one[1]
    return -1, ""
