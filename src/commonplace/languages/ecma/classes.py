"""Classes, interfaces, enums and type aliases with their members."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from commonplace.domain.clip import clip
from commonplace.domain.code import Flow
from commonplace.domain.expr import Expr, generic, made, name, self_
from commonplace.languages.ecma import comments
from commonplace.languages.ecma.annotations import (
    annotation,
    key,
    type_arguments,
    type_of,
    type_parameters,
)
from commonplace.languages.ecma.functions import (
    FUNCTIONS,
    MOST_SIGNATURE,
    WORDS,
    function,
    visibility,
)
from commonplace.languages.ecma.names import constant
from commonplace.languages.ecma.objects import named_value
from commonplace.languages.walk import Draft, Lead, Naming, Scope, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

METHODS = frozenset(("method_definition", "method_signature", "abstract_method_signature"))
FIELDS = frozenset(("public_field_definition", "field_definition", "property_signature"))


def class_expression(walk: Walk, node: "Node") -> Expr:
    """A class as a value, called by what it is assigned to or by its own name."""
    naming, walk.naming = walk.naming, None
    own = node.child_by_field_name("name")
    if naming is None:
        label = walk.word(own) if own is not None else walk.counted(walk.scope.number, "class")
        naming = Naming(label)
    number = define_class(walk, node, naming)
    if own is not None and walk.word(own) != naming.label:
        inner = name(walk.word(own))
        is_free = not walk.is_local(inner[1]) and (walk.scope.number, inner[1]) not in walk.named
        scope = walk.scope.number if is_free else number  # members see it as what is around them
        walk.flows.append(Flow(scope, inner, made(number)))
    return made(number)


def define_class(walk: Walk, node: "Node", naming: Naming) -> int:
    """Add a class and its members; its number."""
    parent = walk.scope.number if naming.parent is None else naming.parent
    lead = naming.lead or Lead(node.start_byte, "")
    body = node.child_by_field_name("body")
    path = f"{naming.prefix}.{naming.label}" if naming.prefix else walk.below(parent, naming.label)
    draft = Draft(
        kind="Class",
        name=naming.label,
        path=path,
        parent=parent,
        start=lead.start,
        end=node.end_byte,
        doc=comments.read(lead.doc).text if lead.doc else "",
        modifiers=set(lead.modifiers),
    )
    own = [
        walk.expr(child)
        for one in node.children_by_field_name("decorator")
        for child in one.named_children
    ]
    draft.decorators = (*lead.decorators, *own)
    if node.type == "abstract_class_declaration":
        draft.modifiers.add("abstract")
    begin = _after_decorators(node)
    draft.signature = signature(walk, begin, body.start_byte if body is not None else node.end_byte)
    number = walk.declare(draft)
    scope = Scope(number, walk.scope)
    scope.this = scope.object = self_()
    outer, walk.scope = walk.scope, scope
    draft.type_parameters = type_parameters(walk, node.child_by_field_name("type_parameters"))
    for child in node.named_children:
        if child.type == "class_heritage":
            _heritage(walk, child, draft)
    if body is not None:
        walk.pending.append((scope, [body], False))
    walk.scope = outer
    return number


def _after_decorators(node: "Node") -> int:
    for child in node.children:
        if child.type != "decorator":
            return child.start_byte
    return node.start_byte


def signature(walk: Walk, begin: int, end: int) -> str:
    """A definition up to its body, as one line."""
    line = walk.sheet.line(begin, min(end, begin + 4 * MOST_SIGNATURE))
    return clip(line.rstrip("{; "), MOST_SIGNATURE)


def _heritage(walk: Walk, node: "Node", draft: Draft) -> None:
    """What it extends and implements; names in it belong to the scope around."""
    for child in node.named_children:
        if child.type == "extends_clause":
            draft.bases += tuple(_extended(walk, child))
        elif child.type == "implements_clause":
            draft.interfaces += tuple(type_arguments(walk, child))
    if not walk.is_typed:  # JavaScript has no clauses
        draft.bases = tuple(_extended(walk, node))


def _extended(walk: Walk, node: "Node") -> list[Expr]:
    found: list[Expr] = []
    own = walk.scope
    for child in node.named_children:
        if child.type == "type_arguments":
            found[-1:] = [generic(one, *type_arguments(walk, child)) for one in found[-1:]]
        elif not child.is_extra:
            walk.scope = own.outer or own  # a mixin is called where the class stands
            found.append(walk.expr(child))
            walk.scope = own
    return found


def class_body(walk: Walk, node: "Node") -> None:
    """Members in order, each with the comments and decorators before it."""
    decorators: list[Node] = []
    for child in node.named_children:
        kind = child.type
        if kind == "comment":
            walk.comment = child
        elif kind == "decorator":
            decorators.append(child)
        elif kind in METHODS:
            _method(walk, child, _lead(walk, child, decorators))
            decorators = []
        elif kind in FIELDS:
            _field(walk, child, _lead(walk, child, decorators))
            decorators = []
        else:
            _other(walk, child)


def _other(walk: Walk, node: "Node") -> None:
    """Static blocks, index and call signatures, what is broken."""
    if node.type == "class_static_block":
        body = node.child_by_field_name("body")
        walk.put_off(body.named_children if body is not None else ())
    elif node.type in ("call_signature", "construct_signature", "index_signature"):
        for child in node.named_children:
            annotation(walk, child) if child.type == "type_annotation" else None
    else:
        walk.put_off([node])


def _lead(walk: Walk, node: "Node", decorators: "list[Node]") -> Lead:
    """Where a member begins, its doc text and its decorators."""
    inner = [*decorators, *node.children_by_field_name("decorator")]
    start, doc = walk.documented(decorators[0] if decorators else node)
    if not doc:  # a comment may also stand between a decorator and the member
        doc = walk.documented(node)[1]
    found: list[Expr] = []
    for decorator in inner:
        found += walk.each(decorator.children)
    return Lead(start, doc, frozenset(), tuple(found))


def _label(walk: Walk, node: "Node") -> str:
    label = node.child_by_field_name("name") or node.child_by_field_name("property")
    if label is None:
        return walk.counted(walk.scope.number, "member")
    if label.type == "computed_property_name":
        walk.each(label.children)
        inner = label.named_children
        if len(inner) == 1 and inner[0].type == "string":
            return key(walk, inner[0])
        known = constant(walk, inner[0]) if len(inner) == 1 else None
        if known is not None and known[:1] != "[":
            return known
        written = walk.text[label.start_byte + 1 : label.end_byte - 1].strip()
        return f"[{written[:60]}]"
    return key(walk, label)


def _words(node: "Node") -> set[str]:
    found = {child.type for child in node.children if not child.is_named} & WORDS
    if any(child.type == "override_modifier" for child in node.named_children):
        found.add("override")
    return found


def _access(node: "Node") -> "Node | None":
    for child in node.named_children:
        if child.type == "accessibility_modifier":
            return child
    return None


def _method(walk: Walk, node: "Node", lead: Lead) -> None:
    label = _label(walk, node)
    is_accessor = any(child.type in ("get", "set") for child in node.children)
    kind = "Constructor" if label == "constructor" else "Property" if is_accessor else "Method"
    number = function(walk, node, Naming(label, kind, None, None, None, lead))
    draft = walk.drafts[number]
    draft.modifiers |= _words(node)
    draft.visibility = visibility(walk, _access(node), label)
    if node.type == "abstract_method_signature":
        draft.modifiers.add("abstract")


def _field(walk: Walk, node: "Node", lead: Lead) -> None:
    label = _label(walk, node)
    type_ = annotation(walk, node.child_by_field_name("type"))
    given = node.child_by_field_name("value")
    modifiers, access = _words(node), visibility(walk, _access(node), label)
    if given is not None and given.type in FUNCTIONS:
        number = function(walk, given, Naming(label, "Method", None, None, None, lead))
        draft = walk.drafts[number]
        draft.end = node.end_byte
    else:
        start = _after_decorators(node)
        draft = Draft(
            kind="Field",
            name=label,
            path=walk.below(walk.scope.number, label),
            parent=walk.scope.number,
            start=lead.start,
            end=node.end_byte,
            signature=signature(walk, start, given.start_byte if given else node.end_byte).rstrip(
                " ="
            ),
            decorators=lead.decorators,
            type=type_,
        )
        if lead.doc:
            said = comments.read(lead.doc)
            draft.doc, draft.type = said.text, type_ or said.type
        number = walk.declare(draft)
        if given is not None:
            naming = Naming(label, "Method", number, draft.path)
            draft.value = named_value(walk, given, naming)
    draft.modifiers |= modifiers
    draft.visibility = access


def interface(walk: Walk, node: "Node") -> None:
    """An interface; what it extends are its bases."""
    number = _typed_definition(walk, node, "Interface")
    draft, body = walk.drafts[number], node.child_by_field_name("body")
    scope = Scope(number, walk.scope)
    outer, walk.scope = walk.scope, scope
    draft.type_parameters = type_parameters(walk, node.child_by_field_name("type_parameters"))
    for child in node.named_children:
        if child.type == "extends_type_clause":
            draft.bases = tuple(type_arguments(walk, child))
    walk.scope = outer
    if body is not None:
        draft.signature = signature(walk, node.start_byte, body.start_byte)
        walk.pending.append((scope, [body], False))


def _typed_definition(walk: Walk, node: "Node", kind: str) -> int:
    label, lead = node.child_by_field_name("name"), walk.take_lead(node)
    word = walk.word(label) if label is not None else walk.counted(walk.scope.number, "type")
    return walk.declare(
        Draft(
            kind=kind,
            name=word,
            path=walk.below(walk.scope.number, word),
            parent=walk.scope.number,
            start=lead.start,
            end=node.end_byte,
            doc=comments.read(lead.doc).text if lead.doc else "",
            signature=signature(walk, node.start_byte, node.end_byte),
            modifiers=set(lead.modifiers),
        )
    )


def type_alias(walk: Walk, node: "Node") -> None:
    """A name for a type; of an object's type the members are symbols."""
    number = _typed_definition(walk, node, "Type")
    draft, given = walk.drafts[number], node.child_by_field_name("value")
    scope = Scope(number, walk.scope)
    outer, walk.scope = walk.scope, scope
    draft.type_parameters = type_parameters(walk, node.child_by_field_name("type_parameters"))
    if given is not None and given.type == "object_type":
        walk.pending.append((scope, [given], False))
    elif given is not None:
        draft.type = type_of(walk, given)
    walk.scope = outer


