"""How much of a paper a reader gives back: its words, their order, headings, pages, tables."""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

from commonplace.domain.document import Document
from eval.pdf.papers import Paper
from eval.pdf.readers import Extract

_EDGE = re.compile(r"^\W+|\W+$")
_NUMBER = re.compile(r"^(?:Appendix\s+)?(?:\d+(?:\.\d+)*|[IVX]+(?:\.\d+)*|[A-Z](?:\.\d+)*)[.:]?\s+")
_LONG = 9
_OPENING = 5  # words that find the beginning of a paragraph


@dataclass(frozen=True, slots=True)
class Score:
    """Shares from 0 to 1; what a reader does not tell is None."""

    words: float
    """F1 of words, whatever their order."""
    pairs: float
    """F1 of pairs of neighbouring words: spoiled by columns read across and words left broken."""
    order: float
    """Of neighbouring paragraphs and headings, those found one after the other."""
    whole: float
    """Of words of nine letters and more, those that are whole."""
    captions: float
    """Of captions, those whose words stand together."""
    rows: float
    """Of the table's rows, those whose cells stand together on one line."""
    headings: float | None = None
    """F1 of headings."""
    levels: float | None = None
    """Of headings found, those of the right level."""
    first_pages: float | None = None
    """Of paragraphs, those said to begin on the page they begin on."""
    last_pages: float | None = None
    works: float | None = None
    """Of cited works, those that are one block of their own."""


def words_of(text: str) -> list[str]:
    """Words without the punctuation around them.

    >>> words_of("A \ufb01ne, well-known (thing).")
    ['a', 'fine', 'well-known', 'thing']
    """
    plain = unicodedata.normalize("NFKC", text).replace("\u2019", "'").replace("\u2010", "-")
    found = (_EDGE.sub("", word) for word in plain.lower().split())
    return [word for word in found if word]


def f1(gold: Counter[object], found: Counter[object]) -> float:
    """Of what is wanted and what is given, how much is both.

    >>> f1(Counter("aab"), Counter("abc"))
    0.6666666666666666
    """
    both = (gold & found).total()
    return 2 * both / max(1, gold.total() + found.total())


def blocks_of(paper: Paper) -> list[str]:
    """Everything that is printed once, in reading order as far as it has one."""
    table = [" ".join(row) for row in paper.table]
    parts = [part.text for part in paper.parts]
    notes = [part.note for part in paper.parts if part.note]
    head = [paper.title, paper.authors, paper.abstract]
    return [*head, *parts, *notes, *table, paper.table_caption, paper.figure_caption, *paper.works]


def _pairs(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    return pairwise(words)


def score(paper: Paper, extract: Extract) -> Score:
    """The figures of one paper."""
    blocks = [words_of(block) for block in blocks_of(paper)]
    found = words_of(extract.text)
    gold: Counter[object] = Counter(word for block in blocks for word in block)
    gold_pairs: Counter[object] = Counter(pair for block in blocks for pair in _pairs(block))
    found_pairs: Counter[object] = Counter(_pairs(found))
    # What stands between two blocks depends on where floats and notes went; it is not counted.
    extra = len(blocks) + 2 * len(paper.works)
    both = (gold_pairs & found_pairs).total()
    long_gold: Counter[object] = Counter({w: n for w, n in gold.items() if len(str(w)) >= _LONG})
    long_found: Counter[object] = Counter(found)
    joined = " ".join(found)
    captions = [" ".join(words_of(one)) for one in (paper.table_caption, paper.figure_caption)]
    lines = [" ".join(words_of(line)) for line in extract.text.splitlines()]
    rows = [" ".join(words_of(" ".join(row))) for row in paper.table]
    told = _structure(paper, extract.document) if extract.document else {}
    return Score(
        words=f1(gold, Counter(found)),
        pairs=2 * both / max(1, gold_pairs.total() + max(0, found_pairs.total() - extra)),
        order=_order(paper, found),
        whole=(long_gold & long_found).total() / max(1, long_gold.total()),
        captions=sum(one in joined for one in captions) / len(captions),
        rows=sum(any(row in line for line in lines) for row in rows) / len(rows),
        **told,
    )


def _places(paper: Paper, found: Sequence[str]) -> list[int]:
    """Where each part begins, in words; -1 when it is not found."""
    at: dict[tuple[str, ...], list[int]] = {}
    for size in range(1, _OPENING + 1):
        for start in range(len(found) - size + 1):
            at.setdefault(tuple(found[start : start + size]), []).append(start)
    places, last = [], 0
    for part in paper.parts:
        spots = at.get(tuple(words_of(part.text)[:_OPENING]), [])
        later = [spot for spot in spots if spot >= last]
        place = later[0] if later else (spots[0] if spots else -1)
        places.append(place)
        last = max(last, place)
    return places


def _order(paper: Paper, found: Sequence[str]) -> float:
    places = _places(paper, found)
    steps = list(pairwise(places))
    return sum(0 <= one < other for one, other in steps) / max(1, len(steps))


def bare(heading: str) -> str:
    """The words of a heading without its number."""
    return " ".join(words_of(_NUMBER.sub("", heading)))


def _structure(paper: Paper, document: Document) -> dict[str, float]:
    works = ("References", "Bibliography", "Literatur", "Abstract", "Zusammenfassung")
    skipped = {bare(paper.title), *(one.lower() for one in works)}
    gold = [(bare(part.text), part.level) for part in paper.parts if part.kind == "heading"]
    found = [(bare(one.heading), one.level) for one in document.sections]
    found = [(text, level) for text, level in found if text not in skipped]
    names: Counter[object] = Counter(text for text, _ in gold)
    given: Counter[object] = Counter(text for text, _ in found)
    level_of = dict(found)
    rights = [level_of[text] == level + 1 for text, level in gold if text in level_of]
    entries = {
        " ".join(words_of(_strip(block.span.of(document.text)))) for block in document.blocks
    }
    first, last = _pages(paper, document)
    return {
        "headings": f1(names, given),
        "levels": sum(rights) / max(1, len(rights)),
        "first_pages": first,
        "last_pages": last,
        "works": sum(" ".join(words_of(one)) in entries for one in paper.works)
        / max(1, len(paper.works)),
    }


def _strip(text: str) -> str:
    """A work without its mark."""
    return re.sub(r"^\s*(?:\[\d+\]|\d+\.)\s*", "", text)


def _pages(paper: Paper, document: Document) -> tuple[float, float]:
    """Of paragraphs that are found, those whose first and whose last page is right."""
    spots = [match.span() for match in re.finditer(r"\S+", document.text)]
    spots = [spot for spot in spots if words_of(document.text[spot[0] : spot[1]])]
    places = _places(paper, words_of(document.text))
    firsts, lasts = [], []
    for number, part in enumerate(paper.parts):
        if part.kind != "paragraph" or places[number] < 0 or number not in paper.pages:
            continue
        begin = spots[places[number]][0]
        end_word = min(len(spots) - 1, places[number] + len(words_of(part.text)) - 1)
        begins, ends = paper.pages[number]
        firsts.append(bisect_right(document.pages, begin) == begins)
        lasts.append(bisect_right(document.pages, spots[end_word][0]) == ends)
    return sum(firsts) / max(1, len(firsts)), sum(lasts) / max(1, len(lasts))


def mean(scores: Sequence[Score]) -> Score:
    """The mean of every figure."""
    found: dict[str, Any] = {}
    for one in fields(Score):
        values = [value for each in scores if (value := getattr(each, one.name)) is not None]
        found[one.name] = sum(values) / len(values) if values else None
    return Score(**found)
