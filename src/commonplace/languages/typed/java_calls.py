"""What is called in Java: methods, constructors, lambdas, references to methods."""

from typing import TYPE_CHECKING

from commonplace.domain.clip import clip
from commonplace.domain.code import Flow, Parameter, Symbol
from commonplace.domain.expr import RESULT, Expr, attr, generic, made, name, one, super_, typed
from commonplace.languages.typed.java_types import type_of
from commonplace.languages.typed.strings import joined, printf
from commonplace.languages.typed.walk import (
    UNKNOWN,
    Evaluate,
    Inside,
    Walk,
    bind_parameters,
)

if TYPE_CHECKING:
    from tree_sitter import Node

BUILDERS = frozenset(("StringBuilder", "StringBuffer"))


def arguments_of(walk: Walk, node: "Node | None") -> tuple[Expr, ...]:
    """The arguments of a call."""
    if node is None:
        return ()
    return tuple([walk.expr(child) for child in node.named_children if not child.is_extra])


def _invocation(walk: Walk, node: "Node") -> Expr:
    """A chain of calls is walked in a loop, from its first receiver on."""
    links: list[Node] = []
    base: Node | None = node
    while base is not None and base.type == "method_invocation":
        links.append(base)
        base = base.child_by_field_name("object")
    found = walk.expr(base) if base is not None else None
    built = _built(walk, found)
    for link in reversed(links):
        found, built = _link(walk, link, found, built)
    if built is None:
        return found or UNKNOWN
    return built if found == built else one(found or UNKNOWN, built)


def _link(
    walk: Walk, node: "Node", receiver: Expr | None, built: Expr | None
) -> tuple[Expr, Expr | None]:
    """One call of a chain: what it gives, and the string that is being built by it."""
    named = node.child_by_field_name("name")
    if named is None:
        walk.children(node)
        return UNKNOWN, None
    called = walk.word(named)
    callee = _callee(walk, node, receiver, called)
    arguments = arguments_of(walk, node.child_by_field_name("arguments"))
    found = walk.called(callee, named, arguments)
    if built is not None:
        return _build(walk, called, arguments, (receiver or UNKNOWN, found, built))
    return _formatted(receiver, called, arguments) or found, None


def _callee(walk: Walk, node: "Node", receiver: Expr | None, called: str) -> Expr:
    if receiver is None:
        callee = name(called)
    elif any(child.type == "super" for child in node.named_children[1:2]):
        callee = attr(name(receiver[-1]), called) if receiver[0] == "name" else UNKNOWN
    else:
        callee = attr(receiver, called)
    given = node.child_by_field_name("type_arguments")
    if given is not None:
        callee = generic(callee, *(type_of(walk, child) for child in given.named_children))
    return callee


def _built(walk: Walk, receiver: Expr | None) -> Expr | None:
    """The string a StringBuilder has so far."""
    if receiver is None:
        return None
    if receiver[0] == "call":
        call = walk.calls[receiver[1]]
        if call.is_new and call.callee[0] == "name" and call.callee[1] in BUILDERS:
            return joined(part for part in call.arguments if part[0] == "text")
    if receiver[0] in ("name", "attr") and walk.type_name(receiver) in BUILDERS:
        return joined((receiver,))
    return None


def _build(
    walk: Walk, called: str, arguments: tuple[Expr, ...], values: tuple[Expr, Expr, Expr]
) -> tuple[Expr, Expr | None]:
    receiver, found, built = values
    if called == "toString" and not arguments:
        return built, built
    if called != "append" or not arguments:
        return found, None if called not in ("insert", "reverse", "deleteCharAt") else built
    if receiver[0] in ("name", "attr"):
        walk.flow(receiver, joined((receiver, arguments[0])))
    return found, joined((built, arguments[0]))


def _formatted(receiver: Expr | None, called: str, arguments: tuple[Expr, ...]) -> Expr | None:
    if receiver is None:
        return None
    if called == "format" and receiver == ("name", "String") and arguments:
        return printf(arguments[0], arguments[1:])
    if receiver[0] != "text":
        return None
    if called == "formatted":
        return printf(receiver, arguments)
    if called == "concat" and arguments:
        return joined((receiver, arguments[0]))
    return receiver if called in ("strip", "trim", "stripIndent", "toString") else None


def _creation(walk: Walk, node: "Node") -> Expr:
    type_ = node.child_by_field_name("type")
    if type_ is None:
        walk.children(node)
        return UNKNOWN
    outer = node.named_children[0]
    if (
        outer.start_byte < type_.start_byte
        and not outer.is_extra
        and "annotation" not in outer.type
    ):
        base = walk.expr(outer)
        owner = walk.type_name(base)  # of ``outer.new Part()``, where it is declared
        known = name(owner) if owner else base
        found = name(walk.word(type_)) if base[0] == "self" else attr(known, walk.word(type_))
    else:
        uses = len(walk.uses)
        found = type_of(walk, type_)
        del walk.uses[uses : uses + 1]  # the call says it
    arguments = arguments_of(walk, node.child_by_field_name("arguments"))
    body = node.named_children[-1]
    if body.type == "class_body":
        found = made(anonymous(walk, body, node, found))
    return walk.called(found, type_, arguments, is_new=True)


