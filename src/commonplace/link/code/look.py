"""Looking up what other files declare: the definition a name means, the type a value has.

For passes that cross languages. They ask about declarations: a mapped class, a constant, a field's
type with its type arguments. What is not declared is not guessed here; following values is the
business of ``resolve``.
"""

from collections.abc import Iterator
from typing import NamedTuple

from commonplace.domain.code import Flow, Import, Symbol
from commonplace.domain.expr import Expr
from commonplace.link.code.chains import noted, peeled
from commonplace.link.code.modules import PYTHON, SCRIPTS, Modules, modules
from commonplace.link.code.program import Place, Program, Unit

CLASSES = frozenset({"Class", "Interface", "Struct", "Record", "Enum", "Type"})
_DEEPEST = 10
_WRAPPERS = frozenset(
    {"Optional", "Task", "ValueTask", "Promise", "Awaitable", "Nullable", "Final"}
)


class Type(NamedTuple):
    """A type as declared somewhere: its expression and where that stands."""

    unit: Unit
    scope: int
    expr: Expr

    @property
    def arguments(self) -> tuple[Expr, ...]:
        """Its type arguments."""
        found: tuple[Expr, ...] = self.expr[2] if self.expr[0] == "generic" else ()
        return found

    @property
    def base(self) -> Expr:
        """Itself without them."""
        found: Expr = self.expr[1] if self.expr[0] == "generic" else self.expr
        return found


def flows_in(unit: Unit, scope: int) -> list[Flow]:
    """The flows of one scope, in order."""
    return noted(unit, "flows", _flows_by_scope).get(scope, [])


def _flows_by_scope(unit: Unit) -> dict[int, list[Flow]]:
    table: dict[int, list[Flow]] = {}
    for flow in unit.facts.flows:
        table.setdefault(flow.scope, []).append(flow)
    return table


def _flows_by_member(unit: Unit) -> dict[str, list[Flow]]:
    table: dict[str, list[Flow]] = {}
    for flow in unit.facts.flows:
        if flow.target[0] == "attr":
            table.setdefault(flow.target[2], []).append(flow)
    return table


def _imports_by_alias(unit: Unit) -> dict[str, list[Import]]:
    table: dict[str, list[Import]] = {}
    for one in unit.facts.imports:
        if one.alias:
            table.setdefault(one.alias, []).append(one)
    return table


def look(program: Program) -> "Look":
    """The one of this state of the program."""
    found = program.memo.get("look")
    if found is None:
        found = program.memo["look"] = Look(program)
    known: Look = found
    return known


