"""What the links of a chain name: fields in keywords, lambdas, objects and strings."""

from collections.abc import Iterable, Iterator

from commonplace.domain.expr import RESULT, Expr
from commonplace.link.code.names.look import flows_in
from commonplace.link.code.orm.base import Sight, keys
from commonplace.link.code.program import Place
from commonplace.link.code.queries.chains import Chain, Step, below, peeled

_OPERATORS = frozenset({"AND", "OR", "NOT", "and", "or", "not", "some", "every", "none", "is"})


def in_keywords(step: Step) -> tuple[str, ...]:
    """Names of keyword arguments, without what follows two underscores."""
    if step.call is None:
        return ()
    return tuple(key.partition("__")[0] for key, _value in step.call.keywords)


def in_lambdas(sight: Sight, step: Step) -> tuple[str, ...]:
    """Members of a lambda's first parameter that its body names."""
    found: list[str] = []
    for number in lambdas(step):
        found += of_parameter(sight, number)
    return tuple(dict.fromkeys(found))


def lambdas(step: Step) -> list[int]:
    """The functions written as arguments."""
    given = (peeled(one) for one in step.call.arguments) if step.call else ()
    return [one[1] for one in given if one[0] == "made"]


def of_parameter(sight: Sight, number: int) -> Iterator[str]:
    """Members of a function's first parameter that its body names."""
    facts = sight.unit.facts
    parameters = facts.symbols[number].parameters
    if not parameters:
        return
    root = ("name", parameters[0].name)
    exprs: list[tuple[int, Expr]] = [
        (one.scope, one.expr) for one in facts.uses if one.access != "run"
    ]
    exprs += [(one.scope, one.callee) for one in facts.calls]
    exprs += [(one.scope, one.value) for one in facts.flows]
    for scope, expr in exprs:
        while expr[0] == "attr":
            if expr[1] == root and below(facts, number, scope):
                yield expr[2]
            expr = expr[1]


def in_objects(sight: Sight, expr: Expr | None) -> tuple[str, ...]:
    """Keys of an object display, those below logical operators too; strings of a list."""
    if expr is None:
        return ()
    expr = peeled(expr)
    if expr[0] == "seq":
        return tuple(each for one in expr[2] for each in in_objects(sight, one))
    if expr[0] == "text":
        return (expr[1][0],) if len(expr[1]) == 1 and isinstance(expr[1][0], str) else ()
    if expr[0] != "map":
        return ()
    found = [key for key in keys(expr) if key not in _OPERATORS]
    for key, value in expr[1]:
        if key in _OPERATORS:
            found += in_objects(sight, value)
    return tuple(found)


def in_strings(step: Step) -> tuple[str, ...]:
    """Literal strings among the arguments, as column names are given."""
    found: list[str] = []
    for one in step.call.arguments if step.call else ():
        members: Iterable[Expr] = one[2] if one[0] == "seq" else (one,)
        found += (
            each[1][0].lstrip("-+").partition(" ")[0]
            for each in members
            if each[0] == "text" and len(each[1]) == 1 and isinstance(each[1][0], str)
        )
    return tuple(found)


def named_class(sight: Sight, chain: Chain, expr: Expr | None) -> Place | None:
    """The mapped class an expression names, if it names one."""
    if expr is None or expr[0] not in ("name", "attr", "generic", "text"):
        return None
    return mapped_at(sight, chain.scope, expr)


def mapped_at(sight: Sight, scope: int, expr: Expr) -> Place | None:
    """The mapped class an expression names here, also as what a field is set to or an alias of."""
    found = sight.look.class_of(sight.unit, scope, expr)
    if found is None:
        places = sight.look.places(sight.unit, scope, expr)
        found = places[0] if len(places) == 1 else None
    if found is not None and found not in sight.mapped:
        symbol = sight.look.symbol(found)
        unit = sight.look.program.units[found.document_id]
        kept = symbol.value if symbol.value is not None and symbol.value[0] == "name" else None
        found = sight.look.class_of(unit, symbol.parent, kept) if kept is not None else None
    return found if found in sight.mapped else None


def class_of_value(sight: Sight, scope: int, expr: Expr) -> Place | None:
    """The mapped class a value is declared to be an instance of."""
    for one in sight.look.types(sight.unit, scope, expr):
        found = sight.look.class_of(one.unit, one.scope, one.base)
        if found is not None and found in sight.mapped:
            return found
    return None


def argument_of(sight: Sight, scope: int, base: Expr, names: frozenset[str]) -> Place | None:
    """The mapped class that is the first type argument of a value's type, if that is so named."""
    for one in sight.look.types(sight.unit, scope, base):
        last = one.base[-1] if one.base[0] in ("name", "attr") else ""
        if last in names and one.arguments:
            found = sight.look.class_of(one.unit, one.scope, one.arguments[0])
            if found is not None and found in sight.mapped:
                return found
    return None


def prefix(chain: Chain, length: int) -> Expr | None:
    """The chain up to a step that is no call, as an expression."""
    expr = chain.root
    for step in chain.steps[:length]:
        if step.call is not None or expr is None:
            return None
        expr = ("attr", expr, step.name)
    return expr


def _each_made(sight: Sight, expr: Expr) -> Expr:
    """What ``rows.Select(r => new Order { … })`` makes of each."""
    given = sight.unit.facts.calls[expr[1]].arguments if expr[0] == "call" else ()
    for number in (one[1] for one in given if one[0] == "made"):
        for flow in flows_in(sight.unit, number):
            if flow.target == RESULT and flow.value[0] == "call":
                return flow.value
    return expr


def behind(sight: Sight, member: Place) -> Place | None:
    """The mapped class a field holds one or many of, by its declared type."""
    unit = sight.look.program.units[member.document_id]
    declared = unit.facts.symbols[member.number].type
    while declared is not None and declared[0] in ("generic", "one"):
        options = declared[2] if declared[0] == "generic" else declared[1]
        known = [one for one in options if one[0] != "value"]
        declared = known[0] if known else None
    found = sight.look.class_of(unit, member.number, declared) if declared is not None else None
    return found if found in sight.mapped else None


def made_with(sight: Sight, scope: int, expr: Expr) -> tuple[str, ...]:
    """Keywords a value was made with as an object of a class, by the flows of its scope."""
    found: list[str] = []
    options = [expr] if expr[0] == "call" else []
    options += [
        one.value for one in sight.unit.facts.flows if one.scope == scope and one.target == expr
    ]
    for one in options:
        one = _each_made(sight, peeled(one))
        call = sight.unit.facts.calls[one[1]] if one[0] == "call" else None
        if call is not None and sight.look.class_of(sight.unit, call.scope, call.callee):
            found += (key for key, _value in call.keywords)
    return tuple(found)
