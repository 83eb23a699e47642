"""Fields Django's queries name: keywords, strings, expressions, and paths over relations."""

from collections.abc import Iterable, Iterator

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.orm.base import Access, Asked, Sight, argument, tail
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import Step, chain_of, peeled

TO_ONE = frozenset({"ForeignKey", "OneToOneField"})
_RELATED = TO_ONE | {"ManyToManyField"}
_OF_FIELDS = frozenset(
    {"F", "Sum", "Avg", "Min", "Max", "Count", "StdDev", "Variance", "Lower", "Upper", "Length"}
    | {"Coalesce", "Concat", "Cast", "Greatest", "Least", "Trim", "Abs", "Round", "ArrayAgg"}
    | {"StringAgg", "ExtractYear", "ExtractMonth", "ExtractDay", "TruncDay", "TruncMonth"}
    | {"TruncYear", "TruncDate", "Extract", "Trunc", "Substr", "Left", "Right"}
)
"""Expressions whose strings are names of fields."""
_INNER = frozenset({"Exists", "Subquery"})
_CONDITIONS = frozenset({"Q", "When"})
_OPERATORS = frozenset({"__or__", "__and__", "__invert__", "__xor__", "desc", "asc"})
_DEEPEST = 8


def keywords_of(step: Step) -> tuple[str, ...]:
    """Keywords of a call, with the paths and lookups in them."""
    return tuple(key for key, _value in step.call.keywords) if step.call else ()


def in_expressions(sight: Sight, step: Step) -> tuple[str, ...]:
    """Paths named in ``Q(title=…)``, ``F("total") + 1``, ``Sum("lines__price")``."""
    if step.call is None:
        return ()
    given = [*step.call.arguments, *(value for _key, value in step.call.keywords)]
    return tuple(dict.fromkeys(one for expr in given for one in _paths(sight, expr, 0)))


def _paths(sight: Sight, expr: Expr, depth: int) -> Iterator[str]:
    expr = peeled(expr)
    if depth > _DEEPEST:
        return
    if expr[0] == "one":
        for one in expr[1]:
            yield from _paths(sight, one, depth + 1)
    elif expr[0] == "call":
        yield from _called(sight, sight.unit.facts.calls[expr[1]], depth)


def _called(sight: Sight, call: Call, depth: int) -> Iterator[str]:
    callee = peeled(call.callee)
    name = tail(callee)
    if name in _CONDITIONS:
        yield from (key for key, _value in call.keywords if key not in ("then", "default"))
    if name in _OF_FIELDS:
        said = (sight.said(call.scope, one) for one in call.arguments if one[0] == "text")
        yield from (one for one in said if one and one != "*")
    if name in _INNER and call.arguments:
        yield from _outer(sight, call.scope, call.arguments[0])
    is_inner = callee[0] == "attr" and (name in _OPERATORS or name.startswith("__"))
    if is_inner:
        yield from _paths(sight, callee[1], depth + 1)
    given: Iterable[Expr] = (*call.arguments, *(value for _key, value in call.keywords))
    for one in given:
        yield from _paths(sight, one, depth + 1)


def _outer(sight: Sight, scope: int, expr: Expr) -> Iterator[str]:
    """What an inner query asks of the rows around it: ``OuterRef("pk")``."""
    for one in sight.look.makers(sight.unit, scope, expr):
        made = chain_of(sight.unit.facts, one.scope, one.expr, sight.unit.facts.symbols[0].at)
        calls = [step.call for step in made.steps if step.call is not None]
        for value in (value for call in calls for _key, value in call.keywords):
            inner = sight.unit.facts.calls[value[1]] if value[0] == "call" else None
            if inner is not None and tail(inner.callee) == "OuterRef":
                yield sight.said(inner.scope, argument(inner, 0))


def followed(
    sight: Sight, subject: Place, paths: Iterable[str], access: Access, is_whole: bool = False
) -> Iterator[Asked]:
    """``buyer__name__in``: a field, and where it is a relation, what is named behind it.

    With ``is_whole`` the rows a path leads to are fetched too.
    """
    for path in paths:
        here: Place | None = subject
        for place, part in enumerate(path.removeprefix("-").split("__")):
            mapped = sight.mapped.get(here) if here is not None else None
            if here is None or mapped is None:
                break
            field = _key(sight, here) if part == "pk" else part
            known = field if field in mapped.columns else field.removesuffix("_id")
            if known in mapped.columns:
                yield Asked(here, access if place == 0 else "READS", (known,))
            aim = _behind(sight, here, field)
            back = None if aim is not None else _reversed(sight, here, field)
            here = aim or back
            if (is_whole or back is not None) and here in sight.mapped:
                yield Asked(here, "READS")


def _field(sight: Sight, model: Place, name: str) -> tuple[Unit, Call] | None:
    """The call that makes a field."""
    place = sight.look.member(model, name)
    symbol = sight.look.symbol(place) if place is not None else None
    if place is None or symbol is None or symbol.value is None or symbol.value[0] != "call":
        return None
    unit = sight.look.program.units[place.document_id]
    return unit, unit.facts.calls[symbol.value[1]]


def _key(sight: Sight, model: Place) -> str:
    """The field that is the key of a model."""
    for name in sight.mapped[model].columns:
        found = _field(sight, model, name)
        if found is not None and argument(found[1], -1, "primary_key") is not None:
            return name
    return "id"


def _reversed(sight: Sight, model: Place, name: str) -> Place | None:
    """The model whose relation leads here, by what that calls the way back."""
    program = sight.look.program
    known: dict[tuple[Place, str], Place] | None = program.memo.get("orm.django.reversed")
    if known is None:
        known = program.memo["orm.django.reversed"] = {}
        for other, one in sight.mapped.items():
            for field in one.columns if one.orm == "django" else ():
                aim = _behind(sight, other, field)
                if aim is not None:
                    for called in _ways_back(sight, other, field):
                        known[aim, called] = other
    return known.get((model, name))


def ways_back(sight: Sight) -> dict[str, set[Place]]:
    """Models by the names their relations say the way back has."""
    program = sight.look.program
    known: dict[str, set[Place]] | None = program.memo.get("orm.django.back")
    if known is None:
        known = program.memo["orm.django.back"] = {}
        for model, one in sight.mapped.items():
            for field in one.columns if one.orm == "django" else ():
                said = _said_back(sight, model, field)
                if said and said != "+":
                    known.setdefault(said, set()).add(model)
    return known


def _said_back(sight: Sight, model: Place, field: str) -> str:
    found = _field(sight, model, field)
    named = argument(found[1], -1, "related_name") if found is not None else None
    return str(named[1][0]) if named is not None and named[0] == "text" and named[1] else ""


def _ways_back(sight: Sight, model: Place, field: str) -> Iterator[str]:
    said = _said_back(sight, model, field)
    plain = sight.look.symbol(model).name.lower()
    yield from (said,) if said else (plain, f"{plain}_set")


def _behind(sight: Sight, model: Place, name: str) -> Place | None:
    """The model a relation leads to."""
    found = _field(sight, model, name)
    if found is None or tail(found[1].callee) not in _RELATED:
        return None
    unit, call = found
    aim = argument(call, 0, "to")
    if aim is None:
        return None
    if aim[0] != "text":
        return sight.look.class_of(unit, call.scope, aim)
    said = str(aim[1][0]) if aim[1] else ""
    if said == "self":
        return model
    named = sorted(sight.look.program.named.get(said.rpartition(".")[2], ()))
    models = [one for one in named if one in sight.mapped]
    return models[0] if len(models) == 1 else None
