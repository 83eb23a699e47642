"""Managers and query sets a program writes itself: the model whose rows their methods ask for."""

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.orm.base import Mapped, Sight, tail
from commonplace.link.code.orm.django_paths import ways_back
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import Chain, Step, peeled

_MAKING = frozenset({"as_manager", "from_queryset"})
_ROWS = frozenset({"get_queryset", "all", "_chain", "_clone"})
ASKING = frozenset(
    {"filter", "exclude", "get", "order_by", "annotate", "values", "values_list", "create", "only"}
    | {"update", "delete", "select_related", "prefetch_related", "aggregate", "get_or_create"}
    | {"update_or_create", "bulk_create", "exists", "count", "first", "last", "defer", "distinct"}
)


def own_rows(sight: Sight, chain: Chain) -> tuple[Place, tuple[Step, ...]] | None:
    """``self.filter(…)`` in a manager: its model, and the steps that ask for its rows."""
    root, steps = chain.root, chain.steps
    if root is None or not sight.look.is_self(sight.unit, chain.scope, root):
        return None
    own = sight.look.enclosing(sight.unit, chain.scope)
    if own is None or own in sight.mapped or not ASKING & set(chain.names()):
        return None
    is_asked = steps[0].call is not None and steps[0].name in ASKING | _ROWS
    model = _managed(sight).get(own) if is_asked else None
    return (model, steps) if model is not None else None


def related_rows(sight: Sight, chain: Chain) -> tuple[Place, tuple[Step, ...]] | None:
    """``account.invoices.filter(…)``: the one model whose relation calls its way back so."""
    for place, step in enumerate(chain.steps[:-1]):
        following = chain.steps[place + 1]
        if step.call is None and following.call is not None and following.name in ASKING:
            models = ways_back(sight).get(step.name, set())
            if len(models) == 1:
                return min(models), chain.steps[place + 1 :]
    return None


def _managed(sight: Sight) -> dict[Place, Place]:
    """Classes of managers that serve one model only, with the model."""
    program = sight.look.program
    known: dict[Place, Place] | None = program.memo.get("orm.django.managers")
    if known is None:
        found: dict[Place, set[Place]] = {}
        for model, one in sight.mapped.items():
            for manager in _managers(sight, model, one):
                found.setdefault(manager, set()).add(model)
        known = {manager: min(models) for manager, models in found.items() if len(models) == 1}
        program.memo["orm.django.managers"] = known
    return known


def _managers(sight: Sight, model: Place, one: Mapped) -> list[Place]:
    unit = sight.look.program.units[model.document_id]
    if one.orm != "django":
        return []
    values = (unit.facts.symbols[number].value for number in unit.children.get(model.number, ()))
    made = [named for value in values for named in _made(unit, value)]
    places = (sight.look.class_of(unit, model.number, named) for named in made)
    return [place for place in places if place is not None]


def _made(unit: Unit, value: Expr | None) -> list[Expr]:
    """The classes in ``M()``, ``Q.as_manager()`` and ``M.from_queryset(Q)()``."""
    if value is None or value[0] != "call":
        return []
    call: Call = unit.facts.calls[value[1]]
    callee = peeled(call.callee)
    if callee[0] == "call":
        inner = unit.facts.calls[callee[1]]
        return [*_made(unit, callee), *inner.arguments[:1]]
    if callee[0] == "attr" and tail(callee) in _MAKING:
        return [callee[1]]
    return [callee] if callee[0] in ("name", "attr") else []
