"""Statements of Python: where values flow, what is imported, what is declared."""

from typing import TYPE_CHECKING

from commonplace.domain import expr
from commonplace.domain.expr import Expr
from commonplace.languages.pythonic.annotations import type_of
from commonplace.languages.pythonic.comprehensions import iterate
from commonplace.languages.pythonic.definitions import (
    class_,
    decorated,
    function,
)
from commonplace.languages.pythonic.imports import export, import_, import_from, more_exports
from commonplace.languages.pythonic.matching import match
from commonplace.languages.pythonic.narrowing import narrow
from commonplace.languages.pythonic.notes import Doer, Notes
from commonplace.languages.pythonic.operators import BINARY, operate
from commonplace.languages.pythonic.strings import joined
from commonplace.languages.pythonic.targets import bind, key_of, target_of
from commonplace.languages.pythonic.variables import type_alias, variable

if TYPE_CHECKING:
    from tree_sitter import Node


INTEGER = expr.value("int")


def expression(notes: Notes, node: "Node") -> None:
    """A statement that is an expression, an assignment among them."""
    kinds = notes.kinds
    for child in node.children:  # all are named but a comma, which says nothing
        kind = child.kind_id
        if kind == kinds.assignment:
            assignment(notes, child)
        elif kind == kinds.call:
            notes.value(child)
            if notes.scope.number == 0:
                more_exports(notes)
        elif kind == kinds.augmented_assignment:
            augmented(notes, child)
        elif kind != kinds.string or notes.source[child.start_byte] in b"fF":
            notes.value(child)


def assignment(notes: Notes, node: "Node") -> None:
    """``a = b = value``, ``a: int = value``, ``a: int``."""
    parts = node.children
    if len(parts) == 3 and parts[2].kind_id != notes.kinds.assignment and not notes.is_broken:
        if parts[2].kind_id == notes.kinds.type:
            _assign(notes, parts[0], node, type_of(notes, parts[2]), None)
        else:
            _assign(notes, parts[0], node, None, notes.value(parts[2]), parts[2])
        return
    targets: list[Node] = []
    declared: Expr | None = None
    value: Expr | None = None
    at = node
    while True:
        parts = notes.parts(node)
        targets.append(parts[0])
        rest = parts[1:]
        if rest and rest[0].type == "type":
            declared = type_of(notes, rest.pop(0))
        if not rest:
            break
        node = rest[-1]
        if node.type != "assignment":
            value = notes.value(node)
            break
    for target in reversed(targets):
        _assign(notes, target, at, declared, value)


def _keep_constant(notes: Notes, name: str, written: "Node | None", value: Expr) -> None:
    """Remember what a name is set to, if it is a short string or a number and set once."""
    constants = notes.scope.constants
    if written is None or name in constants:
        return
    if value[0] == "text" or value == INTEGER:
        constants[name] = key_of(notes, written, value)


def _assign(  # noqa: PLR0913 - what an assignment says
    notes: Notes,
    target: "Node",
    statement: "Node",
    declared: Expr | None,
    value: Expr | None,
    written: "Node | None" = None,
) -> None:
    scope = notes.scope
    if scope.kind != "function" and target.type == "identifier":
        variable(notes, target, statement, declared, value)
        if value is not None and notes.word(target) == "__all__":
            export(notes, value)
    elif scope.kind != "function" and target.type in ("pattern_list", "tuple_pattern"):
        for one in notes.parts(target):
            if one.type == "identifier":
                variable(notes, one, statement, None, None)
    found = _renewed(notes, target) if value is not None else target_of(notes, target)
    if value is not None and found[0] == "name" and found[1] not in scope.homes:
        _keep_constant(notes, found[1], written, value)
    if declared is not None:
        notes.flow(found, expr.typed(declared))
    if value is not None:
        notes.flow(found, value)
        _keep_made(notes, target, found, value)


