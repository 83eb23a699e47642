"""Names of code in prose: what a writer set as code and may be a symbol's name."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from commonplace.domain.passage import Passage

_SPAN = re.compile(r"(?<!`)(:[\w:+-]{2,20}:)?(`{1,2})(?!`)([^`\n]{1,200}?)\2(?!`)")
_TARGET = re.compile(r".*<([^<>]+)>\s*$")
_ROLES = re.compile(r":(?:\w+:)?(?:class|func|meth|mod|attr|exc|data|const|obj|type|setting):")
_PATH = re.compile(r"(?:[^\W\d]|\$)[\w$]*(?:(?:\.|::|#|->)(?:[^\W\d]|\$)[\w$]*){0,12}")
_JOINT = re.compile(r"::|#|->")
_MIXED = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]|\w_\w")
_LEAST_CHARS = 3
_MOST = 400  # mentions of one document; beyond that it is a list, not an explanation


class Mention(NamedTuple):
    """A name in a passage."""

    passage_id: str
    path: str
    """With dots, as far as the writer spelt it out."""
    start: int
    end: int
    """In the text of the document."""
    is_plain: bool
    """Whether nothing but its marks says that it is code: a plain word without brackets."""


def named(written: str) -> tuple[str, bool] | None:
    """The name in a code span and whether it is a plain word; None when it is no name.

    >>> named("Model.save()"), named("save"), named("pip install x")
    (('Model.save', False), ('save', True), None)
    >>> named("maße.Größe"), named("3d.x")
    (('maße.Größe', False), None)
    """
    text = written.strip().lstrip("~!.@")
    target = _TARGET.match(text)
    text = (target[1] if target else text).strip().lstrip("~!.@")
    is_called = text.endswith(")") and "(" in text
    text = text[: text.index("(")] if is_called else text
    if not _PATH.fullmatch(text) or len(text) < _LEAST_CHARS:
        return None
    path = _JOINT.sub(".", text)
    is_plain = not is_called and "." not in path and not _MIXED.search(path)
    return path, is_plain


def mentions(passages: Sequence[Passage]) -> Iterator[Mention]:
    """The names of a document in the order they stand, at most so many."""
    count = 0
    for passage in passages:
        for found in _SPAN.finditer(passage.text):
            known = named(found[3])
            if known is None or count >= _MOST:
                continue
            path, is_plain = known
            is_role = found[1] is not None and _ROLES.fullmatch(found[1]) is not None
            start = passage.span.start + found.start(3)
            end = passage.span.start + found.end(3)
            count += 1
            yield Mention(passage.id, path, start, end, is_plain and not is_role)
