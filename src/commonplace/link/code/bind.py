"""What the names in one file are bound to: every call, base, import and use, and how it is known.

Confidence: .9 and above is certain, found without a guess. Several options share what a single one
would have. What only the name says is .3 at most and never the only thing kept: a call that is
not resolved is counted by ``open_calls`` as well.
"""

from collections import Counter
from collections.abc import Collection

from commonplace.domain.code import Call, Facts
from commonplace.domain.expr import Expr
from commonplace.link.code.bound import Bounds, beginning, place
from commonplace.link.code.meaning import Meaning
from commonplace.link.code.names.descent import Descent, descent
from commonplace.link.code.names.hierarchy import mro, static
from commonplace.link.code.names.modules import DECLARING, PYTHON, SCRIPTS
from commonplace.link.code.names.scopes import CLASSES, MEMBERS_IN_SCOPE
from commonplace.link.code.program import Place
from commonplace.link.code.resolve import sureness
from commonplace.link.code.values.backing import is_declared
from commonplace.link.code.values.built_in import is_lacking
from commonplace.link.code.values.callbacks import (
    CALLING,
    DUNDERS,
    HEARING,
    KEEPING_METHODS,
    called_back,
    may_call_back,
    surely,
)
from commonplace.link.code.values.equations import _PLAIN_DECORATORS as PLAIN_DECORATORS
from commonplace.link.code.values.evaluate import evaluate
from commonplace.link.code.values.getters import run_by
from commonplace.link.code.values.invoke import defining, entered, factories, initializers
from commonplace.link.code.values.likely import is_idle, least
from commonplace.link.code.values.members import attribute
from commonplace.link.code.values.overloads import made_by
from commonplace.link.code.values.solver import ONLOOKER, Solver
from commonplace.link.code.values.values import NONE, Value, Values

MOST_CANDIDATES = 5
BY_NAME = 0.3
_LIBRARY = 0.95
_GUESSED_LIBRARY = 0.6
_DYNAMIC = 0.35
_GUESSED_CALLBACK = 0.85
_RUNNING = frozenset("fmckisSGpw")
"""Values whose call runs something of the program."""


