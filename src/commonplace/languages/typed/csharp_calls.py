"""What is called in C#: members, constructors, lambdas."""

from typing import TYPE_CHECKING

from commonplace.domain.clip import clip
from commonplace.domain.code import Call, Flow, Parameter, Symbol
from commonplace.domain.expr import (
    RESULT,
    Expr,
    attr,
    item,
    made,
    name,
    text,
    wait,
)
from commonplace.languages.typed.csharp_types import declared_type, type_of, with_member
from commonplace.languages.typed.strings import joined, numbered
from commonplace.languages.typed.walk import (
    UNKNOWN,
    Evaluate,
    Inside,
    Walk,
    bind_parameters,
)

if TYPE_CHECKING:
    from tree_sitter import Node

LINKS = {
    "invocation_expression": "function",
    "member_access_expression": "expression",
    "conditional_access_expression": "condition",
    "element_access_expression": "expression",
}
BINDINGS = frozenset(("member_binding_expression", "element_binding_expression"))
TEXTS = frozenset(("string", "String"))


def arguments_of(
    walk: Walk, node: "Node | None"
) -> tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]:
    """The arguments of a call, in order and by name."""
    arguments: list[Expr] = []
    keywords: list[tuple[str, Expr]] = []
    for child in node.named_children if node is not None else ():
        if "argument" not in child.type:
            continue
        label = child.child_by_field_name("name")
        parts = [part for part in child.children if part != label and not part.is_extra]
        found = _argument(walk, parts)
        if label is not None:
            keywords.append((walk.word(label), found))
        else:
            arguments.append(found)
    return tuple(arguments), tuple(keywords)


def _argument(walk: Walk, parts: "list[Node]") -> Expr:
    """Behind ``ref``, ``out`` and a name; ``this`` is no named node."""
    return walk.expr(parts[-1]) if parts else UNKNOWN


def chain(walk: Walk, node: "Node") -> Expr:
    """Members, calls and elements in a row are walked in a loop, from the first on."""
    links: list[Node] = []
    base: Node | None = node
    while base is not None and base.type in LINKS:
        links.append(base)
        base = base.child_by_field_name(LINKS[base.type])
    if base is None:
        walk.children(links[-1])
        return UNKNOWN
    awaited = base.named_children if base.type == "await_expression" else []
    if awaited:  # it binds loosely: all of (a?.B) is awaited
        base = awaited[0]
    found = _first(walk, base, is_called=links[-1].type == "invocation_expression")
    for place in range(len(links) - 1, -1, -1):
        is_called = place > 0 and links[place - 1].type == "invocation_expression"
        found = _link(walk, links[place], found, is_called=is_called)
    return wait(found) if awaited else found


def _first(walk: Walk, node: "Node", *, is_called: bool) -> Expr:
    if node.type == "identifier" and is_called:
        written = walk.word(node)
        return name(walk.names.get(written, written))
    if node.type == "generic_name":
        uses = len(walk.uses)
        found = type_of(walk, node)
        if is_called:
            del walk.uses[uses : uses + 1]
        return found
    if node.type in ("predefined_type", "alias_qualified_name", "qualified_name"):
        return type_of(walk, node)
    return walk.expr(node)


def _link(walk: Walk, node: "Node", base: Expr, *, is_called: bool) -> Expr:
    if node.type == "invocation_expression":
        return _invoked(walk, node, base)
    if node.type == "element_access_expression":
        return _element(walk, node.child_by_field_name("subscript"), base)
    member = node.child_by_field_name("name")
    for child in node.named_children if node.type == "conditional_access_expression" else ():
        if child.type == "element_binding_expression":
            return _element(walk, child, base)
        if child.type == "member_binding_expression":
            member = child.child_by_field_name("name")
    if member is None:
        return UNKNOWN
    found = with_member(walk, base, member)
    return found if is_called else walk.used(found, member)


def _element(walk: Walk, node: "Node | None", base: Expr) -> Expr:
    """An element; of a class with an indexer, what that gives."""
    arguments, _ = arguments_of(walk, node)
    if node is not None:
        walk.implied(attr(base, "this[]"), node, *arguments)
    first = arguments[0] if len(arguments) == 1 else UNKNOWN
    is_literal = first[0] == "text" and len(first[1]) == 1 and isinstance(first[1][0], str)
    return item(base, first[1][0] if is_literal else None)


