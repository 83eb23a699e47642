"""Attributes of mapped classes that functions name: columns in expressions, objects changed."""

from collections.abc import Iterator

from commonplace.domain.code import At
from commonplace.domain.expr import Expr
from commonplace.link.code.chains import chain_of, chains, owner, peeled, words
from commonplace.link.code.orm import orms
from commonplace.link.code.orm.asking import class_of_value
from commonplace.link.code.orm.base import Asked, Sight
from commonplace.link.code.program import Place

_ATTRIBUTES = frozenset({"sqlalchemy"})
"""Mappers whose class attributes stand for columns in expressions."""
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
    for use in sight.unit.facts.uses:
        expr = use.expr
        if expr[0] != "attr" or use.access != "read" or expr[1][0] not in ("name", "attr"):
            continue
        base = expr[1]
        if base[-1] == "c" and base[0] == "attr":
            base = base[1]
        if base[-1] not in names:
            continue
        for place in sight.look.places(sight.unit, use.scope, base):
            one = sight.mapped.get(place)
            if one is not None and one.orm in _ATTRIBUTES and expr[2] in one.columns:
                yield use.scope, use.at, Asked(place, "READS", (expr[2],), how="attribute")


def _changes(sight: Sight) -> Iterator[tuple[int, At, Asked]]:
    """``product.Price = price`` in a function that saves."""
    facts = sight.unit.facts
    if not _SAVES & words(sight.unit):
        return
    saving = {
        owner(facts, chain.scope)
        for chain in chains(sight.unit)
        if chain.steps and chain.steps[-1].name in _SAVES
    }
    for use in facts.uses:
        if use.access != "write" or use.expr[0] != "attr" or owner(facts, use.scope) not in saving:
            continue
        base = peeled(use.expr[1])
        if base[0] != "name" or sight.look.is_self(sight.unit, use.scope, base):
            continue
        subject = class_of_value(sight, use.scope, base) or _loaded(sight, use.scope, base)
        if subject is not None and use.expr[2] in sight.mapped[subject].columns:
            yield use.scope, use.at, Asked(subject, "WRITES", (use.expr[2],), how="change")


def _loaded(sight: Sight, scope: int, base: Expr) -> Place | None:
    """The class of what a variable was loaded as, by the query that loaded it."""
    for one in sight.look.makers(sight.unit, scope, base):
        chain = chain_of(sight.unit.facts, one.scope, one.expr, NOWHERE)
        for orm in orms().values():
            if orm.asks is None or sight.unit.facts.language not in orm.languages:
                continue
            for asked in orm.asks(sight, chain):
                if asked.subject is not None and asked.access == "READS":
                    return asked.subject
    return None