class Binding:
    """Binds the calls of one file with a solver, and with a second where it knows more."""

    def __init__(self, solver: Solver, document_id: str, more: Solver | None = None) -> None:
        self.solver = solver
        self.meaning = Meaning(solver, document_id)
        self.document_id = document_id
        self.more = more
        self.facts: Facts = solver.facts(document_id)
        self.language = self.facts.language
        self.descent: Descent = descent(solver)
        self.bounds = Bounds()
        """What was found so far."""
        self.open: Counter[tuple[int, str]] = Counter()
        """Calls of which no definition is known, by scope and name."""
        self.may_answer = self.language == PYTHON and "__getattr__" in solver.program.named
        self.read: list[Call] = []
        """Calls of members that are no methods: reading them may run something first."""

    def calls(self) -> None:
        """Every call; those not resolved by their name alone."""
        annotations = self._annotations()
        is_onlooker = self.solver.home == ONLOOKER
        for number, call in enumerate(self.facts.calls):
            if number in annotations:
                continue
            if is_onlooker:  # keeps no cell for what is asked once
                values = self.meaning.of(call.scope, call.callee)
            else:
                values = self.solver.get(("C", self.document_id, number))
            if self.more is not None:
                values |= self.more.get(("C", self.document_id, number))
            if call.is_implicit:
                self._implied(call, values)
                continue
            if call.callee[0] == "attr" and self._may_be_read(values):
                self.read.append(call)
            if not self._is_resolved(call, values):
                self._by_name(call)

    def _may_be_read(self, values: Values) -> bool:
        """Whether a member that is called may be a property, or what ``__getattr__`` gives."""
        if any(one[0] in "xyb" for one in values):
            return False
        return not any(
            one[0] == "m" and (not self.may_answer or _plain(one[2])[0] != "i") for one in values
        )

    def _implied(self, call: Call, values: Values) -> None:
        if any(one[0] in _RUNNING for one in values):
            self._called(call, values)
        elif call.callee[0] == "name" or call.callee[-1] == "__getitem__":
            for one in values:  # a built-in function; a ``defaultdict`` calls its factory
                if one[0] in "bx":
                    self._callbacks(call, one)

    def _is_resolved(self, call: Call, values: Values) -> bool:
        if not values:
            return False
        before = len(self.bounds)
        self._called(call, values)
        return len(self.bounds) > before or not _is_open(values)

    def _annotations(self) -> set[int]:
        """Calls that are none: annotations of Java, attributes of C#."""
        if self.language not in MEMBERS_IN_SCOPE:
            return set()
        return {
            one[1] for symbol in self.facts.symbols for one in symbol.decorators if one[0] == "call"
        }

    def _called(self, call: Call, values: Values) -> None:
        how = self.meaning.manner(call.scope, call.callee)
        if how == "self" and call.callee[0] != "attr":
            how = "flow"
        elif call.is_implicit:
            how = "implicit"
        if len(values) == 1:  # as nearly all have
            for value in values:
                confidence = sureness(how, 1)
                self._value(call, value, how, confidence)
                self._below(call, value, (), confidence)
            return
        options = {_option(one) for one in values if one[0] not in "oy" or self._is_had(one)}
        confidence = sureness(
            how, len(options), least(self.solver, self.document_id, call, options)
        )
        receivers = {
            ("c", *_plain(value[2])[1:3])
            for value in values
            if value[0] == "m" and _plain(value[2])[0] in "is"
        }
        for value in values:
            is_own = value[0] == "m" and value[2][0] == "s" and not _is_super(call)
            is_idle = is_own and self._is_never_itself(value[2], receivers)
            self._value(call, value, how, min(confidence, BY_NAME) if is_idle else confidence)
            self._below(call, value, receivers, confidence)

    def _is_had(self, value: Value) -> bool:
        """Whether it is a member of a library's object: a string has not what no string has."""
        return value[0] == "y" and not (self.language == PYTHON and is_lacking(value[1]))

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
        key = "made typed" if self.language in DECLARING else "made"
        found = memo.get(key)
        if found is None:
            assert self.more is not None  # noqa: S101 - asked only with the whole program at hand
            found = memo[key] = self.more.called_classes()
        classes: frozenset[Value] = found
        return classes

    def _value(self, call: Call, value: Value, how: str, confidence: float) -> None:
        tag = value[0]
        if tag in "fm":
            if tag == "f" and call.is_new and self.language in SCRIPTS:
                self._edge(call, "INSTANTIATES", place(value), how, confidence)
            else:
                self._functions(call, value, how, confidence)
        elif tag in "xy":
            self._library(call, value, how)
        elif tag in "ck":
            self._made(call, value, how, confidence)
        elif tag == "b":
            self._callbacks(call, value)
        elif tag in "vw":
            self._asked(call, value, confidence)
        elif tag == "o" and self.language in SCRIPTS:  # ``it.each(table)("…", f)``
            self._callbacks(call, ("y", value[1]), _GUESSED_LIBRARY)
        elif tag == "G" and value[1][0] in "ckx":
            self._value(call, value[1], how, confidence)
        else:
            self._functions(call, value, how, confidence)

    def _asked(self, call: Call, value: Value, confidence: float) -> None:
        """By a name: of which the beginning is known, or which the first argument is asked for."""
        if value[0] == "w":
            self._functions(call, value, "dynamic", _DYNAMIC)
            return
        given = self.meaning.of(call.scope, call.arguments[0]) if call.arguments else NONE
        for one in run_by(self.solver, value, given):
            self._functions(call, one, "callback", min(confidence, _GUESSED_CALLBACK))

    def _edge(
        self, call: Call, relation: str, target: Place | str, how: str, confidence: float
    ) -> None:
        self.bounds.add(call.scope, relation, target, how, confidence, call.at)

    def _functions(self, call: Call, value: Value, how: str, confidence: float) -> None:
        listed = list(entered(self.solver, value))
        if value[0] == "S" and len(listed) > 1 and self.language in MEMBERS_IN_SCOPE:
            every = frozenset(function for function, _ in listed)
            chosen = made_by(self.solver, self.document_id, call, every)
            listed = [one for one in listed if one[0] in chosen]
        for function, receiver in listed:
            told = how
            confidence = self._weighed(function, confidence)
            if receiver is not None and how == "self":
                told = "self" if self._is_own(receiver, function) else "mro"
            self._edge(call, "CALLS", place(function), told, confidence)

    def _weighed(self, function: Value, confidence: float) -> float:
        """What has nothing to run is rarely what runs: in Python declared types are promises."""
        if self.language != PYTHON:
            return confidence
        symbol = self.solver.facts(function[1]).symbols[function[2]]
        return min(confidence, 0.3) if self.descent.is_abstract(function, symbol) else confidence

    def _is_own(self, receiver: Value, function: Value) -> bool:
        parent = self.solver.facts(function[1]).symbols[function[2]].parent
        return receiver[1:3] == (function[1], parent)

    def _below(
        self, call: Call, value: Value, receivers: Collection[Value], confidence: float
    ) -> None:
        """What classes below define instead: likely where there is nothing to run above.

        Not where an object of a class below is known to be there: then that is the one.
        """
        if value[0] != "m" or value[1][0] != "f" or _plain(value[2])[0] not in "is":
            return
        function, receiver = value[1], value[2]
        symbol = self.solver.facts(function[1]).symbols[function[2]]
        own = ("c", *_plain(receiver)[1:3])
        is_met = any(one != own and self._is_above(own, one) for one in receivers)
        is_met = is_met and not (receiver[0] == "s" and self._is_open_family(own))
        is_fixed = self.language == "go" and not self._is_interface(function, symbol.parent)
        if _is_super(call) or is_met or is_fixed or symbol.visibility == "private":
            return
        self.solver.names.add(f"below:{symbol.name}")
        below = self.descent.overriding(function, receiver)
        if not below or (receiver[0] == "i" and self._is_made(call)):
            return
        is_abstract = self.descent.is_abstract(function, symbol)
        known = max(confidence, 0.9) if is_abstract else confidence
        share = round(known * (0.9 if is_abstract else 0.5) / len(below) ** 0.25, 2)
        is_own = self.language == PYTHON and receiver[0] == "s"
        for one in below:
            self._edge(call, "CALLS", place(one), "dispatch", max(share, 0.35) if is_own else share)

    def _is_open_family(self, own: Value) -> bool:
        """Whether most classes below one are there for others to make objects of."""
        if self.language != PYTHON or self.more is None:
            return False
        return is_idle(self.descent.below(own), self._made_classes())

    def _is_above(self, own: Value, other: Value) -> bool:
        """Whether an object of a class is one of another; in Go it need not say so."""
        if own in mro(self.solver, other):
            return True
        return self.language == "go" and own in self.descent.satisfying.get(other, ())

    def _is_made(self, call: Call) -> bool:
        """Whether the object is known by where it was made, and not by a declared type only."""
        callee = call.callee
        base = callee[1] if callee[0] == "attr" else callee
        if self.language in DECLARING:
            return self.meaning.manner(call.scope, base) == "constructor"
        return not is_declared(self.solver, self.document_id, call.scope, base)

    def _is_interface(self, function: Value, number: int) -> bool:
        return self.solver.facts(function[1]).symbols[number].kind == "Interface"

    def _made(self, call: Call, cls: Value, how: str, confidence: float) -> None:
        symbol = self.solver.facts(cls[1]).symbols[cls[2]]
        if symbol.kind == "Namespace":
            return
        if self.facts.symbols[0].kind and call.is_implicit:
            how = "implicit"
        if call.is_new or self.language != "go":
            self._edge(call, "INSTANTIATES", place(cls), how, confidence)
        made = initializers(self.solver, cls)
        if len(made) > 1 and self.language in MEMBERS_IN_SCOPE:
            made = made_by(self.solver, self.document_id, call, made)
        for function in made:
            self._edge(call, "CALLS", place(function), "constructor", min(confidence, 0.98))
        for one in factories(self.solver, cls) if "dataclass" in symbol.modifiers else ():
            for function, _ in entered(self.solver, one) if one[0] in "fm" else ():
                sure = min(confidence, _GUESSED_CALLBACK)
                self._edge(call, "CALLS", place(function), "callback", sure)

    def _library(self, call: Call, value: Value, how: str) -> None:
        self._callbacks(call, value)
        if call.is_implicit or value[1].startswith("builtins."):
            return
        is_known = how in ("import", "mro", "self") or value[0] == "x"
        confidence = _LIBRARY if is_known else _GUESSED_LIBRARY
        self._edge(call, "CALLS", value[1], how, confidence)

    def _callbacks(self, call: Call, value: Value, most: float = 1.0) -> None:
        if not may_call_back(self.language, value):
            return
        sure = min(most, surely(self.language, call, value))
        every = called_back(self.solver, self.document_id, call, value)
        if value[1] in DUNDERS and call.arguments:
            every = iter(listed := list(every))
            known = self.meaning.manner(call.scope, call.arguments[0])
            owners = {called[2] for called, _ in listed if called[0] == "m"}
            sure = min(sure, sureness(known, len({one[1:3] for one in owners})))
        for called, _ in every:
            if called[0] in "ck":
                self._made(call, called, "callback", sure)
                continue
            for function, _receiver in entered(self.solver, called):
                self._edge(call, "CALLS", place(function), "callback", sure)

    def _by_name(self, call: Call) -> None:
        """Functions of the same name, where they are few."""
        name = last_name(call.callee)
        known = static(self.solver, self.document_id, call.scope, call.callee)
        if known and all(one[0] == "f" for one in known):  # decorated by who knows what
            for one in known:
                self._edge(call, "CALLS", place(one), "decorator", 0.7)
            return
        self.open[call.scope, name] += 1
        if self.language != PYTHON:
            self._unknown(call, name)
        if not name or call.callee[0] != "attr":
            return
        if (name in CALLING or name in HEARING) and self.language in SCRIPTS:
            self._callbacks(call, ("b", ("G", ("o", "Array"), ()), name))
        self.solver.names.add(f"name:{name}")
        places = self.descent.named(name, self.language)
        if 0 < len(places) <= MOST_CANDIDATES:
            share = round(BY_NAME / len(places) ** 0.5, 2)
            for one in places:
                self._edge(call, "CALLS", one, "name", share)

    def _unknown(self, call: Call, name: str) -> None:
        """What nobody in the program defines is a library's, and may call what it is given."""
        given = (*call.arguments, *(expr for _, expr in call.keywords))
        if not any(one[0] in ("made", "name", "attr") for one in given):
            return
        self.solver.names.add(f"name:{name}")
        if not self.descent.named(name, self.language):
            told = "" if call.callee[0] == "name" and name in KEEPING_METHODS else name
            self._callbacks(call, ("b", ("G", ("o", ""), ()), told), _GUESSED_LIBRARY)

    def decorators(self) -> None:
        """Each decorator is called where the decorated thing is defined."""
        if self.language != PYTHON and self.language not in SCRIPTS:
            return
        for symbol in self.facts.symbols:
            for expr in symbol.decorators:
                if expr[0] in ("name", "attr") and expr[-1] in PLAIN_DECORATORS:
                    continue
                values = evaluate(self.solver, self.document_id, symbol.parent, expr)
                call = Call(symbol.parent, expr, (("value", "unknown"),), (), beginning(symbol))
                confidence = sureness("scope", len(values))
                for value in values:
                    self._applied(call, value, confidence)

    def _applied(self, call: Call, value: Value, confidence: float) -> None:
        if value[0] == "x":
            if call.callee[0] != "call":
                self._edge(call, "CALLS", value[1], "decorator", _LIBRARY)
        elif value[0] in "ck":
            self._made(call, value, "decorator", confidence)
        else:
            for function, _ in entered(self.solver, value):
                self._edge(call, "CALLS", place(function), "decorator", confidence)

    def subclassings(self) -> None:
        """Defining a class tells its superclass, and makes one of its metaclass."""
        if self.language != PYTHON:
            return
        for number, symbol in enumerate(self.facts.symbols):
            if symbol.kind not in CLASSES:
                continue
            functions = list(defining(self.solver, ("c", self.document_id, number)))
            if symbol.bases:
                above = ("S", self.document_id, number, ("k", self.document_id, number))
                for value in attribute(self.solver, frozenset({above}), "__init_subclass__"):
                    functions += [function for function, _ in entered(self.solver, value)]
            for function in functions:
                told = ("CALLS", place(function), "implicit", 0.9, beginning(symbol))
                self.bounds.add(symbol.parent, *told)


def _is_super(call: Call) -> bool:
    """Whether it calls a method as the superclass has it."""
    return bool(call.callee[0] == "attr" and call.callee[1][0] == "super")


def _option(value: Value) -> Value:
    """What makes two values two options: the definition called, not the object it runs on."""
    if value[0] == "m":
        return _option(value[1])
    return value[1] if value[0] == "G" else value


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
