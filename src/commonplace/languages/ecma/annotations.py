"""Types of TypeScript as expressions."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from commonplace.domain.code import Import, Parameter, Use
from commonplace.domain.expr import (
    Expr,
    attr,
    generic,
    item,
    keys,
    mapping,
    name,
    one,
    query,
    says,
    self_,
    seq,
    typed,
    value,
)
from commonplace.languages.ecma import strings
from commonplace.languages.ecma.names import BUILT_IN
from commonplace.languages.walk import DEEPEST, UNKNOWN, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

FUNCTION, STR, NONE = value("function"), value("str"), value("none")
EMPTY = frozenset(("null", "undefined", "void", "never"))
ARRAY = name("Array")
_new = tuple.__new__  # half the time of what it stands for, hundreds of times a file


def type_of(walk: Walk, node: "Node") -> Expr:
    """The type written at a node; its names are noted as uses."""
    read = TYPES.get(node.type)
    if read is None or walk.depth > DEEPEST:
        walk.put_off([node] if read is not None else node.named_children)
        return UNKNOWN
    walk.depth += 1
    found = read(walk, node)
    walk.depth -= 1
    return found


def annotation(walk: Walk, node: "Node | None") -> Expr | None:
    """What stands behind a colon."""
    if node is None:
        return None
    inner = node.named_children
    if not inner:
        return None
    found = type_of(walk, inner[-1])
    return None if found is UNKNOWN else found


def returned(walk: Walk, node: "Node | None") -> Expr | None:
    """What a function is declared to give back; of ``x is T`` what it says of its parameter."""
    if node is not None and node.type in ("type_predicate_annotation", "asserts_annotation"):
        inner = node.named_children[-1:]
        if inner and inner[0].type == "asserts":
            inner = inner[0].named_children[-1:]
        if inner and inner[0].type == "type_predicate" and len(inner[0].named_children) == 2:
            about, type_ = inner[0].named_children
            found = type_of(walk, type_)
            return None if found is UNKNOWN else says(walk.word(about), found)
    return annotation(walk, node)


def visit_type(walk: Walk, node: "Node") -> None:
    """A type that stands where nobody asks for it: only its names count."""
    type_of(walk, node)


def type_arguments(walk: Walk, node: "Node") -> list[Expr]:
    """Types in angle brackets."""
    return [type_of(walk, child) for child in node.named_children if not child.is_extra]


def type_parameters(walk: Walk, node: "Node | None") -> tuple[Parameter, ...]:
    """``<T extends Order = Draft>``: names with their bounds."""
    if node is None:
        return ()
    found = []
    for child in node.named_children:
        label = child.child_by_field_name("name")
        if label is None:
            continue
        bound = annotation(walk, child.child_by_field_name("constraint"))
        default = annotation(walk, child.child_by_field_name("value"))
        found.append(Parameter(walk.word(label), type=bound or default))
    return tuple(found)


def _named(walk: Walk, node: "Node") -> Expr:
    label = walk.word(node)
    found = ("name", label)
    if label not in BUILT_IN:
        walk.uses.append(_new(Use, (walk.scope.number, found, walk.sheet.at(node), "type")))
    return found


def dotted(walk: Walk, node: "Node") -> Expr:
    """``a.b.C`` as attributes, whatever nodes it is made of."""
    first, *rest = "".join(walk.text[node.start_byte : node.end_byte].split()).split(".")
    found = name(first)
    for label in rest:
        found = attr(found, label)
    return found


def _dotted(walk: Walk, node: "Node") -> Expr:
    first, last = node.children[0], node.children[-1]
    if first.type == "call_expression":  # import("./m").Name
        return attr(walk.expr(first), walk.word(last))
    if walk.text.startswith("import(", node.start_byte):
        return _imported(walk, first, last)
    found = dotted(walk, node)
    walk.uses.append(Use(walk.scope.number, found, walk.sheet.at(node.children[-1]), "type"))
    return found


def _imported(walk: Walk, node: "Node", last: "Node") -> Expr:
    """``import("./m").Name`` where type arguments follow."""
    module = walk.text[node.start_byte + 8 : node.end_byte].partition(")")[0][:-1]
    label = walk.counted(0, "import")
    at = walk.sheet.at(node)
    walk.imports.append(Import(walk.scope.number, module, None, label, 0, at, frozenset(("type",))))
    return attr(name(label), walk.word(last))


def _generic(walk: Walk, node: "Node") -> Expr:
    first, *rest = node.named_children
    found = type_of(walk, first)
    arguments = type_arguments(walk, rest[-1]) if rest else []
    return generic(found, *arguments) if found is not UNKNOWN else found


def _predefined(walk: Walk, node: "Node") -> Expr:
    label = walk.word(node)
    return NONE if label in EMPTY else name(label)


def _array(walk: Walk, node: "Node") -> Expr:
    return generic(ARRAY, type_of(walk, node.children[0]))


def _any(walk: Walk, node: "Node") -> Expr:
    """One of several; what is nothing is left out. Walked in a loop: unions have hundreds."""
    kind = node.type
    options: list[Node] = []
    while node.type == kind:
        parts = node.named_children
        options += reversed(parts[1:])
        if not parts:
            break
        node = parts[0]
    found = [type_of(walk, option) for option in (node, *reversed(options)) if not option.is_extra]
    known = tuple(dict.fromkeys(option for option in found if option[0] != "value"))
    if not known:
        return found[0] if found else UNKNOWN
    return known[0] if len(known) == 1 else one(*known)


def _inner(walk: Walk, node: "Node") -> Expr:
    inner = [child for child in node.named_children if not child.is_extra]
    return type_of(walk, inner[-1]) if inner else UNKNOWN


def _tuple(walk: Walk, node: "Node") -> Expr:
    found = []
    for child in node.named_children:
        inner = child.child_by_field_name("type") if child.type.endswith("_parameter") else None
        found.append((annotation(walk, inner) or UNKNOWN) if inner else type_of(walk, child))
    return seq("tuple", *found)


def _function(walk: Walk, node: "Node") -> Expr:
    """Of a function's type, what it gives back counts: ``typed(generic(Function, T))``."""
    parameter_types(walk, node)
    given = node.child_by_field_name("return_type")
    if given is None:
        return FUNCTION
    found = type_of(walk, given)
    return FUNCTION if found[0] == "value" else generic(name("Function"), found)


