"""Parameters of functions and lambdas."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Flavour, Parameter
from commonplace.languages.pythonic.annotations import type_of
from commonplace.languages.pythonic.notes import Notes

if TYPE_CHECKING:
    from tree_sitter import Node

REST: dict[str, Flavour] = {"list_splat_pattern": "rest", "dictionary_splat_pattern": "named_rest"}


def parameters_of(notes: Notes, node: "Node", receiver: Flavour | str) -> tuple[Parameter, ...]:
    """What a function takes; types and defaults are read in the scope around it.

    ``receiver`` is not empty where the first one is the object or class it runs on.
    """
    found: list[Parameter] = []
    flavour: Flavour = "plain"
    for child in notes.parts(node):
        if child.type == "positional_separator":
            continue
        if child.type == "keyword_separator":
            flavour = "keyword"
            continue
        one = _parameter(notes, child, flavour)
        if one.flavour == "rest":
            flavour = "keyword"
        if receiver and not found and one.flavour == "plain":
            one = one._replace(flavour="receiver")
        found.append(one)
    return tuple(found)


def type_parameters_of(notes: Notes, node: "Node | None") -> tuple[Parameter, ...]:
    """``[T, U: Bound]`` after a name."""
    found: list[Parameter] = []
    for child in notes.parts(node) if node is not None else ():
        inner = child.named_children[0] if child.named_children else child
        if inner.type == "constrained_type" and len(inner.named_children) > 1:
            name, bound = inner.named_children[0], inner.named_children[-1]
            found.append(Parameter(notes.text(name), "plain", type_of(notes, bound)))
        else:
            found.append(Parameter(notes.text(inner).lstrip("*")))
    return tuple(found)


def _parameter(notes: Notes, node: "Node", flavour: Flavour) -> Parameter:
    kind = node.type
    if kind == "identifier":
        return Parameter(notes.word(node), flavour)
    parts = node.named_children
    if kind in REST:
        return Parameter(notes.text(parts[0]) if parts else "", REST[kind])
    if kind == "default_parameter":
        return Parameter(notes.text(parts[0]), flavour, None, notes.value(parts[-1]))
    if kind == "typed_default_parameter":
        declared = type_of(notes, parts[1])
        return Parameter(notes.word(parts[0]), flavour, declared, notes.value(parts[-1]))
    if kind == "typed_parameter":
        inner = _parameter(notes, parts[0], flavour)
        return inner._replace(type=type_of(notes, parts[-1]))
    return Parameter(notes.text(node)[:80], flavour)
