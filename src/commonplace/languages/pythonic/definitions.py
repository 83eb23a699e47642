"""Functions, classes and variables of Python as symbols."""

import inspect
from typing import TYPE_CHECKING

from commonplace.domain import expr
from commonplace.domain.code import Parameter, Symbol
from commonplace.domain.expr import Expr
from commonplace.languages.pythonic.annotations import type_of
from commonplace.languages.pythonic.notes import Notes, Scope
from commonplace.languages.pythonic.parameters import parameters_of, type_parameters_of
from commonplace.languages.pythonic.strings import literal
from commonplace.languages.pythonic.variables import attributes, one_line, visibility_of

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_DOC = 1000  # characters; the text itself is in the file
ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum", "TextChoices"})
RECORDS = frozenset({"NamedTuple", "TypedDict"})
MARKS = {
    "staticmethod": "static",
    "classmethod": "classmethod",
    "property": "property",
    "cached_property": "property",
    "abstractmethod": "abstract",
    "abstractproperty": "abstract",
    "overload": "overload",
    "override": "override",
    "final": "final",
    "contextmanager": "contextmanager",
    "asynccontextmanager": "contextmanager",
    "dataclass": "dataclass",
    "fixture": "fixture",
    "setter": "setter",
    "deleter": "deleter",
    "getter": "property",
}  # by the last name of a decorator


def doc_of(notes: Notes, body: "Node") -> str:
    """The string a body begins with, without its margin."""
    for child in body.named_children:
        if child.type == "comment":
            continue
        inner = child.named_children
        if child.type != "expression_statement" or not inner or inner[0].type != "string":
            return ""
        return cleaned(literal(notes.text(inner[0])) or "")
    return ""


def cleaned(doc: str) -> str:
    """Doc text without margin, its beginning if it is long."""
    return inspect.cleandoc(doc)[:MOST_DOC] if "\n" in doc else doc.strip()[:MOST_DOC]


def decorated(notes: Notes, node: "Node") -> None:
    """A definition with decorators."""
    found: list[Expr] = []
    for child in node.named_children:
        if child.type == "decorator":
            found.extend(notes.value(one) for one in notes.parts(child))
        elif child.type == "function_definition":
            function(notes, child, tuple(found), node)
        elif child.type == "class_definition":
            class_(notes, child, tuple(found), node)


def marks_of(notes: Notes, decorators: tuple[Expr, ...]) -> set[str]:
    """What decorators of known names say."""
    found = set()
    for one in decorators:
        name = notes.calls[one[1]].callee if one[0] == "call" else one
        mark = MARKS.get(name[-1]) if name[0] in ("name", "attr") else None
        if mark is not None:
            found.add(mark)
    return found


def function(
    notes: Notes, node: "Node", decorators: tuple[Expr, ...] = (), whole: "Node | None" = None
) -> None:
    """A function or method with all that is inside."""
    outer = notes.scope
    parts = {child.type: child for child in node.children}
    named, listed, body = parts.get("identifier"), parts.get("parameters"), parts.get("block")
    if named is None or listed is None or body is None:
        notes.run([child for child in node.named_children if child.type == "block"])
        return
    name = notes.word(named)
    modifiers = marks_of(notes, decorators)
    if "async" in parts:
        modifiers.add("async")
    is_method = outer.kind == "class"
    has_receiver = is_method and "static" not in modifiers
    noted = len(notes.uses)
    parameters = parameters_of(notes, listed, "receiver" if has_receiver else "")
    returned = parts.get("type")
    declared = None if returned is None else type_of(notes, returned)
    notes.define(name)
    receiver = parameters[0].name if has_receiver and parameters else ""
    scope = notes.open("function", name, receiver)
    _own_types(notes, noted)
    scope.local.update([parameter.name for parameter in parameters])
    _body(notes, node, body)
    modifiers |= scope.traits
    if is_method and _is_empty(notes, body, "Interface" in outer.traits):
        modifiers.add("abstract")
    if name.startswith("test") and is_test_place(notes, outer):
        modifiers.add("test")
    notes.close(
        Symbol(
            kind=_kind(is_method, modifiers),
            name=name,
            path=scope.path[:-1],
            parent=outer.number,
            at=notes.at(whole or node),
            signature=_signature(notes, node, body),
            doc=doc_of(notes, body),
            visibility=visibility_of(name, outer),
            modifiers=frozenset(modifiers),
            parameters=parameters,
            type_parameters=type_parameters_of(notes, parts.get("type_parameter")),
            type=declared,
            decorators=decorators,
        )
    )


def _body(notes: Notes, node: "Node", body: "Node") -> None:
    if notes.is_broken:  # what the grammar could not place stands beside the body
        notes.run([child for child in node.named_children if child.type == "ERROR"])
    if notes.scope.kind == "function":
        notes.scope.top = notes.depth + 2
    notes.block(body)


