"""Objects written out, and values that take the name of what they are assigned to."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Flow
from commonplace.domain.expr import Expr, attr, made, mapping, name, one, typed
from commonplace.languages.ecma.annotations import key, type_of
from commonplace.languages.ecma.functions import FUNCTIONS, function
from commonplace.languages.ecma.names import callee, constant
from commonplace.languages.walk import DEEPEST, UNKNOWN, Naming, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

THIS = frozenset(("function_expression", "generator_function"))
"""Functions with a ``this`` of their own."""
CAST = frozenset(("satisfies_expression", "as_expression"))
CALLED = FUNCTIONS | CAST | {"class", "object", "call_expression", "parenthesized_expression"}
"""Values that are, or may hold, what is called by the name they are assigned to."""
# Calls that give back the function they are given, or one that runs it.
TRANSPARENT = frozenset(
    ("memo", "forwardRef", "useCallback", "observer", "debounce", "throttle", "once", "memoize")
).union(("withRouter", "asyncHandler", "catchAsync", "wrapAsync"))


OPTIONS = frozenset(("methods", "computed", "watch"))
"""Of a component of Vue: what functions in there run on has them all."""
FREEZING = frozenset(("freeze", "seal"))


def object_(walk: Walk, node: "Node") -> Expr:
    """An object without a name."""
    return object_named(walk, node, None)


def object_named(walk: Walk, node: "Node", naming: Naming | None) -> Expr:
    """An object; what its functions call ``this`` is the name it is assigned to."""
    this = naming.this if naming is not None else None
    owner = naming or Naming("")
    pairs: list[tuple[str | int | None, Expr]] = []
    for child in node.named_children:
        kind = child.type
        if kind == "pair":
            if this is None and child.children[-1].type in THIS:
                this = name(walk.counted(0, "object"))
            pairs.append(_pair(walk, child, owner, this))
        elif kind == "method_definition":
            if this is None:
                this = name(walk.counted(0, "object"))
            pairs.append(_method(walk, child, owner, this))
        elif kind == "shorthand_property_identifier":
            pairs.append((walk.word(child), walk.expr(child)))
        elif kind != "comment":
            given = walk.expr(child)
            pairs.append((None, given[1] if given[0] == "star" else given))
    found = mapping(*pairs)
    if this is not None and (naming is None or naming.this is None):
        walk.flows.append(Flow(walk.scope.number, this, found))
    return found


def _pair(
    walk: Walk, node: "Node", owner: Naming, this: Expr | None
) -> tuple[str | int | None, Expr]:
    children = node.children
    label, inner = children[0], children[-1]
    if len(children) < 3 or node.has_error:
        walk.put_off(node.named_children)
        return None, UNKNOWN
    word, kind = _key(walk, label), inner.type
    if word is None:
        return None, walk.expr(inner)
    if kind not in CALLED:
        return word, walk.expr(inner)
    below = walk.scope.this if kind == "arrow_function" else this
    if kind == "object" and word not in OPTIONS:
        below = attr(this, word) if this is not None else None
    naming = Naming(word, "Method", owner.parent, _prefix(walk, owner), below)
    return word, named_value(walk, inner, naming)


def _key(walk: Walk, node: "Node") -> str | None:
    """The name of a member; None of one that is calculated."""
    if node.type != "computed_property_name":
        return key(walk, node)
    walk.each(node.children)
    inner = node.named_children
    if len(inner) != 1:
        return None
    return key(walk, inner[0]) if inner[0].type == "string" else constant(walk, inner[0])


def _prefix(walk: Walk, owner: Naming) -> str | None:
    if not owner.label:
        return owner.prefix
    if owner.prefix is not None:
        return f"{owner.prefix}.{owner.label}"
    if owner.parent is not None:
        return walk.drafts[owner.parent].path
    return walk.below(walk.scope.number, owner.label)


def _method(walk: Walk, node: "Node", owner: Naming, this: Expr) -> tuple[str | int | None, Expr]:
    label = node.child_by_field_name("name")
    word = _key(walk, label) if label is not None else None
    if word is None:
        word = walk.counted(walk.scope.number, "lambda")
        return None, made(function(walk, node, Naming(word, "Method", owner.parent, None, this)))
    kind = "Property" if _is_accessor(node) else "Method"
    lead = walk.take_lead(node)
    naming = Naming(word, kind, owner.parent, _prefix(walk, owner), this, lead)
    return word, made(function(walk, node, naming))


def _is_of_library(walk: Walk, node: "Node") -> bool:
    """Whether a function may come from a package: what one of ours gives back is followed."""
    if node.type != "identifier":
        return True
    word = walk.word(node)
    if (0, word) in walk.named or walk.is_local(word) or f"function {word}" in walk.text:
        return False
    return not any(one.alias == word and one.module.startswith(".") for one in walk.imports)


def _is_accessor(node: "Node") -> bool:
    return any(child.type in ("get", "set") for child in node.children if not child.is_named)


def named_value(walk: Walk, node: "Node", naming: Naming) -> Expr:
    """A value under the name it is assigned to: functions, classes and objects are called by it."""
    if walk.depth > DEEPEST:
        walk.put_off([node])
        return UNKNOWN
    walk.depth += 1
    found = _named_value(walk, node, naming)
    walk.depth -= 1
    return found


def _named_value(walk: Walk, node: "Node", naming: Naming) -> Expr:
    kind = node.type
    if kind in FUNCTIONS:
        return made(function(walk, node, naming))
    if kind == "class":
        walk.naming = naming
        return walk.expr(node)
    if kind == "object":
        return object_named(walk, node, naming)
    if kind == "call_expression":
        return _wrapped(walk, node, naming)
    if kind == "parenthesized_expression" and node.named_child_count == 1:
        return named_value(walk, node.named_children[0], naming)
    if kind in CAST and node.children[0].type in (*FUNCTIONS, "object", "class"):
        return _cast(walk, node, naming)
    return walk.expr(node)


def _cast(walk: Walk, node: "Node", naming: Naming) -> Expr:
    """``{ … } satisfies T``, ``{ … } as T``: what is written, and of a type that is said."""
    last = node.children[-1]
    type_ = ("value", "unknown") if last.type == "const" else type_of(walk, last)
    found = named_value(walk, node.children[0], naming)
    if node.type == "satisfies_expression" or type_[0] == "value":
        return found
    return one(found, typed(type_))


def _wrapped(walk: Walk, node: "Node", naming: Naming) -> Expr:
    """``memo(() => …)`` is the function it wraps."""
    first, arguments = node.children[0], node.children[-1]
    word = walk.word(first).rpartition(".")[2] if first.end_byte - first.start_byte < 40 else ""
    inner = arguments.named_children if word in TRANSPARENT or word in FREEZING else []
    kinds = ("object",) if word in FREEZING else (*FUNCTIONS, "call_expression")
    if not inner or inner[0].type not in kinds or not _is_of_library(walk, first):
        return walk.expr(node)
    found = named_value(walk, inner[0], naming)
    called, at = callee(walk, first)
    walk.add_call(called, [found, *walk.each(inner[1:])], at)
    return found