def _keep_made(notes: Notes, target: "Node", found: Expr, value: Expr) -> None:
    """Remember a name that is set to a new object; several names go through what it has."""
    if found[0] == "name" and notes.is_object(value):
        notes.scope.made.add(found[1])
    elif found[0] == "seq":
        notes.asked("tuple", value, target)


def _renewed(notes: Notes, target: "Node") -> Expr:
    """What is assigned to; by a statement that always runs, its names are set anew."""
    scope = notes.scope
    if notes.depth != scope.top:
        return target_of(notes, target)
    scope.renewed = []
    found = target_of(notes, target)
    scope.current.update((old[1], new) for old, new in scope.renewed)
    scope.behind += scope.renewed
    scope.renewed = None
    return found


def augmented(notes: Notes, node: "Node") -> None:
    """``a += value``: the old value, the new one, or what the operator makes of them."""
    left, sign, right = node.children[0], node.children[1], node.children[-1]
    value = notes.value(right)
    old = notes.value(left)
    target = target_of(notes, left)
    if target == ("name", "__all__") and notes.scope.kind == "module":
        export(notes, value)
    if sign.type[:-1] in BINARY and old[0] in ("name", "attr", "item", "call"):
        notes.call(expr.attr(old, f"__i{BINARY[sign.type[:-1]]}__"), notes.at(sign), (value,))
    if sign.type == "+=" and value[0] in ("text", "name", "attr", "call"):
        made = operate(notes, old, sign, value) if value[0] != "text" else joined(old, value)
        notes.flow(target, expr.one(made, joined(old, value)) if made[0] == "call" else made)
    else:
        notes.flow(target, value)


def return_(notes: Notes, node: "Node") -> None:
    """``return value``."""
    for child in node.children[1:]:
        if child.kind_id not in notes.between:
            notes.flow(expr.RESULT, notes.value(child))


def for_(notes: Notes, node: "Node") -> None:
    """A loop and its variable."""
    parts = notes.parts(node)
    source = notes.value(parts[1])
    is_async = node.children[0].type == "async"
    bind(notes, parts[0], iterate(notes, source, parts[1], is_async=is_async))
    notes.run(parts[2:])


def with_(notes: Notes, node: "Node") -> None:
    """``with`` enters and leaves each of its managers."""
    is_async = node.children[0].type == "async"
    for part in notes.parts(node):
        if part.type == "with_clause":
            for one in notes.parts(part):
                _manage(notes, one, is_async=is_async)
        else:
            notes.run([part])


def _manage(notes: Notes, node: "Node", *, is_async: bool) -> None:
    parts = notes.parts(node)
    if not parts:
        return
    inner = parts[0]
    managers = [inner]
    target: Node | None = None
    if inner.type == "as_pattern":
        managers = notes.parts(inner)[:1]
        target = notes.parts(inner)[-1]
    elif inner.type == "tuple":  # ``with (a, b):`` reads as a tuple
        managers = notes.parts(inner)
    for one in managers:
        manager, bound = one, target
        if one.type == "as_pattern":
            manager, bound = notes.parts(one)[0], notes.parts(one)[-1]
        value = notes.value(manager)
        at = notes.at(manager)
        names = ("__aenter__", "__aexit__") if is_async else ("__enter__", "__exit__")
        notes.call(expr.attr(value, names[0]), at)
        notes.call(expr.attr(value, names[1]), at)
        if bound is not None:
            bind(notes, bound, expr.enter(value))


def except_(notes: Notes, node: "Node") -> None:
    """``except Kind as name``: the name holds one of that kind."""
    for part in notes.parts(node):
        if part.type == "as_pattern":
            inner = notes.parts(part)
            kinds = notes.value(inner[0])
            members = kinds[2] if kinds[0] == "seq" else (kinds,)
            bind(notes, inner[-1], expr.one(*(expr.typed(one) for one in members)))
            notes.scope.made.add(notes.word(inner[-1]))
        elif part.type == "block":
            notes.block(part)
        else:
            notes.value(part)