def _own_types(notes: Notes, noted: int) -> None:
    """Types a function is declared with are its uses, not those of the scope around it."""
    for number in range(noted, len(notes.uses)):
        if notes.uses[number].access == "type":
            notes.uses[number] = notes.uses[number]._replace(scope=notes.scope.number)


def _is_empty(notes: Notes, body: "Node", is_protocol: bool) -> bool:
    """Whether a body only says that others have to write it."""
    statements = notes.parts(body)
    if not statements or len(statements) > 2:
        return False
    last = notes.source[statements[-1].start_byte : statements[-1].start_byte + 25]
    if statements[-1].type == "raise_statement":
        return b"NotImplementedError" in last
    return is_protocol and statements[-1].type in ("expression_statement", "pass_statement")


def _kind(is_method: bool, modifiers: set[str]) -> str:
    if "test" in modifiers:
        return "Test"
    if not is_method:
        return "Function"
    return "Property" if modifiers & {"property", "setter", "deleter"} else "Method"


def is_test_place(notes: Notes, scope: Scope) -> bool:
    """Whether a function of this scope named ``test…`` is a test."""
    if scope.kind == "class":
        return notes.is_test_file or "TestCase" in scope.traits
    return scope.kind == "module" and notes.is_test_file


def _signature(notes: Notes, node: "Node", body: "Node") -> str:
    head = notes.source[node.start_byte : body.start_byte].decode("utf-8", "replace")
    return one_line(head.rpartition(":")[0].strip() or head.strip())


def class_(
    notes: Notes, node: "Node", decorators: tuple[Expr, ...] = (), whole: "Node | None" = None
) -> None:
    """A class with all that is inside."""
    outer = notes.scope
    named = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if named is None or body is None:
        notes.run([child for child in node.named_children if child.type == "block"])
        return
    name = notes.word(named)
    bases: list[Expr] = []
    metaclass: Expr | None = None
    listed = node.child_by_field_name("superclasses")
    if listed is not None:
        bases, metaclass = _bases(notes, listed)
    notes.define(name)
    scope = notes.open("class", name)
    modifiers = marks_of(notes, decorators)
    kind = _class_kind(notes, bases, metaclass, modifiers)
    scope.traits.add(kind)
    if any(last_name(base).endswith("TestCase") for base in bases):
        scope.traits.add("TestCase")
    if metaclass is not None:
        notes.flow(expr.name("__metaclass__"), metaclass)
    _body(notes, node, body)
    attributes(notes, scope)
    notes.close(
        Symbol(
            kind=kind,
            name=name,
            path=scope.path[:-1],
            parent=outer.number,
            at=notes.at(whole or node),
            signature=_signature(notes, node, body),
            doc=doc_of(notes, body),
            visibility=visibility_of(name, outer),
            modifiers=frozenset(modifiers),
            type_parameters=type_parameters_of(notes, node.child_by_field_name("type_parameters"))
            or _type_variables(bases),
            bases=tuple(bases),
            decorators=decorators,
        )
    )


def _bases(notes: Notes, node: "Node") -> tuple[list[Expr], Expr | None]:
    bases: list[Expr] = []
    metaclass: Expr | None = None
    for child in notes.parts(node):
        if child.type == "keyword_argument":
            parts = child.named_children
            value = notes.value(parts[-1])
            if notes.word(parts[0]) == "metaclass":
                metaclass = value
        elif child.type == "subscript":
            bases.append(type_of(notes, child))
        else:
            bases.append(notes.value(child))
    return bases, metaclass


def _type_variables(bases: list[Expr]) -> tuple[Parameter, ...]:
    """``Generic[T]`` declares what ``class Box[T]`` does."""
    return tuple(
        Parameter(one[1])
        for base in bases
        if base[0] == "generic" and last_name(base) in ("Generic", "Protocol")
        for one in base[2]
        if one[0] == "name"
    )


def last_name(value: Expr) -> str:
    """The last of a dotted name; of a generic type, of what it is made from."""
    if value[0] == "generic":
        return last_name(value[1])
    return value[-1] if value[0] in ("name", "attr") else ""


def _class_kind(
    _notes: Notes, bases: list[Expr], metaclass: Expr | None, modifiers: set[str]
) -> str:
    names = {last_name(base) for base in bases}
    if "ABC" in names or (metaclass is not None and last_name(metaclass) == "ABCMeta"):
        modifiers.add("abstract")
    if names & RECORDS:
        modifiers.add("record")
    if names & ENUMS or (names and all(one.endswith("Enum") for one in names)):
        return "Enum"
    return "Interface" if "Protocol" in names else "Class"