def _object(walk: Walk, node: "Node") -> Expr:
    """An object's type: a mapping of the types of its members."""
    pairs: list[tuple[str | int | None, Expr]] = []
    for child in node.named_children:
        label = child.child_by_field_name("name")
        if child.type == "property_signature" and label is not None:
            found = annotation(walk, child.child_by_field_name("type"))
            pairs.append((key(walk, label), typed(found) if found else UNKNOWN))
        elif child.type == "method_signature" and label is not None:
            parameter_types(walk, child)
            found = annotation(walk, child.child_by_field_name("return_type"))
            kind = FUNCTION if found is None else generic(name("Function"), found)
            pairs.append((key(walk, label), typed(kind)))
        else:
            parameter_types(walk, child)
            for inner in child.named_children:
                if inner.type in TYPES:
                    type_of(walk, inner)
    return mapping(*pairs)


def parameter_types(walk: Walk, node: "Node") -> None:
    """Of a function's type, the types of what it takes: only the names in them count."""
    parameters = node.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        annotation(walk, child.child_by_field_name("type"))


def key(walk: Walk, node: "Node") -> str:
    """The name of a member."""
    return strings.literal(walk, node) if node.type == "string" else walk.word(node)


def _literal(_walk: Walk, node: "Node") -> Expr:
    kind = node.named_children[0].type if node.named_children else ""
    return {"string": STR, "number": value("float"), "null": NONE, "undefined": NONE}.get(
        kind, value("bool")
    )


def _lookup(walk: Walk, node: "Node") -> Expr:
    first, last = node.named_children[0], node.named_children[-1]
    found = type_of(walk, first)
    inner = last.named_children[0] if last.type == "literal_type" and last.named_children else last
    if inner.type != "string":
        type_of(walk, last)
        return item(found)
    return item(found, strings.literal(walk, inner))


def _query(walk: Walk, node: "Node") -> Expr:
    """``typeof x``: whatever the value is."""
    for child in node.named_children:
        if child.type == "identifier" or child.type == "member_expression":
            found = dotted(walk, child)
            walk.uses.append(Use(walk.scope.number, found, walk.sheet.at(child)))
            return query(found)
    return UNKNOWN


def _keys(walk: Walk, node: "Node") -> Expr:
    """``keyof T``."""
    return keys(_inner(walk, node))


def _parts(walk: Walk, node: "Node") -> Expr:
    """Conditional, mapped and other calculated types: only the names in them count."""
    for child in node.named_children:
        if child.type in TYPES:
            type_of(walk, child)
    return UNKNOWN


def _this(_walk: Walk, _: "Node") -> Expr:
    return self_()


TYPES: Mapping[str, Callable[[Walk, "Node"], Expr]] = {
    "type_identifier": _named,
    "identifier": _named,
    "nested_type_identifier": _dotted,
    "nested_identifier": _dotted,
    "member_expression": _dotted,
    "generic_type": _generic,
    "predefined_type": _predefined,
    "array_type": _array,
    "union_type": _any,
    "intersection_type": _any,
    "parenthesized_type": _inner,
    "readonly_type": _inner,
    "optional_type": _inner,
    "rest_type": _inner,
    "flow_maybe_type": _inner,
    "tuple_type": _tuple,
    "function_type": _function,
    "constructor_type": _function,
    "object_type": _object,
    "literal_type": _literal,
    "template_literal_type": _parts,
    "template_type": _parts,
    "lookup_type": _lookup,
    "type_query": _query,
    "this_type": _this,
    "conditional_type": _parts,
    "index_type_query": _keys,
    "infer_type": _parts,
    "mapped_type_clause": _parts,
    "index_signature": _parts,
    "type_annotation": _parts,
    "type_arguments": _parts,
    "type_predicate": _parts,
    "type_predicate_annotation": _parts,
    "asserts": _parts,
    "asserts_annotation": _parts,
    "constraint": _parts,
    "default_type": _parts,
}