def anonymous(walk: Walk, body: "Node", whole: "Node", base: Expr) -> int:
    """A class without a name, made where it is used."""
    number = walk.reserve()
    label = walk.nameless("class")
    shown = walk.places.line(whole.start_byte, body.start_byte)
    walk.symbols[number] = Symbol(
        kind="Class",
        name=label,
        path=walk.path(label),
        parent=walk.scope,
        at=walk.places.at(whole),
        signature=shown,
        visibility="local",
        modifiers=frozenset(("anonymous",)),
        bases=(base,),
    )
    walk.classes.append(("", {}))
    with Inside(walk, number):
        walk.visit(body)
    walk.classes.pop()
    return number


def _reference(walk: Walk, node: "Node") -> Expr:
    """``Order::total`` is the method as a value, ``Order::new`` a member of the class too."""
    first, last = node.child(0), node.child(node.child_count - 1)
    if first is None or last is None:
        return UNKNOWN
    if last.type == "new":
        if first.type == "array_type":
            return typed(type_of(walk, first))
        base = type_of(walk, first) if first.type != "identifier" else walk.expr(first)
        return attr(base, "new")
    if first.type in walk.expressions:
        base = walk.expr(first)
    elif first.type == "super":
        base = super_()
    else:
        base = type_of(walk, first)
        base = base[1] if base[0] == "generic" else base
    return walk.used(attr(base, walk.word(last)), last)


def _lambda(walk: Walk, node: "Node") -> Expr:
    number = walk.reserve()
    label = walk.nameless("lambda")
    path, parent = walk.path(label), walk.scope
    body = node.child_by_field_name("body")
    with Inside(walk, number):
        parameters = _lambda_parameters(walk, node.child_by_field_name("parameters"))
        walk.symbols[number] = Symbol(
            kind="Function",
            name=label,
            path=path,
            parent=parent,
            at=walk.places.at(node),
            signature=clip(
                walk.places.line(
                    node.start_byte, body.start_byte if body is not None else node.end_byte
                ),
                200,
            ),
            visibility="local",
            modifiers=frozenset(("anonymous",)),
            parameters=parameters,
        )
        bind_parameters(walk, parameters)
        if body is not None and body.type == "block":
            walk.visit(body)
        elif body is not None:
            walk.flows.append(Flow(number, RESULT, walk.expr(body)))
    return made(number)


def _lambda_parameters(walk: Walk, node: "Node | None") -> tuple[Parameter, ...]:
    if node is None:
        return ()
    if node.type == "identifier":
        return (Parameter(walk.word(node)),)
    if node.type == "inferred_parameters":
        return tuple(
            Parameter(walk.word(child)) for child in node.named_children if not child.is_extra
        )
    return parameters_of(walk, node)


def parameters_of(walk: Walk, node: "Node | None") -> tuple[Parameter, ...]:
    """What a method takes, in order."""
    if node is None:
        return ()
    found = []
    for one_ in node.named_children:
        type_, label = one_.child_by_field_name("type"), one_.child_by_field_name("name")
        if one_.type == "spread_parameter":
            found.append(_rest(walk, one_))
        elif one_.type == "formal_parameter" and type_ is not None and label is not None:
            declared = None if walk.text(type_) == "var" else type_of(walk, type_)
            found.append(Parameter(walk.word(label), type=declared))
    return tuple(found)


def _rest(walk: Walk, node: "Node") -> Parameter:
    label, declared = "", None
    for child in node.named_children:
        if child.type == "variable_declarator":
            inner = child.child_by_field_name("name")
            label = walk.word(inner) if inner is not None else ""
        elif child.type not in ("modifiers", "annotation", "marker_annotation"):
            declared = type_of(walk, child)
    return Parameter(label, "rest", declared)


def _instance_of(walk: Walk, node: "Node") -> Expr:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    label, matched = node.child_by_field_name("name"), node.child_by_field_name("pattern")
    if left is not None:
        walk.expr(left)
    if right is not None:
        type_ = type_of(walk, right)
        if label is not None:
            walk.declare_typed(walk.word(label), type_)
    if matched is not None:
        walk.visit(matched)
    return ("value", "bool")


def _switch(walk: Walk, node: "Node") -> Expr:
    """As a value, one of what its rules give."""
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    if condition is not None:
        walk.expr(condition)
    options: list[Expr] = []
    if body is not None:
        walk.yields.append(options)
        walk.block(body)
        walk.yields.pop()
    return one(*options) if options else UNKNOWN


CALLS: dict[str, Evaluate] = {
    "method_invocation": _invocation,
    "object_creation_expression": _creation,
    "method_reference": _reference,
    "lambda_expression": _lambda,
    "instanceof_expression": _instance_of,
    "switch_expression": _switch,
}