class Look:
    """Asks a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._modules: Modules = modules(program)
        self._places: dict[tuple[str, int, Expr], list[Place]] = {}

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
        for base in self.bases(place) if depth < _DEEPEST else ():
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

    def types(self, unit: Unit, scope: int, expr: Expr, depth: int = 0) -> list[Type]:
        """What a value is declared to be, or is made as."""
        if depth > _DEEPEST:
            return []
        expr = peeled(expr)
        if expr[0] == "typed":
            return self._opened(Type(unit, scope, expr[1]))
        if expr[0] == "one":
            return [each for one in expr[1] for each in self.types(unit, scope, one, depth + 1)]
        if expr[0] == "call":
            return self._made_by(unit, scope, expr[1], depth)
        if expr[0] == "name":
            return self._types_of_name(unit, scope, expr, depth)
        if expr[0] == "attr":
            return self._types_of_member(unit, scope, expr, depth)
        return []

    def type_names(self, unit: Unit, scope: int, expr: Expr) -> set[str]:
        """Full names of the types of a value, outside ones as imports tell them."""
        return {
            self.external(one.unit, one.scope, one.base) for one in self.types(unit, scope, expr)
        }

    def makers(self, unit: Unit, scope: int, expr: Expr) -> list[Type]:
        """The calls a value comes from, each as the ``call`` it is and where that stands."""
        expr = peeled(expr)
        if expr[0] == "call":
            return [Type(unit, scope, expr)]
        number: int | None = scope
        while number is not None and expr[0] == "name":
            found = [
                each
                for flow in flows_in(unit, number)
                if flow.target == expr and peeled(flow.value)[0] == "call"
                for each in self.makers(unit, number, flow.value)
            ]
            if found:
                return found
            number = unit.facts.symbols[number].parent if number else None
        places = self.places(unit, scope, expr)
        return [one for place in places for one in self._valued(place) if one.expr[0] == "call"]

    def _valued(self, place: Place) -> Iterator[Type]:
        symbol = self.program.symbol(place)
        if symbol.value is not None:
            unit = self.program.units[place.document_id]
            yield Type(unit, symbol.parent, peeled(symbol.value))
        elif symbol.parent:
            yield from self._set_in(place)

    def _set_in(self, place: Place) -> Iterator[Type]:
        """What the methods of a class put into a field of theirs."""
        unit = self.program.units[place.document_id]
        symbol = unit.facts.symbols[place.number]
        own = Place(place.document_id, symbol.parent)
        for flow in noted(unit, "fields", _flows_by_member).get(symbol.name, ()):
            if self.is_self(unit, flow.scope, flow.target[1]) and (
                self.enclosing(unit, flow.scope) == own
            ):
                yield Type(unit, flow.scope, peeled(flow.value))

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
        if depth > _DEEPEST:
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
        """What has the members of a value: a module, a class, the class of an instance."""
        own = self.enclosing(unit, scope) if self.is_self(unit, scope, peeled(expr)) else None
        if own is not None:
            yield own
            return
        containers = [
            one
            for one in self.places(unit, scope, expr, depth + 1)
            if one.number == 0 or self._is_class(one)
        ]
        yield from containers
        if not containers:
            for one in self.types(unit, scope, expr, depth + 1):
                found = self.class_of(one.unit, one.scope, one.base)
                if found is not None:
                    yield found

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
            spaces = {unit.facts.namespace, self._modules.name(unit)}
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
            space = self._modules.name(other)
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

    def _opened(self, declared: Type) -> list[Type]:
        """A type without what only says that it may be absent or comes later."""
        while declared.arguments and declared.base[-1] in _WRAPPERS:
            declared = declared._replace(expr=declared.arguments[0])
        if declared.expr[0] == "one":
            options = [one for one in declared.expr[1] if one[0] != "value"]
            return [each for one in options for each in self._opened(declared._replace(expr=one))]
        return [declared]

    def _made_by(self, unit: Unit, scope: int, number: int, depth: int) -> list[Type]:
        call = unit.facts.calls[number]
        places = self.places(unit, call.scope, call.callee, depth + 1)
        found = []
        for place in places:
            symbol = self.program.symbol(place)
            there = self.program.units[place.document_id]
            if symbol.kind in CLASSES:
                found.append(Type(unit, scope, call.callee))
            elif symbol.type is not None:
                found += self._opened(Type(there, place.number, symbol.type))
        if found or places:
            return found
        return [Type(unit, scope, call.callee)]

    def _types_of_name(self, unit: Unit, scope: int, expr: Expr, depth: int) -> list[Type]:
        if self.is_self(unit, scope, expr):
            own = self.enclosing(unit, scope)
            return [Type(unit, 0, ("name", self.symbol(own).name))] if own else []
        number: int | None = scope
        while number is not None:
            symbol = unit.facts.symbols[number]
            found = [
                each
                for flow in flows_in(unit, number)
                if flow.target == expr
                for each in self.types(unit, number, flow.value, depth + 1)
            ]
            for one in symbol.parameters:
                if one.name == expr[1] and one.type is not None:
                    found += self._opened(Type(unit, number, one.type))
            if found:
                return found
            number = symbol.parent if number else None
        return [
            each
            for place in self.places(unit, scope, expr, depth + 1)
            for each in self._declared(place, depth)
        ]

    def _types_of_member(self, unit: Unit, scope: int, expr: Expr, depth: int) -> list[Type]:
        return [
            each
            for place in self.places(unit, scope, expr, depth + 1)
            for each in self._declared(place, depth)
        ]

    def _declared(self, place: Place, depth: int) -> list[Type]:
        symbol = self.program.symbol(place)
        unit = self.program.units[place.document_id]
        if symbol.kind in CLASSES or place.number == 0:
            return []
        if symbol.type is not None:
            return self._opened(Type(unit, symbol.parent, symbol.type))
        return [
            each
            for one in self._valued(place)
            for each in self.types(one.unit, one.scope, one.expr, depth + 1)
        ]
