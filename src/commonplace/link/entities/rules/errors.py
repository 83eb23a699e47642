"""Errors: exception names in code, error codes, and HTTP statuses with their phrase."""

import re
from collections.abc import Iterator

from commonplace.domain.document import Span
from commonplace.link.entities.found import ERROR, Found, Rule
from commonplace.link.entities.naming import is_error, is_placeholder, last_part
from commonplace.link.entities.page import Page
from commonplace.link.entities.vocabulary import ERRNO, PYTHON, STATUS

_RAISED = re.compile(
    r"\b(?:raise|except|throw new|catch \()\s*([\w.]+)|^([A-Z]\w+): ", re.MULTILINE
)
_STATUS = re.compile(r"\b([45]\d\d) ((?:[A-Z][A-Za-z]+)(?: [A-Z][A-Za-z]+){0,3})")
_CODE = re.compile(r"ERR_[A-Z][A-Z0-9_]+|[A-Z]{1,5}-?\d{3,5}")
_CALLED = re.compile(r"(?:Get|Set|Is|On|Has|Throw|Handle|Log|Format)(?=[A-Z])")  # a function
_SAYS_ERROR = re.compile(r"\b(?:error|warning|rule|violation|diagnostic)s?\b|\bcodes?\b", re.I)


def find_names(page: Page) -> Iterator[Found]:
    """Exception names and codes in inline code."""
    for place in page.places:
        for code in place.codes:
            name = last_part(code.text.partition("(")[0])
            if is_error(name) and not code.role and not _CALLED.match(name):
                yield Found(kind=ERROR, name=name, span=code.span, confidence=0.95)
            elif name in ERRNO:
                yield Found(kind=ERROR, name=name, span=code.span, confidence=0.9)
            elif _CODE.fullmatch(code.text) and _SAYS_ERROR.search(f"{place.heading} {place.text}"):
                yield Found(kind=ERROR, name=code.text, span=code.span, confidence=0.7)


def find_raised(page: Page) -> Iterator[Found]:
    """Exceptions that code blocks raise or catch, and the last line of a traceback."""
    for place in page.programs:
        if (place.block.language or "").lower() not in PYTHON | {"", "text", "pytb", "traceback"}:
            continue
        for found in _RAISED.finditer(place.text):
            group = 1 if found[1] else 2
            name = last_part(found[group])
            if is_error(name) and not is_placeholder(name):
                start = place.block.span.start + found.end(group) - len(name)
                span = Span(start, start + len(name))
                yield Found(kind=ERROR, name=name, span=span, confidence=0.9)


def find_statuses(page: Page) -> Iterator[Found]:
    """HTTP errors as they are written: ``404 Not Found``."""
    for place in page.prose:
        for found in _STATUS.finditer(place.text):
            phrase = found[2]
            while phrase and phrase not in STATUS:
                phrase = phrase.rpartition(" ")[0]
            if phrase:
                start = place.block.span.start + found.start()
                name = f"{found[1]} {phrase}"
                span = Span(start, start + len(name))
                yield Found(kind=ERROR, name=name, span=span, confidence=0.9)


NAME = Rule("error-name", find_names)
RAISED = Rule("raised", find_raised)
STATUS_LINE = Rule("http-status", find_statuses)
