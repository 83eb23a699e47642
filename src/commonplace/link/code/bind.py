"""What the names in one file are bound to: every call, base, import and use, and how it is known.

Confidence: .9 and above is certain, found without a guess. Several options share what a single one
would have. What only the name says is .3 at most and never the only thing kept: a call that is
not resolved is counted by ``open_calls`` as well.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from commonplace.domain.code import At, Call, Facts
from commonplace.domain.expr import Expr
from commonplace.link.code.callbacks import CALLING, DUNDERS, HEARING, called_back, surely
from commonplace.link.code.descent import Descent, descent
from commonplace.link.code.equations import _PLAIN_DECORATORS as PLAIN_DECORATORS
from commonplace.link.code.evaluate import evaluate
from commonplace.link.code.hierarchy import mro, static
from commonplace.link.code.inherited import binds
from commonplace.link.code.invoke import entered, initializers
from commonplace.link.code.meaning import Meaning
from commonplace.link.code.members import attribute, is_read
from commonplace.link.code.modules import PYTHON, SCRIPTS
from commonplace.link.code.program import Place
from commonplace.link.code.resolve import manner, sureness
from commonplace.link.code.scopes import CLASSES, MEMBERS_IN_SCOPE
from commonplace.link.code.solver import ONLOOKER, Solver
from commonplace.link.code.values import Value, Values, place_of

MOST_CANDIDATES = 5
BY_NAME = 0.3
_LIBRARY = 0.95
_GUESSED_LIBRARY = 0.6


_DYNAMIC = 0.35
_RUNNING = frozenset("fmckisSGpw")
"""Values whose call runs something of the program."""


class Bound(NamedTuple):
    """One edge: from a symbol of the file to a definition, or to a library's thing by name."""

    source: int
    relation: str
    target: Place | str
    how: str
    confidence: float
    at: At