def enum(walk: Walk, node: "Node") -> None:
    """An enum; its members are constants."""
    number = _typed_definition(walk, node, "Enum")
    body = node.child_by_field_name("body")
    if body is None:
        return
    walk.drafts[number].signature = signature(walk, node.start_byte, body.start_byte)
    outer, walk.scope = walk.scope, Scope(number, walk.scope)
    for child in body.named_children:
        if child.type == "comment":
            walk.comment = child
            continue
        label = child.child_by_field_name("name") if child.type == "enum_assignment" else child
        given = child.child_by_field_name("value") if child.type == "enum_assignment" else None
        if label is None:
            continue
        start, doc = walk.documented(child)
        word = key(walk, label)
        walk.declare(
            Draft(
                kind="Constant",
                name=word,
                path=walk.below(number, word),
                parent=number,
                start=start,
                end=child.end_byte,
                doc=comments.read(doc).text if doc else "",
                signature=signature(walk, child.start_byte, child.end_byte),
                value=walk.expr(given) if given is not None else None,
                type=name(walk.drafts[number].name),
            )
        )
    walk.scope = outer


def decorated(walk: Walk, nodes: "Iterable[Node]") -> tuple[Expr, ...]:
    """Decorators as expressions, outermost first."""
    return tuple(found for node in nodes for found in walk.each(node.children))
