"""What a paper says of itself: its title, its DOI, its number at arXiv."""

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from commonplace.domain.fields import dois
from commonplace.parsers.drafting import one_line

_ARXIV = re.compile(
    r"arxiv(?:\.org/(?:abs|pdf)/|\s*:\s*)"
    r"(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[a-z]{2})?/\d{7}(?:v\d+)?)",
    re.IGNORECASE,
)
_ARXIV_FILE = re.compile(r"\d{4}\.\d{4,5}(?:v\d+)?")
_NO_TITLE = re.compile(
    r"untitled.*|undefined|none|null|no title(?: given)?|microsoft (?:word|powerpoint).*|"
    r".*\.(?:docx?|dvi|tex|indd|pdf|ps|qxd|rtf)|"
    r"(?:document|title|paper|article|manuscript|template)\s*\d*|[\W\d_]*|\S*\d{4,}\S*",
    re.IGNORECASE,
)


def good_title(told: str, path: str) -> str:
    """The title of the metadata, unless it is a file name or what a program put there.

    >>> good_title("Microsoft Word - a.doc", "a.pdf"), good_title("On Trees", "a.pdf")
    ('', 'On Trees')
    """
    title = one_line(told.replace("\ufffd", ""))
    is_name = title.lower() == PurePosixPath(path).stem.lower()
    return "" if is_name or _NO_TITLE.fullmatch(title) else title


def find_doi(texts: Iterable[str]) -> str:
    """The first DOI.

    >>> find_doi(["see (https://doi.org/10.1000/XYZ123)."])
    '10.1000/xyz123'
    """
    return next((doi for text in texts for doi in dois(text)), "")


def find_arxiv(texts: Iterable[str], path: str) -> str:
    """The paper's own number at arXiv, with its version when told.

    >>> find_arxiv(["arXiv:1706.03762v5 [cs.CL]"], "a.pdf"), find_arxiv([], "2101.00001.pdf")
    ('1706.03762v5', '2101.00001')
    """
    found = next((hit for text in texts if (hit := _ARXIV.search(text))), None)
    if found:
        return found[1].lower()
    stem = PurePosixPath(path).stem
    return stem if _ARXIV_FILE.fullmatch(stem) else ""


def attributes_of(told: Mapping[str, str], first_page: str, path: str) -> dict[str, str]:
    """DOI, arXiv number, authors, subject and keywords, those there are."""
    metadata = [told.get(name, "") for name in ("doi", "Subject", "Keywords", "Title")]
    texts = [*metadata, first_page]
    found = {
        "doi": find_doi(texts),
        "arxiv": find_arxiv(texts, path),
        "author": one_line(told.get("Author", "")),
        "subject": one_line(told.get("Subject", "")),
        "keywords": one_line(told.get("Keywords", "")),
    }
    return {name: value for name, value in found.items() if value}
