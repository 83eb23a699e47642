"""What a string expression says, as far as it is known before the program runs.

Literals, constants of this file and of others, concatenation, formatting, builders that append, and
files read by a literal name are put together; what stays unknown is a hole. Where a name is given
several strings, each is an option: all of them may reach the call.
"""

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

from commonplace.domain.code import Call, Symbol
from commonplace.domain.expr import RESULT, Expr
from commonplace.link.code.names.look import Look, flows_in
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import below, noted, peeled
from commonplace.sql.scan import HOLE as SQL_HOLE

HOLE = SQL_HOLE
"""Stands for what is not known."""
_DEEPEST = 12
_MOST_OPTIONS = 6
_ONE_OF = 0.6
_LONGEST = 65536
_FIELD = re.compile(r"\{[^{}]*\}|%(?:\(\w+\))?[-#0 +]*[\d*]*(?:\.\d+)?[a-zA-Z]")
APPENDING = frozenset({"append", "Append", "AppendLine", "AppendFormat", "WriteString", "concat"})
_BUILDERS = frozenset({"StringBuilder", "StringBuffer", "String", "SQL", "Identifier"})
_PRINTING = frozenset({"Fprintf", "Fprint", "Fprintln"})
"""Functions that append to a builder they are given."""
_EMPTY = frozenset({"Builder", "Buffer", "StringBuilder", "StringBuffer"})
SAME = frozenset(
    {"strip", "trim", "Trim", "stripIndent", "lstrip", "rstrip", "toString", "ToString", "String"}
    | {"encode", "dedent", "cleandoc", "text", "SQL", "raw", "intern", "as_string", "TrimSpace"}
)
BUILDING = APPENDING | _BUILDERS
"""Calls whose text is part of another, which is read where it is run."""
_FORMATTING = frozenset({"format", "Format", "formatted", "Sprintf", "sprintf"})
_SQL_FILE = re.compile(r"([\w .+-]+/)*[\w.+-]+\.sql", re.IGNORECASE)


class Written(NamedTuple):
    """One option of a string."""

    text: str
    is_literal: bool
    """Whether it is written as one literal where it is used."""
    file: str = ""
    """The name of the file whose whole text it is."""
    constant: Place | None = None
    """The definition it is taken from."""
    sure: float = 1.0
    """Less where it is one of several of which any may be meant."""

    @property
    def is_partial(self) -> bool:
        """Whether some of it is not known."""
        return HOLE in self.text


_UNKNOWN = (Written(HOLE, False),)
_NOT_KNOWN: Expr = ("text", (HOLE,))


