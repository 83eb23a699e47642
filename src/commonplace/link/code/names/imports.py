"""What an import brings in: a module, a name of a module, a namespace, or a thing of a library.

References, not values: a name is followed in its own module by whoever asks, with flows
(``evaluate.py``) or without (``hierarchy.py``).
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from commonplace.domain.code import Import, Symbol
from commonplace.link.code.names.modules import PYTHON, SCRIPTS, modules
from commonplace.link.code.names.scopes import CLASSES, FUNCTIONS
from commonplace.link.code.program import Place, Program
from commonplace.link.code.queries.chains import noted
from commonplace.link.code.values.values import Value

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

REFERENCE = "ref"
"""``("ref", document, name)``: whatever a name means in the outermost scope of a file."""


def imported(solver: "Solver", document_id: str, imported_: Import) -> list[Value]:
    """What one import binds its alias to."""
    key = ("import", document_id, imported_)
    known = solver.known(key)
    found: list[Value] = (
        solver.fixed(key, lambda: _imported(solver, document_id, imported_), [])
        if known is None
        else known
    )
    return found


def _imported(solver: "Solver", document_id: str, imported_: Import) -> list[Value]:
    language = solver.facts(document_id).language
    if language == PYTHON:
        return _python(solver, document_id, imported_)
    if language in SCRIPTS:
        return _script(solver, document_id, imported_)
    if language == "go":
        return [("q", imported_.module, document_id)]
    dotted = ".".join(filter(None, (imported_.module, imported_.name)))
    return named(solver, dotted)


def home(solver: "Solver", document_id: str, imported_: Import) -> str | None:
    """The file of ours an import takes from, whether or not it has what is asked for."""
    language = solver.facts(document_id).language
    if language in SCRIPTS:
        return _script_home(solver, document_id, imported_.module)
    if language == PYTHON:
        dotted = solver.modules.absolute(solver.unit(document_id), imported_)
        return _home(solver, document_id, imported_, dotted)
    return None


def _python(solver: "Solver", document_id: str, imported_: Import) -> list[Value]:
    dotted = solver.modules.absolute(solver.unit(document_id), imported_)
    if imported_.name is None:
        is_first = imported_.alias == dotted.partition(".")[0]
        return [module(solver, document_id, imported_.alias if is_first else dotted)]
    found = _home(solver, document_id, imported_, dotted)
    if found is None:
        below = f"{dotted}.{imported_.name}"
        inner = solver.modules.python(solver.unit(document_id), below)
        if inner is not None or solver.modules.is_folder(below):
            return [module(solver, document_id, below)]
        solver.note(f"module:{dotted}")
        is_ours = solver.modules.is_folder(dotted) or imported_.level
        return [] if is_ours else [("x", below)]
    if found == document_id:  # a package takes a module of its own: ``from . import a``
        own = submodule(solver, found, imported_.name)
        if own is not None:
            return [own]
    return member(solver, found, imported_.name)


def _home(solver: "Solver", document_id: str, imported_: Import, dotted: str) -> str | None:
    unit = solver.unit(document_id)
    solver.note(f"module:{dotted.rpartition('.')[2]}")
    if imported_.level:
        return solver.modules.relative(unit, imported_) or solver.modules.python(unit, dotted)
    return solver.modules.python(unit, dotted)


def module(solver: "Solver", document_id: str, dotted: str) -> Value:
    """A module of Python by its full name, seen from a file."""
    solver.note(f"module:{dotted.rpartition('.')[2]}")
    found = solver.modules.python(solver.unit(document_id), dotted)
    if found is not None:
        return ("u", found)
    return ("n", dotted) if solver.modules.is_folder(dotted) else ("x", dotted)


def member(solver: "Solver", document_id: str, name: str) -> list[Value]:
    """What a name of a module means to those who import it."""
    solver.note(document_id)
    facts = solver.facts(document_id)
    scopes = solver.scopes(document_id)
    inside = name
    if facts.exports and facts.language != PYTHON:
        exports = _exports(solver, document_id)
        if name not in exports and "=" in exports:  # the module is this one thing
            whole = exports["="]
            if name == "default":
                return [(REFERENCE, document_id, whole)]
            return [("via", document_id, whole, name)]
        inside = exports.get(name, name)
    if inside in scopes.bound[0]:
        return [(REFERENCE, document_id, inside)]
    if name == "default" and "exports" in scopes.bound[0]:
        return [("u", document_id)]
    if facts.language == PYTHON:
        below = submodule(solver, document_id, name)
        if below is not None:
            return [below]
    found = [
        one
        for number in scopes.stars.get(0, ())
        for one in starred(solver, document_id, facts.imports[number], inside, frozenset())
    ]
    if not found and facts.language in SCRIPTS and "exports" in scopes.bound[0]:
        return [("via", document_id, "exports", name)]  # put there by another name
    return found


def _exports(solver: "Solver", document_id: str) -> dict[str, str]:
    """What a module gives out by which name; some give out hundreds, and are asked for each."""
    unit = solver.unit(document_id)
    return noted(unit, "exports", lambda one: dict(one.facts.exports))


def submodule(solver: "Solver", document_id: str, name: str) -> Value | None:
    """A module below a package of Python."""
    unit = solver.unit(document_id)
    if not unit.path.endswith("__init__.py"):
        return None
    found = module(solver, document_id, f"{solver.modules.name(unit)}.{name}")
    return None if found[0] == "x" else found


def starred(
    solver: "Solver", document_id: str, imported_: Import, name: str, seen: frozenset[str]
) -> Iterator[Value]:
    """What a name means that may have come with an import of everything."""
    for source in _star_sources(solver, document_id, imported_):
        if source[0] != "u":
            continue
        target = source[1]
        if target in seen:
            continue
        solver.note(target)
        facts = solver.facts(target)
        scopes = solver.scopes(target)
        listed = _exports(solver, target)
        if facts.language == PYTHON and not (name in listed if listed else name[:1] != "_"):
            continue
        inside = listed.get(name, name)
        if inside in scopes.bound[0]:
            yield (REFERENCE, target, inside)
            continue
        if name in listed and facts.language == PYTHON:
            below = submodule(solver, target, name)
            if below is not None:
                yield below
                continue
        for number in scopes.stars.get(0, ()):
            yield from starred(solver, target, facts.imports[number], inside, seen | {target})


def _star_sources(solver: "Solver", document_id: str, imported_: Import) -> list[Value]:
    language = solver.facts(document_id).language
    if language == PYTHON:
        dotted = solver.modules.absolute(solver.unit(document_id), imported_)
        found = _home(solver, document_id, imported_, dotted)
        return [] if found is None else [("u", found)]
    if language in SCRIPTS:
        found = _script_home(solver, document_id, imported_.module)
        return [] if found is None else [("u", found)]
    return []


def _script_home(solver: "Solver", document_id: str, written: str) -> str | None:
    """The file an import of a script means; asked for every name a star may have brought."""

    def look() -> str | None:
        unit = solver.unit(document_id)
        for known in solver.modules.looked_at(unit, written):
            solver.note(f"module:{known}")
        return solver.modules.script(unit, written)

    found: str | None = solver.fixed(("script", document_id, written), look, None)
    return found


def _script(solver: "Solver", document_id: str, imported_: Import) -> list[Value]:
    written = imported_.module
    found = _script_home(solver, document_id, written)
    name = imported_.name
    if found is None:
        library = written.removeprefix("node:")
        return [("x", library if name in (None, "*") else f"{library}.{name}")]
    solver.note(found)
    if name in (None, "*"):
        return _whole(solver, found)
    facts = solver.facts(found)
    is_plain = name == "default" and not any(one[0] == name for one in facts.exports)
    if is_plain and name not in solver.scopes(found).bound[0]:
        return _whole(solver, found)
    return member(solver, found, str(name))


def _whole(solver: "Solver", document_id: str) -> list[Value]:
    """A module as a value; one of CommonJS may be a function or class instead."""
    is_one = any(outside == "=" for outside, _ in solver.facts(document_id).exports)
    found = member(solver, document_id, "=") if is_one else []
    return found or [("u", document_id)]


def named(solver: "Solver", dotted: str) -> list[Value]:
    """What a full name means in languages with packages or namespaces."""
    table = definitions(solver.program)
    space, _, name = dotted.rpartition(".")
    inner: list[str] = []
    while True:
        solver.note(f"name:{name}")  # each part may be a type the rest stands in
        found = table.get(space, {}).get(name, [])
        if found:
            if not inner:
                return [("c" if is_type else "f", *place) for place, is_type in found]
            return [("in", *place, tuple(inner)) for place, is_type in found if is_type]
        if not space:
            return [("n", dotted)] if is_space(solver.program, dotted) else [("x", dotted)]
        inner.insert(0, name)
        space, _, name = space.rpartition(".")


def is_space(program: Program, dotted: str) -> bool:
    """Whether there is a package or namespace of this name, or below it."""
    spaces = program.memo.get("spaces")
    if spaces is None:
        spaces = set()
        for space in definitions(program):
            while space and space not in spaces:
                spaces.add(space)
                space = space.rpartition(".")[0]
        program.memo["spaces"] = spaces
    return dotted in spaces


def definitions(program: Program) -> dict[str, dict[str, list[tuple[Place, bool]]]]:
    """By package or namespace and name: what stands outermost in files, and whether it is a type.

    Of languages whose files see their package without importing it.
    """
    found = program.memo.get("definitions")
    if found is None:
        found = defaultdict(lambda: defaultdict(list))
        for unit in program.units.values():
            if unit.facts.language in ("java", "csharp", "go"):
                _define(program, unit.document_id, found)
        found = {space: dict(names) for space, names in found.items()}
        program.memo["definitions"] = found
    table: dict[str, dict[str, list[tuple[Place, bool]]]] = found
    return table


def is_method(symbol: Symbol) -> bool:
    """Whether it is a method of Go, whose type may stand in another file."""
    return symbol.kind in FUNCTIONS and not symbol.parent and "." in symbol.path


def _define(
    program: Program,
    document_id: str,
    found: "dict[str, dict[str, list[tuple[Place, bool]]]]",
) -> None:
    unit = program.units[document_id]
    space = modules(program).space(unit)
    outermost = {0}
    spaces = {0: space}
    for number, symbol in enumerate(unit.facts.symbols):
        if number and symbol.parent in outermost:
            here = spaces[symbol.parent]
            if symbol.kind == "Namespace":
                outermost.add(number)
                spaces[number] = f"{here}.{symbol.name}" if here else symbol.name
            elif not is_method(symbol):
                place = (Place(document_id, number), symbol.kind in CLASSES)
                found[here][symbol.name].append(place)
