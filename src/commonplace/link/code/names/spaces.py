"""Packages and namespaces: what they have under a name, and what holds for all their files."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Import
from commonplace.link.code.names.imports import REFERENCE, definitions, named
from commonplace.link.code.values.values import Value

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver


def below(solver: "Solver", space: Value, name: str) -> list[Value]:
    """What a folder, package or namespace has under a name."""
    full = f"{space[1]}.{name}"
    solver.note(f"module:{name}")
    found = solver.modules.python_named(full)
    if found is not None:
        return [("u", found)]
    if solver.modules.is_folder(full):
        return [("n", full)]
    return named(solver, full)


def go_member(solver: "Solver", package: Value, name: str) -> list[Value]:
    """What a package of Go has under a name; a thing of a library when it is not here."""
    solver.note(f"name:{name}")
    _, path, importer = package
    space = solver.modules.go.meant(solver.unit(importer), path)
    if space is None:
        return [("x", f"{path}.{name}")]
    found = definitions(solver.program).get(space, {}).get(name, ())
    return [(REFERENCE, place.document_id, name) for place, _ in found]


def space_of(solver: "Solver", document_id: str, scope: int) -> str:
    """The package or namespace a scope stands in; files of C# may have several."""
    unit = solver.unit(document_id)
    found = solver.modules.space(unit)
    if unit.facts.language != "csharp":
        return found
    symbols = unit.facts.symbols
    inner: list[str] = []
    here = scope
    while here:
        if symbols[here].kind == "Namespace":
            inner.insert(0, symbols[here].name)
        here = symbols[here].parent
    return ".".join([*filter(None, (found,)), *inner])


def wholes(solver: "Solver", document_id: str, scope: int) -> list[Import]:
    """Imports of everything that are seen in a scope (Java, C#, Go)."""
    facts = solver.facts(document_id)
    stars = solver.scopes(document_id).stars
    found = [facts.imports[number] for number in stars.get(0, ())]
    if facts.language == "csharp":
        here = scope if len(stars) > 1 or 0 not in stars else 0
        while here:
            found += [facts.imports[number] for number in stars.get(here, ())]
            here = facts.symbols[here].parent
        found.extend(global_usings(solver))
    return found


def global_usings(solver: "Solver") -> list[Import]:
    """Imports of everything that hold for all files of C#."""
    found = solver.program.memo.get("usings")
    if found is None:
        found = solver.program.memo["usings"] = [
            one
            for _, unit in sorted(solver.program.units.items())
            if unit.facts.language == "csharp"
            for one in unit.facts.imports
            if "global" in one.modifiers
        ]
    usings: list[Import] = found
    return usings


def parts(solver: "Solver", cls: Value) -> list[Value]:
    """The other parts of a class that is written in several places (C#)."""
    facts = solver.facts(cls[1])
    symbol = facts.symbols[cls[2]]
    if "partial" not in symbol.modifiers:
        return []
    solver.note(f"name:{symbol.name}")
    space = space_of(solver, cls[1], symbol.parent)
    places = definitions(solver.program).get(space, {}).get(symbol.name, ())
    return [("c", *place) for place, is_type in sorted(places) if is_type and ("c", *place) != cls]