class Strings:
    """Reads strings of one file."""

    def __init__(self, look: Look, unit: Unit) -> None:
        self._look = look
        self._unit = unit
        self._facts = unit.facts

    def read(self, scope: int, expr: Expr, depth: int = 0) -> tuple[Written, ...]:
        """The options of an expression; one that is all hole when nothing is known."""
        expr = peeled(expr)
        reader = self._READERS.get(expr[0])
        if reader is None or depth > _DEEPEST:
            return _UNKNOWN
        return reader(self, scope, expr, depth) or _UNKNOWN

    def said(self, scope: int, expr: Expr | None) -> str:
        """The first option without holes, or nothing."""
        if expr is None:
            return ""
        return next((one.text for one in self.read(scope, expr) if not one.is_partial), "")

    def _text(self, scope: int, expr: Expr, depth: int) -> tuple[Written, ...]:
        parts = expr[1]
        if len(parts) == 1 and isinstance(parts[0], str):
            return (Written(parts[0], True),)
        if not parts:
            return (Written("", True),)
        options = [
            ((one,) if isinstance(one, str) else self._texts(scope, one, depth + 1))
            for one in self._unrolled(scope, parts, depth)
        ]
        is_literal = all(isinstance(one, str) for one in parts)
        return tuple(Written("".join(each)[:_LONGEST], is_literal) for each in _some(options))

    def _unrolled(self, scope: int, parts: tuple[Any, ...], depth: int) -> list[Any]:
        """``each, separator, each`` of a join as the members of what is joined, where known."""
        found: list[Any] = []
        rest = list(parts)
        while rest:
            one = rest.pop(0)
            between = 0 if rest[:1] == [one] else 1 if rest[1:2] == [one] else -1
            if isinstance(one, str) or one[0] != "each" or between < 0:
                found.append(one)
                continue
            glue = rest[0] if between else ""
            del rest[: between + 1]
            members = self._members(scope, one[1]) if depth < _DEEPEST else []
            for place, member in enumerate(members):
                found += [glue, member] if place else [member]
            found += () if members else (_NOT_KNOWN,)
        return found

    def _members(self, scope: int, expr: Expr) -> list[Expr]:
        """The members of a list with a name: those it is made with, then those appended."""
        made = [flow.value for flow in flows_in(self._unit, scope) if flow.target == expr]
        if not made:
            return self._listed(scope, expr)
        if len(made) != 1 or made[0][0] != "seq":
            return []
        appends = noted(self._unit, "appends", _appends).get(expr, ())
        own = sorted((one for one in appends if one.scope == scope), key=lambda one: one.at)
        return [*made[0][2], *(one.arguments[0] for one in own if one.arguments)]

    def _listed(self, scope: int, expr: Expr) -> list[Expr]:
        """The members of a constant list, where they are all literals."""
        places = self._look.places(self._unit, scope, expr) if expr[0] in ("name", "attr") else []
        values = [self._look.symbol(one).value for one in places]
        members = values[0][2] if len(values) == 1 and values[0] and values[0][0] == "seq" else ()
        return list(members) if all(one[0] == "text" for one in members) else []

    def _texts(self, scope: int, expr: Expr, depth: int) -> tuple[str, ...]:
        return tuple(one.text for one in self.read(scope, expr, depth))

    def _one(self, scope: int, expr: Expr, depth: int) -> tuple[Written, ...]:
        found = [each for one in expr[1] for each in self.read(scope, one, depth + 1)]
        told = [one for one in found if one != _UNKNOWN[0]]
        return tuple(dict.fromkeys(told))[:_MOST_OPTIONS]

    def _name(self, scope: int, expr: Expr, depth: int) -> tuple[Written, ...]:
        identifier = expr[1]
        inner: int | None = scope
        while inner is not None:
            local = self._assigned(inner, identifier, depth)
            if local:
                return local if inner == scope else self._of(inner, identifier, local)
            symbol = self._facts.symbols[inner]
            parameter = next((one for one in symbol.parameters if one.name == identifier), None)
            if parameter is not None:
                return self.read(inner, parameter.default, depth + 1) if parameter.default else ()
            inner = symbol.parent if inner else None
        return self._defined(scope, expr, depth)

    def _of(self, scope: int, identifier: str, local: tuple[Written, ...]) -> tuple[Written, ...]:
        """What a name around here is given, with the definition it is written in."""
        symbols = enumerate(self._facts.symbols)
        own = (n for n, one in symbols if one.name == identifier and one.parent == scope)
        place = Place(self._unit.document_id, next(own, scope))
        return tuple(one._replace(constant=one.constant or place) for one in local)

    def _assigned(self, scope: int, identifier: str, depth: int) -> tuple[Written, ...]:
        """What the flows of one scope give a name, in order; adding to itself goes on."""
        target = ("name", identifier)
        options: list[Written] = []
        built = self._appended(scope, target, depth)
        for flow in flows_in(self._unit, scope):
            if flow.target != target or flow.value[0] == "typed":
                continue
            value = flow.value
            if value[0] != "text" or target not in value[1]:
                options += self.read(scope, value, depth + 1)
            elif not built:  # what a builder is given may be told as a flow too
                rest = ("text", tuple(one for one in value[1] if one != target))
                added = self._texts(scope, rest, depth + 1)
                options = [Written(f"{a.text}{b}", False) for a, b in product(options, added)]
            options = options[-_MOST_OPTIONS:]
        if built and not options and self._is_builder(scope, target):
            options = [Written("", False)]
        if built and options:
            options = [Written(_opened(one.text) + built, False) for one in options]
        told = [one for one in options if one.text != HOLE or one.file or len(options) < 2]
        return tuple(one._replace(is_literal=False) for one in told)

    def _is_builder(self, scope: int, target: Expr) -> bool:
        """Whether a name is declared to be a builder here, and so begins empty."""
        return any(
            flow.target == target and flow.value[0] == "typed" and flow.value[1][-1] in _EMPTY
            for flow in flows_in(self._unit, scope)
        )

    def _appended(self, scope: int, target: Expr, depth: int) -> str:
        """All that is appended to a builder, in the order written."""
        calls = sorted(
            (
                call
                for call in noted(self._unit, "appends", _appends).get(target, ())
                if below(self._facts, scope, call.scope)
            ),
            key=lambda call: call.at,
        )
        texts: list[str] = []
        for call in calls:
            if call.callee[-1] in _PRINTING:
                shown = call._replace(arguments=call.arguments[1:])
                texts += (one.text for one in self._formatted(shown, None, depth)[:1])
            elif call.arguments:
                texts.append(self._texts(call.scope, call.arguments[0], depth + 1)[0])
            if call.callee[-1] == "AppendLine":
                texts.append("\n")
        return "".join(texts)

    def _defined(self, scope: int, expr: Expr, depth: int) -> tuple[Written, ...]:
        """A constant, field or variable of this file or another, by what it is set to."""
        found: list[Written] = []
        for place in self._look.places(self._unit, scope, expr):
            found += self._value(place, depth)
        return tuple(dict.fromkeys(found))[:_MOST_OPTIONS]

    def _item(self, scope: int, expr: Expr, depth: int) -> tuple[Written, ...]:
        """``QUERIES["late"]``: the value of a key of a display that has a name."""
        _item, base, key = expr
        inner: int | None = scope
        while inner is not None:
            made = [one.value for one in flows_in(self._unit, inner) if one.target == base]
            told = [
                value
                for one in made
                if one[0] == "map"
                for name, value in one[1]
                if isinstance(name, str) and key in (name, None)
            ]
            if made:
                is_known = len(made) == 1 and (key is None or len(told) == 1)
                return self._of_entries(inner, told if is_known else [], key is None, depth)
            inner = self._facts.symbols[inner].parent if inner else None
        found: list[Written] = []
        for place in self._look.places(self._unit, scope, base):
            unit = self._look.program.units[place.document_id]
            symbol = unit.facts.symbols[place.number]
            listed = (
                symbol.value[1] if symbol.value is not None and symbol.value[0] == "map" else ()
            )
            there = self if unit is self._unit else Strings(self._look, unit)
            meant = [
                value for name, value in listed if isinstance(name, str) and key in (name, None)
            ]
            told_there = there._of_entries(symbol.parent, meant, key is None, depth)
            found += (one._replace(is_literal=False, constant=place) for one in told_there)
        return tuple(found)

    def _of_entries(
        self, scope: int, values: list[Expr], is_any: bool, depth: int
    ) -> tuple[Written, ...]:
        """What entries of a display say; where the key is not known, any of a few."""
        sure = _ONE_OF if is_any else 1.0
        every = values if not is_any or len(values) <= _MOST_OPTIONS else ()
        found = (one for value in every for one in self.read(scope, value, depth + 1))
        return tuple(one._replace(sure=min(sure, one.sure)) for one in found)

    def _value(self, place: Place, depth: int) -> tuple[Written, ...]:
        unit = self._look.program.units[place.document_id]
        symbol: Symbol = unit.facts.symbols[place.number]
        if symbol.value is None:
            return ()
        there = self if unit is self._unit else Strings(self._look, unit)
        found = there.read(symbol.parent, symbol.value, depth + 1)
        return tuple(
            one._replace(is_literal=False, constant=one.constant or place) for one in found
        )

    def _call(self, scope: int, expr: Expr, depth: int) -> tuple[Written, ...]:
        call = self._facts.calls[expr[1]]
        callee = peeled(call.callee)
        name = callee[-1] if callee[0] in ("attr", "name") else ""
        base = callee[1] if callee[0] == "attr" else None
        if name in _FORMATTING:
            return self._formatted(call, base, depth)
        if name == "join" and base is not None:
            return self._joined(call, base, depth)
        if name in APPENDING and base is not None:
            return self._extended(call, base, depth)
        if name in _BUILDERS and (call.is_new or call.arguments):
            return self._first(call, depth) if call.arguments else (Written("", False),)
        if name in SAME:
            return self._first(call, depth) if call.arguments else self._rest(scope, base, depth)
        files = self._files(scope, expr, base)
        if files:
            return tuple(Written(HOLE, False, file) for file in files)
        return self._given(call, depth)

    def _given(self, call: Call, depth: int) -> tuple[Written, ...]:
        """What a function of the program gives back, as text."""
        found: list[Written] = []
        for place in self._look.places(self._unit, call.scope, call.callee)[:_MOST_OPTIONS]:
            unit = self._look.program.units[place.document_id]
            there = self if unit is self._unit else Strings(self._look, unit)
            for flow in flows_in(unit, place.number):
                if flow.target == RESULT:
                    told = there.read(place.number, flow.value, depth + 1)
                    found += (one._replace(is_literal=False, constant=place) for one in told)
        known = [one for one in found if one.text.strip(HOLE) or one.file]
        return tuple(dict.fromkeys(known))[:_MOST_OPTIONS]

    def _rest(self, scope: int, base: Expr | None, depth: int) -> tuple[Written, ...]:
        return self.read(scope, base, depth + 1) if base is not None else ()

    def _first(self, call: Call, depth: int) -> tuple[Written, ...]:
        found = self.read(call.scope, call.arguments[0], depth + 1)
        return tuple(one._replace(is_literal=False) for one in found)

    def _extended(self, call: Call, base: Expr, depth: int) -> tuple[Written, ...]:
        """A chain of appends used as a value."""
        before = self._texts(call.scope, base, depth + 1)
        added = self._texts(call.scope, call.arguments[0], depth + 1) if call.arguments else ("",)
        return tuple(Written("".join(each), False) for each in _some([before, added]))

    def _formatted(self, call: Call, base: Expr | None, depth: int) -> tuple[Written, ...]:
        """``format`` in its kinds: of a string, or with the pattern as first argument."""
        pattern, values = base, list(call.arguments)
        if pattern is None or (peeled(pattern)[0] not in ("text", "call") and values):
            named = self._texts(call.scope, pattern, depth + 1)[0] if pattern is not None else HOLE
            if named == HOLE and values:
                pattern, values = values[0], values[1:]
        if pattern is None:
            return ()
        keywords = dict(call.keywords)
        found = []
        for text in self._texts(call.scope, pattern, depth + 1):
            given = iter(values)

            def fill(match: re.Match[str]) -> str:
                value = keywords.get(match.group().strip("{}")) or next(given, None)  # noqa: B023
                return self._texts(call.scope, value, depth + 1)[0] if value else HOLE

            found.append(Written(_FIELD.sub(fill, text), False))
        return tuple(found)

    def _joined(self, call: Call, base: Expr, depth: int) -> tuple[Written, ...]:
        """``sep.join([...])`` of a display; ``[...].join(sep)`` of a script."""
        glue, members = base, call.arguments[0] if call.arguments else base
        if peeled(glue)[0] != "text" and (peeled(glue)[0] == "seq" or members[0] == "text"):
            glue, members = members, glue
        members = peeled(members)
        listed = members[2] if members[0] == "seq" else self._members(call.scope, members)
        if not listed:
            return ()
        texts = [self._texts(call.scope, one, depth + 1)[0] for one in listed]
        return (Written(self._texts(call.scope, glue, depth + 1)[0].join(texts), False),)

    def _files(self, scope: int, expr: Expr, base: Expr | None) -> list[str]:
        """Names of .sql files that occur in what a call is given, or in what made its object."""
        exprs = [expr]
        if base is not None and base[0] == "name":
            made = self._look.makers(self._unit, scope, base)
            exprs += (one.expr for one in made if one.unit is self._unit)
        texts = (
            text.lstrip("./") for one in exprs for text in _literals(self._facts.calls, one, 8)
        )
        return [text for text in texts if _SQL_FILE.fullmatch(text)]

    _READERS: dict[str, Callable[["Strings", int, Expr, int], tuple[Written, ...]]]


