"""Annotations of Python as type expressions, those in strings too."""

from typing import TYPE_CHECKING

from commonplace.domain import expr
from commonplace.domain.code import At, Use
from commonplace.domain.expr import Expr
from commonplace.languages.pythonic.notes import DEEPEST, UNKNOWN, Notes, grammar
from commonplace.languages.pythonic.strings import literal

if TYPE_CHECKING:
    from tree_sitter import Node

WRAPPERS = frozenset(
    {"Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "InitVar", "Unpack"}
)  # say something of a name, nothing of what it holds
MOST_TEXT = 500  # of an annotation in a string
NONE = expr.value("none")


def type_of(notes: Notes, node: "Node") -> Expr:
    """A type as written; names in it are noted as uses."""
    if notes.depth > DEEPEST:
        notes.too_deep(node)
        return UNKNOWN
    notes.depth += 1
    found = _read(notes, node)
    notes.depth -= 1
    return found


def _read(notes: Notes, node: "Node") -> Expr:
    kind = node.type
    if kind == "identifier":
        return _used(notes, notes.words[notes.source[node.start_byte : node.end_byte]], node)
    if kind == "attribute":
        return _used(notes, _dotted(notes, node), node.named_children[-1])
    if kind in ("type", "parenthesized_expression", "constrained_type", "splat_type"):
        inner = node.named_children
        return type_of(notes, inner[0]) if inner else UNKNOWN
    if kind in ("generic_type", "subscript"):
        return _generic(notes, node)
    if kind in ("binary_operator", "union_type"):
        return _either(*(type_of(notes, child) for child in notes.parts(node)))
    if kind in ("string", "concatenated_string"):
        return _in_string(notes, node)
    if kind == "none":
        return NONE
    if kind in ("list", "tuple", "expression_list"):
        return expr.seq("list", *(type_of(notes, child) for child in notes.parts(node)))
    return UNKNOWN if kind in ("comment", "ellipsis") else notes.value(node)


def _used(notes: Notes, found: Expr, node: "Node") -> Expr:
    notes.uses.append(Use(notes.scope.number, found, notes.at(node), "type"))
    return found


def _dotted(notes: Notes, node: "Node") -> Expr:
    """``a.b.C``, without noting its parts."""
    parts = node.named_children
    base = parts[0]
    if base.type == "attribute":
        return expr.attr(_dotted(notes, base), notes.word(parts[-1]))
    if base.type != "identifier":
        return expr.attr(notes.value(base), notes.word(parts[-1]))
    return expr.attr(
        notes.words[notes.source[base.start_byte : base.end_byte]], notes.word(parts[-1])
    )


def _either(*options: Expr) -> Expr:
    flat: list[Expr] = []
    for one in options:
        flat.extend(one[1] if one[0] == "one" else (one,))
    return expr.one(*flat)


def _generic(notes: Notes, node: "Node") -> Expr:
    parts = notes.parts(node)
    base = type_of(notes, parts[0])
    short = base[-1] if base[0] in ("name", "attr") else ""
    given: list[Node] = []
    for part in parts[1:]:
        given.extend(part.named_children if part.type == "type_parameter" else (part,))
    if short == "Literal":
        return expr.generic(base, *(notes.value(_bare(one)) for one in given))
    if short == "Annotated":
        found = type_of(notes, given[0]) if given else UNKNOWN
        for one in given[1:]:
            notes.value(_bare(one))
        return found
    arguments = [type_of(notes, one) for one in given]
    if short == "Optional":
        return _either(*arguments, NONE)
    if short == "Union":
        return _either(*arguments)
    if short in WRAPPERS and arguments:
        return arguments[0]
    return expr.generic(base, *arguments)


def _bare(node: "Node") -> "Node":
    """What a ``type`` node wraps."""
    return node.named_children[0] if node.type == "type" and node.named_children else node


def _in_string(notes: Notes, node: "Node") -> Expr:
    written = literal(notes.text(node)) if node.type == "string" else None
    if not written or len(written) > MOST_TEXT:
        return UNKNOWN
    at = notes.at(node)
    names = written.strip().split(".")
    if all(one.isidentifier() for one in names):
        found = expr.name(names[0])
        for one in names[1:]:
            found = expr.attr(found, one)
        notes.uses.append(Use(notes.scope.number, found, at, "type"))
        return NONE if names == ["None"] else found
    return _parsed(notes, written, at)


def _parsed(notes: Notes, written: str, at: At) -> Expr:
    """A type read from its own text; everything in it is where the string is."""
    source = f"_: {written.strip()}\n".encode("utf-8", "replace")
    tree = grammar()[1].parse(source)
    if tree.root_node.has_error:
        return UNKNOWN
    inner = Notes(source, notes.readers, notes.doers)
    inner.scope = notes.scope
    inner.depth = notes.depth
    statement = tree.root_node.named_children
    assigned = statement[0].named_children if statement else []
    typed = assigned[0].child_by_field_name("type") if assigned else None
    found = UNKNOWN if typed is None else type_of(inner, typed)
    if inner.calls or inner.symbols:
        return UNKNOWN
    notes.uses.extend(one._replace(at=at) for one in inner.uses)
    return found
