"""Variables of modules and classes as symbols; what all definitions share."""

from typing import TYPE_CHECKING

from commonplace.domain.clip import clip
from commonplace.domain.code import Symbol, Visibility
from commonplace.domain.expr import Expr
from commonplace.languages.pythonic.annotations import type_of
from commonplace.languages.pythonic.notes import Notes, Scope

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_SIGNATURE = 300
MOST_VARIABLE = 120  # a table or a list need not be read here


def visibility_of(name: str, scope: Scope) -> Visibility:
    """By its underscores; what is inside a function is local to it.

    >>> visibility_of("_helper", Scope(0, "module", ""))
    'internal'
    """
    if scope.kind == "function":
        return "local"
    if name.startswith("__") and not name.endswith("__"):
        return "private"
    if name.startswith("_") and not name.startswith("__"):
        return "protected" if scope.kind == "class" else "internal"
    return "public"


def one_line(text: str) -> str:
    """A text on one line, cut if it is long."""
    line = text
    if "\n" in text:
        line = " ".join(text.split()).replace("( ", "(").replace(", )", ")").replace(" )", ")")
    return clip(line, MOST_SIGNATURE)


def attributes(notes: Notes, scope: Scope) -> None:
    """Attributes methods set on the object are fields of its class."""
    for name, node in scope.members.items():
        if name not in scope.local:
            statement = node.parent
            _variable(notes, scope, name, node if statement is None else statement, "instance")


def variable(
    notes: Notes, node: "Node", statement: "Node", declared: Expr | None, value: Expr | None
) -> None:
    """A variable of a module or class; only where it is first set."""
    name = notes.word(node)
    scope = notes.scope
    if name in scope.local:
        return
    scope.local.add(name)
    _variable(notes, scope, name, statement, "", declared, value)


def _variable(  # noqa: PLR0913 - what is known of a variable
    notes: Notes,
    scope: Scope,
    name: str,
    statement: "Node",
    mark: str,
    declared: Expr | None = None,
    value: Expr | None = None,
) -> None:
    notes.symbols.append(
        Symbol(
            kind=_variable_kind(scope, name),
            name=name,
            path=scope.path + name,
            parent=scope.number,
            at=notes.at(statement),
            signature=clip(one_line(notes.text(statement)[: 4 * MOST_SIGNATURE]), MOST_VARIABLE),
            visibility=visibility_of(name, scope),
            modifiers=frozenset({mark} if mark else ()),
            type=declared,
            value=value,
        )
    )


def _variable_kind(scope: Scope, name: str) -> str:
    if scope.kind == "class":
        if "Enum" in scope.traits and not name.startswith("_"):
            return "Constant"
        return "Constant" if name.isupper() else "Field"
    return "Constant" if name.isupper() else "Variable"


def type_alias(notes: Notes, node: "Node") -> None:
    """``type Name = …``."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return
    named = left
    while named.named_children:
        named = named.named_children[0]
    name = notes.word(named)
    notes.scope.local.add(name)
    declared = type_of(notes, right)
    scope = notes.scope
    notes.symbols.append(
        Symbol(
            kind="Type",
            name=name,
            path=scope.path + name,
            parent=scope.number,
            at=notes.at(node),
            signature=one_line(notes.text(node)),
            visibility=visibility_of(name, scope),
            type=declared,
        )
    )
