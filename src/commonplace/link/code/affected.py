"""Which files must be bound anew after one has changed: exactly those whose answer may differ.

Binding a file notes what it looked at (``Program.reads``): files, by their ids, and names it looked
for among all definitions, found or not. A change affects whoever looked at the file, and whoever
looked for a name the change defines, no longer defines, or defines otherwise. That runs in both
directions, and through any number of files: who binds through a chain of results looked at every
file of the chain.

Of those who looked at the file, an edit concerns only who can see what it changed
(``visible.py``): a file that says one of its names, or looked at one that does.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath
from typing import Any, TypeAlias

from commonplace.domain.code import Facts
from commonplace.domain.expr import Expr
from commonplace.link.code.aspects import said
from commonplace.link.code.names.modules import DECLARING, SCRIPTS
from commonplace.link.code.names.scopes import CLASSES
from commonplace.link.code.names.visible import difference
from commonplace.link.code.program import Program, word_number
from commonplace.link.code.values.library import SHORTEST
from commonplace.link.code.values.solving import FLOWING, size

Row: TypeAlias = tuple[Any, ...]
_MANIFESTS = frozenset({"manifest"})


def affected(
    program: Program, old: Facts | None, new: Facts | None, document_id: str, path: str = ""
) -> set[str]:
    """Documents to bind anew; ``old`` is what the file said before, None where it is new.

    The program is as it is after the change. ``path`` is needed for a file that is gone.
    """
    if path == "" and document_id in program.units:
        path = program.units[document_id].path
    own = {document_id} & set(program.units)
    if old == new:
        return own
    if _changes_everything(program, old, new, path):
        return set(program.units)
    keys = {*_names(old, new), *_modules(path, old, new), *said(old), *said(new)}
    if _bases(old) != _bases(new):
        keys.update(_inherited(program, document_id))
    reads = program.reads
    found = {one for one in program.units if one not in reads or not keys.isdisjoint(reads[one])}
    return own | found | _concerned(program, old, new, document_id)


def _concerned(
    program: Program, old: Facts | None, new: Facts | None, document_id: str
) -> set[str]:
    """Of those who looked at the file, who may see that it changed."""
    reads = program.reads
    readers = {one for one, looked in reads.items() if document_id in looked}
    if old is None or new is None or _bases(old) != _bases(new):
        return readers
    names = difference(old, program.units[document_id]).names
    if names is None:
        return readers
    saying = saying_any(program, names, document_id)
    return {one for one in readers if one in saying or not saying.isdisjoint(reads[one])}


def saying_any(program: Program, names: Collection[str], but: str) -> set[str]:
    """Other files in which one of these names may stand."""
    numbers = [word_number(name) for name in names]
    units = program.units.items() if names else ()
    return {one for one, unit in units if one != but and unit.may_say(numbers)}


def _changes_everything(program: Program, old: Facts | None, new: Facts | None, path: str) -> bool:
    """Small programs are bound as a whole; a package's own file renames all modules below it."""
    languages = {one.language for one in (old, new) if one is not None}
    if (
        languages & _MANIFESTS
        or _usings(old) != _usings(new)
        or (PurePosixPath(path).stem == "__init__" and None in (old, new))
    ):
        return True
    return any(_is_whole(program, old, new, kin) for kin in (FLOWING, DECLARING) if languages & kin)


def _is_whole(program: Program, old: Facts | None, new: Facts | None, kin: frozenset[str]) -> bool:
    """Whether what flows between files was, or is now, followed when they were bound."""
    now = sum(size(unit.facts, kin) for unit in program.units.values())
    return min(now, now - size(new, kin) + size(old, kin)) <= program.scale.calls_at_once


def _usings(facts: Facts | None) -> list[str]:
    """Imports that hold for files beside its own (C#)."""
    imports = () if facts is None else facts.imports
    return [one.module for one in imports if "global" in one.modifiers]


