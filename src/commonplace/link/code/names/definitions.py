"""The definition a name means, as far as declarations tell: scopes, imports, namespaces."""

from collections.abc import Iterator

from commonplace.domain.code import Import, Symbol
from commonplace.domain.expr import Expr
from commonplace.link.code.names.modules import PYTHON, SCRIPTS, Modules, modules
from commonplace.link.code.program import Place, Program, Unit
from commonplace.link.code.queries.chains import noted, peeled

CLASSES = frozenset({"Class", "Interface", "Struct", "Record", "Enum", "Type"})
DEEPEST = 10


def _imports_by_alias(unit: Unit) -> dict[str, list[Import]]:
    table: dict[str, list[Import]] = {}
    for one in unit.facts.imports:
        if one.alias:
            table.setdefault(one.alias, []).append(one)
    return table


class Definitions:
    """Asks a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._modules: Modules = modules(program)
        self._places: dict[tuple[str, int, Expr], list[Place]] = {}
        self._packages: dict[tuple[str, str], list[str]] = {}

    def symbol(self, place: Place) -> Symbol:
        """The definition at a place."""
        return self.program.symbol(place)

    def places(self, unit: Unit, scope: int, expr: Expr, depth: int = 0) -> list[Place]:
        """The definitions an expression names."""
        key = (unit.document_id, scope, expr)
        known = self._places.get(key)
        if known is None:
            self._places[key] = []  # a name that leads to itself leads nowhere
            known = list(dict.fromkeys(self._find(unit, scope, peeled(expr), depth)))
            self._places[key] = known
        return known

    def class_of(self, unit: Unit, scope: int, expr: Expr) -> Place | None:
        """The one class an expression names; a text is its name, as ORMs allow."""
        if expr[0] == "generic":
            return self.class_of(unit, scope, expr[1])
        if expr[0] == "text" and len(expr[1]) == 1 and isinstance(expr[1][0], str):
            expr = ("name", expr[1][0].rpartition(".")[2])
        found = [one for one in self.places(unit, scope, expr) if self._is_class(one)]
        if not found and expr[0] == "name":
            found = self._only(unit, expr[1])
        return found[0] if len(found) == 1 else None

    def member(self, place: Place, name: str, depth: int = 0) -> Place | None:
        """A member of a class, its superclasses asked in order."""
        unit = self.program.units[place.document_id]
        for number in unit.children.get(place.number, ()):
            if unit.facts.symbols[number].name == name:
                return Place(place.document_id, number)
        for base in self.bases(place) if depth < DEEPEST else ():
            found = self.member(base, name, depth + 1)
            if found is not None:
                return found
        return None

    def members(self, place: Place) -> list[Place]:
        """All direct members of a class, in order."""
        unit = self.program.units[place.document_id]
        return [Place(place.document_id, one) for one in unit.children.get(place.number, ())]

    def bases(self, place: Place) -> list[Place]:
        """The superclasses and interfaces of a class that are in the program."""
        unit = self.program.units[place.document_id]
        symbol = unit.facts.symbols[place.number]
        found = (
            self.class_of(unit, symbol.parent, one) for one in (*symbol.bases, *symbol.interfaces)
        )
        return [one for one in found if one is not None and one != place]

    def external(self, unit: Unit, scope: int, expr: Expr) -> str:
        """The full name of something, as imports tell it: ``sa.Column`` is ``sqlalchemy.Column``.

        What is not imported keeps the name it has here.
        """
        expr = peeled(expr)
        if expr[0] == "generic":
            return self.external(unit, scope, expr[1])
        if expr[0] == "attr":
            base = self.external(unit, scope, expr[1])
            return f"{base}.{expr[2]}" if base else expr[2]
        if expr[0] == "call":
            return self.external(unit, scope, unit.facts.calls[expr[1]].callee)
        if expr[0] != "name":
            return ""
        for imported in self._imports(unit).get(expr[1], ()):
            if imported.name in (None, "*", "default"):
                return imported.module
            return f"{imported.module}.{imported.name}"
        name: str = expr[1]
        return name

    def enclosing(self, unit: Unit, scope: int) -> Place | None:
        """The class a scope stands in."""
        number = scope
        while number:
            if unit.facts.symbols[number].kind in CLASSES:
                return Place(unit.document_id, number)
            number = unit.facts.symbols[number].parent
        return None

    def is_self(self, unit: Unit, scope: int, expr: Expr) -> bool:
        """Whether an expression is the object the method runs on."""
        if expr[0] == "self":
            return True
        number = scope
        while expr[0] == "name" and number:
            symbol = unit.facts.symbols[number]
            if any(one.name == expr[1] for one in symbol.parameters):
                return symbol.parameters[0].name == expr[1] and (
                    symbol.parameters[0].flavour == "receiver"
                )
            number = symbol.parent
        return False

    def _find(self, unit: Unit, scope: int, expr: Expr, depth: int) -> Iterator[Place]:
        if depth > DEEPEST:
            return
        if expr[0] == "name":
            yield from self._named(unit, scope, expr[1])
        elif expr[0] == "generic":
            yield from self.places(unit, scope, expr[1], depth + 1)
        elif expr[0] == "attr":
            for owner in self._owners(unit, scope, expr[1], depth):
                found = self.member(owner, expr[2])
                if found is not None:
                    yield found
                elif owner.number == 0:
                    yield from self._imported_by(owner, expr[2])

    def _owners(self, unit: Unit, scope: int, expr: Expr, depth: int) -> Iterator[Place]:
        """What has the members of a value: its own class, a module, a class."""
        own = self.enclosing(unit, scope) if self.is_self(unit, scope, peeled(expr)) else None
        if own is not None:
            yield own
            return
        for one in self.places(unit, scope, expr, depth + 1):
            if one.number == 0 or self._is_class(one):
                yield one

    def _named(self, unit: Unit, scope: int, name: str) -> Iterator[Place]:
        number: int | None = scope
        while number is not None:
            found = [
                one for one in unit.children.get(number, ()) if unit.facts.symbols[one].name == name
            ]
            if found:
                yield from (Place(unit.document_id, one) for one in found)
                return
            number = unit.facts.symbols[number].parent if number else None
        yield from self._imported_by(Place(unit.document_id, 0), name)

    def _imported_by(self, file: Place, name: str) -> Iterator[Place]:
        """What a file's imports and its namespace give a name."""
        unit = self.program.units[file.document_id]
        found = False
        for imported in self._imports(unit).get(name, ()):
            for place in self._import_places(unit, imported):
                found = True
                yield place
        if not found and unit.facts.language not in SCRIPTS and unit.facts.language != PYTHON:
            spaces = {unit.facts.namespace, self._modules.space(unit)}
            spaces |= {one.module for one in unit.facts.imports if one.name in (None, "*")}
            yield from self._in_spaces(unit, spaces, name)

    def _import_places(self, unit: Unit, imported: Import) -> Iterator[Place]:
        language = unit.facts.language
        if language == PYTHON:
            yield from self._python_places(unit, imported)
        elif language in SCRIPTS:
            document = self._modules.script(unit, imported.module)
            if document is not None:
                yield from self._exported(document, imported.name)
        elif language == "go":
            key = (unit.document_id, imported.module)
            if key not in self._packages:
                self._packages[key] = self._modules.go.files(unit, imported.module)
            yield from (Place(one, 0) for one in self._packages[key])
        elif imported.name is not None:
            yield from self._in_spaces(unit, {imported.module}, imported.name)
            owner, _dot, last = imported.module.rpartition(".")
            for place in list(self._in_spaces(unit, {owner}, last)):
                member = self.member(place, imported.name)
                if member is not None:
                    yield member

    def _python_places(self, unit: Unit, imported: Import) -> Iterator[Place]:
        index = self._modules
        module = index.absolute(unit, imported)
        if imported.name not in (None, "*"):
            inner = index.python(unit, f"{module}.{imported.name}")
            if inner is not None:
                yield Place(inner, 0)
                return
        found = index.relative(unit, imported) if imported.level else index.python(unit, module)
        if found is None:
            return
        if imported.name in (None, "*"):
            yield Place(found, 0)
        else:
            yield from self.places(self.program.units[found], 0, ("name", imported.name), 1)

    def _exported(self, document: str, name: str | None) -> Iterator[Place]:
        unit = self.program.units[document]
        given = dict(unit.facts.exports)
        whole = given.get("=")  # the module is that value: CommonJS
        if name in (None, "*", "default") and whole is not None:
            yield from self.places(unit, 0, ("name", whole), 1)
        elif name in (None, "*"):
            yield Place(document, 0)
        else:
            yield from self.places(unit, 0, ("name", given.get(name or "", name)), 1)

    def _in_spaces(self, unit: Unit, spaces: set[str], name: str) -> Iterator[Place]:
        for place in sorted(self.program.named.get(name, ())):
            other = self.program.units[place.document_id]
            if other.facts.language != unit.facts.language or place.document_id == unit.document_id:
                continue
            parent = other.facts.symbols[place.number].parent
            space = self._modules.space(other)
            while parent and other.facts.symbols[parent].kind == "Namespace":
                space = f"{space}.{other.facts.symbols[parent].path}".strip(".")
                parent = 0
            if parent == 0 and (space in spaces or other.facts.namespace in spaces):
                yield place

    def _only(self, unit: Unit, name: str) -> list[Place]:
        """Classes of this name in files of the language, wherever they are: good if just one."""
        return [
            one
            for one in sorted(self.program.named.get(name, ()))
            if self._is_class(one)
            and self.program.units[one.document_id].facts.language == unit.facts.language
        ]

    def _is_class(self, place: Place) -> bool:
        return self.program.symbol(place).kind in CLASSES

    def _imports(self, unit: Unit) -> dict[str, list[Import]]:
        return noted(unit, "imports", _imports_by_alias)
