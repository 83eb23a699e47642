"""References as a citation style writes them: plain, Markdown or HTML."""

import html
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

from commonplace.domain.errors import InvalidArgument
from commonplace.domain.reference import Reference

Format = Literal["text", "markdown", "html"]
STYLES = Path(__file__).parent / "styles"
DEFAULT = "author-date"
_MARKUP = re.compile(r"</?(?:i|b|sub|sup|sc|span)(?:\s[^<>]*)?>")
_ALIGNED = re.compile(r"^(\[\d+\]|\(\d+\)|\d+[.)])(?=[^\s\d])")
"""A number that the style sets in a column of its own, so that it needs no space."""
_PRIVATE = re.compile("[\ue000-\ue01f]")
_NAMED = re.compile(r"[A-Za-z0-9][\w.-]*")
_NAME_PARTS = ("family", "given", "literal", "suffix", "dropping-particle", "non-dropping-particle")
_SPECIAL = re.compile(r"([\\`*_\[\]<>])")
_OPEN, _CLOSE = 0xE000, 0xE010  # letters for private use
_TAGS = ("i", "b", "u", "sup", "sub")
_SIGNS: Mapping[
    Format, Sequence[tuple[str, str]]
] = {  # italic, bold, underline, above, below, small
    "text": [("", "")] * 6,
    "markdown": [("*", "*"), ("**", "**"), ("", ""), ("^", "^"), ("~", "~"), ("", "")],
    "html": [
        *((f"<{tag}>", f"</{tag}>") for tag in _TAGS),
        ('<span style="font-variant:small-caps">', "</span>"),
    ],
}


@dataclass(frozen=True, slots=True)
class Formatted:
    """One reference, written out."""

    citekey: str
    text: str


def find_style(name: str, folders: Iterable[Path]) -> Path:
    """The file of a style: a path, or the name of one of ours or in these folders.

    Raises InvalidArgument naming those there are.
    """
    given = Path(name).expanduser()
    if given.suffix == ".csl" and given.is_file():
        return given
    places = [STYLES, *folders]
    if _NAMED.fullmatch(name):
        for folder in places:
            found = folder / f"{name.removesuffix('.csl')}.csl"
            if found.is_file():
                return found
    known = sorted({path.stem for folder in places for path in folder.glob("*.csl")})
    raise InvalidArgument(
        f"no citation style {name!r}; name a .csl file, or one of: {', '.join(known[:40])}"
    )


def write_references(
    references: Sequence[Reference], style: Path, form: Format, locale: str | None = None
) -> list[Formatted]:
    """References in the order and the words of a style; raises InvalidArgument for a bad style."""
    from citeproc import (  # noqa: PLC0415 - a tenth of a second, for one command
        Citation,
        CitationItem,
        CitationStylesBibliography,
        CitationStylesStyle,
    )
    from citeproc.source.json import CiteProcJSON  # noqa: PLC0415
    from lxml.etree import LxmlError  # noqa: PLC0415

    names = {f"r{number}": one for number, one in enumerate(references)}
    items = [{**_item(one), "id": name} for name, one in names.items()]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of variables it does not know: it leaves them out
            made = CitationStylesStyle(str(style), locale=locale, validate=False)
            if not made.has_bibliography():
                raise InvalidArgument(f"{style.name} has no bibliography, only citations")
            source = CiteProcJSON(items)
            book = CitationStylesBibliography(made, source, _marks())
            book.register(Citation([CitationItem(name) for name in names]))
            book.sort()
            written = [
                _ALIGNED.sub(r"\1 ", " ".join(str(entry).split())) for entry in book.bibliography()
            ]
    except (LxmlError, AttributeError, KeyError, TypeError, ValueError) as exc:
        raise InvalidArgument(
            f"{style.name} is no style that can be used ({type(exc).__name__}: {exc}); check that "
            "it is a CSL 1.0 style, and no dependent one that only names another"
        ) from exc
    return [
        Formatted(names[name].citekey, _set(text, form))
        for name, text in zip(book.keys, written, strict=True)
    ]


def _item(reference: Reference) -> dict[str, Any]:
    """The record as the processor reads it; one without CSL from what every record has."""
    told = dict(reference.csl) or _plain(reference)
    kept = {name: _value(name, value) for name, value in told.items()}
    return {"type": "document", "title": reference.title} | {
        name: value for name, value in kept.items() if value not in (None, "", [], {})
    }


def _plain(reference: Reference) -> dict[str, Any]:
    authors = [{"literal": name} for name in reference.authors]
    issued = {"date-parts": [[reference.year]]} if reference.year else {}
    return {"title": reference.title, "author": authors, "issued": issued, "DOI": reference.doi}


def _value(name: str, value: Any) -> Any:  # noqa: ANN401 - JSON
    """A value of the item, or None for what is no variable of CSL."""
    if isinstance(value, list):
        people = [_name(one) for one in value if isinstance(one, Mapping)]
        return [one for one in people if one]
    if isinstance(value, Mapping):
        return _date(value)
    if not isinstance(value, str | int) or name in ("id", "key", "citation-key", "citationKey"):
        return None
    return _PRIVATE.sub("", _MARKUP.sub("", str(value)))


def _name(one: Mapping[str, Any]) -> dict[str, str]:
    parts = {part: _PRIVATE.sub("", str(one[part])) for part in _NAME_PARTS if one.get(part)}
    return {"literal": parts["literal"]} if "literal" in parts else parts


def _date(value: Mapping[str, Any]) -> dict[str, Any]:
    """A date whose parts are numbers, or as it is written."""
    parts = value.get("date-parts")
    try:
        numbers = [[int(part) for part in one if part] for one in parts] if parts else []
    except (TypeError, ValueError):
        numbers = []
    if any(numbers):
        return {"date-parts": [one for one in numbers if one]}
    written = value.get("literal") or value.get("raw")
    return {"literal": str(written)} if written else {}


def _marked(number: int) -> Callable[[object], str]:
    """Marks a piece of text with letters nobody writes; what they stand for is put in last."""
    return lambda text: f"{chr(_OPEN + number)}{text}{chr(_CLOSE + number)}"


def _marks() -> SimpleNamespace:
    """What the processor asks to set text off."""
    italic, bold, underline, above, below, small = (_marked(number) for number in range(6))
    return SimpleNamespace(
        preformat=str,
        Italic=italic,
        Oblique=italic,
        Bold=bold,
        Light=str,
        Underline=underline,
        Superscript=above,
        Subscript=below,
        SmallCaps=small,
    )


def _set(text: str, form: Format) -> str:
    """The text with its marks as the format writes them; all else in it is only text."""
    if form == "html":
        text = html.escape(text, quote=False)
    elif form == "markdown":
        text = _SPECIAL.sub(r"\\\1", text)
    for number, (opening, closing) in enumerate(_SIGNS[form]):
        text = text.replace(chr(_OPEN + number), opening).replace(chr(_CLOSE + number), closing)
    return text
