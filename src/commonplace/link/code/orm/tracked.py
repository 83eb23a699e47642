"""Attributes of mapped classes that functions name: columns in expressions, objects changed."""

import re
from collections.abc import Iterator

from commonplace.domain.code import At
from commonplace.domain.expr import RESULT, Expr
from commonplace.link.code.names.look import flows_in
from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.orm import orms
from commonplace.link.code.orm.asking import class_of_value, mapped_at, prefix
from commonplace.link.code.orm.base import Asked, Sight, tail
from commonplace.link.code.orm.mapped import sight_of
from commonplace.link.code.orm.spring_data import entity_of
from commonplace.link.code.program import Place
from commonplace.link.code.queries.chains import chain_of, chains, owner, peeled, words

_ATTRIBUTES = frozenset({"sqlalchemy", "peewee", "drizzle"})
"""Mappers whose class attributes stand for columns in expressions."""
_SETTER = re.compile(r"set[A-Z]\w*")
_ALIASING = frozenset({"alias", "aliased"})
NOWHERE = At(1, 0, 1, 0)
_SAVES = frozenset(
    {"SaveChanges", "SaveChangesAsync", "commit", "flush", "save", "saveAndFlush", "asave", "merge"}
)


def tracked(sight: Sight) -> Iterator[tuple[int, At, Asked]]:
    """Columns by attributes of classes, and by attributes set before a save."""
    if not sight.mapped:
        return
    if any(one.orm in _ATTRIBUTES for one in sight.mapped.values()):
        yield from _expressions(sight)
    yield from _changes(sight)


def _expressions(sight: Sight) -> Iterator[tuple[int, At, Asked]]:
    """``Patient.name`` in a condition, an order, a list of columns."""
    names = {
        sight.look.symbol(place).name
        for place, one in sight.mapped.items()
        if one.orm in _ATTRIBUTES
    }
    others = _aliases(sight, names)
    names |= {name for _scope, name in others}
    names |= _fields_of(sight, names)
    for use in sight.unit.facts.uses:
        expr = use.expr
        if expr[0] != "attr" or use.access != "read" or expr[1][0] not in ("name", "attr"):
            continue
        base = expr[1]
        if base[-1] == "c" and base[0] == "attr":
            base = base[1]
        if base[-1] not in names or _is_declaring(sight, use.scope):
            continue
        found = others.get((use.scope, base[-1])) or mapped_at(sight, use.scope, base)
        one = sight.mapped.get(found) if found is not None else None
        if one is not None and one.orm in _ATTRIBUTES and expr[2] in one.columns:
            yield use.scope, use.at, Asked(found, "READS", (expr[2],), how="attribute")


def _is_declaring(sight: Sight, scope: int) -> bool:
    """Whether an attribute stands where scripts declare tables and their relations."""
    facts = sight.unit.facts
    symbol = facts.symbols[owner(facts, scope)]
    value = symbol.value
    called = tail(facts.calls[value[1]].callee) if value is not None and value[0] == "call" else ""
    is_told = symbol.kind == "Module" or called == "relations" or called.lower().endswith("table")
    return facts.language in SCRIPTS and is_told


def _aliases(sight: Sight, names: set[str]) -> dict[tuple[int, str], Place]:
    """``e = employees.alias()``, ``e = aliased(Employee)``: other names of a class, by scope."""
    facts = sight.unit.facts
    found: dict[tuple[int, str], Place] = {}
    for flow in facts.flows if _ALIASING & words(sight.unit) else ():
        if flow.target[0] != "name" or flow.value[0] != "call":
            continue
        call = facts.calls[flow.value[1]]
        callee = peeled(call.callee)
        is_own = callee[0] == "attr" and callee[2] == "alias"
        aim = callee[1] if is_own else call.arguments[0] if call.arguments else ("",)
        if callee[-1] in _ALIASING and aim[-1] in names:
            place = mapped_at(sight, flow.scope, aim)
            if place is not None:
                found[flow.scope, flow.target[1]] = place
    return found


