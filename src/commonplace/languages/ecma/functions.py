"""Functions of every form: what they take and give back; their bodies are read later."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from commonplace.domain.clip import clip
from commonplace.domain.code import Flavour, Flow, Parameter, Visibility
from commonplace.domain.expr import THIS, Expr, attr, made, name, self_, typed
from commonplace.languages.ecma import comments
from commonplace.languages.ecma.annotations import annotation, returned, type_parameters
from commonplace.languages.ecma.patterns import bindings
from commonplace.languages.walk import Draft, Lead, Naming, Scope, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

FUNCTIONS = frozenset(("arrow_function", "function_expression", "generator_function"))
CONSTRUCTORS = frozenset(("function_declaration", "function_expression"))
OWN_THIS = frozenset(("class", "class_declaration", "method_definition"))
PATTERNS = frozenset(("object_pattern", "array_pattern"))
WORDS = frozenset(("async", "static", "readonly", "abstract", "declare", "default", "const"))
MOST_SIGNATURE = 300


def function_expression(walk: Walk, node: "Node") -> Expr:
    """A function as a value, called by its own name if it has one."""
    own = node.child_by_field_name("name")
    if own is not None:
        return made(function(walk, node, Naming(walk.word(own))))
    return made(function(walk, node, Naming(walk.counted(walk.scope.number, "lambda"))))


def function(walk: Walk, node: "Node", naming: Naming) -> int:
    """Add a function; its number. One that makes objects is a class with a constructor."""
    if naming.kind == "Function" and node.type in CONSTRUCTORS:
        body = node.child_by_field_name("body")
        if body is not None and _is_constructor(walk, naming.label, body):
            return _class(walk, node, naming)
    return plain_function(walk, node, naming)


def _is_constructor(walk: Walk, label: str, body: "Node") -> bool:
    """Whether members are set on its prototype, or on ``this`` under a name with a capital."""
    if label in walk.constructors:
        return True
    if not label[:1].isupper() or "this." not in walk.text[body.start_byte : body.end_byte]:
        return False
    stack = list(body.children)
    while stack:
        node = stack.pop()
        if node.type == "this":
            return True
        if node.type not in OWN_THIS:  # of a mixin, ``this`` is that of the class it makes
            stack += node.children
    return False


def _class(walk: Walk, node: "Node", naming: Naming) -> int:
    """A class as it was written before there were classes."""
    parent = walk.scope.number if naming.parent is None else naming.parent
    lead = naming.lead or Lead(node.start_byte, "")
    path = f"{naming.prefix}.{naming.label}" if naming.prefix else walk.below(parent, naming.label)
    draft = Draft(
        kind="Class",
        name=naming.label,
        path=path,
        parent=parent,
        start=lead.start,
        end=node.end_byte,
        signature=f"function {naming.label}",
        doc=comments.read(lead.doc).text if lead.doc else "",
        modifiers=set(lead.modifiers),
    )
    number = walk.declare(draft)
    outer, walk.scope = walk.scope, Scope(number, walk.scope)
    plain_function(walk, node, Naming("constructor", "Constructor", lead=lead))
    walk.scope = outer
    return number


def plain_function(walk: Walk, node: "Node", naming: Naming) -> int:
    """Add a function; its number."""
    parent = walk.scope.number if naming.parent is None else naming.parent
    lead = naming.lead or Lead(node.start_byte, "")
    body = node.child_by_field_name("body")
    path = f"{naming.prefix}.{naming.label}" if naming.prefix else walk.below(parent, naming.label)
    draft = Draft(
        kind=naming.kind,
        name=naming.label,
        path=path,
        parent=parent,
        start=lead.start,
        end=node.end_byte,
        doc=lead.doc,
        modifiers=set(lead.modifiers),
        decorators=lead.decorators,
    )
    _describe(walk, node, draft, body)
    if naming.label.startswith("<"):
        draft.modifiers.add("anonymous")
    number = _known(walk, draft, is_signature=body is None)
    scope = Scope(number, walk.scope)
    if naming.this is not None:
        scope.this = scope.object = naming.this
        if naming.this[0] == "name" and node.type != "arrow_function" and body is not None:
            walk.flows.append(Flow(number, THIS, naming.this))
            scope.this = THIS
    elif naming.kind in ("Method", "Constructor", "Property"):
        scope.this = scope.object = self_()
    outer, walk.scope = walk.scope, scope
    _take(walk, node, walk.drafts[number])
    if body is not None:
        _read(walk, node, body)
    walk.scope = outer
    return number


def _describe(walk: Walk, node: "Node", draft: Draft, body: "Node | None") -> None:
    """Its signature, and the words before its name."""
    begin = node.start_byte
    for child in node.children:
        if child.is_named:
            if child.type not in ("accessibility_modifier", "override_modifier", "decorator"):
                break
            if child.type == "decorator":
                begin = child.end_byte
            continue
        word = child.type
        if word in WORDS:
            draft.modifiers.add(word)
        elif word == "*":
            draft.modifiers.add("generator")
        elif word in ("get", "set"):
            draft.modifiers.add("getter" if word == "get" else "setter")
    end = draft.end if body is None else body.start_byte
    signature = walk.sheet.line(begin, min(end, begin + 4 * MOST_SIGNATURE)).rstrip(";{")
    signature = signature.removesuffix("=>").rstrip()
    if node.type == "arrow_function":
        draft.modifiers.add("arrow")
    if not draft.name.startswith("<") and node.type in FUNCTIONS:
        signature = f"{draft.name} = {signature}"
    draft.signature = clip(signature, MOST_SIGNATURE)


def _known(walk: Walk, draft: Draft, *, is_signature: bool) -> int:
    """The number of a function; its overloads are one symbol, where the first stands."""
    known = walk.named.get((draft.parent, draft.name))
    if is_signature:
        draft.modifiers.add("signature")
    if known is not None and "signature" in walk.drafts[known].modifiers:
        first = walk.drafts[known]
        if is_signature:
            return known
        draft.start = first.start
        draft.doc = draft.doc or first.doc
        draft.modifiers |= first.modifiers - {"signature"}
        walk.drafts[known] = draft
        return known
    return walk.declare(draft)


def _read(walk: Walk, node: "Node", body: "Node") -> None:
    """Put its body off; an expression is what it gives back."""
    if body.type == "statement_block":
        walk.put_off(body.named_children)
    else:
        walk.pending.append((walk.scope, [body], True))
    own = node.child_by_field_name("name")
    if own is not None and node.type in FUNCTIONS:
        label = walk.word(own)
        if label != walk.drafts[walk.scope.number].name:
            walk.flows.append(Flow(walk.scope.number, walk.local(label), made(walk.scope.number)))


def _take(walk: Walk, node: "Node", draft: Draft) -> None:
    """What it takes and gives back, types and doc text included."""
    draft.type_parameters = type_parameters(walk, node.child_by_field_name("type_parameters"))
    single = node.child_by_field_name("parameter")
    listed = node.child_by_field_name("parameters")
    nodes: Iterable[Node] = (single,) if single is not None else ()
    if listed is not None:
        nodes = listed.named_children
    found = [one for child in nodes for one in (_parameter(walk, child),) if one is not None]
    draft.type = returned(walk, node.child_by_field_name("return_type"))
    if draft.doc:
        said = comments.read(draft.doc)
        draft.doc = said.text
        if not walk.is_typed:
            found = [
                one if one.type else one._replace(type=said.types.get(one.name)) for one in found
            ]
            draft.type = said.gives
    draft.parameters = tuple(found)


def _parameter(walk: Walk, node: "Node") -> Parameter | None:
    """One parameter; of one that is taken apart, the parts are locals."""
    type_: Expr | None = None
    default: Expr | None = None
    pattern: Node | None = node
    if node.type in ("required_parameter", "optional_parameter"):
        pattern = node.child_by_field_name("pattern")
        _decorate(walk, node)
        type_ = annotation(walk, node.child_by_field_name("type"))
        value = node.child_by_field_name("value")
        default = walk.expr(value) if value is not None else None
    if pattern is not None and pattern.type == "assignment_pattern":
        value = pattern.child_by_field_name("right")
        default = walk.expr(value) if value is not None else None
        pattern = pattern.child_by_field_name("left")
    flavour: Flavour = "plain"
    if pattern is not None and pattern.type == "rest_pattern":
        flavour = "rest"
        pattern = pattern.named_children[0] if pattern.named_children else None
    if pattern is not None and pattern.type == "this" and type_ is not None:
        walk.scope.this = typed(type_)
    if pattern is None or pattern.is_extra or pattern.type == "this":
        return None
    if pattern.type in PATTERNS:
        label = walk.counted(walk.scope.number, "parameter")
        for target, found in bindings(walk, pattern, name(label)):
            walk.flows.append(Flow(walk.scope.number, walk.local(walk.word(target)), found))
    else:
        label = walk.word(pattern)
        walk.local(label)
        _property(walk, node, label, type_)
    return Parameter(label, flavour, type_, default)


def _decorate(walk: Walk, node: "Node") -> None:
    """Decorators of a parameter: one that is only named is called all the same."""
    for decorator in node.children_by_field_name("decorator"):
        for found in walk.each(decorator.children):
            if found[0] in ("name", "attr"):
                walk.add_call(found, (), decorator)


def _property(walk: Walk, node: "Node", label: str, type_: Expr | None) -> None:
    """``constructor(private readonly repo: Repo)`` declares a field too."""
    words = {child.type: child for child in node.children if child.type in PROPERTY_WORDS}
    if not words:
        return
    owner = walk.drafts[walk.scope.number].parent
    access = words.get("accessibility_modifier")
    walk.declare(
        Draft(
            kind="Field",
            name=label,
            path=walk.below(owner, label),
            parent=owner,
            start=node.start_byte,
            end=node.end_byte,
            signature=clip(walk.sheet.line(node.start_byte, node.end_byte), MOST_SIGNATURE),
            visibility=visibility(walk, access, label),
            modifiers={"readonly"} if "readonly" in words else set(),
            type=type_,
        )
    )
    walk.flows.append(Flow(walk.scope.number, attr(self_(), label), name(label)))


PROPERTY_WORDS = frozenset(("accessibility_modifier", "readonly", "override_modifier"))


def visibility(walk: Walk, node: "Node | None", label: str) -> Visibility:
    """``private``, ``protected``, or a name that begins with a number sign."""
    word = walk.word(node) if node is not None else ""
    if word == "private" or label.startswith("#"):
        return "private"
    return "protected" if word == "protected" else "public"
