"""A bibliographic record, whatever format it came in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from commonplace.domain.fields import arxiv_of, folded


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What a bibliography says of one work."""

    citekey: str = ""
    """Empty when the bibliography gives none."""
    title: str = ""
    authors: tuple[str, ...] = ()
    """Given name first, as people say them."""
    year: int | None = None
    doi: str = ""
    """Lower case, without an address before it."""
    arxiv: str = ""
    """Number at arXiv, without its version."""
    tags: tuple[str, ...] = ()
    language: str = ""
    file: str = ""
    """Name of the file the bibliography attaches to it."""
    uris: tuple[str, ...] = ()
    """Addresses of documents it is known to be of; nothing else is then matched to them."""
    csl: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The whole record as an item of CSL-JSON: what a citation style is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A work in a document's list of references, as far as the entry can be read."""

    text: str
    """The entry, without its number."""
    start: int
    end: int
    """In the text of the document."""
    title: str = ""
    doi: str = ""
    arxiv: str = ""
    year: int | None = None

    @property
    def key(self) -> str:
        """What two entries of one work have in common: the surest that is told."""
        return work_key(self.doi, self.arxiv, self.title or self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What a document tells of works: of itself, and of those it cites."""

    title: str
    doi: str = ""
    arxiv: str = ""
    cites: tuple[Listed, ...] = ()


def work_key(doi: str, arxiv: str, title: str) -> str:
    """One name for a work, by the first of these that is known.

    >>> work_key("10.1/x", "", "On Trees"), work_key("", "", "On  Trees!")
    ('doi:10.1/x', 'title:on trees')
    """
    arxiv = arxiv_of(doi) or arxiv
    if arxiv:
        return f"arxiv:{arxiv}"
    return f"doi:{doi}" if doi else f"title:{folded(title)[:200]}"
