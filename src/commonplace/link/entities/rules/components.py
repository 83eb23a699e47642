"""Components: classes in inline code that their name or the page's own code shows to be such."""

import re
from collections.abc import Iterator

from commonplace.link.entities.found import COMPONENT, Found, Rule
from commonplace.link.entities.naming import (
    has_humps,
    is_class,
    is_error,
    is_placeholder,
    last_part,
)
from commonplace.link.entities.page import Page
from commonplace.link.entities.vocabulary import NOT_NAMES, TYPES

_SHOWN = re.compile(
    r"\bclass (\w+)|^\s*(?:from [\w.]+ )?import (?:\(\s*)?((?:\w+(?: as \w+)?,?\s*)+)", re.MULTILINE
)
_SAYS_ERROR = re.compile(r"\s+(?:error|exception|warning|property|key|header|field)s?\b", re.I)
_WORD = re.compile(r"[A-Z]\w*")


def find_classes(page: Page) -> Iterator[Found]:
    """Names of two humps are classes; one hump must be imported or made in a block of the page."""
    shown = {
        name
        for found in _SHOWN.finditer(page.code_text)
        for name in _WORD.findall(found[1] or found[2])
    }
    for place in page.places:
        for code in place.codes:
            name = last_part(code.text)
            if code.role or not is_class(name) or is_error(name):
                continue
            if _SAYS_ERROR.match(page.text, code.outer.end) or name.endswith("ExceptionGroup"):
                continue
            if name in NOT_NAMES | TYPES or is_placeholder(name):
                continue
            if has_humps(name):
                confidence = 0.8
            elif name.isupper():
                continue
            else:
                confidence = 0.75 if name in shown else 0.3
            yield Found(kind=COMPONENT, name=name, span=code.span, confidence=confidence)


CLASS = Rule("class-name", find_classes)
