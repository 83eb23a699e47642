"""Methods of C# that are written outside of the type they belong to."""

from typing import TYPE_CHECKING

from commonplace.link.code.names.declared import declared
from commonplace.link.code.names.hierarchy import mro
from commonplace.link.code.values.values import NONE, Value, Values

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver


def extensions(solver: "Solver", value: Value, name: str) -> Values:
    """Methods of C# that are written elsewhere for values of a type."""
    found = solver.program.memo.get("extensions")
    if found is None:
        found = solver.program.memo["extensions"] = _extensions(solver)
    places = found.get(name)
    if places is None:
        return NONE
    solver.note(f"name:{name}")
    fitting = [one for one in places if _extends(solver, one, value)]
    return frozenset(("m", one, value) for one in fitting)


def _extensions(solver: "Solver") -> dict[str, list[Value]]:
    found: dict[str, list[Value]] = {}
    for document_id, unit in sorted(solver.program.units.items()):
        if unit.facts.language == "csharp":
            for number, symbol in enumerate(unit.facts.symbols):
                if "extension" in symbol.modifiers and symbol.parameters:
                    found.setdefault(symbol.name, []).append(("f", document_id, number))
    return found


def _extends(solver: "Solver", function: Value, value: Value) -> bool:
    """Whether the first parameter of an extension takes a value."""
    symbol = solver.facts(function[1]).symbols[function[2]]
    declared_type = symbol.parameters[0].type
    if declared_type is None:
        return True
    inner = value[1] if value[0] == "G" else value
    for one in declared(solver, function[1], function[2], declared_type):
        wanted = one[1] if one[0] == "G" else one
        if wanted[0] == "t" or wanted == inner:
            return True
        if wanted[0] == "o":
            if inner[0] == "o" and _alike(wanted[1], inner[1]):
                return True
        elif inner[0] in "is" and ("c", *wanted[1:]) in mro(solver, ("c", *inner[1:])):
            return True
    return False


def _alike(wanted: str, given: str) -> bool:
    """Names of a type of a library: collections are all enumerable, a string is one by any name."""
    short, other = wanted.rpartition(".")[2], given.rpartition(".")[2]
    aliases = {"string": "str", "String": "str", "Int32": "int", "Boolean": "bool"}
    if short in ("IEnumerable", "object", "IServiceCollection") and short != "object":
        return other not in ("str", "string", "int", "bool", "float")
    return aliases.get(short, short) == aliases.get(other, other)
