"""Parts of a CSL-JSON item, made from what the other formats write in one field."""

import re
from collections.abc import Mapping
from typing import Any

from commonplace.domain.fields import year_of

Item = dict[str, Any]

_NUMBERS = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d)(?:[-/.](\d{1,2}))?(?:[-/.](\d{1,2}))?(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})[a-z]*\b", re.IGNORECASE)
_SPOKEN = ("given", "dropping-particle", "non-dropping-particle", "family", "suffix")
_PARTICLE = re.compile(
    r"(?<!\S)(?:(?:v[ao]n|de[nrl]?|d[aiu]|la|le|ter?|zu[mr]?)\s+)+", re.IGNORECASE
)


def person(name: str) -> Item:
    """A name as CSL has it, written either way round; one word is a name of its own.

    >>> person("Knuth, Donald E."), person("Ludwig van Beethoven"), person("Plato")
    ({'family': 'Knuth', 'given': 'Donald E.'}, {'family': 'van Beethoven', 'given': 'Ludwig'}, \
{'literal': 'Plato'})
    """
    parts = [part.strip() for part in name.split(",") if part.strip()]
    if len(parts) == 1 and "," in name:  # so RIS marks institutions
        return {"literal": parts[0]}
    if len(parts) > 1:
        made = {"family": parts[0], "given": parts[-1]}
        return made | ({"suffix": parts[1]} if len(parts) > 2 else {})
    given, _, family = name.strip().rpartition(" ")
    if not given:
        return {"literal": name.strip()}
    found = next((one for one in _PARTICLE.finditer(f"{given} ") if one.end() > len(given)), None)
    if found and found.start():
        given, family = given[: found.start()].strip(), f"{found[0]}{family}"
    return {"family": family, "given": given}


def said(name: Mapping[str, Any]) -> str:
    """A name of CSL as people say it, the given one first.

    >>> said({"family": "Gogh", "given": "Vincent", "non-dropping-particle": "van"})
    'Vincent van Gogh'
    """
    names = {part: str(told).strip() for part, told in name.items() if isinstance(told, str | int)}
    spoken = (names.get(part, "") for part in _SPOKEN)
    return names.get("literal") or " ".join(filter(None, spoken))


def date(text: str) -> Item:
    """A date with as many parts as are told; what names no year is kept as it is written.

    >>> date("2019-05-03"), date("May 2019"), date("in press")
    ({'date-parts': [[2019, 5, 3]]}, {'date-parts': [[2019, 5]]}, {'literal': 'in press'})
    """
    year = year_of(text)
    if year is None:
        return {"literal": text.strip()} if text.strip() else {}
    numbers = _NUMBERS.search(text)
    parts = [int(part) for part in numbers.groups() if part] if numbers else [year]
    month = _MONTH.search(text)
    if len(parts) == 1 and month:
        parts.append(_MONTHS.index(month[1].lower()) + 1)
    is_month = len(parts) > 1 and 1 <= parts[1] <= 12
    return {"date-parts": [parts if is_month else parts[:1]]}


def without_blanks(item: Mapping[str, Any]) -> Item:
    """The item without variables that say nothing."""
    return {name: value for name, value in item.items() if value not in ("", None, [], {})}
