"""What the fields of bibliographies hold, made alike whatever the format."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>{}|\\^`]+", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?:arxiv(?:\.org/(?:abs|pdf)/|\s*[:.]\s*)|10\.48550/arxiv\.)"
    r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)")
_EXTRA_KEY = re.compile(r"^\s*citation[ -]?key\s*:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
_NOT_WORDS = re.compile(r"[\W_]+")


def dois(text: str) -> list[str]:
    """Every DOI in a text, in its order, as they are compared.

    >>> dois("See https://doi.org/10.1000/XYZ123. (10.5555/12-a)")
    ['10.1000/xyz123', '10.5555/12-a']
    """
    found = (one.group().rstrip(".,;:)]'”’*").lower() for one in _DOI.finditer(text))
    return list(dict.fromkeys(found))


def doi_of(text: str) -> str:
    """The first DOI of a field; empty when there is none."""
    return next(iter(dois(text)), "")


def arxiv_of(*texts: str) -> str:
    """The first number at arXiv, without its version: all versions are one work.

    >>> arxiv_of("", "arXiv:1706.03762v5 [cs.CL]"), arxiv_of("10.48550/arXiv.2101.00001")
    ('1706.03762', '2101.00001')
    """
    found = next((hit for text in texts if (hit := _ARXIV.search(text))), None)
    return found[1].lower() if found else ""


def year_of(text: str) -> int | None:
    """The first year named.

    >>> year_of("2019-05-03"), year_of("in press")
    (2019, None)
    """
    found = _YEAR.search(text)
    return int(found.group()) if found else None


def key_in(extra: str) -> str:
    r"""The key Better BibTeX pins in a note.

    >>> key_in("PMID: 3\nCitation Key: knuth1984")
    'knuth1984'
    """
    found = _EXTRA_KEY.search(extra)
    return found.group(1) if found else ""


def split_tags(text: str) -> tuple[str, ...]:
    """Keywords as they are written in one field.

    >>> split_tags("design; domain, design")
    ('design', 'domain')
    """
    return unique(re.split(r"[;,]", text))


def unique(words: Iterable[str]) -> tuple[str, ...]:
    """Words without blanks and repetitions, in their order."""
    return tuple(dict.fromkeys(word.strip() for word in words if word.strip()))


def spoken(name: str) -> str:
    """A name with the given one first.

    >>> spoken("Knuth, Donald E."), spoken("Plato"), spoken("King, Jr., Martin")
    ('Donald E. Knuth', 'Plato', 'Martin King, Jr.')
    """
    parts = [part.strip() for part in name.split(",")]
    if len(parts) == 3:
        return f"{parts[2]} {parts[0]}, {parts[1]}".strip()
    return " ".join([*parts[1:], parts[0]]).strip()


def file_name(field: str) -> str:
    r"""The name of an attached file: plain, ``title:path:type``, or the first of several.

    >>> file_name("Full Text:files/12/Evans 2003.pdf:application/pdf"), file_name("C\\:\\a\\b.pdf")
    ('Evans 2003.pdf', 'b.pdf')
    """
    for part in re.split(r"(?<!\\):|;", field):
        name = PurePosixPath(part.replace("\\", "/").strip()).name
        if re.search(r"\.[A-Za-z0-9]{2,5}$", name):
            return name
    return ""


def folded(text: str) -> str:
    """Text as titles are compared: words only, without case, accents and punctuation.

    >>> folded("Über “Clean” Architecture: a Guide")
    'uber clean architecture a guide'
    """
    plain = unicodedata.normalize("NFKD", text)
    kept = "".join(char for char in plain if not unicodedata.combining(char))
    return _NOT_WORDS.sub(" ", kept.casefold()).strip()