def _invoked(walk: Walk, node: "Node", callee: Expr) -> Expr:
    given = node.child_by_field_name("arguments")
    if callee == ("name", "nameof"):
        return _name_of(walk, given)
    arguments, keywords = arguments_of(walk, given)
    at = walk.places.at(_called_name(node))
    walk.calls.append(Call(walk.scope, callee, arguments, keywords, at))
    if callee[0] == "attr":
        built = _built(walk, callee, arguments)
        if built is not None:
            return built
    return ("call", len(walk.calls) - 1)


def _called_name(node: "Node") -> "Node":
    """Where the name stands that is called."""
    found = node.child_by_field_name("function") or node
    while found.type != "identifier" and found.named_child_count:
        inner = found.child_by_field_name("name")
        if inner is None:
            bound = [child for child in found.named_children if child.type in BINDINGS]
            if not bound and found.type != "generic_name":
                break
            inner = (bound or found.named_children)[0]
        found = inner
    return found


def _built(walk: Walk, callee: Expr, arguments: tuple[Expr, ...]) -> Expr | None:
    """Strings put together by calls: ``string.Format``, ``Concat``, ``StringBuilder``."""
    base: Expr = callee[1]
    called: str = callee[2]
    if base[0] == "name" and base[1] in TEXTS:
        if called == "Format" and arguments:
            return numbered(arguments[0], arguments[1:])
        return joined(arguments) if called == "Concat" else None
    is_builder = base[0] in ("name", "attr") and walk.type_name(base) == "StringBuilder"
    if called in ("Append", "AppendLine") and arguments:
        end = ("\n",) if called == "AppendLine" else ()
        if is_builder:
            walk.flow(base, joined((base, arguments[0], *end)))
            return base
        if base[0] == "text":
            return joined((base, arguments[0], *end))
    if called == "ToString" and (is_builder or base[0] == "text"):
        return joined((base,))
    return base if called == "Trim" and base[0] == "text" else None


def _name_of(walk: Walk, node: "Node | None") -> Expr:
    arguments, _ = arguments_of(walk, node)
    return text(str(arguments[0][-1])) if arguments else UNKNOWN


def _lambda(walk: Walk, node: "Node") -> Expr:
    """``x => …`` and ``delegate (int x) { … }``."""
    number = walk.reserve()
    label = walk.nameless("lambda")
    path, parent = walk.path(label), walk.scope
    body = node.child_by_field_name("body") or (node.named_children or [node])[-1]
    modifiers = {"anonymous"}
    modifiers.update(walk.word(one) for one in node.named_children if one.type == "modifier")
    with Inside(walk, number):
        parameters = parameters_of(walk, node.child_by_field_name("parameters"))
        walk.symbols[number] = Symbol(
            kind="Function",
            name=label,
            path=path,
            parent=parent,
            at=walk.places.at(node),
            signature=clip(walk.places.line(node.start_byte, body.start_byte), 200),
            visibility="local",
            modifiers=frozenset(modifiers),
            parameters=parameters,
        )
        bind_parameters(walk, parameters)
        if body.type == "block":
            walk.visit(body)
        elif body != node:
            walk.flows.append(Flow(number, RESULT, walk.expr(body)))
    return made(number)


def parameters_of(walk: Walk, node: "Node | None") -> tuple[Parameter, ...]:
    """What a function takes, in order."""
    if node is None:
        return ()
    if node.type == "implicit_parameter":
        return (Parameter(walk.word(node)),)
    found = [_parameter(walk, one) for one in node.named_children if one.type == "parameter"]
    type_, label = node.child_by_field_name("type"), node.child_by_field_name("name")
    if type_ is not None and label is not None:  # ``params`` is written into the list itself
        declared = declared_type(walk, type_)
        if declared is not None and declared[0] == "generic" and declared[1] == name("Array"):
            declared = declared[2][0]
        found.append(Parameter(walk.word(label), "rest", declared))
    return tuple(found)


def _parameter(walk: Walk, node: "Node") -> Parameter:
    label, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
    words = [walk.text(child) for child in node.named_children if child.type == "modifier"]
    declared = declared_type(walk, type_)
    last = node.child(node.child_count - 1)
    default = None
    if last is not None and last.is_named and last not in (label, type_):
        default = walk.expr(last)
    written = walk.word(label) if label is not None else ""
    return Parameter(written, "receiver" if "this" in words else "plain", declared, default)


CALLS: dict[str, Evaluate] = {
    **dict.fromkeys(LINKS, chain),
    "lambda_expression": _lambda,
    "anonymous_method_expression": _lambda,
}
