"""Functions of a program that run the SQL they are given: ``def all(self, sql, *args)``."""

from commonplace.domain.code import Call, Facts
from commonplace.domain.expr import Expr
from commonplace.link.code.orm.base import Sight, tail
from commonplace.link.code.program import Place, Program, Unit
from commonplace.link.code.queries.chains import noted, owner, peeled, words
from commonplace.link.code.queries.runners import RUNNERS

_KEY = "statements.wrapped"


def given_to(sight: Sight, name: str, call: Call) -> list[Expr]:
    """The arguments of a call that a function of the program runs as SQL."""
    by_name = wrappers(sight.look.program)
    found: list[Expr] = []
    if name not in by_name:
        return found
    for place in sight.look.places(sight.unit, call.scope, call.callee):
        told = by_name[name].get(place)
        if told is not None:
            position, word = told
            found += (value for key, value in call.keywords if key == word)
            found += call.arguments[position : position + 1]
    return found


def wrappers(program: Program) -> dict[str, dict[Place, tuple[int, str]]]:
    """Such functions by name, each with the place and the name of the parameter it runs."""
    known: dict[str, dict[Place, tuple[int, str]]] | None = program.memo.get(_KEY)
    if known is None:
        known = program.memo[_KEY] = {}
        for unit in program.units.values():
            if unit.facts.language in RUNNERS:
                for number, told in noted(unit, "wrapped", _of_unit).items():
                    name = unit.facts.symbols[number].name
                    known.setdefault(name, {})[Place(unit.document_id, number)] = told
    return known


def _of_unit(unit: Unit) -> dict[int, tuple[int, str]]:
    facts: Facts = unit.facts
    runners = RUNNERS[facts.language]
    found: dict[int, tuple[int, str]] = {}
    for call in facts.calls if runners & words(unit) else ():
        if tail(peeled(call.callee)) not in runners or call.callee[0] != "attr":
            continue
        number = owner(facts, call.scope)
        names = [one.name for one in facts.symbols[number].parameters if one.flavour != "receiver"]
        for one in call.arguments[:2]:
            if one[0] == "name" and one[1] in names and one[1] in _SAID_TO_BE:
                found.setdefault(number, (names.index(one[1]), one[1]))
    return found


_SAID_TO_BE = frozenset(
    {"sql", "query", "stmt", "statement", "text", "queryText", "sqlText", "command", "cmd", "q"}
    | {"queryString", "commandText", "sqlQuery", "sql_query", "query_string", "querySql", "dml"}
)
"""What a parameter that is a statement is called: runners are named as much else is."""