def if_(notes: Notes, node: "Node") -> None:
    """Both ways are read; under ``TYPE_CHECKING`` imports are for types only."""
    parts = notes.parts(node)
    condition = notes.value(parts[0])
    notes.asked("bool", condition, parts[0])
    before = notes.for_types
    notes.for_types = before or condition[-1] == "TYPE_CHECKING"
    around = narrow(notes, parts[0])
    notes.run(parts[1:2])
    notes.renamed = around
    notes.for_types = before
    notes.run(parts[2:])


def while_(notes: Notes, node: "Node") -> None:
    """A condition and a block; also ``elif``."""
    parts = notes.parts(node)
    notes.asked("bool", notes.value(parts[0]), parts[0])
    around = narrow(notes, parts[0])
    notes.run(parts[1:])
    notes.renamed = around


def raise_(notes: Notes, node: "Node") -> None:
    """``raise Kind`` makes one."""
    for number, part in enumerate(notes.parts(node)):
        value = notes.value(part)
        if number == 0 and value[0] in ("name", "attr"):
            notes.call(value, notes.at(part))


def delete(notes: Notes, node: "Node") -> None:
    """``del x[k]`` calls a method; names and attributes are no longer of interest."""
    for part in notes.parts(node):
        for one in notes.parts(part) if part.type == "expression_list" else (part,):
            if one.type == "subscript":
                inner = notes.parts(one)
                base = notes.value(inner[0])
                keys = tuple(notes.value(key) for key in inner[1:])
                notes.call(expr.attr(base, "__delitem__"), notes.at(inner[0]), keys)
            else:
                notes.value(one)


def global_(notes: Notes, node: "Node") -> None:
    """Names that belong to the module."""
    for part in notes.parts(node):
        notes.scope.homes[notes.word(part)] = 0


def nonlocal_(notes: Notes, node: "Node") -> None:
    """Names that belong to the nearest function around that binds them."""
    for part in notes.parts(node):
        word = notes.word(part)
        outer = notes.scope.outer
        while outer is not None and (outer.kind != "function" or word not in outer.local):
            outer = outer.outer
        notes.scope.homes[word] = outer.number if outer is not None else 0
        if outer is not None:
            outer.pinned.add(word)  # what it is called there flows back when it is closed
            outer.current.pop(word, None)


def block(notes: Notes, node: "Node") -> None:
    """A block."""
    notes.block(node)


def inside(notes: Notes, node: "Node") -> None:
    """What only holds other statements or expressions: ``try``, ``else``, errors, ``assert``."""
    if notes.depth > 0 or node.type == "ERROR":
        notes.depth += 1
    for child in node.named_children:
        notes.doers[child.kind_id](notes, child)
    if notes.depth > 0:
        notes.depth -= 1


def value(notes: Notes, node: "Node") -> None:
    """An expression where a statement is expected."""
    notes.value(node)


def nothing(_notes: Notes, _node: "Node") -> None:
    """Comments, ``pass`` and the like."""


DOERS: dict[str, Doer] = {
    "expression_statement": expression,
    "assignment": assignment,
    "augmented_assignment": augmented,
    "return_statement": return_,
    "for_statement": for_,
    "with_statement": with_,
    "except_clause": except_,
    "except_group_clause": except_,
    "if_statement": if_,
    "while_statement": while_,
    "elif_clause": while_,
    "raise_statement": raise_,
    "delete_statement": delete,
    "global_statement": global_,
    "nonlocal_statement": nonlocal_,
    "import_statement": import_,
    "import_from_statement": import_from,
    "match_statement": match,
    "function_definition": function,
    "class_definition": class_,
    "decorated_definition": decorated,
    "type_alias_statement": type_alias,
    "block": block,
    "module": inside,
    "try_statement": inside,
    "else_clause": inside,
    "finally_clause": inside,
    "assert_statement": inside,
    "print_statement": inside,
    "exec_statement": inside,
    "chevron": inside,
    "ERROR": inside,
    "comment": nothing,
    "pass_statement": nothing,
    "break_statement": nothing,
    "continue_statement": nothing,
    "future_import_statement": nothing,
}