class Binding:
    """Binds the calls of one file with a solver, and with a second where it knows more."""

    def __init__(self, solver: Solver, document_id: str, more: Solver | None = None) -> None:
        self.solver = solver
        self.meaning = Meaning(solver, document_id)
        self.document_id = document_id
        self.more = more
        self.facts: Facts = solver.facts(document_id)
        self.descent: Descent = descent(solver)
        self.open: Counter[tuple[int, str]] = Counter()
        """Calls of which no definition is known, by scope and name."""

    def calls(self) -> Iterator[Bound]:
        """Every call; those not resolved by their name alone."""
        annotations = self._annotations()
        for number, call in enumerate(self.facts.calls):
            if number in annotations:
                continue
            values = self._callees(number, call)
            if self.more is not None:
                values |= self.more.get(("C", self.document_id, number))
            if call.is_implicit and not any(one[0] in _RUNNING for one in values):
                continue
            if values:
                found = list(self._called(call, values))
                if found or call.is_implicit or not _is_open(values):
                    yield from found
                    continue
            if not call.is_implicit:
                yield from self._by_name(call)

    def _callees(self, number: int, call: Call) -> Values:
        """What a call calls. An onlooker keeps no cell for what is asked once."""
        if self.solver.home == ONLOOKER:
            return self.meaning.of(call.scope, call.callee)
        return self.solver.get(("C", self.document_id, number))

    def _annotations(self) -> set[int]:
        """Calls that are none: annotations of Java, attributes of C#."""
        if self.facts.language not in MEMBERS_IN_SCOPE:
            return set()
        return {
            one[1] for symbol in self.facts.symbols for one in symbol.decorators if one[0] == "call"
        }

    def _called(self, call: Call, values: Values) -> Iterator[Bound]:
        how = manner(self.solver, self.document_id, call.scope, call.callee)
        if how == "self" and call.callee[0] != "attr":
            how = "flow"
        elif call.is_implicit:
            how = "implicit"
        options = {self._option(one) for one in values if one[0] != "o"}
        confidence = sureness(how, len(options), self._least(call, options))
        receivers = {
            ("c", *_plain(value[2])[1:3])
            for value in values
            if value[0] == "m" and _plain(value[2])[0] in "is"
        }
        for value in values:
            is_own = value[0] == "m" and value[2][0] == "s" and not _is_super(call)
            is_idle = is_own and self._is_never_itself(value[2], receivers)
            sure = min(confidence, BY_NAME) if is_idle else confidence
            yield from self._value(call, value, how, sure)
            if value[0] == "m" and _plain(value[2])[0] in "is" and value[1][0] == "f":
                yield from self._dispatched(call, value, receivers, confidence)

    def _is_never_itself(self, receiver: Value, receivers: set[Value]) -> bool:
        """Whether the object at hand is always of a class below: none of its own is ever made."""
        if self.more is None:
            return False
        own = ("c", *receiver[1:3])
        if own in self._made_classes():
            return False
        return any(one != own and own in mro(self.solver, one) for one in receivers)

    def _made_classes(self) -> frozenset[Value]:
        """Classes of which the program makes objects somewhere."""
        memo = self.solver.program.memo
        found = memo.get("made")
        if found is None:
            assert self.more is not None  # noqa: S101 - asked only with the whole program at hand
            found = memo["made"] = self.more.called_classes()
        classes: frozenset[Value] = found
        return classes

    def _least(self, call: Call, options: set[Value]) -> float:
        """Many options are still likely as methods of one name, or as what a function was given.

        Not as what was once put into the same list: there most of them are meant for others.
        """
        callee = call.callee
        is_method = callee[0] == "attr" and all(self._is_named(one, callee[2]) for one in options)
        if len(options) < 3 or is_method:
            return 0.35
        if callee[0] == "name":
            scopes = self.solver.scopes(self.document_id)
            home = scopes.home(self.facts, call.scope, callee[1])
            if home >= 0 and scopes.bound[home][callee[1]][0].how == "parameter":
                return 0.35
        return 0.1

    def _is_named(self, value: Value, name: str) -> bool:
        place = place_of(value)
        return place is not None and self.solver.facts(place[0]).symbols[place[1]].name == name

    def _option(self, value: Value) -> Value:
        """What makes two values two options: the definition called, not the object it runs on."""
        if value[0] == "m":
            return self._option(value[1])
        return value[1] if value[0] == "G" else value

    def _value(self, call: Call, value: Value, how: str, confidence: float) -> Iterator[Bound]:
        tag = value[0]
        if tag in "xy":
            yield from self._library(call, value, how)
        elif tag == "b":
            yield from self._callbacks(call, value)
        elif tag == "w":
            yield from self._functions(call, value, "dynamic", _DYNAMIC)
        elif tag in "ck" or (tag == "G" and value[1][0] in "ck"):
            cls = value if tag in "ck" else value[1]
            yield from self._made(call, cls, how, confidence)
        elif tag == "f" and call.is_new and self.facts.language in SCRIPTS:
            place = Place(value[1], value[2])
            yield Bound(call.scope, "INSTANTIATES", place, how, confidence, call.at)
        elif tag == "G" and value[1][0] == "x":
            yield from self._library(call, value[1], how)
        else:
            yield from self._functions(call, value, how, confidence)

    def _functions(self, call: Call, value: Value, how: str, confidence: float) -> Iterator[Bound]:
        for function, receiver in entered(self.solver, value):
            place = Place(function[1], function[2])
            told = how
            confidence = self._weighed(function, confidence)
            if receiver is not None and how == "self":
                told = "self" if self._is_own(receiver, function) else "mro"
            yield Bound(call.scope, "CALLS", place, told, confidence, call.at)

    def _weighed(self, function: Value, confidence: float) -> float:
        """What has nothing to run is rarely what runs: in Python declared types are promises."""
        if self.facts.language != PYTHON:
            return confidence
        symbol = self.solver.facts(function[1]).symbols[function[2]]
        return min(confidence, 0.3) if self.descent.is_abstract(function, symbol) else confidence

    def _is_own(self, receiver: Value, function: Value) -> bool:
        parent = self.solver.facts(function[1]).symbols[function[2]].parent
        return receiver[1:3] == (function[1], parent)

    def _dispatched(
        self, call: Call, value: Value, receivers: set[Value], confidence: float
    ) -> Iterator[Bound]:
        """What classes below define instead: likely where there is nothing to run above.

        Not where an object of a class below is known to be there: then that is the one.
        """
        function, receiver = value[1], value[2]
        symbol = self.solver.facts(function[1]).symbols[function[2]]
        own = ("c", *_plain(receiver)[1:3])
        is_met = any(one != own and own in mro(self.solver, one) for one in receivers)
        is_fixed = self.facts.language == "go" and not self._is_interface(function, symbol.parent)
        if _is_super(call) or is_met or is_fixed or symbol.visibility == "private":
            return
        self.solver.names.add(f"below:{symbol.name}")
        below = self.descent.overriding(function, receiver)
        if not below:
            return
        is_abstract = self.descent.is_abstract(function, symbol)
        known = max(confidence, 0.9) if is_abstract else confidence
        share = known * (0.9 if is_abstract else 0.5) / len(below) ** 0.25
        for one in below:
            yield Bound(
                call.scope, "CALLS", Place(one[1], one[2]), "dispatch", round(share, 2), call.at
            )

    def _is_interface(self, function: Value, number: int) -> bool:
        return self.solver.facts(function[1]).symbols[number].kind == "Interface"

    def _made(self, call: Call, cls: Value, how: str, confidence: float) -> Iterator[Bound]:
        place = Place(cls[1], cls[2])
        if self.solver.facts(cls[1]).symbols[cls[2]].kind == "Namespace":
            return
        if self.facts.symbols[0].kind and call.is_implicit:
            how = "implicit"
        if call.is_new or self.facts.language != "go":
            yield Bound(call.scope, "INSTANTIATES", place, how, confidence, call.at)
        made = initializers(self.solver, cls)
        arguments = len(call.arguments)
        if len(made) > 1 and self.facts.language in ("java", "csharp"):
            made = self._fitting(made, call)
        for function in made:
            yield Bound(
                call.scope,
                "CALLS",
                Place(function[1], function[2]),
                "constructor",
                min(confidence, 0.98) if arguments >= 0 else confidence,
                call.at,
            )

    def _fitting(self, made: Values, call: Call) -> Values:
        from commonplace.link.code.overloads import fitting  # noqa: PLC0415 - typed languages only

        return fitting(self.solver, self.document_id, call, made)

    def _library(self, call: Call, value: Value, how: str) -> Iterator[Bound]:
        yield from self._callbacks(call, value)
        if call.is_implicit or value[1].startswith("builtins."):
            return
        is_known = how in ("import", "mro", "self") or value[0] == "x"
        confidence = _LIBRARY if is_known else _GUESSED_LIBRARY
        yield Bound(call.scope, "CALLS", value[1], how, confidence, call.at)

    def _callbacks(self, call: Call, value: Value) -> Iterator[Bound]:
        sure = surely(self.facts.language, call, value)
        if value[1] in DUNDERS and call.arguments:
            known = manner(self.solver, self.document_id, call.scope, call.arguments[0])
            sure = min(sure, sureness(known, 1))
        for called, _ in called_back(self.solver, self.document_id, call, value):
            if called[0] in "ck":
                yield from self._made(call, called, "callback", sure)
                continue
            for function, _receiver in entered(self.solver, called):
                place = Place(function[1], function[2])
                yield Bound(call.scope, "CALLS", place, "callback", sure, call.at)

    def _kind(self, function: Value) -> tuple[str, frozenset[str]]:
        symbol = self.solver.facts(function[1]).symbols[function[2]]
        return symbol.kind, symbol.modifiers

    def _by_name(self, call: Call) -> Iterator[Bound]:
        """Functions of the same name, where they are few."""
        name = last_name(call.callee)
        known = static(self.solver, self.document_id, call.scope, call.callee)
        if known and all(one[0] == "f" for one in known):  # decorated by who knows what
            for one in known:
                place = Place(one[1], one[2])
                yield Bound(call.scope, "CALLS", place, "decorator", 0.7, call.at)
            return
        self.open[call.scope, name] += 1
        if not name or call.callee[0] != "attr":
            return
        if (name in CALLING or name in HEARING) and self.facts.language in SCRIPTS:
            value = ("b", ("G", ("o", "Array"), ()), name)
            yield from self._callbacks(call, value)
        self.solver.names.add(f"name:{name}")
        places = self.descent.named(name, self.facts.language)
        if 0 < len(places) <= MOST_CANDIDATES:
            share = round(BY_NAME / len(places) ** 0.5, 2)
            for place in places:
                yield Bound(call.scope, "CALLS", place, "name", share, call.at)

    def decorators(self) -> Iterator[Bound]:
        """Each decorator is called where the decorated thing is defined."""
        if self.facts.language != PYTHON and self.facts.language not in SCRIPTS:
            return
        for symbol in self.facts.symbols:
            for expr in symbol.decorators:
                if expr[0] in ("name", "attr") and expr[-1] in PLAIN_DECORATORS:
                    continue
                values = evaluate(self.solver, self.document_id, symbol.parent, expr)
                call = Call(symbol.parent, expr, (("value", "unknown"),), (), symbol.at)
                confidence = sureness("scope", len(values))
                for value in values:
                    yield from self._applied(call, value, confidence)

    def subclassings(self) -> Iterator[Bound]:
        """Defining a class tells its superclass, and makes one of its metaclass."""
        if self.facts.language != PYTHON:
            return
        for number, symbol in enumerate(self.facts.symbols):
            if symbol.kind not in CLASSES or not symbol.bases:
                continue
            above = ("S", self.document_id, number, ("k", self.document_id, number))
            for value in attribute(self.solver, frozenset({above}), "__init_subclass__"):
                for function, _ in entered(self.solver, value):
                    place = Place(function[1], function[2])
                    yield Bound(symbol.parent, "CALLS", place, "implicit", 0.9, symbol.at)

    def _applied(self, call: Call, value: Value, confidence: float) -> Iterator[Bound]:
        if value[0] == "x":
            if call.callee[0] != "call":
                yield Bound(call.scope, "CALLS", value[1], "decorator", _LIBRARY, call.at)
        elif value[0] in "ck":
            yield from self._made(call, value, "decorator", confidence)
        else:
            for function, _ in entered(self.solver, value):
                place = Place(function[1], function[2])
                yield Bound(call.scope, "CALLS", place, "decorator", confidence, call.at)

    def properties(self) -> Iterator[Bound]:
        """Members whose naming calls something."""
        for use in self.facts.uses:
            expr = use.expr
            if use.access == "type":
                continue
            if expr[0] == "attr":
                name = expr[2]
                values = self.meaning.of(use.scope, expr[1])
            elif self.facts.language in MEMBERS_IN_SCOPE and expr[0] == "name":
                name = expr[1]
                values = self._around(use.scope)
            else:
                continue
            wanted = "setter" if use.access == "write" else "property"
            owners = {
                base
                for value in values
                if (base := value[1] if value[0] == "G" else value)[0] in "iscl"
            }
            found = {one for base in owners for one in self._accessors(base, name, wanted)}
            found.discard(Place(self.document_id, use.scope))  # it reads what it has stored
            for place in found:  # one of many owners that reads it so makes it no certainty
                confidence = sureness("type", max(len(found), len(owners)))
                yield Bound(use.scope, "CALLS", place, "property", confidence, use.at)

    def _around(self, scope: int) -> Values:
        """The objects whose members a bare name may mean."""
        symbols = self.facts.symbols
        found: set[Value] = set()
        while scope:
            if symbols[scope].kind in CLASSES:
                found.add(("s", self.document_id, scope))
            scope = symbols[scope].parent
        return frozenset(found)

    def _accessors(self, base: Value, name: str, wanted: str) -> Iterator[Place]:
        """What naming a member of an object runs."""
        if base[0] == "l":
            for one in self.solver.get(("I", base[1], base[2], name)):
                if one[0] == "f" and is_read(*self._kind(one)):
                    yield Place(one[1], one[2])
            return
        raw = self.solver.get(("A", base[1], base[2], name))
        if base[0] == "c":
            raw = frozenset(one for one in raw if one[0] == "f" and "static" in self._kind(one)[1])
        elif self.facts.language == PYTHON and not (
            raw or name.startswith("__") or binds(self.solver, ("c", base[1], base[2]), name)
        ):  # what every object has (``__dict__``) is never asked for
            method = "__setattr__" if wanted == "setter" else "__getattr__"
            yield from self._methods(base, method)
            return
        for one in raw:
            if one[0] == "i":
                yield from self._methods(one, "__set__" if wanted == "setter" else "__get__")
            elif one[0] == "d" and wanted != "setter":
                yield Place(one[1][1], one[1][2])
            elif one[0] == "f":
                yield from self._accessor(one, base, wanted)

    def _accessor(self, function: Value, base: Value, wanted: str) -> Iterator[Place]:
        """A property with code; in place of one an interface of C# only names, those below it."""
        if self._is_accessor(function, wanted):
            yield Place(function[1], function[2])
            return
        if self.facts.language != "csharp":
            return
        symbols = self.solver.facts(function[1]).symbols
        symbol = symbols[function[2]]
        if symbols[symbol.parent].kind == "Interface" or "abstract" in symbol.modifiers:
            self.solver.names.add(f"below:{symbol.name}")
            for one in self.descent.overriding(function, base):
                if "auto" not in self._kind(one)[1]:
                    yield Place(one[1], one[2])

    def _methods(self, base: Value, name: str) -> Iterator[Place]:
        for one in self.solver.get(("A", base[1], base[2], name)):
            if one[0] == "f":
                yield Place(one[1], one[2])

    def _is_accessor(self, function: Value, wanted: str) -> bool:
        kind, modifiers = self._kind(function)
        is_setter = "setter" in modifiers
        is_right = is_setter == (wanted == "setter") and "deleter" not in modifiers
        is_plain = modifiers.isdisjoint({"setter", "property", "getter"})
        if "auto" in modifiers or "component" in modifiers:
            return False  # a field by another name
        return (is_read(kind, modifiers) or is_setter) and (is_right or is_plain)


def _is_super(call: Call) -> bool:
    """Whether it calls a method as the superclass has it."""
    return bool(call.callee[0] == "attr" and call.callee[1][0] == "super")


def _plain(receiver: Value) -> Value:
    """An object without its type arguments."""
    return receiver[1] if receiver[0] == "G" else receiver


def _is_open(values: Values) -> bool:
    """Whether these values say nothing of a definition."""
    return all(one[0] in "?aolgtun" for one in values)


def last_name(expr: Expr) -> str:
    """The name a callee ends in; empty where it has none."""
    if expr[0] == "attr":
        return str(expr[2])
    if expr[0] == "name":
        return str(expr[1])
    return last_name(expr[1]) if expr[0] == "generic" else ""