Strings._READERS = {
    "text": Strings._text,
    "one": Strings._one,
    "name": Strings._name,
    "attr": Strings._defined,
    "item": Strings._item,
    "call": Strings._call,
}


def _appends(unit: Unit) -> dict[Expr, list[Call]]:
    """Calls that append, by the builder they append to."""
    table: dict[Expr, list[Call]] = {}
    for call in unit.facts.calls:
        callee = peeled(call.callee)
        if callee[-1] in _PRINTING and call.arguments:
            table.setdefault(call.arguments[0], []).append(call)
        elif callee[0] == "attr" and callee[2] in APPENDING:
            table.setdefault(_builder(unit.facts.calls, callee[1]), []).append(call)
    return table


def _some(options: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Combinations of the options, a few only."""
    found = []
    for each in product(*options):
        found.append(each)
        if len(found) == _MOST_OPTIONS:
            break
    return found


def _opened(text: str) -> str:
    return "" if text == HOLE else text


def _builder(calls: tuple[Call, ...], expr: Expr) -> Expr:
    """What a chain of appends began with."""
    expr = peeled(expr)
    while expr[0] == "call":
        callee = peeled(calls[expr[1]].callee)
        if callee[0] != "attr" or callee[2] not in APPENDING:
            return expr
        expr = peeled(callee[1])
    return expr


def _literals(calls: tuple[Call, ...], expr: Expr, depth: int) -> Iterator[str]:
    """Every literal inside an expression."""
    if expr[0] == "text":
        yield from (one for one in expr[1] if isinstance(one, str))
    for one in _inside(calls, expr) if depth else ():
        yield from _literals(calls, one, depth - 1)


def _inside(calls: tuple[Call, ...], expr: Expr) -> Iterator[Expr]:
    """The expressions one is made of; words of it may be called as kinds of expressions are."""
    if expr[0] == "text":
        yield from (one for one in expr[1] if not isinstance(one, str))
    elif expr[0] == "map":
        yield from (value for _key, value in expr[1])
    elif expr[0] == "call":
        call = calls[expr[1]]
        yield from (call.callee, *call.arguments, *(value for _key, value in call.keywords))
    else:
        for one in expr[1:]:
            if isinstance(one, tuple) and one and isinstance(one[0], str):
                yield one
            elif isinstance(one, tuple):
                yield from (each for each in one if isinstance(each, tuple))
