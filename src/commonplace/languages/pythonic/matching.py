"""``match`` and its patterns: names they bind, kinds they ask for."""

from typing import TYPE_CHECKING

from commonplace.domain import expr
from commonplace.domain.code import Use
from commonplace.domain.expr import Expr
from commonplace.languages.pythonic.notes import DEEPEST, Notes

if TYPE_CHECKING:
    from tree_sitter import Node


def match(notes: Notes, node: "Node") -> None:
    """The subject flows into what its patterns bind."""
    subject = expr.value("unknown")
    for child in notes.parts(node):
        if child.type == "block":
            for clause in child.named_children:
                _clause(notes, clause, subject)
        else:
            subject = notes.value(child)


def _clause(notes: Notes, node: "Node", subject: Expr) -> None:
    if node.type != "case_clause":
        notes.run([node])
        return
    for child in notes.parts(node):
        if child.type == "case_pattern":
            _pattern(notes, child, subject)
        elif child.type == "block":
            notes.block(child)
        else:
            notes.value(child)


def _pattern(notes: Notes, node: "Node", subject: Expr) -> None:
    if notes.depth > DEEPEST:
        notes.too_deep(node)
        return
    notes.depth += 1
    _read(notes, node, subject)
    notes.depth -= 1


def _read(notes: Notes, node: "Node", subject: Expr) -> None:
    kind = node.type
    inner = notes.parts(node)
    if kind == "dotted_name":
        _name_or_value(notes, inner, subject)
    elif kind == "class_pattern":
        _class(notes, inner, subject)
    elif kind in ("list_pattern", "tuple_pattern"):
        for number, child in enumerate(inner):
            _pattern(notes, child, expr.item(subject, number))
    elif kind == "dict_pattern":
        _mapping(notes, inner, subject)
    elif kind == "as_pattern":
        _pattern(notes, inner[0], subject)
        _bind(notes, inner[-1], _typed(notes, inner[0]) or subject)
    elif kind in ("case_pattern", "union_pattern", "splat_pattern"):
        for child in inner:
            if child.type == "identifier":
                _bind(notes, child, subject)
            else:
                _pattern(notes, child, subject)
    else:
        notes.value(node)


def _bind(notes: Notes, node: "Node", value: Expr) -> None:
    if node.type == "identifier":
        found = notes.words[notes.source[node.start_byte : node.end_byte]]
        notes.scope.local.add(found[1])
        notes.flow(notes.scope.current.get(found[1], found), value)


def _name_or_value(notes: Notes, inner: "list[Node]", subject: Expr) -> None:
    """A bare name binds; a dotted one is a value to compare with."""
    if len(inner) == 1:
        _bind(notes, inner[0], subject)
    else:
        notes.uses.append(Use(notes.scope.number, _dotted(notes, inner), notes.at(inner[-1])))


def _dotted(notes: Notes, names: "list[Node]") -> Expr:
    found = notes.words[notes.source[names[0].start_byte : names[0].end_byte]]
    for name in names[1:]:
        found = expr.attr(found, notes.word(name))
    return found


def _typed(notes: Notes, node: "Node") -> Expr | None:
    """What a class pattern says of the subject."""
    while node.type == "case_pattern" and node.named_children:
        node = node.named_children[0]
    if node.type != "class_pattern":
        return None
    return expr.typed(_dotted(notes, node.named_children[0].named_children))


def _class(notes: Notes, inner: "list[Node]", subject: Expr) -> None:
    names = inner[0].named_children
    kind = _dotted(notes, names)
    notes.uses.append(Use(notes.scope.number, kind, notes.at(names[-1]), "type"))
    typed = expr.typed(kind)
    if subject[0] == "attr" or (subject[0] == "name" and subject[1] in notes.scope.local):
        notes.flow(subject, typed)
    for number, child in enumerate(inner[1:]):
        part = child.named_children[0] if child.named_children else child
        if part.type == "keyword_pattern":
            _keyword(notes, part, typed)
        elif part.type == "as_pattern" and _first(part).type == "keyword_pattern":
            _keyword(notes, _first(part), typed, part.named_children[-1])
        else:
            _pattern(notes, child, expr.item(typed, number))


def _first(node: "Node") -> "Node":
    """What stands innermost at the beginning of a pattern."""
    while node.type in ("as_pattern", "case_pattern") and node.named_children:
        node = node.named_children[0]
    return node


def _keyword(notes: Notes, node: "Node", typed: Expr, bound: "Node | None" = None) -> None:
    """``left=Leaf() as l``: the grammar takes the name for all of it."""
    key, value = node.named_children[0], node.named_children[-1]
    member = expr.attr(typed, notes.word(key))
    _pattern(notes, value, member)
    if bound is not None:
        _bind(notes, bound, _typed(notes, value) or member)


def _mapping(notes: Notes, inner: "list[Node]", subject: Expr) -> None:
    key: str | None = None
    for child in inner:
        if child.type == "case_pattern":
            _pattern(notes, child, expr.item(subject, key))
        elif child.type == "splat_pattern":
            _pattern(notes, child, subject)
        else:
            found = notes.value(child)
            is_known = found[0] == "text" and len(found[1]) == 1
            key = found[1][0] if is_known and isinstance(found[1][0], str) else None
