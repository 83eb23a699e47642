"""Configuration: names in capitals with underscores, where the text says they are set."""

import re
from collections.abc import Iterator

from commonplace.link.entities.found import CONFIGURATION, Found, Rule
from commonplace.link.entities.naming import is_loud
from commonplace.link.entities.page import Page
from commonplace.link.entities.vocabulary import PYTHON

_TOLD = re.compile(
    r"\b(?:env(?:ironment)?|settings?|config\w*|variables?|options?|export|set to|enabled?|"
    r"disabled?|default(?:s|ed)? (?:to|is|value))\b",
    re.IGNORECASE,
)
_DOLLAR = re.compile(r"\$\{?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\}?")
_ASSIGNMENT = re.compile(r"^[ \t]{0,8}([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\s*=(?!=)", re.MULTILINE)
_REPLACED = re.compile(
    r"\b(?:replac\w+|substitut\w+|where|default(?:s|ed|ing)? to|values? (?:are|is|of|include)|"
    r"set to|one of)\s+$",
    re.IGNORECASE,
)
_VALUES = re.compile(r"\b(?:valid|possible|allowed|accepted|available|supported) values\b", re.I)
_OTHER = re.compile(
    r"\s+(?:decorator|function|method|class|macro|constant|signal|placeholder|enum|column)s?\b"
)
_CONSTANT = re.compile(r"HTTP_\d{3}|[A-Z]+_\d{3}_|AF_|SOCK_|SIG_|S_I|O_[A-Z]+$|E_[A-Z]+$")


def find_variables(page: Page) -> Iterator[Found]:
    """In inline code: sure when the paragraph speaks of setting it, or code of the page does."""
    assigned = {
        found[1]
        for place in page.programs
        if (place.block.language or "").lower() in PYTHON | {""}
        for found in _ASSIGNMENT.finditer(place.text)
    }
    for place in page.places:
        is_told: bool | None = None
        for code in place.codes:
            name = code.text.removeprefix("$").strip("{}")
            name = name.partition("=")[0].strip()
            if code.role or not is_loud(name) or _CONSTANT.match(name):
                continue
            before = page.text[max(0, code.outer.start - 20) : code.outer.start]
            if _REPLACED.search(before) or _OTHER.match(page.text, code.outer.end):
                continue
            if is_told is None:
                told = f"{place.heading} {place.text}"
                is_told = bool(_TOLD.search(told)) and not _VALUES.search(told)
            is_sure = is_told or name in assigned or code.text.startswith("$")
            yield Found(
                kind=CONFIGURATION, name=name, span=code.span, confidence=0.8 if is_sure else 0.3
            )


VARIABLE = Rule("capitals", find_variables)
