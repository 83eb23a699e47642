"""Inline reStructuredText: references with exact offsets, names, and titles as plain words."""

import re
from collections.abc import Iterator, Mapping

from commonplace.domain.document import Block, Link, Span
from commonplace.parsers.drafting import one_line

_LITERAL = re.compile(r"``(?:[^`]|`(?!`)){1,2000}?``")
_REFERENCE = re.compile(
    r"(?::(?P<role>[A-Za-z][\w:+.-]{0,60}):)?`(?P<text>[^`<]{0,400}?)\s*"
    r"(?:<(?P<target>[^<>`]{1,2000})>)?`(?P<mark>_{0,2})"
    r"|(?<![\w`*])(?P<word>[A-Za-z0-9][\w.+-]{0,100})(?P<bare>__?)(?![\w`])"
)
_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]]{1,2000}")
_ROLES = frozenset({"doc", "ref", "any", "download", "numref", "std:ref", "std:doc"})
_NOT_ID = re.compile(r"[^a-z0-9]+")
_ROLE_MARK = re.compile(
    r"(?::[A-Za-z][\w:+.-]{0,60}:)?`([^`<]{0,400})(?:\s*<[^>`]{0,400}>)?`_{0,2}"
)
_MARKS = re.compile(r"``([^`]{0,400})``|\*{1,2}([^*]{1,400})\*{1,2}|\|([^|]{1,200})\|")


def plain_rst(markup: str) -> str:
    """The words of inline reStructuredText.

    >>> plain_rst("The :func:`~a.set_up` **step** of ``x``")
    'The ~a.set_up step of x'
    """
    words = _MARKS.sub(lambda found: found[1] or found[2] or found[3] or "", markup)
    return one_line(_ROLE_MARK.sub(lambda found: found[1], words).replace("\\", ""))


def make_id(name: str) -> str:
    """The fragment docutils gives a name.

    >>> make_id("What's new?")
    'what-s-new'
    """
    return _NOT_ID.sub("-", name.lower()).strip("-") or "section"


def normal_name(name: str) -> str:
    """A reference name: case and white space do not count."""
    return one_line(name).lower()


def _target(found: re.Match[str], targets: Mapping[str, str]) -> str | None:
    """Where a reference leads, if it is one."""
    if found["word"]:
        return targets.get(normal_name(found["word"]))
    role, text, target = found["role"], found["text"], found["target"]
    if role:
        if role not in _ROLES:
            return None
        named = target or text
        return f"#{make_id(named)}" if role.endswith("ref") else named
    if not found["mark"]:
        return None
    if target and target.endswith("_"):
        return targets.get(normal_name(target[:-1]))
    return target or targets.get(normal_name(text))


def find_references(text: str, block: Block, targets: Mapping[str, str]) -> Iterator[Link]:
    """Links of a block; ``targets`` are the hyperlink targets of the document by name."""
    source = block.span.of(text)
    if "_" not in source and "`" not in source and "://" not in source:
        return
    masked = _LITERAL.sub(lambda found: " " * len(found[0]), source)
    base = block.span.start
    references: list[tuple[int, int]] = []
    for found in _REFERENCE.finditer(masked):
        target = _target(found, targets)
        if found["mark"]:
            references.append(found.span())
        if target:
            words = one_line(found["word"] or found["text"] or target)
            yield Link(target=one_line(target), text=words, span=_moved(base, found.span()))
    taken = 0
    for url in _URL.finditer(masked):
        while taken < len(references) and references[taken][1] <= url.start():
            taken += 1
        if taken < len(references) and references[taken][0] <= url.start():
            continue
        address = url[0].rstrip(".,;:!?)*_")
        span = _moved(base, (url.start(), url.start() + len(address)))
        yield Link(target=address, text=address, span=span)


def _moved(base: int, span: tuple[int, int]) -> Span:
    return Span(base + span[0], base + span[1])
