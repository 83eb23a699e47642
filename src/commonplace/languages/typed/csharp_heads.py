"""What stands before the name of a C# definition: attributes, modifiers, doc comments."""

import re
from typing import TYPE_CHECKING

from commonplace.domain.code import Visibility
from commonplace.domain.expr import Expr, name
from commonplace.languages.typed.csharp_calls import arguments_of
from commonplace.languages.typed.csharp_types import type_of
from commonplace.languages.typed.walk import Head, Walk, simple_name

if TYPE_CHECKING:
    from tree_sitter import Node

VISIBLE: dict[str, Visibility] = {
    "public": "public",
    "protected": "protected",
    "internal": "internal",
    "private": "private",
    "file": "internal",
}
TESTS = frozenset(
    (
        *("Fact", "Theory", "Test", "TestCase", "TestCaseSource"),
        *("TestMethod", "DataTestMethod"),
    )
)
_MARKS = re.compile(r"^\s*(?:///|/\*\*|\*/|\*)?[ \t]?", re.MULTILINE)
_REFERENCE = re.compile(r"""<(?:see|seealso|paramref|typeparamref)\s+\w+=["']([^"']*)["']\s*/>""")
_PARAMETER = re.compile(r"""<(param|exception)\s+\w+=["']([^"']*)["']\s*>""")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")


def head_of(walk: Walk, node: "Node", visibility: Visibility) -> Head:
    """Attributes and modifiers of a definition."""
    head = Head(node.start_byte, visibility)
    words: list[str] = []
    for child in node.children:
        if child.type == "attribute_list":
            head.decorators.extend(
                attribute(walk, one) for one in child.named_children if one.type == "attribute"
            )
            if not words:
                head.start = child.end_byte
        elif child.type == "modifier":
            words.append(walk.word(child))
        elif not child.is_extra:
            break
    for word in words:
        if word in VISIBLE:
            head.visibility = "protected" if "protected" in words else VISIBLE[word]
        else:
            head.modifiers.add(word)
    if not TESTS.isdisjoint(decorator_names(walk, head)):
        head.modifiers.add("test")
    return head


def decorator_names(walk: Walk, head: Head) -> set[str]:
    """Simple names of the attributes."""
    return {
        simple_name(walk.calls[one[1]].callee if one[0] == "call" else one)
        for one in head.decorators
    }


def attribute(walk: Walk, node: "Node") -> Expr:
    """``[Key]`` is a name, ``[Table("orders", Schema = "dbo")]`` a call."""
    label = node.child_by_field_name("name")
    if label is None:
        return name("")
    uses = len(walk.uses)
    found = type_of(walk, label)
    del walk.uses[uses:]
    last = str(found[-1])
    if found[0] in ("name", "attr") and last.endswith("Attribute") and last != "Attribute":
        found = (*found[:-1], last.removesuffix("Attribute"))
    given = [child for child in node.named_children if child.type == "attribute_argument_list"]
    if not given:
        return found
    arguments, keywords = arguments_of(walk, given[0])
    number = walk.called(found, label, arguments)
    walk.calls[-1] = walk.calls[-1]._replace(keywords=keywords)
    return number


def doc_of(walk: Walk, node: "Node") -> "tuple[Node, str]":
    """Where a definition begins, with its doc comment, and what that says."""
    comments, walk.doc = walk.doc, None
    if comments is None:
        return node, ""
    first, last = comments
    return first, plain_doc(walk.places.slice(first.start_byte, last.end_byte))


def plain_doc(comment: str) -> str:
    """An XML doc comment as plain text.

    >>> plain_doc('/// <summary>Sums <see cref="X"/>.</summary>')
    'Sums X.'
    """
    plain = _MARKS.sub("", comment).removesuffix("*/")
    if "<" in plain:
        plain = _PARAMETER.sub(r"\1 \2: ", _REFERENCE.sub(r"\1", plain))
        plain = _TAG.sub("", plain)
    lines = (line.strip() for line in plain.splitlines())
    return "\n".join(line for line in lines if line)


def is_doc(walk: Walk, comment: "Node") -> bool:
    """Whether a comment is for readers of the definition below it."""
    return walk.text(comment).startswith(("///", "/**"))


def each_with_doc(walk: Walk, members: "list[Node]") -> None:
    """Definitions, each with the doc comment right before it."""
    for member in members:
        if member.type == "comment":
            if is_doc(walk, member):
                walk.doc = (walk.doc[0] if walk.doc is not None else member, member)
        else:
            walk.visit(member)
            walk.doc = None
