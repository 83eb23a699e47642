"""What one file says, by scope: which names are bound where, what functions give back.

Worked out from the file alone and kept with it, so that a change elsewhere costs nothing here.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from commonplace.domain.code import Facts, Flow, Symbol
from commonplace.domain.expr import Expr
from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.program import Unit

Path: TypeAlias = tuple[int | str, ...]
"""Which part of a value a target takes: positions; ``*2`` is all from the second on."""
FUNCTIONS = frozenset(
    {"Function", "Method", "Constructor", "Test", "Property", "Lambda", "Accessor", "Delegate"}
)
CLASSES = frozenset({"Class", "Interface", "Enum", "Struct", "Record", "Type", "Trait"})
# Languages in which a method sees the members of its class without naming the object.
MEMBERS_IN_SCOPE = frozenset({"java", "csharp"})
CONSTRUCTOR = ".ctor"
# Languages whose facts say themselves to which scope a name that is assigned belongs.
TOLD = frozenset({"python", "javascript", "typescript", "go"})
# Kinds that are members of an object without a class, and cannot be meant by their bare name.
_OF_OBJECTS = frozenset({"Method", "Property"})
_new = tuple.__new__  # half the time of what it stands for, tens of thousands of times


class Binder(NamedTuple):
    """One reason why a name means something in a scope."""

    how: str
    """symbol, parameter, type (a type parameter), import, flow."""
    number: int
    """Of the symbol, parameter, import or flow."""
    path: Path = ()
    """Of a flow to several names: the part this name takes."""


class Write(NamedTuple):
    """A value that goes to a member of the object a method runs on."""

    flow: int
    path: Path


@dataclass(slots=True)
class Scopes:
    """Indexes over the facts of one file."""

    bound: list[dict[str, list[Binder]]]
    """By scope, then by name."""
    stars: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    """By scope: imports of everything."""
    results: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    """By function: flows to its result."""
    yields: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    own: dict[int, dict[str, list[Write]]] = field(default_factory=dict)
    """By class: members its methods set on themselves."""
    others: list[tuple[int, Expr, Path]] = field(default_factory=list)
    """Flows to members and elements of other values: (flow, target, part)."""
    homes: dict[tuple[int, str], int] = field(default_factory=dict)
    """Scopes already found for (scope, name); -1 for none."""

    def home(self, facts: Facts, scope: int, name: str) -> int:
        """The scope in which a name used in ``scope`` is bound; -1 when in none of this file."""
        key = (scope, name)
        found = self.homes.get(key)
        if found is None:
            found = self.homes[key] = self._search(facts, scope, name)
        return found

    def _search(self, facts: Facts, scope: int, name: str) -> int:
        symbols = facts.symbols
        opens_classes = facts.language in MEMBERS_IN_SCOPE
        here = scope
        while True:
            binders = self.bound[here].get(name)
            if binders is not None:
                is_open = opens_classes or symbols[here].kind not in CLASSES
                if is_open or _in_class(facts, binders, is_own=here == scope):
                    return here
            if here == 0:
                return -1
            here = symbols[here].parent


def _in_class(facts: Facts, binders: list[Binder], *, is_own: bool) -> bool:
    """Whether a name of a class is seen in it: in its own body, and everywhere a type parameter.

    Members of scripts and Go are never named without their object.
    """
    if any(one.how == "type" for one in binders):
        return True
    if not is_own:
        return False
    return facts.language == "python" or any(one.how != "symbol" for one in binders)


def scopes(unit: Unit) -> Scopes:
    """The indexes of a file, made once."""
    found = unit.notes.get("scopes")
    if found is None:
        found = unit.notes["scopes"] = _index(unit.facts)
    assert isinstance(found, Scopes)  # noqa: S101 - the key is ours
    return found


def _index(facts: Facts) -> Scopes:
    index = Scopes(bound=[{} for _ in facts.symbols])
    for number, symbol in enumerate(facts.symbols):
        if number and "instance" not in symbol.modifiers and _is_seen(facts, symbol):
            _bind(index, symbol.parent, _member_name(facts, symbol), ("symbol", number, ()))
        for place, parameter in enumerate(symbol.parameters):
            _bind(index, number, parameter[0], ("parameter", place, ()))
        for place, parameter in enumerate(symbol.type_parameters):
            _bind(index, number, parameter[0], ("type", place, ()))
    for number, imported in enumerate(facts.imports):
        if imported.name == "*" and not imported.alias:
            index.stars[imported.scope].append(number)
        elif imported.alias:
            _bind(index, imported.scope, imported.alias, ("import", number, ()))
    for number, flow in enumerate(facts.flows):
        _flow(index, facts, number, flow)
    if facts.language == "typescript":
        _merge(index, facts)
    return index


def _merge(index: Scopes, facts: Facts) -> None:
    """What a namespace declares, its other parts in the same file see too."""
    spaces: dict[tuple[int, str], list[int]] = {}
    for number, symbol in enumerate(facts.symbols):
        if symbol.kind == "Namespace":
            spaces.setdefault((symbol.parent, symbol.name), []).append(number)
    for numbers in spaces.values():
        if len(numbers) > 1:
            own = [dict(index.bound[number]) for number in numbers]
            for number in numbers:
                for names in own:
                    for name, binders in names.items():
                        index.bound[number].setdefault(name, binders)


def _member_name(facts: Facts, symbol: Symbol) -> str:
    """A constructor is no member of the name it has: within its class that name is the class."""
    is_named_so = symbol.kind == "Constructor" and facts.language in MEMBERS_IN_SCOPE
    return CONSTRUCTOR if is_named_so else symbol.name


def _is_seen(facts: Facts, symbol: Symbol) -> bool:
    """Whether a definition can be meant by its bare name, or as a member of what is around it.

    Functions of objects written out, titles of tests, methods of Go's types elsewhere and what is
    known in its block only cannot.
    """
    if "block" in symbol.modifiers:
        return False
    if symbol.kind in _OF_OBJECTS:
        is_member = facts.symbols[symbol.parent].kind in CLASSES
        return is_member or "prototype" in symbol.modifiers
    if symbol.kind != "Test":
        return True
    is_title = facts.language in SCRIPTS or (facts.language == "go" and symbol.parent)
    return not is_title


def _bind(index: Scopes, scope: int, name: str, told: tuple[str, int, Path]) -> None:
    """One reason more, by the fields of ``Binder``."""
    names = index.bound[scope]
    if name in names:
        names[name].append(_new(Binder, told))
    else:
        names[name] = [_new(Binder, told)]


def _flow(index: Scopes, facts: Facts, number: int, flow: Flow) -> None:
    kind = flow.target[0]
    if kind == "name":
        _name(index, facts, number, flow.target[1], ())
    elif kind == "result":
        index.results[flow.scope].append(number)
    elif kind == "yielded":
        index.yields[flow.scope].append(number)
    else:
        _target(index, facts, number, flow.target, ())


def _target(index: Scopes, facts: Facts, number: int, target: Expr, path: Path) -> None:
    kind = target[0]
    flow = facts.flows[number]
    if kind == "name":
        _name(index, facts, number, target[1], path)
    elif kind == "attr":
        owner = owner_of(facts, flow.scope, target[1])
        if owner is None:
            index.others.append((number, target, path))
        else:
            members = index.own.setdefault(owner, {})
            members.setdefault(target[2], []).append(Write(number, path))
    elif kind == "item":
        index.others.append((number, target, path))
    elif kind == "seq":
        is_after = False
        for place, member in enumerate(target[2]):
            part: int | str = f"*{place}" if member[0] == "star" else place
            if is_after:  # counted from the end
                part = place - len(target[2])
            is_after = is_after or member[0] == "star"
            inner = member[1] if member[0] == "star" else member
            _target(index, facts, number, inner, (*path, part))
    elif kind == "map":
        for key, member in target[1]:
            _target(index, facts, number, member, (*path, "*0" if key is None else f"={key}"))


def _name(index: Scopes, facts: Facts, number: int, name: str, path: Path) -> None:
    """A flow to a name binds it here, unless the language assigns to what is already there."""
    flow = facts.flows[number]
    home = flow.scope if flow.home is None else flow.home
    if not home and flow.scope and facts.language == "go" and name not in index.bound[0]:
        index.others.append((number, flow.target, path))  # of another file of the package
        return
    if flow.home is None and facts.language not in TOLD:
        found = _assigned(index, facts, flow.scope, name)
        if found != home and found >= 0:
            home = found
    if home and facts.symbols[home].kind in CLASSES and home != flow.scope:
        members = index.own.setdefault(home, {})
        members.setdefault(name, []).append(Write(number, path))
    else:
        _bind(index, home, name, ("flow", number, path))


def _assigned(index: Scopes, facts: Facts, scope: int, name: str) -> int:
    symbols = facts.symbols
    opens_classes = facts.language in MEMBERS_IN_SCOPE
    here = scope
    while True:
        seen = opens_classes or symbols[here].kind not in CLASSES
        if seen and name in index.bound[here]:
            return here
        if here == 0:
            return -1
        here = symbols[here].parent


def owner_of(facts: Facts, scope: int, base: Expr) -> int | None:
    """The class whose object an expression is, when it is the object a method runs on."""
    symbols = facts.symbols
    if base[0] == "self":
        owner = enclosing_class(symbols, scope)
        return owner if owner is not None else constructor_around(facts, scope)
    if base[0] == "attr" and base[2] == "prototype" and base[1][0] == "name":
        return next(
            (
                number
                for number, symbol in enumerate(symbols)
                if symbol.name == base[1][1] and symbol.kind in FUNCTIONS
            ),
            None,
        )
    if base[0] != "name":
        return None
    here = scope
    while here:
        symbol = symbols[here]
        for parameter in symbol.parameters:
            if parameter.name == base[1]:
                is_own = parameter.flavour == "receiver"
                return enclosing_class(symbols, here) if is_own else None
        here = symbol.parent
    return None


def constructor_around(facts: Facts, scope: int) -> int | None:
    """The function whose objects ``this`` is, where functions make objects (JavaScript)."""
    symbols = facts.symbols
    here = scope
    while here and "anonymous" in symbols[here].modifiers:
        here = symbols[here].parent
    if not here or facts.language not in SCRIPTS or symbols[here].kind not in FUNCTIONS:
        return None
    return symbols[here].parent if "prototype" in symbols[here].modifiers else here


def enclosing_class(symbols: tuple[Symbol, ...], scope: int) -> int | None:
    """The class a scope stands in, through nested functions."""
    here = scope
    while here:
        if symbols[here].kind in CLASSES:
            return here
        here = symbols[here].parent
    return None
