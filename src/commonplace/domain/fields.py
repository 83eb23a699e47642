"""What the fields of bibliographies hold, made alike whatever the format."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath
from urllib.parse import unquote

# Wiley's DOIs of the nineties hold an item's whole number, with angle brackets.
_DOI = re.compile(
    r"\b10\.\d{4,9}/(?:\(SICI\)[^\s\"{}|\\^`<>]+<[^\s\"{}|\\^`<>]+>)?[^\s\"<>{}|\\^`]+",
    re.IGNORECASE,
)
_ESCAPED = re.compile(r"%(?:28|29|2f|3a|3b|3c|3e|5b|5d)", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?:arxiv(?:\.org/(?:abs|pdf)/|\s*[:.]\s*)|10\.48550/arxiv\.)"
    r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)")
_EXTRA_KEY = re.compile(r"^\s*citation[ -]?key\s*:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{2,5}$")
_NOT_WORDS = re.compile(r"[\W_]+")


def dois(text: str) -> list[str]:
    """Every DOI in a text, in its order, as they are compared.

    >>> dois("See https://doi.org/10.1000/XYZ123. (10.5555/12-a) 10.1016/s0(05)")
    ['10.1000/xyz123', '10.5555/12-a', '10.1016/s0(05)']
    """
    return list(dict.fromkeys(_closed(one.group()).lower() for one in _DOI.finditer(text)))


def _closed(doi: str) -> str:
    """Without the end of the sentence around it; a bracket counts if it opened in it."""
    while True:
        doi = doi.rstrip(".,;:'”’*")
        opened, closed = (sum(doi.count(sign) for sign in pair) for pair in ("([", ")]"))
        if doi[-1:] not in (")", "]") or opened >= closed:
            return doi
        doi = doi[:-1]


def doi_of(text: str) -> str:
    """The first DOI of a field, also of an address that escapes it; empty when there is none.

    >>> doi_of("https://doi.org/10.1002/%28SICI%291097%3C693::AID-A4%3E3.0.CO;2-O")
    '10.1002/(sici)1097<693::aid-a4>3.0.co;2-o'
    """
    plain = unquote(text) if _ESCAPED.search(text) else text
    return next(iter(dois(plain)), "")


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


def file_name(field: str) -> str:
    r"""The name of an attached file: plain, ``title:path:type``, or of several the first paper.

    >>> file_name("Full Text:files/12/Evans 2003.pdf:application/pdf"), file_name("C\\:\\a\\b.pdf")
    ('Evans 2003.pdf', 'b.pdf')
    >>> file_name("files/3/page.html;files/4/paper.pdf"), file_name("file:///a/Evans%202003.pdf")
    ('paper.pdf', 'Evans 2003.pdf')
    """
    field = unquote(field) if field.lower().startswith("file:") else field
    parts = (part.replace("\\", "/").strip() for part in re.split(r"(?<!\\):|;", field))
    names = [name for part in parts if _SUFFIX.search(name := PurePosixPath(part).name)]
    return next((name for name in names if name.lower().endswith(".pdf")), next(iter(names), ""))


def folded(text: str) -> str:
    """Text as titles are compared: words only, without case, accents and punctuation.

    >>> folded("Über “Clean” Architecture: a Guide")
    'uber clean architecture a guide'
    """
    plain = unicodedata.normalize("NFKD", text)
    kept = "".join(char for char in plain if not unicodedata.combining(char))
    return _NOT_WORDS.sub(" ", kept.casefold()).strip()
