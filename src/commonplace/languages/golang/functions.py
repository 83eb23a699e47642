"""Functions, methods and function literals; their bodies are read later."""

from typing import TYPE_CHECKING

from commonplace.domain.clip import clip
from commonplace.domain.code import Flow, Parameter
from commonplace.domain.expr import Expr, generic, typed
from commonplace.languages.golang.kinds import ARRAY, result, type_of, type_parameters
from commonplace.languages.golang.walk import GoWalk
from commonplace.languages.walk import Draft, Lead, Naming, Scope

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_SIGNATURE = 300


def signature(walk: GoWalk, begin: int, end: int) -> str:
    """A definition up to its body, as one line."""
    line = walk.sheet.line(begin, min(end, begin + 4 * MOST_SIGNATURE))
    return clip(line.rstrip("{ "), MOST_SIGNATURE)


def function(walk: GoWalk, node: "Node", naming: Naming) -> int:
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
        signature=signature(
            walk, node.start_byte, body.start_byte if body is not None else node.end_byte
        ),
        doc=lead.doc,
        modifiers=set(lead.modifiers),
    )
    if naming.label.startswith("<"):
        draft.modifiers.add("anonymous")
    number = walk.declare(draft)
    outer, walk.scope = walk.scope, Scope(number, walk.scope)
    draft.type_parameters = type_parameters(walk, node)
    draft.parameters = tuple(parameters(walk, node))
    draft.type = result(walk, node)
    _results(walk, node)
    if body is not None:
        walk.put_off(body.named_children)
    walk.scope = outer
    return number


def parameters(walk: GoWalk, node: "Node") -> list[Parameter]:
    """What it takes, the receiver first."""
    found: list[Parameter] = []
    receiver, listed = node.child_by_field_name("receiver"), node.child_by_field_name("parameters")
    for child in receiver.named_children if receiver is not None else ():
        found += [one._replace(flavour="receiver") for one in _parameter(walk, child)]
    for child in listed.named_children if listed is not None else ():
        found += _parameter(walk, child)
    return found


def _parameter(walk: GoWalk, node: "Node") -> list[Parameter]:
    written = node.child_by_field_name("type")
    if written is None:
        return []
    type_ = type_of(walk, written)
    labels = [walk.word(label) for label in node.children_by_field_name("name")]
    for label in labels:
        walk.local(label)
    if node.type == "variadic_parameter_declaration":
        return [Parameter(label, "rest", generic(ARRAY, type_)) for label in labels or ["_"]]
    return [Parameter(label, "plain", type_) for label in labels or ["_"]]


def _results(walk: GoWalk, node: "Node") -> None:
    """Results with names are locals; a bare ``return`` gives them back."""
    given = node.child_by_field_name("result")
    if given is None or given.type != "parameter_list":
        return
    labels: list[Expr] = []
    for child in given.named_children:
        written = child.child_by_field_name("type")
        for label in child.children_by_field_name("name"):
            goal = walk.local(walk.word(label))
            labels.append(goal)
            if written is not None:
                count = len(walk.uses)
                walk.flows.append(Flow(walk.scope.number, goal, typed(type_of(walk, written))))
                del walk.uses[count:]  # told by the result already
    if labels:
        walk.results[walk.scope.number] = labels


def receiver_type(walk: GoWalk, node: "Node") -> str:
    """The name of the type a method belongs to."""
    receiver = node.child_by_field_name("receiver")
    for child in receiver.named_children if receiver is not None else ():
        written = child.child_by_field_name("type")
        while written is not None and written.type in (
            "pointer_type",
            "generic_type",
            "parenthesized_type",
        ):
            below = written.child_by_field_name("type")
            inner = written.named_children
            written = below if below is not None else inner[0] if inner else None
        if written is not None:
            return walk.word(written)
    return ""
