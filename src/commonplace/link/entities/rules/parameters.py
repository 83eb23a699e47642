"""Parameters: flags in inline code, and those that lists and headings of options define."""

import re
from collections.abc import Iterator

from commonplace.domain.document import Span
from commonplace.link.entities.found import PARAMETER, Found, Rule
from commonplace.link.entities.naming import flags, is_placeholder
from commonplace.link.entities.page import Page

_ITEM = re.compile(r"\s*(?:[-*+] +)?(?:\*\*)?`{0,2}(?=-)")
_STYLED = re.compile(r"\bCSS\b|\bvar\(--")
_OPTION = re.compile(r"\b(?:option|flag|argument|switch|parameter|command)", re.IGNORECASE)
_MOST_CODE = 60  # longer inline code is a command line, which the commands' rule reads


def find_flags(page: Page) -> Iterator[Found]:
    """Long flags in inline code; at the head of a list item or heading they are defined.

    Style sheets name their variables alike: where a page speaks of them, the paragraph must say
    that it speaks of options.
    """
    is_styled = _STYLED.search(page.text) is not None
    for place in page.places:
        if is_styled and not _OPTION.search(place.text):
            continue
        head = _ITEM.match(place.text) if place.block.kind in {"list_item", "heading"} else None
        for code in place.codes:
            if not code.text.startswith("-") or len(code.text) > _MOST_CODE:
                continue
            is_head = head is not None and code.outer.start - place.block.span.start <= head.end()
            for flag, at in flags(code.text):
                if is_placeholder(flag[2:]):
                    continue
                start = min(code.span.start + at, code.span.end)
                yield Found(
                    kind=PARAMETER,
                    name=flag,
                    span=Span(start, min(start + len(flag), code.span.end)),
                    confidence=0.95,
                    is_defined=is_head,
                )


def find_option_lists(page: Page) -> Iterator[Found]:
    """Option lists of reStructuredText, where flags stand without marks."""
    if not page.is_rst:
        return
    for place in page.places:
        if place.block.kind != "list_item" or not place.text.lstrip().startswith("-"):
            continue
        line = place.text.split("\n", 1)[0]
        listed = re.split(r"\s{2,}", line.strip(), maxsplit=1)[0]
        if not re.match(r"\s*--?\w", line) or "`" in listed:
            continue
        for flag, _at in flags(listed):
            at = place.block.span.start + line.find(flag)
            span = Span(at, at + len(flag))
            yield Found(kind=PARAMETER, name=flag, span=span, confidence=0.95, is_defined=True)


INLINE_FLAG = Rule("inline-flag", find_flags)
OPTION_LIST = Rule("option-list", find_option_lists)