def _names(old: Facts | None, new: Facts | None) -> Iterator[str]:
    """Names of definitions that came, went, or are of another kind; of namespaces, each part."""
    before, after = _definitions(old), _definitions(new)
    spaces = [one.namespace for one in (old, new) if one is not None]
    if len(set(spaces)) > 1 or len(spaces) == 1:
        yield from (f"name:{part}" for space in spaces for part in space.split(".") if part)
    for key in before.keys() | after.keys():
        if before[key] != after[key]:
            name = str(key[0])
            yield from (f"name:{part}" for part in {name, *name.split(".")})  # Shop.Data
            yield f"below:{name}"
            yield from (f"prefix:{name[:end]}" for end in range(SHORTEST, len(name) + 1))


def _definitions(facts: Facts | None) -> Counter[tuple[object, ...]]:
    if facts is None:
        return Counter()
    return Counter(
        (
            symbol.name,
            symbol.path,
            facts.symbols[symbol.parent].path,
            symbol.kind,
            facts.namespace,
            facts.language,
            len(symbol.parameters),
            symbol.modifiers,
        )
        for symbol in facts.symbols
    )


def _bases(facts: Facts | None) -> Counter[tuple[object, ...]]:
    """Classes with what stands above them, and the imports that say what that is."""
    if facts is None:
        return Counter()
    classes = {symbol.name for symbol in facts.symbols if symbol.kind in CLASSES}
    others = {symbol.name for symbol in facts.symbols} - classes | set(_assigned(facts))
    imports: dict[str, list[Row]] = {}
    for one in facts.imports:
        imports.setdefault(one.alias, []).append((*one[:5], one.modifiers))
    found: Counter[tuple[object, ...]] = Counter()
    for symbol in facts.symbols:
        above = (*symbol.bases, *symbol.interfaces)
        if symbol.kind in CLASSES and above:
            roots = [_root(expr) for expr in above]
            if others.isdisjoint(roots) and "" not in roots:
                chosen = {*roots, ""} - classes  # "": imports of everything
            else:
                chosen = set(imports)
            rows = tuple(row for name in sorted(chosen) for row in imports.get(name, ()))
            found[symbol.path, symbol.bases, symbol.interfaces, rows] += 1
    return found


def _assigned(facts: Facts) -> Iterator[str]:
    """Names that values are given to in the file."""
    for flow in facts.flows:
        waiting = [flow.target]
        while waiting:
            target = waiting.pop()
            if target[0] == "name":
                yield target[1]
            elif target[0] == "star":
                waiting.append(target[1])
            elif target[0] == "seq":
                waiting += target[2]
            elif target[0] == "map":
                waiting += (one for _key, one in target[1])


def _root(expr: Expr) -> str:
    """The name an expression begins with; empty when it begins with none."""
    while expr[0] in ("attr", "generic"):
        expr = expr[1]
    return str(expr[1]) if expr[0] == "name" else ""


def _inherited(program: Program, document_id: str) -> Iterator[str]:
    """Members of classes that may stand elsewhere in the hierarchy now."""
    for one, unit in program.units.items():
        if one != document_id and document_id not in program.reads.get(one, ()):
            continue
        symbols = unit.facts.symbols
        for symbol in symbols:
            if symbols[symbol.parent].kind in CLASSES:
                name = symbol.name
                yield f"below:{name}"
                yield from (f"prefix:{name[:end]}" for end in range(SHORTEST, len(name) + 1))


def _modules(path: str, old: Facts | None, new: Facts | None) -> Iterator[str]:
    """What a file that came or went may be imported as; one of Go also with another package."""
    is_same = old is not None and new is not None and old.namespace == new.namespace
    if is_same or (old is not None and new is not None and new.language != "go"):
        return
    languages = {one.language for one in (old, new) if one is not None}
    parts = PurePosixPath(path).parts
    stem = PurePosixPath(path).name.partition(".")[0]
    yield f"module:{stem}"
    if len(parts) == 1:
        yield "module:"  # the outermost folder has no name
    if languages & SCRIPTS or stem == "__init__":
        yield from (f"module:{part}" for part in parts[-2:-1])
    yield from (f"module:{part}" for part in parts[:-1])
