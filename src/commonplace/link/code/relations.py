"""Edges of definitions: bases, overrides, imports, uses of names, and what tests exercise."""

from collections.abc import Iterator, Sequence

from commonplace.domain.code import At, Symbol
from commonplace.domain.expr import Expr
from commonplace.link.code.bound import Bounds, beginning
from commonplace.link.code.meaning import Meaning
from commonplace.link.code.names.descent import descent
from commonplace.link.code.names.hierarchy import bases, mro, static
from commonplace.link.code.names.imports import REFERENCE, home, imported
from commonplace.link.code.names.imports import named as qualified
from commonplace.link.code.names.modules import PYTHON
from commonplace.link.code.names.scopes import CLASSES, FUNCTIONS, MEMBERS_IN_SCOPE
from commonplace.link.code.names.spaces import wholes
from commonplace.link.code.program import Place
from commonplace.link.code.values.solver import Solver
from commonplace.link.code.values.values import Value, Values

_SURE = 1.0
_MEMBER = 0.9
_MOST_OWNERS = 4
MOST_FILES = 20
"""Of a package of Go that is imported."""


class Relating:
    """Relates the definitions of one file."""

    def __init__(self, solver: Solver, document_id: str, meaning: Meaning, bounds: Bounds) -> None:
        self.solver = solver
        self.bounds = bounds
        self.meaning = meaning
        self.document_id = document_id
        self.facts = solver.facts(document_id)
        self._places: dict[tuple[int, str], tuple[Place, ...]] = {}
        self._known: dict[tuple[Values, str], tuple[Place, ...]] = {}

    def hierarchy(self) -> None:
        """INHERITS, IMPLEMENTS, OVERRIDES."""
        for number, symbol in enumerate(self.facts.symbols):
            if symbol.kind in CLASSES:
                if symbol.bases or symbol.interfaces:
                    self._bases(number, symbol)
                if self.facts.language == "go" and symbol.kind != "Interface":
                    self._satisfied(number, symbol)
            elif symbol.kind in FUNCTIONS and number:
                parent = self.facts.symbols[symbol.parent]
                if parent.kind in CLASSES:
                    self._overrides(number, symbol)

    def _bases(self, number: int, symbol: Symbol) -> None:
        own = ("c", self.document_id, number)
        named = frozenset().union(
            *(
                static(self.solver, self.document_id, symbol.parent, one)
                for one in symbol.interfaces
            )
        )
        for base in bases(self.solver, own):
            is_interface = base in named
            if base[0] == "c" and not is_interface:
                above = self.solver.facts(base[1]).symbols[base[2]]
                is_interface = above.kind == "Interface" and symbol.kind != "Interface"
            relation = "IMPLEMENTS" if is_interface else "INHERITS"
            target = Place(base[1], base[2]) if base[0] == "c" else base[1]
            self.bounds.add(number, relation, target, "base", _SURE, beginning(symbol))

    def _satisfied(self, number: int, symbol: Symbol) -> None:
        """Interfaces a type of Go implements without saying so."""
        known = descent(self.solver)
        cls = ("c", self.document_id, number)
        for name in (*known.wanted, *known.methods(cls)):
            self.solver.names.add(f"below:{name}")
        for interface in known.satisfying.get(cls, ()):
            place = Place(interface[1], interface[2])
            self.bounds.add(number, "IMPLEMENTS", place, "methods", _MEMBER, beginning(symbol))

    def _overrides(self, number: int, symbol: Symbol) -> None:
        own = ("c", self.document_id, symbol.parent)
        if symbol.kind == "Constructor" or symbol.name in ("__init__", "constructor"):
            return
        for cls in mro(self.solver, own)[1:]:
            if cls[0] != "c":
                continue
            facts = self.solver.facts(cls[1])
            for binder in self.solver.scopes(cls[1]).bound[cls[2]].get(symbol.name, ()):
                if binder.how != "symbol":
                    continue
                other = facts.symbols[binder.number]
                is_same = len(other.parameters) == len(symbol.parameters)
                if other.kind in FUNCTIONS and (is_same or self.facts.language == PYTHON):
                    place = Place(cls[1], binder.number)
                    self.bounds.add(number, "OVERRIDES", place, "mro", _SURE, beginning(symbol))
                    return

    def imports(self) -> None:
        """IMPORTS: the file to modules and definitions, or to a library's."""
        for one in self.facts.imports:
            found = imported(self.solver, self.document_id, one)
            if one.name == "*" and self.facts.language == PYTHON:
                found = imported(self.solver, self.document_id, one._replace(name=None, alias=""))
            for value in found:
                self._import(value, one.at)
            source = None if found else home(self.solver, self.document_id, one)
            if source is not None:
                self.bounds.add(0, "IMPORTS", Place(source, 0), "import", _SURE, one.at)

    def _import(self, value: Value, at: At) -> None:
        tag = value[0]
        if tag == REFERENCE:
            self.bounds.add(0, "IMPORTS", Place(value[1], 0), "import", _SURE, at)
            for place in self._symbols(value[1], 0, value[2]):
                self.bounds.add(0, "IMPORTS", place, "import", _SURE, at)
        elif tag == "u":
            self.bounds.add(0, "IMPORTS", Place(value[1], 0), "import", _SURE, at)
        elif tag in "cf":
            self.bounds.add(0, "IMPORTS", Place(value[1], value[2]), "import", _SURE, at)
        elif tag == "q":
            self._package(value[1], at)
        elif tag == "x":
            self.bounds.add(0, "IMPORTS", value[1], "import", _SURE, at)

    def _package(self, path: str, at: At) -> None:
        """A package of Go is its files; one of a library is its path."""
        unit = self.solver.unit(self.document_id)
        found = self.solver.modules.go.files(unit, path)
        for known in self.solver.modules.looked_at(unit, path):
            self.solver.note(f"module:{known}")
        for document_id in found[:MOST_FILES]:
            self.bounds.add(0, "IMPORTS", Place(document_id, 0), "import", _SURE, at)
        if not found:
            self.bounds.add(0, "IMPORTS", path, "import", _SURE, at)

    def _symbols(self, document_id: str, scope: int, name: str, depth: int = 6) -> Iterator[Place]:
        """The definitions a name of a scope stands for, through imports."""
        self.solver.note(document_id)
        facts = self.solver.facts(document_id)
        for binder in self.solver.scopes(document_id).bound[scope].get(name, ()):
            if binder.how == "symbol":
                yield Place(document_id, binder.number)
            elif binder.how == "import" and depth:
                for one in imported(self.solver, document_id, facts.imports[binder.number]):
                    if one[0] == REFERENCE:
                        yield from self._symbols(one[1], 0, one[2], depth - 1)
                    elif one[0] in "cf":
                        yield Place(one[1], one[2])
                    elif one[0] == "u":
                        yield Place(one[1], 0)
                    elif one[0] == "in":
                        yield from self._inside(("c", one[1], one[2]), one[3])

    def _inside(self, cls: Value, names: Sequence[str]) -> Iterator[Place]:
        """What stands in a class by this name, or in a class in it."""
        for place in self.fields(cls, names[0]):
            if len(names) == 1:
                yield place
            else:
                yield from self._inside(("c", *place), names[1:])

    def references(self) -> None:
        """REFERENCES: names and members that are read, written or used as types."""
        add = self.bounds.add
        for use in self.facts.uses:
            scope, expr, at, access = use
            if access == "run":
                continue
            if expr[0] == "name":
                for place in self.named(scope, expr[1]):
                    if place != (self.document_id, scope):
                        add(scope, "REFERENCES", place, access, _SURE, at)
            elif expr[0] == "attr":
                for place in self._members(scope, expr):
                    add(scope, "REFERENCES", place, access, _MEMBER, at)

    def named(self, scope: int, name: str) -> tuple[Place, ...]:
        """Definitions a bare name stands for."""
        home = self.solver.scopes(self.document_id).home(self.facts, scope, name)
        key = (home if home >= 0 else -1 - scope, name)
        found = self._places.get(key)
        if found is None:
            if home >= 0:
                found = tuple(dict.fromkeys(self._symbols(self.document_id, home, name)))
            else:
                values = static(self.solver, self.document_id, scope, ("name", name))
                found = tuple(Place(one[1], one[2]) for one in sorted(values) if one[0] in "cf")
                if not found and self.facts.language in MEMBERS_IN_SCOPE:
                    found = self._unqualified(scope, name)
            self._places[key] = found
        return found

    def _unqualified(self, scope: int, name: str) -> tuple[Place, ...]:
        """Members named without their class: it is one above those around, or imported whole."""
        if name not in self.solver.program.named:
            self.solver.names.add(f"name:{name}")
            return ()
        symbols = self.facts.symbols
        here = scope
        while here:
            if symbols[here].kind in CLASSES:
                found = tuple(self.fields(("c", self.document_id, here), name))
                if found:
                    return found
            here = symbols[here].parent
        return tuple(
            dict.fromkeys(
                place
                for owner in self._whole(scope)
                for place in self._inside(owner[0], (*owner[1], name))
            )
        )

    def _whole(self, scope: int) -> Iterator[tuple[Value, tuple[str, ...]]]:
        """Classes all members of which are imported, and the way to those in them."""
        for one in wholes(self.solver, self.document_id, scope):
            for value in qualified(self.solver, one.module):
                if value[0] == "c":
                    yield value, ()
                elif value[0] == "in":
                    yield ("c", value[1], value[2]), value[3]

    def _members(self, scope: int, expr: Expr) -> tuple[Place, ...]:
        name = expr[2]
        if name not in self.solver.program.named:
            self.solver.names.add(f"name:{name}")
            return ()
        values = self.meaning.of(scope, expr[1])
        if not values or len(values) > _MOST_OWNERS:
            return ()
        key = (values, name)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = tuple(dict.fromkeys(self._defined(values, name)))
        return found

    def _defined(self, values: Values, name: str) -> Iterator[Place]:
        """Where a member of any of these is defined."""
        for value in values:
            base = value[1] if value[0] == "G" else value
            if base[0] == "u":
                yield from self._symbols(base[1], 0, name)
            elif base[0] in "isck":
                yield from self.fields(("c", base[1], base[2]), name)

    def fields(self, cls: Value, name: str) -> Iterator[Place]:
        """The nearest definition of a member in line; one its methods set is one too."""
        for one in mro(self.solver, cls):
            if one[0] != "c":
                continue
            unit = self.solver.unit(one[1])
            numbers = members_of(unit.notes, unit.facts.symbols).get((one[2], name))
            if numbers:
                yield from (Place(one[1], number) for number in numbers)
                return


def members_of(
    notes: dict[str, object], symbols: tuple[Symbol, ...]
) -> dict[tuple[int, str], list[int]]:
    """Members of classes by class and name, those that methods set included."""
    known = notes.get("members")
    if isinstance(known, dict):
        return known
    found: dict[tuple[int, str], list[int]] = {}
    for number, symbol in enumerate(symbols):
        if number and symbols[symbol.parent].kind in CLASSES:
            found.setdefault((symbol.parent, symbol.name), []).append(number)
    notes["members"] = found
    return found
