"""Doc comments of JavaScript: their text, and the types they tell."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from commonplace.domain.expr import Expr, attr, generic, name, one

_EDGE = re.compile(r"^[ \t]*\*? ?", re.MULTILINE)
_TYPED = re.compile(
    r"@(param|arg|argument|returns?|type|typedef)\s*\{([^{}\n]{1,200})\}\s*(?:\[?([\w$]+))?"
)
_NAME = re.compile(r"[\w$.]+")
_NOTHING = frozenset(("null", "undefined", "void", "any", "*", "never"))


class Said(NamedTuple):
    """What a doc comment says."""

    text: str
    types: Mapping[str, Expr]
    """Of parameters, by name."""
    gives: Expr | None
    type: Expr | None


def read(comment: str) -> Said:
    """The text of a doc comment without its marks, and its types as far as they are simple.

    >>> read("/** Saves it. @param {Order} order what */").types
    {'order': ('name', 'Order')}
    """
    text = _EDGE.sub("", comment.removeprefix("/**").removesuffix("*/")).strip()
    types: dict[str, Expr] = {}
    gives: Expr | None = None
    own: Expr | None = None
    for match in _TYPED.finditer(text) if "{" in text else ():
        tag, written, label = match.groups()
        found = simple_type(written)
        if tag.startswith("return"):
            gives = found
        elif tag == "type":
            own = found
        elif found is not None and label and tag != "typedef":
            types[label] = found
    return Said(text, types, gives, own)


def simple_type(written: str) -> Expr | None:
    """A type of a doc comment; None for what is not a name, a union, an array or a generic.

    >>> simple_type("?Order[]")
    ('generic', ('name', 'Array'), (('name', 'Order'),))
    """
    written = written.strip().lstrip("?!.").rstrip("=")
    if "|" in written and "<" not in written:
        found = [simple_type(part) for part in written.strip("()").split("|")]
        known = [part for part in found if part is not None]
        return (known[0] if len(known) == 1 else one(*known)) if known else None
    if written.endswith("[]"):
        inner = simple_type(written[:-2])
        return generic(name("Array"), inner) if inner is not None else None
    head, _, rest = written.partition("<")
    if not _NAME.fullmatch(head) or head in _NOTHING:
        return None
    first, *others = head.rstrip(".").split(".")
    base = name(first)
    for label in others:
        base = attr(base, label)
    if not rest:
        return base
    arguments = simple_type(rest.removesuffix(">")) if "," not in rest else None
    return generic(base, arguments) if arguments is not None else base
