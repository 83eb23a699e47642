"""What other files can see of a file, and the names an edit changes for them.

Others see definitions, imports, exports, what functions give back and what methods set on their
objects, with all that leads there; not places, doc texts, or what a body does for itself
(``solver.py``, *outside*). Whatever they see they reach by a name. So after an edit the names of
what differs, and of whatever in the file has one of these names in it, tell whom it may concern.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from commonplace.domain.code import Call, Facts, Flow, Parameter, Symbol
from commonplace.domain.expr import Expr
from commonplace.link.code.names.scopes import CLASSES, FUNCTIONS, scopes
from commonplace.link.code.program import Unit
from commonplace.link.code.queries.strings import APPENDING
from commonplace.link.code.values.solving import FLOWING

Row: TypeAlias = tuple[Any, ...]
Part: TypeAlias = tuple[str, str]
"""Of a file: what kind of part, and its name there."""
_NOTE = "difference"
_ONE = frozenset({"each", "wait", "enter", "star", "typed", "query", "keys", "super"})
_PLAIN = frozenset({"value", "self", "result", "yielded"})


class Difference(NamedTuple):
    """What an edit changes for others."""

    names: frozenset[str] | None
    """Names by which they may notice it; None when that cannot be told by names."""
    is_of_classes: bool
    """Whether classes are among it, or are numbered otherwise."""


def difference(old: Facts, new: Unit) -> Difference:
    """What others can see of an edit; worked out once."""
    known = new.notes.get(_NOTE)
    if not isinstance(known, tuple) or known[0] is not old:
        before = replace(new, facts=old, notes={})
        known = new.notes[_NOTE] = (old, _difference(before, new))
    found: Difference = known[1]
    return found


def _difference(old: Unit, new: Unit) -> Difference:
    if old.facts.queries != new.facts.queries or old.facts.language != new.facts.language:
        return Difference(None, True)
    before, after = Visible(old).parts(), Visible(new).parts()
    changed = {one for one in before.keys() | after.keys() if before.get(one) != after.get(one)}
    is_same = _classes(old.facts) == _classes(new.facts)
    if not changed:
        return Difference(frozenset(), not is_same)
    if new.facts.language not in FLOWING:
        return Difference(None, True)  # members are met that nobody names: by types, by interfaces
    names = {_name(part) for part in changed}
    while True:
        if not all(is_telling(one) for one in names):
            return Difference(None, True)
        tainted = {
            part
            for parts in (before, after)
            for part, rows in parts.items()
            if part not in changed and not names.isdisjoint(_words(rows))
        }
        if not tainted:
            break
        changed |= tainted
        names |= {_name(part) for part in tainted}
    paths = {path for kind, path in changed if kind == "symbol"}
    is_same = is_same and paths.isdisjoint(_classes(old.facts).values())
    return Difference(frozenset(names), not is_same)


def _classes(facts: Facts) -> dict[int, str]:
    return {number: one.path for number, one in enumerate(facts.symbols) if one.kind in CLASSES}


def is_telling(name: str) -> bool:
    """Whether who means a thing must write its name: not of what syntax calls, or has none.

    >>> [is_telling(one) for one in ("save", "__init__", "<lambda1>", "*", "constructor", "")]
    [True, False, False, False, False, False]
    """
    return name.isidentifier() and not name.startswith("__") and name not in _IMPLICIT


_IMPLICIT = frozenset({"constructor", "default", "then", "next", "toString", "prototype", "render"})


def _name(part: Part) -> str:
    """What others would have to write to come to a part."""
    return part[1].rpartition(".")[2]


def _words(row: object) -> Iterator[str]:
    """Every text in a row."""
    if isinstance(row, str):
        yield row
    elif isinstance(row, tuple | list | frozenset):
        for one in row:
            yield from _words(one)


class Visible:
    """One file as others see it, part by part, with numbers replaced by what they stand for."""

    def __init__(self, unit: Unit) -> None:
        self._facts: Facts = unit.facts
        self._scopes = scopes(unit)
        self._calls: dict[int, Row] = {}
        self._needed: set[tuple[int, str]] = set()
        self._waiting: dict[tuple[int, str], list[int]] = defaultdict(list)
        """Flows and calls nobody sees before a name is needed; calls as numbers below zero."""
        self._ready: list[int] = []
        counts: dict[str, int] = defaultdict(int)
        self._paths: list[str] = []
        for symbol in self._facts.symbols:
            again = counts[symbol.path]
            counts[symbol.path] += 1
            self._paths.append(f"{symbol.path}#{again}" if again else symbol.path)

    def parts(self) -> dict[Part, list[Row]]:
        """What is seen, by part."""
        facts = self._facts
        found: dict[Part, list[Row]] = defaultdict(list)
        for number, symbol in enumerate(facts.symbols):
            if number:
                found["symbol", self._paths[number]].append(self._symbol(number, symbol))
        found["file", ""].append((facts.language, facts.namespace, facts.symbols[0].name))
        for one in facts.imports:
            row = (self._paths[one.scope], one.module, one.name, one.level, one.modifiers)
            found["import", one.alias or "*"].append(row)
        for outside, inside in facts.exports:
            found["export", outside].append((inside,))
        for part, row in self._stated():
            found[part].append(row)
        return found

    def _stated(self) -> Iterator[tuple[Part, Row]]:
        """Flows and calls that are seen, in their order."""
        facts = self._facts
        for number, flow in enumerate(facts.flows):
            self._sort(number, self._awaited(flow))
        for number, call in enumerate(facts.calls):
            root = self._root(call)
            if root is not None:
                self._sort(-1 - number, [root])
        rows: dict[int, tuple[Part, Row]] = {}
        while self._ready:
            number = self._ready.pop()
            if number not in rows:
                rows[number] = self._flow(number) if number >= 0 else self._call_row(-1 - number)
        yield from (rows[number] for number in sorted(rows))

    def _sort(self, number: int, awaited: Iterable[tuple[int, str]] | None) -> None:
        if awaited is None:
            self._ready.append(number)
            return
        for key in awaited:
            if key in self._needed:
                self._ready.append(number)
            else:
                self._waiting[key].append(number)

    def _awaited(self, flow: Flow) -> list[tuple[int, str]] | None:
        """Names of locals one of which must be needed for a flow to be seen; None: it is seen."""
        names = _targets(flow.target)
        if names is None or flow.home is not None:
            return None
        if self._facts.symbols[flow.scope].kind not in FUNCTIONS:
            return None
        return [(self._home(flow.scope, name), name) for name in names]

    def _root(self, call: Call) -> tuple[int, str] | None:
        """The variable a call may put something into."""
        node = call.callee
        if node[0] != "attr" or call.is_implicit:
            return None
        is_appending = node[2] in APPENDING
        while node[0] in ("attr", "item", "generic"):
            node = node[1]
        if node[0] != "name":
            return None
        home = self._home(call.scope, node[1])
        is_local = home > 0 and self._facts.symbols[home].kind in FUNCTIONS
        return (home, node[1]) if is_local or is_appending else None

    def _home(self, scope: int, name: str) -> int:
        return self._scopes.home(self._facts, scope, name)

    def _need(self, scope: int, name: str) -> None:
        key = (self._home(scope, name), name)
        if key not in self._needed:
            self._needed.add(key)
            self._ready += self._waiting.pop(key, ())

    def _flow(self, number: int) -> tuple[Part, Row]:
        flow = self._facts.flows[number]
        home = None if flow.home is None else self._paths[flow.home]
        target, value = self._expr(flow.scope, flow.target), self._expr(flow.scope, flow.value)
        return self._owner(flow.scope, flow.target), ("flow", target, value, home)

    def _owner(self, scope: int, target: Expr) -> Part:
        """What a flow belongs to: its function, or outside of functions what it sets."""
        if self._facts.symbols[scope].kind in FUNCTIONS:
            return "symbol", self._paths[scope]
        names = _targets(target)
        inner = names[0] if names and len(names) == 1 else "*"
        return "flow", f"{self._paths[scope]}.{inner}"

    def _call_row(self, number: int) -> tuple[Part, Row]:
        call = self._facts.calls[number]
        return self._owner(call.scope, ("*",)), ("call", self._call(number))

    def _call(self, number: int) -> Row:
        known = self._calls.get(number)
        if known is None:
            self._calls[number] = ()  # of a call within itself there is nothing more to tell
            call = self._facts.calls[number]
            known = self._calls[number] = (
                self._paths[call.scope],
                self._expr(call.scope, call.callee),
                self._exprs(call.scope, call.arguments),
                tuple((key, self._expr(call.scope, one)) for key, one in call.keywords),
                call.is_new,
                call.is_implicit,
            )
        return known

    def _symbol(self, number: int, symbol: Symbol) -> Row:
        around = symbol.parent
        return (
            symbol.kind,
            symbol.name,
            self._paths[around],
            symbol.visibility,
            symbol.modifiers,
            self._parameters(number, symbol.parameters),
            self._parameters(number, symbol.type_parameters),
            self._maybe(number, symbol.type),
            self._exprs(around, symbol.bases),
            self._exprs(around, symbol.interfaces),
            self._exprs(around, symbol.decorators),
            self._maybe(around, symbol.value),
        )

    def _parameters(self, scope: int, parameters: tuple[Parameter, ...]) -> Row:
        return tuple(
            (one.name, one.flavour, self._maybe(scope, one.type), self._maybe(scope, one.default))
            for one in parameters
        )

    def _maybe(self, scope: int, expr: Expr | None) -> Row | None:
        return None if expr is None else self._expr(scope, expr)

    def _exprs(self, scope: int, exprs: tuple[Expr, ...]) -> Row:
        return tuple(self._expr(scope, one) for one in exprs)

    def _expr(self, scope: int, expr: Expr) -> Row:
        kind = expr[0]
        if kind == "name":
            self._need(scope, expr[1])
            return expr
        if kind in _PLAIN or len(expr) == 1:
            return expr
        if kind in _ONE:
            return (kind, self._expr(scope, expr[1]))
        if kind in ("attr", "item", "begins", "tail"):
            return (kind, self._expr(scope, expr[1]), expr[2])
        return self._compound(scope, kind, expr)

    def _compound(self, scope: int, kind: str, expr: Expr) -> Row:
        if kind == "call":
            return (kind, self._call(expr[1]))
        if kind == "made":
            return (kind, self._paths[expr[1]])
        if kind == "one":
            return (kind, self._exprs(scope, expr[1]))
        if kind == "narrow":
            return (kind, self._expr(scope, expr[1]), self._exprs(scope, expr[2]))
        if kind == "text":
            parts = (one if isinstance(one, str) else self._expr(scope, one) for one in expr[1])
            return (kind, tuple(parts))
        if kind == "map":
            return (kind, tuple((key, self._expr(scope, one)) for key, one in expr[1]))
        # a display with its kind, or a type with its arguments
        head = expr[1] if kind == "seq" else self._expr(scope, expr[1])
        return (kind, head, self._exprs(scope, expr[2]))


def _targets(target: Expr) -> list[str] | None:
    """Names a flow sets, when it sets nothing else."""
    kind = target[0]
    if kind == "name":
        return [target[1]]
    inner: Iterable[Expr] = ()
    if kind == "star":
        inner = (target[1],)
    elif kind == "seq":
        inner = target[2]
    elif kind == "map":
        inner = (one for _key, one in target[1])
    else:
        return None
    found: list[str] = []
    for one in inner:
        names = _targets(one)
        if names is None:
            return None
        found += names
    return found
