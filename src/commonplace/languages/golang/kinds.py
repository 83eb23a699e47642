"""Types of Go as expressions."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from commonplace.domain.code import Parameter, Use
from commonplace.domain.expr import Expr, attr, generic, mapping, name, one, seq, typed, value
from commonplace.languages.golang.walk import GoWalk
from commonplace.languages.walk import DEEPEST, UNKNOWN

if TYPE_CHECKING:
    from tree_sitter import Node

ARRAY, MAP, CHANNEL, FUNCTION = name("Array"), name("map"), name("chan"), name("Function")
_BUILT_IN = """
    any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64
    rune string uint uint8 uint16 uint32 uint64 uintptr true false nil iota append cap clear close
    complex copy delete imag len make max min new panic print println real recover
"""
BUILT_IN = frozenset(_BUILT_IN.split())


def type_of(walk: GoWalk, node: "Node") -> Expr:
    """The type written at a node; its names are noted as uses. Pointers are what they point to."""
    read = TYPES.get(node.type)
    if read is None or walk.depth > DEEPEST:
        if read is not None:
            walk.put_off([node])
        return UNKNOWN
    walk.depth += 1
    found = read(walk, node)
    walk.depth -= 1
    return found


def _named(walk: GoWalk, node: "Node") -> Expr:
    label = walk.word(node)
    if label not in BUILT_IN:
        walk.uses.append(Use(walk.scope.number, ("name", label), walk.sheet.at(node), "type"))
    return ("name", label)


def _qualified(walk: GoWalk, node: "Node") -> Expr:
    first, last = node.named_children[0], node.named_children[-1]
    found = attr(name(walk.word(first)), walk.word(last))
    walk.uses.append(Use(walk.scope.number, found, walk.sheet.at(last), "type"))
    return found


def _inner(walk: GoWalk, node: "Node") -> Expr:
    inner = [child for child in node.named_children if not child.is_extra]
    return type_of(walk, inner[-1]) if inner else UNKNOWN


def _elements(walk: GoWalk, node: "Node") -> Expr:
    element = node.child_by_field_name("element")
    return generic(ARRAY, type_of(walk, element)) if element is not None else ARRAY


def _map(walk: GoWalk, node: "Node") -> Expr:
    key, given = node.child_by_field_name("key"), node.child_by_field_name("value")
    if key is None or given is None:
        return MAP
    return generic(MAP, type_of(walk, key), type_of(walk, given))


def _channel(walk: GoWalk, node: "Node") -> Expr:
    given = node.child_by_field_name("value")
    return generic(CHANNEL, type_of(walk, given)) if given is not None else CHANNEL


def _generic(walk: GoWalk, node: "Node") -> Expr:
    first, *rest = node.named_children
    return generic(type_of(walk, first), *(type_arguments(walk, rest[-1]) if rest else ()))


def type_arguments(walk: GoWalk, node: "Node") -> list[Expr]:
    """Types in square brackets."""
    return [type_of(walk, child) for child in node.named_children if not child.is_extra]


def _either(walk: GoWalk, node: "Node") -> Expr:
    found = [type_of(walk, child) for child in node.named_children if not child.is_extra]
    return one(*found) if len(found) > 1 else found[0] if found else UNKNOWN


def _function(walk: GoWalk, node: "Node") -> Expr:
    parameters = node.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        given = child.child_by_field_name("type")
        if given is not None:
            type_of(walk, given)
    found = result(walk, node)
    return generic(FUNCTION, found) if found is not None else value("function")


def result(walk: GoWalk, node: "Node") -> Expr | None:
    """What a function gives back: a type, or several as a tuple."""
    given = node.child_by_field_name("result")
    if given is None:
        return None
    if given.type != "parameter_list":
        return type_of(walk, given)
    found = []
    for child in given.named_children:
        written = child.child_by_field_name("type")
        if written is not None:
            count = max(1, len(child.children_by_field_name("name")))
            found += [type_of(walk, written)] * count
    return found[0] if len(found) == 1 else seq("tuple", *found) if found else None


def _struct(walk: GoWalk, node: "Node") -> Expr:
    """A struct without a name: a mapping of the types of its fields."""
    pairs: list[tuple[str | int | None, Expr]] = []
    for child in members(node):
        written = child.child_by_field_name("type")
        if written is None:
            continue
        found = typed(type_of(walk, written))
        pairs += [(walk.word(label), found) for label in child.children_by_field_name("name")]
    return mapping(*pairs)


def members(node: "Node") -> "list[Node]":
    """The fields of a struct's type."""
    for child in node.named_children:
        if child.type == "field_declaration_list":
            return child.named_children
    return []


def _interface(walk: GoWalk, node: "Node") -> Expr:
    for child in node.named_children:
        type_of(walk, child)
    return name("any")


def type_parameters(walk: GoWalk, node: "Node") -> tuple[Parameter, ...]:
    """``[K comparable, V any]``: names with their bounds."""
    listed = node.child_by_field_name("type_parameters")
    found = []
    for child in listed.named_children if listed is not None else ():
        written = child.child_by_field_name("type")
        bound = type_of(walk, written) if written is not None else None
        bound = None if bound in (name("any"), name("comparable")) else bound
        labels = child.children_by_field_name("name")
        found += [Parameter(walk.word(label), type=bound) for label in labels]
    return tuple(found)


TYPES: Mapping[str, Callable[[GoWalk, "Node"], Expr]] = {
    "type_identifier": _named,
    "qualified_type": _qualified,
    "pointer_type": _inner,
    "parenthesized_type": _inner,
    "negated_type": _inner,
    "slice_type": _elements,
    "array_type": _elements,
    "implicit_length_array_type": _elements,
    "map_type": _map,
    "channel_type": _channel,
    "generic_type": _generic,
    "type_elem": _either,
    "type_constraint": _either,
    "function_type": _function,
    "method_elem": _function,
    "struct_type": _struct,
    "interface_type": _interface,
}
