"""Members of classes by name: what a class and those above it define, set, or have elsewhere."""

from typing import TYPE_CHECKING, TypeAlias

from commonplace.link.code.names.hierarchy import mro, static
from commonplace.link.code.names.imports import is_method
from commonplace.link.code.names.scopes import FUNCTIONS
from commonplace.link.code.program import Place
from commonplace.link.code.values.values import Value

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver


def binds(solver: "Solver", cls: Value, name: str) -> bool:
    """Whether a class or one above it defines a member of this name, or its methods set it."""
    defined, given, _ = member_names(solver, cls)
    if name in defined or name in given:
        return True
    if solver.facts(cls[1]).language != "go":
        return False
    return any(has_member(solver, one, name) for one in mro(solver, cls) if one[0] == "c")


Members: TypeAlias = tuple[frozenset[str], frozenset[str], frozenset[str]]
_NO_MEMBERS: Members = (frozenset(), frozenset(), frozenset())


def member_names(solver: "Solver", cls: Value) -> Members:
    """Names a class and those above it define, names their methods set, and their files."""
    key = ("members", cls[1], cls[2])
    known = solver.known(key)
    found: Members = (
        solver.fixed(key, lambda: _member_names(solver, cls), _NO_MEMBERS)
        if known is None
        else known
    )
    return found


def _member_names(solver: "Solver", cls: Value) -> Members:
    files: set[str] = set()
    defined: set[str] = set()
    given: set[str] = set()
    for one in mro(solver, cls):
        if one[0] == "c":
            files.add(one[1])
            scopes = solver.scopes(one[1])
            if solver.facts(one[1]).symbols[one[2]].kind not in FUNCTIONS:
                defined.update(scopes.bound[one[2]])
            given.update(scopes.own.get(one[2], ()))
    return frozenset(defined), frozenset(given), frozenset(files)


def has_member(solver: "Solver", cls: Value, name: str) -> bool:
    """Whether a class itself defines a member; what a function binds are not its members."""
    facts = solver.facts(cls[1])
    if facts.symbols[cls[2]].kind in FUNCTIONS:
        return False
    if name in solver.scopes(cls[1]).bound[cls[2]]:
        return True
    return facts.language == "go" and bool(methods_elsewhere(solver, cls, name))


def methods_elsewhere(solver: "Solver", cls: Value, name: str) -> list[Place]:
    """Methods of a type of Go that stand in other files of its package."""
    table = solver.program.memo.get("methods")
    if table is None:
        table = solver.program.memo["methods"] = _methods(solver)
    facts = solver.facts(cls[1])
    space = solver.modules.space(solver.unit(cls[1]))
    solver.note(f"name:{name}")
    found: list[Place] = table.get((space, facts.symbols[cls[2]].name), {}).get(name, [])
    return found


def all_elsewhere(solver: "Solver", cls: Value) -> list[str]:
    """Names of methods of a type of Go that stand in other files."""
    if solver.facts(cls[1]).language != "go":
        return []
    methods_elsewhere(solver, cls, "")
    space = solver.modules.space(solver.unit(cls[1]))
    table = solver.program.memo["methods"]
    return list(table.get((space, solver.facts(cls[1]).symbols[cls[2]].name), ()))


def _methods(solver: "Solver") -> dict[tuple[str, str], dict[str, list[Place]]]:
    found: dict[tuple[str, str], dict[str, list[Place]]] = {}
    for document_id, unit in sorted(solver.program.units.items()):
        if unit.facts.language != "go":
            continue
        for number, symbol in enumerate(unit.facts.symbols):
            if is_method(symbol):
                owner = (solver.modules.space(unit), symbol.path.rpartition(".")[0])
                names = found.setdefault(owner, {})
                names.setdefault(symbol.name, []).append(Place(document_id, number))
    return found


def metaclass(solver: "Solver", cls: Value) -> Value | None:
    """The class a class is an instance of, where one is written."""
    found: Value | None = solver.fixed(
        ("metaclass", cls[1], cls[2]), lambda: _metaclass(solver, cls), None
    )
    return found


def _metaclass(solver: "Solver", cls: Value) -> Value | None:
    for one in mro(solver, cls):
        if one[0] != "c":
            continue
        for binder in solver.scopes(one[1]).bound[one[2]].get("__metaclass__", ()):
            if binder.how == "flow":
                value = solver.facts(one[1]).flows[binder.number].value
                for found in sorted(static(solver, one[1], one[2], value)):
                    if found[0] == "c":
                        return found
    return None