def _fields_of(sight: Sight, names: set[str]) -> set[str]:
    """Fields of the file's classes that are set to a class: ``model = User``."""
    return {
        symbol.name
        for symbol in sight.unit.facts.symbols
        if symbol.value is not None and symbol.value[0] == "name" and symbol.value[1] in names
    }


def _changes(sight: Sight) -> Iterator[tuple[int, At, Asked]]:
    """``product.Price = price`` in a function that saves."""
    facts = sight.unit.facts
    if not _SAVES & words(sight.unit) and facts.language != "java":
        return
    saving = {
        owner(facts, chain.scope)
        for chain in chains(sight.unit)
        if chain.steps and chain.steps[-1].name in _SAVES
    }
    yield from _setters(sight, saving)
    for use in facts.uses:
        if use.access != "write" or use.expr[0] != "attr" or owner(facts, use.scope) not in saving:
            continue
        base = peeled(use.expr[1])
        if base[0] != "name" or sight.look.is_self(sight.unit, use.scope, base):
            continue
        subject = class_of_value(sight, use.scope, base) or _loaded(sight, use.scope, base)
        if subject is not None and use.expr[2] in sight.mapped[subject].columns:
            yield use.scope, use.at, Asked(subject, "WRITES", (use.expr[2],), how="change")


def _setters(sight: Sight, saving: set[int]) -> Iterator[tuple[int, At, Asked]]:
    """``order.setState(state)`` of an entity that is loaded there, or in a function that saves."""
    facts = sight.unit.facts
    for call in facts.calls if facts.language == "java" else ():
        callee = call.callee
        if callee[0] != "attr" or callee[1][0] != "name" or not _SETTER.fullmatch(callee[2]):
            continue
        subject = class_of_value(sight, call.scope, callee[1])
        field = f"{callee[2][3].lower()}{callee[2][4:]}"
        if subject is None or field not in sight.mapped[subject].columns:
            continue
        is_kept = owner(facts, call.scope) in saving or any(
            one == subject
            for one in (
                _loaded(sight, call.scope, callee[1]),
                _of_repository(sight, call.scope, callee[1]),
            )
        )
        if is_kept:
            yield call.scope, call.at, Asked(subject, "WRITES", (field,), how="change")


def _of_repository(sight: Sight, scope: int, base: Expr) -> Place | None:
    """The entity of the repository whose method gave a variable its value."""
    for one in sight.look.makers(sight.unit, scope, base):
        chain = chain_of(sight.unit.facts, one.scope, one.expr, NOWHERE)
        first = next((n for n, step in enumerate(chain.steps) if step.call is not None), -1)
        asked = prefix(chain, first) if first >= 0 and one.unit is sight.unit else None
        for kind in sight.look.types(sight.unit, one.scope, asked) if asked is not None else ():
            repository = sight.look.class_of(kind.unit, kind.scope, kind.base)
            found = entity_of(sight, repository) if repository is not None else None
            if found is not None:
                return found
    return None


def _loaded(sight: Sight, scope: int, base: Expr) -> Place | None:
    """The class of what a variable was loaded as, by the query that loaded it.

    What a function of the program loads and gives back counts too.
    """
    for one in sight.look.makers(sight.unit, scope, base):
        if one.unit is not sight.unit:
            continue
        found = _queried(sight, one.scope, one.expr)
        if found is not None:
            return found
        call = sight.unit.facts.calls[one.expr[1]]
        for place in sight.look.places(sight.unit, call.scope, call.callee):
            there = sight_of(sight.look.program, sight.look.program.units[place.document_id])
            for flow in flows_in(there.unit, place.number):
                given = peeled(flow.value)
                found = _queried(there, flow.scope, given) if given[0] == "call" else None
                if flow.target == RESULT and found is not None:
                    return found
    return None


def _queried(sight: Sight, scope: int, expr: Expr) -> Place | None:
    """The class whose rows a chain reads."""
    chain = chain_of(sight.unit.facts, scope, expr, NOWHERE)
    for orm in orms().values():
        if orm.asks is None or sight.unit.facts.language not in orm.languages:
            continue
        for asked in orm.asks(sight, chain):
            if asked.subject is not None and asked.access == "READS":
                return asked.subject
    return None
