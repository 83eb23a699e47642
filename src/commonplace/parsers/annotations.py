"""Annotations of a paper, one section a page, with the pages they stand on."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from commonplace.domain.document import Block, Document, Resource, Span
from commonplace.domain.encoding import clean
from commonplace.domain.errors import ParseError
from commonplace.domain.media import ANNOTATIONS
from commonplace.parsers.base import Parser
from commonplace.parsers.drafting import Heading, make_sections
from commonplace.parsers.guard import guarded

_MOST_PAGES = 100_000


def parse_annotations(resource: Resource) -> Document:
    """What a reader marked and wrote, in the order of the pages; the text is rendered."""
    title, marks = _read(resource.content)
    text = ""  # without the title, which stands on no page
    blocks: list[Block] = []
    headings: list[Heading] = []
    starts: dict[int, int] = {}
    for (page, label), found in groupby(marks, key=_place):
        text += "\n" if text else ""
        heading = f"Page {label}" if label else "Marked"
        starts.setdefault(page, len(text))
        headings.append(Heading(text=heading, level=1, start=len(text)))
        blocks.append(Block(kind="heading", span=Span(len(text), len(text) + len(heading))))
        text += f"{heading}\n"
        for kind, written in _written(found):
            text += "\n"
            blocks.append(Block(kind=kind, span=Span(len(text), len(text) + len(written))))
            text += f"{written}\n"
    return Document(
        title=title,
        text=text,
        sections=make_sections(headings, len(text)),
        blocks=tuple(blocks),
        is_rendered=True,
        pages=_pages(starts, len(text)),
    )


def _read(content: bytes) -> tuple[str, Sequence[Mapping[str, Any]]]:
    try:
        held = json.loads(content)
        title, marks = str(held["title"]), held["annotations"]
        by_page = sorted(marks, key=lambda one: one.get("page") or 0)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as exc:
        raise ParseError(f"these are no annotations: {exc!r}") from exc
    return " ".join(clean(title).split()) or "Annotations", by_page


def _place(mark: Mapping[str, Any]) -> tuple[int, str]:
    page = mark.get("page")
    number = page if isinstance(page, int) and 0 < page <= _MOST_PAGES else 0
    return number, " ".join(str(mark.get("label") or number or "").split())


def _written(marks: Iterator[Mapping[str, Any]]) -> Iterator[tuple[Any, str]]:
    for mark in marks:
        for kind, name in (("quote", "text"), ("paragraph", "comment")):
            written = clean(str(mark.get(name) or "")).strip()
            if written:
                yield kind, written


def _pages(starts: Mapping[int, int], length: int) -> tuple[int, ...]:
    """Where each page begins; one without marks begins where the next does."""
    if not any(starts):
        return ()
    found: list[int] = []
    following = length
    for page in range(max(starts), 0, -1):
        following = starts.get(page, following)
        found.append(following)
    return tuple(reversed(found))


PARSER = Parser(
    name="annotations",
    media_types=(ANNOTATIONS,),
    suffixes=(".annotations",),
    parse=guarded(parse_annotations),
)
