"""Papers with known references, set by typst in many citation styles, in one and two columns.

``python -m eval.references`` prints, for each style: entries found of those listed, titles found
whole, DOIs found whole where the style prints them, and works that would be led to a document of
that title or DOI. Beside it the plain way: a paragraph is an entry, its second sentence the title.
The rules were written with the styles ``FIRST`` and ten other works; ``LATER`` were added then,
and what they showed was mended once. So neither is a test of styles nobody looked at.
"""

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import typst

from commonplace.domain.document import Card, Document, Resource
from commonplace.domain.fields import doi_of, folded
from commonplace.domain.media import PDF
from commonplace.domain.reference import Listed
from commonplace.link.works import account
from commonplace.parsers.pdf import parse_pdf

FIRST = (
    *("ieee", "apa", "chicago-author-date", "mla", "springer-basic", "nature", "vancouver"),
    *("association-for-computing-machinery", "harvard-cite-them-right"),
)
LATER = (
    *("american-medical-association", "american-sociological-association", "annual-reviews"),
    *("american-political-science-association", "biomed-central", "british-medical-journal"),
    *("cell", "elsevier-harvard", "elsevier-with-titles", "frontiers", "iso-690-author-date"),
    *("multidisciplinary-digital-publishing-institute", "public-library-of-science"),
    *("sage-vancouver", "springer-lecture-notes-in-computer-science", "springer-vancouver"),
    *("taylor-and-francis-chicago-author-date", "the-lancet", "turabian-author-date"),
)


class Work(NamedTuple):
    """One reference, as it is put in the bibliography."""

    key: str
    kind: str
    authors: str
    title: str
    year: int
    doi: str = ""


WORKS = tuple(
    Work(key, kind, authors, title, int(year), doi)
    for key, kind, authors, title, year, doi in (
        line.split("\t")
        for line in (Path(__file__).parent / "works.tsv").read_text("utf-8").splitlines()
    )
)
_VENUES = {
    "article": "journal = {Journal of Known Results}, volume = {12}, pages = {101--128}",
    "book": "publisher = {North Press}, address = {Kiel}",
    "inproceedings": "booktitle = {Proceedings of the Seventh Conference}, pages = {33--44}",
}


def bibliography() -> str:
    """All works as BibTeX."""
    entries = (
        f"@{one.kind}{{{one.key}, author = {{{one.authors}}}, title = {{{one.title}}}, "
        f"year = {{{one.year}}}, {_VENUES[one.kind]}"
        + (f", doi = {{{one.doi}}}" if one.doi else "")
        + "}"
        for one in WORKS
    )
    return "\n".join(entries)


def paper(style: str, columns: int) -> Document:
    """A paper that cites all works, as our parser reads it."""
    cites = " ".join(f"@{one.key}" for one in WORKS)
    text = (
        f"#set page(columns: {columns})\n#set text(size: 10pt)\n= A survey\n\n== Introduction\n"
        f"#lorem(250) {cites}.\n\n== Method\n#lorem(350)\n\n"
        f'#bibliography("works.bib", style: "{style}", title: "References")\n'
    )
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "works.bib").write_text(bibliography(), "utf-8")
        (folder / "paper.typ").write_text(text, "utf-8")
        content = typst.compile(str(folder / "paper.typ"))
    return parse_pdf(
        Resource(
            uri="file:///paper.pdf",
            path="paper.pdf",
            content=content,
            media_type=PDF,
            modified_at=datetime.now(UTC),
        )
    )


def ours(document: Document) -> list[Listed]:
    """The entries our rules find."""
    now = datetime.now(UTC)
    card = Card(
        id="d", project="p", source_id="s", uri="file:///paper.pdf", path="paper.pdf",
        title=document.title, media_type=PDF, content_hash="", modified_at=now, indexed_at=now,
    )  # fmt: skip
    told = account(document, card)
    return list(told.cites) if told else []


def plain(document: Document) -> list[Listed]:
    """A paragraph is an entry, its second sentence the title."""
    found = []
    for section in document.sections:
        if section.heading.lower() != "references":
            continue
        for block in document.blocks:
            inside = section.span.start <= block.span.start < section.span.end
            if not inside or block.kind == "heading":
                continue
            text = block.span.of(document.text)
            parts = re.split(r"(?<=\.)\s+(?=[A-Z“\"])", text)
            title = parts[1].strip(" .“”") if len(parts) > 1 else ""
            found.append(
                Listed(
                    text=text,
                    start=block.span.start,
                    end=block.span.end,
                    title=title,
                    doi=doi_of(text),
                )
            )
    return found


class Score(NamedTuple):
    """Counts over a list: entries, right titles, right DOIs, works that would be led to."""

    entries: int
    titles: int
    dois: int
    led: int


def score(found: Sequence[Listed]) -> Score:
    """Compare what was found with what was listed."""
    titles = {folded(one.title) for one in found}
    dois = {one.doi for one in found if one.doi}
    texts = [f" {folded(one.text)} " for one in found]

    def is_led(work: Work) -> bool:
        wanted = f" {folded(work.title)} "
        return work.doi.lower() in dois or any(wanted in text for text in texts)

    return Score(
        len(found),
        sum(folded(work.title) in titles for work in WORKS),
        sum(work.doi.lower() in dois for work in WORKS if work.doi),
        sum(map(is_led, WORKS)),
    )


def rows(styles: Sequence[str]) -> Iterator[tuple[str, Score, Score]]:
    """Scores of both ways for each style and number of columns."""
    for style in styles:
        for columns in (1, 2):
            document = paper(style, columns)
            yield f"{style} ({columns})", score(ours(document)), score(plain(document))


def main() -> int:
    """Print both tables and their sums."""
    with_doi = sum(bool(work.doi) for work in WORKS)
    print(f"{len(WORKS)} works a list, {with_doi} with a DOI; ours | plain")
    for name, styles in (("first", FIRST), ("later", LATER)):
        print(f"\n{name}\n{'style (columns)':52} entries  titles    DOIs     led")
        ourselves: list[Score] = []
        others: list[Score] = []
        for label, mine, theirs in rows(styles):
            ourselves.append(mine)
            others.append(theirs)
            pairs = "  ".join(f"{one:3}|{other:3}" for one, other in zip(mine, theirs, strict=True))
            print(f"{label:52} {pairs}")
        for label, scores in (("ours", ourselves), ("plain", others)):
            most = len(WORKS) * len(scores)
            printed = sum(one.dois for one in scores)
            print(
                f"{label}: titles {sum(one.titles for one in scores) / most:.3f}, led "
                f"{sum(one.led for one in scores) / most:.3f}, DOIs {printed}, entries "
                f"{sum(one.entries for one in scores)} of {most}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
