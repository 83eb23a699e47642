"""Members whose naming calls something: properties, descriptors, what answers for any name."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from commonplace.domain.code import Use
from commonplace.link.code.bind import Binding
from commonplace.link.code.names.imports import member
from commonplace.link.code.names.inherited import binds
from commonplace.link.code.names.modules import PYTHON
from commonplace.link.code.names.scopes import CLASSES, MEMBERS_IN_SCOPE
from commonplace.link.code.program import Place
from commonplace.link.code.resolve import sureness
from commonplace.link.code.values.members import above, is_read
from commonplace.link.code.values.values import Value, Values

Wanted: TypeAlias = Literal["setter", "property"]
_SPOKEN = frozenset({"toString", "valueOf", "[Symbol.toPrimitive]"})
"""Methods of scripts that are run without being named."""
_OWNING = frozenset("isclS")
"""Values whose members may be code; of modules where one has ``__getattr__``."""
_ELSEWHERE = frozenset("lSu")
"""Values that are no objects of a class, but have members."""
_KEPT = 0.85
"""How sure it is at most that code runs which keeps what it gave."""
_ASKED_ONCE = frozenset({"__getattr__", "__get__"})
"""Methods that are asked for what an object does not have yet, or has in their place."""
_SETATTR = ("name", "setattr")


class Accessors:
    """Finds what naming a member of an object runs, for all uses of one file."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self.solver = binding.solver
        self.meaning = binding.meaning
        self.document_id = binding.document_id
        self.facts = binding.facts
        self.language = binding.facts.language
        self._owning = _OWNING | {"u"} if binding.may_answer else _OWNING
        self._keeping: dict[Place, bool] = {}
        self._known: dict[tuple[Values, str, Wanted], tuple[frozenset[Place], int]] = {}

    def properties(self) -> None:
        """An edge for every use that runs code."""
        is_bare = self.language in MEMBERS_IN_SCOPE
        for use in self.facts.uses:
            kind = use.expr[0]
            if use.access == "type":
                continue
            if use.access == "run":
                self._run(use)
            elif kind == "attr":
                self._use(use, self.meaning.of(use.scope, use.expr[1]), use.expr[2])
            elif is_bare and kind == "name":
                self._use(use, self._around(use.scope), use.expr[1])
        if not is_bare and self.language != "go":
            for call in self.binding.read:
                use = Use(call.scope, call.callee, call.at)
                self._use(use, self.meaning.of(call.scope, call.callee[1]), call.callee[2])

    def _run(self, use: Use) -> None:
        """A method or getter that syntax runs, of those objects that have one."""
        name = use.expr[2]
        if name not in self.solver.program.named:
            self.solver.names.add(f"name:{name}")
            return
        values = self.meaning.of(use.scope, use.expr[1])
        known = {one[1] if one[0] == "G" else one for one in values}
        owners = [one for one in known if one[0] in "isl"]
        confidence = sureness("type", len(owners))
        for one in owners:
            key = ("A", one[1], one[2], name) if one[0] != "l" else ("I", one[1], one[2], name)
            for method in self.solver.get(key):
                if method[0] == "f" and (name in _SPOKEN or self._is_accessor(method, "property")):
                    told = ("CALLS", Place(method[1], method[2]), "implicit", confidence, use.at)
                    self.binding.bounds.add(use.scope, *told)

    def _use(self, use: Use, values: Values, name: str) -> None:
        if not values:
            return
        wanted: Wanted = "setter" if use.access == "write" else "property"
        key = (values, name, wanted)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._run_by(values, name, wanted)
        if not known[0]:
            return
        found = known[0] - {Place(self.document_id, use.scope)}  # it reads what it has stored
        # One of many owners that reads it so makes it no certainty.
        confidence = sureness("type", max(len(found), known[1]))
        for place in found:
            sure = min(confidence, _KEPT) if self._is_kept(place) else confidence
            self.binding.bounds.add(use.scope, "CALLS", place, "property", sure, use.at)

    def _is_kept(self, place: Place) -> bool:
        """Whether code keeps what it gave, and so runs once, wherever it is asked for first."""
        if self.language != PYTHON:
            return False
        found = self._keeping.get(place)
        if found is None:
            found = self._keeping[place] = self._keeps(place)
        return found

    def _keeps(self, place: Place) -> bool:
        facts = self.solver.facts(place.document_id)
        symbol = facts.symbols[place.number]
        if symbol.name not in _ASKED_ONCE:
            return any(str(one[-1]).endswith("cached_property") for one in symbol.decorators)
        for call in facts.calls:
            if call.scope == place.number and call.callee == _SETATTR:
                return True
        for flow in facts.flows:
            target = flow.target
            if flow.scope == place.number and target[0] == "item" and target[1][-1] == "__dict__":
                return True
        return False

    def _run_by(self, values: Values, name: str, wanted: Wanted) -> tuple[frozenset[Place], int]:
        """What naming a member of any of these runs, and how many have members at all."""
        plain = (value[1] if value[0] == "G" else value for value in values)
        owners = {base for base in plain if base[0] in self._owning}
        found = (one for base in owners for one in self._accessors(base, name, wanted))
        return frozenset(found), len(owners)

    def _around(self, scope: int) -> Values:
        """The objects whose members a bare name may mean."""
        symbols = self.facts.symbols
        found: set[Value] = set()
        while scope:
            if symbols[scope].kind in CLASSES:
                found.add(("s", self.document_id, scope))
            scope = symbols[scope].parent
        return frozenset(found)

    def _kind(self, function: Value) -> tuple[str, frozenset[str]]:
        symbol = self.solver.facts(function[1]).symbols[function[2]]
        return symbol.kind, symbol.modifiers

    def _accessors(self, base: Value, name: str, wanted: Wanted) -> Iterator[Place]:
        """What naming a member of an object runs."""
        if base[0] in _ELSEWHERE:
            inside = {"S": self._of_super, "l": self._of_container, "u": self._of_module}[base[0]]
            yield from inside(base, name, wanted)
            return
        raw = self.solver.get(("A", base[1], base[2], name))
        if base[0] == "c":
            raw = frozenset(one for one in raw if one[0] == "f" and "static" in self._kind(one)[1])
        elif self.language == PYTHON and not (
            raw or name.startswith("__") or binds(self.solver, ("c", base[1], base[2]), name)
        ):  # what every object has (``__dict__``) is never asked for
            method = "__setattr__" if wanted == "setter" else "__getattr__"
            yield from self._methods(base, method)
            return
        for one in raw:
            if one[0] == "i":
                yield from self._methods(one, "__set__" if wanted == "setter" else "__get__")
            elif one[0] == "d":
                for function in one[2:] if wanted == "setter" else one[1:2]:
                    yield Place(function[1], function[2])
            elif one[0] == "f":
                yield from self._accessor(one, base, wanted)

    def _of_super(self, base: Value, name: str, wanted: Wanted) -> Iterator[Place]:
        """``super().name``: as the classes after this one have it."""
        for cls in above(self.solver, base):
            if cls[0] == "c" and name in self.solver.scopes(cls[1]).bound[cls[2]]:
                for one in self.solver.get(("V", cls[1], cls[2], name)):
                    if one[0] == "f":
                        yield from self._accessor(one, base[3], wanted)
                return

    def _of_module(self, base: Value, name: str, wanted: Wanted) -> Iterator[Place]:
        """What a module of Python answers names with that it does not have."""
        bound = self.solver.scopes(base[1]).bound[0]
        if wanted == "setter" or "__getattr__" not in bound or name.startswith("__"):
            return
        if not member(self.solver, base[1], name):
            for one in self.solver.get(("V", base[1], 0, "__getattr__")):
                if one[0] == "f":
                    yield Place(one[1], one[2])

    def _of_container(self, base: Value, name: str, wanted: Wanted) -> Iterator[Place]:
        for one in self.solver.get(("I", base[1], base[2], name)):
            if one[0] == "f" and is_read(*self._kind(one)):
                yield Place(one[1], one[2])
            elif one[0] == "d" and wanted != "setter":
                yield Place(one[1][1], one[1][2])

    def _accessor(self, function: Value, base: Value, wanted: Wanted) -> Iterator[Place]:
        """A property with code; in place of one an interface of C# only names, those below it."""
        if self._is_accessor(function, wanted):
            yield Place(function[1], function[2])
            return
        if self.language != "csharp":
            return
        symbols = self.solver.facts(function[1]).symbols
        symbol = symbols[function[2]]
        if symbols[symbol.parent].kind == "Interface" or "abstract" in symbol.modifiers:
            self.solver.names.add(f"below:{symbol.name}")
            for one in self.binding.descent.overriding(function, base):
                if "auto" not in self._kind(one)[1]:
                    yield Place(one[1], one[2])

    def _methods(self, base: Value, name: str) -> Iterator[Place]:
        for one in self.solver.get(("A", base[1], base[2], name)):
            if one[0] == "f":
                yield Place(one[1], one[2])

    def _is_accessor(self, function: Value, wanted: Wanted) -> bool:
        kind, modifiers = self._kind(function)
        is_setter = "setter" in modifiers
        is_right = is_setter == (wanted == "setter") and "deleter" not in modifiers
        is_plain = modifiers.isdisjoint({"setter", "property", "getter"})
        if "auto" in modifiers or "component" in modifiers:
            return False  # a field by another name
        return (is_read(kind, modifiers) or is_setter) and (is_right or is_plain)
