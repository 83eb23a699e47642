"""Statements: what they declare and where their parts are; the rest is walked as it comes."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from commonplace.domain.code import Flow
from commonplace.domain.expr import RESULT, Expr, attr, each, name, typed
from commonplace.languages.ecma import comments
from commonplace.languages.ecma.annotations import TYPES, annotation, visit_type
from commonplace.languages.ecma.classes import (
    class_body,
    decorated,
    define_class,
    enum,
    interface,
    signature,
    type_alias,
)
from commonplace.languages.ecma.expressions import EXPRESSIONS
from commonplace.languages.ecma.functions import FUNCTIONS, function
from commonplace.languages.ecma.modules import export_statement, import_alias, import_statement
from commonplace.languages.ecma.names import local, target
from commonplace.languages.ecma.objects import named_value
from commonplace.languages.ecma.patterns import bindings
from commonplace.languages.ecma.requires import bring, module_of
from commonplace.languages.ecma.strings import literal
from commonplace.languages.walk import Draft, Lead, Leave, Naming, Scope, Visit, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

PATTERNS = frozenset(("object_pattern", "array_pattern"))
DEFINES = FUNCTIONS | {"class", "call_expression"}


def _comment(walk: Walk, node: "Node") -> None:
    walk.comment = node


def _block(walk: Walk, node: "Node") -> "list[Node | Leave]":
    return walk.block(node.named_children)


def _function(walk: Walk, node: "Node") -> None:
    lead, label = walk.take_lead(node), node.child_by_field_name("name")
    word = walk.word(label) if label is not None else "default"
    function(walk, node, Naming(word, lead=lead))


def _class(walk: Walk, node: "Node") -> None:
    lead, label = walk.take_lead(node), node.child_by_field_name("name")
    word = walk.word(label) if label is not None else "default"
    define_class(walk, node, Naming(word, lead=lead))


def _variables(walk: Walk, node: "Node") -> None:
    """``const a = 1, { b } = c``: symbols of a module, locals elsewhere."""
    lead = walk.take_lead(node)
    word = node.children[0].type
    for child in node.named_children:
        if child.type == "variable_declarator":
            _variable(walk, child, lead, word)
            lead = Lead(child.end_byte, "", lead.modifiers)
            if walk.text.startswith(("using", "await"), node.start_byte):
                _dispose(walk, node, child)


def _dispose(walk: Walk, node: "Node", declared: "Node") -> None:
    """``using`` ends what it declares at the end of the block."""
    is_async = walk.text.startswith("await", node.start_byte)
    label = walk.meant(walk.word(declared.children[0]))
    method = "[Symbol.asyncDispose]" if is_async else "[Symbol.dispose]"
    walk.imply_call(attr(name(label), method), declared)


def _variable(walk: Walk, node: "Node", lead: Lead, word: str) -> None:
    pattern, given = node.child_by_field_name("name"), node.child_by_field_name("value")
    if pattern is None:
        walk.put_off(node.named_children)
        return
    type_ = annotation(walk, node.child_by_field_name("type"))
    module = _module(walk, given)
    if module is not None:
        _required(walk, pattern, module)
    elif pattern.type in PATTERNS:
        found = walk.expr(given) if given is not None else ("value", "unknown")
        if type_ is not None:
            found = typed(type_)
        for part, gets in bindings(walk, pattern, found):
            _bind(walk, part, gets, lead, word)
    elif walk.scope.is_open and not walk.is_block:
        _symbol(walk, node, lead, word, type_)
    else:
        _local(walk, pattern, given, type_, word)


def _module(walk: Walk, given: "Node | None") -> str | None:
    if given is not None and given.type == "await_expression" and given.named_children:
        given = given.named_children[-1]
    return module_of(walk, given) if given is not None else None


def _required(walk: Walk, pattern: "Node", module: str) -> None:
    if pattern.type == "object_pattern":
        for part, gets in bindings(walk, pattern, ("name", "")):
            if gets[0] == "one":
                gets = gets[1][0]
            taken = gets[2] if gets[0] == "attr" and gets[1] == ("name", "") else None
            if taken is not None or gets == ("name", ""):
                bring(walk, module, taken, walk.word(part), part)
    else:
        bring(walk, module, None, walk.word(pattern), pattern)


def _bind(walk: Walk, part: "Node", gets: Expr, lead: Lead, word: str) -> None:
    label = walk.word(part)
    if walk.scope.is_open and not walk.is_block:
        draft = _draft(walk, part, lead, word)
        draft.value = gets
        walk.declare(draft)
    else:
        walk.flows.append(Flow(walk.scope.number, local(walk, label, word), gets))


def _draft(walk: Walk, node: "Node", lead: Lead, word: str) -> Draft:
    pattern = node.child_by_field_name("name") or node
    label = walk.word(pattern)
    return Draft(
        kind="Constant" if word == "const" else "Variable",
        name=label,
        path=walk.below(walk.scope.number, label),
        parent=walk.scope.number,
        start=lead.start if lead.doc or lead.start < node.start_byte else node.start_byte,
        end=node.end_byte,
        modifiers=set(lead.modifiers),
    )


def _symbol(walk: Walk, node: "Node", lead: Lead, word: str, type_: Expr | None) -> None:
    """A variable of a module; one that holds a function or class is that."""
    pattern, given = node.child_by_field_name("name"), node.child_by_field_name("value")
    if pattern is None:
        return
    label = walk.word(pattern)
    _keep_constant(walk, label, given, word)
    found: Expr | None = None
    if given is not None and given.type in DEFINES:
        found = named_value(walk, given, Naming(label, lead=lead))
        if found[0] == "made" and walk.drafts[found[1]].name == label:
            return
    draft = _draft(walk, node, lead, word)
    draft.value, draft.type = found, type_
    begin = given.start_byte if given is not None else node.end_byte
    draft.signature = f"{word} {signature(walk, node.start_byte, begin).rstrip(' =')}"
    if lead.doc:
        said = comments.read(lead.doc)
        draft.doc, draft.type = said.text, type_ or said.type
    number = walk.declare(draft)
    if draft.value is None and given is not None:
        naming = Naming(label, "Method", number, None, ("name", label))
        draft.value = named_value(walk, given, naming)


def _local(
    walk: Walk, pattern: "Node", given: "Node | None", type_: Expr | None, word: str
) -> None:
    """A local; one that holds a function or class is that."""
    label = walk.word(pattern)
    _keep_constant(walk, label, given, word)
    goal = local(walk, label, word)
    scope = walk.scope.number
    if type_ is not None:
        walk.flows.append(Flow(scope, goal, typed(type_)))
    if given is None:
        return
    this = goal if given.type == "object" else None
    count = len(walk.drafts)
    found = named_value(walk, given, Naming(label, this=this))
    is_named = found[0] == "made" and found[1] >= count and walk.drafts[found[1]].name == label
    if is_named and goal[1] != label:
        walk.drafts[found[1]].modifiers.add("block")
        if walk.named.get((scope, label)) == found[1]:
            del walk.named[scope, label]
    if not is_named or goal[1] != label:
        walk.flows.append(Flow(scope, goal, found))


def _keep_constant(walk: Walk, label: str, given: "Node | None", word: str) -> None:
    """Remember a string that a name stands for, unless it stands for others elsewhere."""
    if label in walk.constants:
        walk.constants[label] = None
    elif word == "const" and given is not None:
        if given.type == "string":
            walk.constants[label] = literal(walk, given)
        elif walk.text.startswith(("Symbol(", "Symbol.for("), given.start_byte):
            walk.constants[label] = f"[{label}]"


def _return(walk: Walk, node: "Node") -> None:
    for child in node.named_children:
        if not child.is_extra:
            walk.flows.append(Flow(walk.scope.number, RESULT, walk.expr(child)))


def _for_in(walk: Walk, node: "Node") -> "list[Node | Leave]":
    """``for (const x of xs)``: x is each of them; ``in`` gives keys."""
    below = walk.block([child for child in (node.child_by_field_name("body"),) if child])
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator, word = node.child_by_field_name("operator"), node.child_by_field_name("kind")
    if left is None or right is None:
        return below
    over = walk.expr(right)
    is_of = operator is not None and operator.type == "of"
    found = each(over) if is_of else ("value", "str")
    if is_of:
        _iterate(walk, over, right, is_async=any(one.type == "await" for one in node.children))
    for part, gets in bindings(walk, left, found):
        if word is not None:
            goal = local(walk, walk.word(part), word.type)
            walk.flows.append(Flow(walk.scope.number, goal, gets))
        else:
            walk.add_flow(target(walk, part), gets)
    return below


def _iterate(walk: Walk, over: Expr, node: "Node", *, is_async: bool) -> None:
    """What a loop runs of the object it goes over."""
    if over[0] not in ("seq", "text", "value"):
        method = "[Symbol.asyncIterator]" if is_async else "[Symbol.iterator]"
        iterator = walk.imply_call(attr(over, method), node)
        walk.imply_call(attr(iterator, "next"), node)


def _catch(walk: Walk, node: "Node") -> "list[Node | Leave]":
    below = walk.block([child for child in (node.child_by_field_name("body"),) if child])
    pattern = node.child_by_field_name("parameter")
    if pattern is not None:
        for part, _ in bindings(walk, pattern, ("value", "unknown")):
            local(walk, walk.word(part), "let")
    return below


def _namespace(walk: Walk, node: "Node") -> None:
    """``namespace A.B {}``, ``declare module "x" {}``: variables in it are symbols too."""
    lead = walk.take_lead(node)
    label, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if label is None:
        walk.put_off(node.named_children)
        return
    word = walk.word(label).strip("\"'`")
    draft = Draft(
        kind="Namespace",
        name=word,
        path=walk.below(walk.scope.number, word),
        parent=walk.scope.number,
        start=lead.start,
        end=node.end_byte,
        doc=comments.read(lead.doc).text if lead.doc else "",
        modifiers=set(lead.modifiers),
        signature=signature(walk, node.start_byte, label.end_byte),
    )
    number = walk.declare(draft)
    if body is not None:
        scope = Scope(number, walk.scope, is_open=True)
        walk.pending.append((scope, body.named_children, False))


def _ambient(walk: Walk, node: "Node") -> "Iterable[Node | Leave]":
    if walk.lead is None:
        walk.lead = Lead(*walk.documented(node))
    return reversed(node.named_children)


def _decorator(walk: Walk, node: "Node") -> None:
    """One that stands before an exported class: it belongs to what follows."""
    lead = walk.lead or Lead(*walk.documented(node))
    walk.lead = lead._replace(decorators=(*lead.decorators, *decorated(walk, [node])))


def _nothing(_walk: Walk, _: "Node") -> None:
    return None


STATEMENTS: Mapping[str, Visit] = {
    **{kind: visit_type for kind in TYPES if kind not in EXPRESSIONS},
    "comment": _comment,
    "statement_block": _block,
    "switch_body": _block,
    "for_statement": _block,
    "for_in_statement": _for_in,
    "catch_clause": _catch,
    "return_statement": _return,
    "function_declaration": _function,
    "generator_function_declaration": _function,
    "function_signature": _function,
    "class_declaration": _class,
    "abstract_class_declaration": _class,
    "class_body": class_body,
    "interface_body": class_body,
    "object_type": class_body,
    "interface_declaration": interface,
    "type_alias_declaration": type_alias,
    "enum_declaration": enum,
    "lexical_declaration": _variables,
    "variable_declaration": _variables,
    "using_declaration": _variables,
    "import_statement": import_statement,
    "export_statement": export_statement,
    "import_alias": import_alias,
    "internal_module": _namespace,
    "module": _namespace,
    "ambient_declaration": _ambient,
    "decorator": _decorator,
    "statement_identifier": _nothing,
    "property_identifier": _nothing,
    "hash_bang_line": _nothing,
    "empty_statement": _nothing,
    "break_statement": _nothing,
    "continue_statement": _nothing,
    "debugger_statement": _nothing,
}
