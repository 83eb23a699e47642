"""Looking down: classes below a class, methods they define instead, definitions by bare name."""

from collections import defaultdict
from typing import Any, cast

from commonplace.domain.code import Symbol
from commonplace.link.code.names.hierarchy import bases, mro
from commonplace.link.code.names.inherited import all_elsewhere, methods_elsewhere
from commonplace.link.code.names.modules import PYTHON, SCRIPTS
from commonplace.link.code.names.scopes import CLASSES, FUNCTIONS, MEMBERS_IN_SCOPE
from commonplace.link.code.names.signatures import is_same
from commonplace.link.code.program import Place
from commonplace.link.code.values.solver import Solver
from commonplace.link.code.values.values import Value

_MOST_BELOW = 12
"""Overrides beyond these say nothing of a single call."""
_MOST_OWN = 32
"""The same of what an object calls of itself: there each class below it means its own."""


class Descent:
    """Who stands below whom in a program."""

    def __init__(self, solver: Solver, known: dict[Value, list[Value]] | None = None) -> None:
        """``known`` is what ``told`` gave for the same program, where that is kept."""
        self.solver = solver
        self._below: dict[Value, list[Value]] = defaultdict(list)
        self._by_name: dict[tuple[str, str], list[Place]] = {}
        self._overridden: dict[tuple[Any, ...], list[Value]] = {}
        self.satisfying: dict[Value, list[Value]] = defaultdict(list)
        """Interfaces of Go by the types that have all their methods."""
        self.wanted: set[str] = set()
        """Names of methods the interfaces of Go have."""
        if known is None:
            self._gather()
            self._satisfied()
        else:
            self._below.update(known)

    def told(self) -> dict[Value, list[Value]] | None:
        """Classes by what they stand below; None where that is not all there is to know (Go)."""
        return None if self.wanted else dict(self._below)

    def _gather(self) -> None:
        solver = self.solver
        for document_id in sorted(solver.program.units):
            facts = solver.facts(document_id)
            for number, symbol in enumerate(facts.symbols):
                if symbol.kind in CLASSES and (symbol.bases or symbol.interfaces):
                    cls = ("c", document_id, number)
                    for base in bases(solver, cls):
                        if base[0] == "c":
                            self._below[base].append(cls)

    def move(self, solver: Solver) -> None:
        """Go on with another solver of the same program, of which no class changed."""
        self.solver = solver
        self._by_name.clear()
        self._overridden.clear()

    def _satisfied(self) -> None:
        """Types of Go that have all methods of an interface stand below it without saying so."""
        solver = self.solver
        types: list[tuple[Value, dict[str, int]]] = []
        wanted: list[tuple[Value, dict[str, int]]] = []
        for document_id in sorted(solver.program.units):
            facts = solver.facts(document_id)
            if facts.language != "go":
                continue
            for number, symbol in enumerate(facts.symbols):
                if symbol.kind in CLASSES and number:
                    cls = ("c", document_id, number)
                    listed = wanted if symbol.kind == "Interface" else types
                    listed.append((cls, self.methods(cls)))
        for interface, names in wanted:
            self.wanted |= names.keys()
            for cls, own in types:
                if names and names.items() <= own.items():
                    self._below[interface].append(cls)
                    self.satisfying[cls].append(interface)

    def methods(self, cls: Value) -> dict[str, int]:
        """Names of methods, their own and those of embedded types, with how much each takes."""
        solver = self.solver
        found: dict[str, int] = {}
        for one in reversed(mro(solver, cls)):
            if one[0] != "c":
                continue
            for names in (solver.scopes(one[1]).bound[one[2]], all_elsewhere(solver, one)):
                for name in names:
                    for place in self._functions(one, name):
                        found[name] = taken(solver.facts(place[0]).symbols[place[1]])
        return found

    def _functions(self, cls: Value, name: str) -> list[Place]:
        facts = self.solver.facts(cls[1])
        own = [
            Place(cls[1], binder.number)
            for binder in self.solver.scopes(cls[1]).bound[cls[2]].get(name, ())
            if binder.how == "symbol" and facts.symbols[binder.number].kind in FUNCTIONS
        ]
        return own + (methods_elsewhere(self.solver, cls, name) if facts.language == "go" else [])

    def below(self, cls: Value) -> list[Value]:
        """All classes below one, nearest first."""
        found: dict[Value, None] = {}
        waiting = [cls]
        while waiting:
            for one in self._below.get(waiting.pop(0), ()):
                if one not in found and one != cls:
                    found[one] = None
                    waiting.append(one)
        return list(found)

    def overriding(self, function: Value, receiver: Value) -> list[Value]:
        """What classes below the receiver's define in place of a method; none when too many."""
        owner = receiver[1] if receiver[0] == "G" else receiver
        if self.solver.facts(owner[1]).language == "go":  # looks names up, and that is noted
            those = self._overriding(function, owner)
            return those if len(those) <= _MOST_BELOW else []
        key = (*function[1:3], *owner[1:3])
        found = self._overridden.get(key)
        if found is None:
            found = self._overridden[key] = self._overriding(function, owner)
        return found if len(found) <= (_MOST_OWN if owner[0] == "s" else _MOST_BELOW) else []

    def _overriding(self, function: Value, owner: Value) -> list[Value]:
        symbols = self.solver.facts(function[1]).symbols
        name = symbols[function[2]].name
        found: list[Value] = []
        language = self.solver.facts(function[1]).language
        is_told = language in MEMBERS_IN_SCOPE
        is_by_name = language == PYTHON  # whatever else it takes
        wanted = taken(symbols[function[2]])
        for cls in self.below(("c", owner[1], owner[2])):
            places = self._functions(cls, name)
            if not places and self.solver.facts(cls[1]).language == "go":
                places = [
                    place
                    for one in mro(self.solver, cls)[1:]
                    if one[0] == "c"
                    for place in self._functions(one, name)
                ][:1]
            found.extend(
                ("f", *place)
                for place in places
                if is_by_name
                or (
                    taken(one := self.solver.facts(place[0]).symbols[place[1]]) == wanted
                    and (not is_told or is_same(one, symbols, function[2]))
                )
            )
        return [one for one in dict.fromkeys(found) if one != function]

    def is_abstract(self, function: Value, symbol: Symbol) -> bool:
        """Whether a method has nothing to run."""
        if "abstract" in symbol.modifiers:
            return True
        facts = self.solver.facts(function[1])
        parent = facts.symbols[symbol.parent]
        return parent.kind == "Interface" and "default" not in symbol.modifiers

    def named(self, name: str, language: str) -> list[Place]:
        """Functions of a bare name in one language, in a fixed order."""
        key = (_family(language), name)
        found = self._by_name.get(key)
        if found is None:
            units = self.solver.program.units
            found = self._by_name[key] = sorted(
                place
                for place in self.solver.program.named.get(name, ())
                if (facts := units[place.document_id].facts).symbols[place.number].kind in FUNCTIONS
                and _family(facts.language) == key[0]
            )
        return found


def taken(symbol: Symbol) -> int:
    """How many arguments a function takes, the object it runs on left out."""
    return sum(one.flavour != "receiver" for one in symbol.parameters)


def below(solver: Solver, cls: Value) -> list[Value]:
    """All classes below one."""
    return descent(solver).below(cls)


def overridden_below(solver: Solver, cls: Value, name: str) -> list[Value]:
    """Classes below one that bind a name otherwise; none when they are too many.

    Not for what other files see: who is below is not theirs to depend on.
    """
    if not solver.hands_over or not any(
        name in solver.scopes(one[1]).bound[one[2]] for one in mro(solver, cls) if one[0] == "c"
    ):
        return []
    solver.names.add(f"below:{name}")
    found = [one for one in below(solver, cls) if name in solver.scopes(one[1]).bound[one[2]]]
    return found if len(found) <= _MOST_BELOW else []


def _family(language: str) -> str:
    return "script" if language in SCRIPTS else language


def descent(solver: Solver) -> Descent:
    """The one of this state of the program."""
    memo = solver.program.memo
    found = memo.get("descent")
    if found is None:
        outer = solver.outside or solver
        found = memo["descent"] = Descent(outer)
    return cast("Descent", found)
