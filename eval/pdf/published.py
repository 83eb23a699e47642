"""``python -m eval.pdf.published``: published papers against their sources, ours beside others."""

import time
import zlib
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path

import click

from commonplace.domain.document import Document
from eval.pdf.latex import GAP, Prose, read_source
from eval.pdf.packages import Pair, fetch, pairs
from eval.pdf.pages import Pages, grams, told_pages
from eval.pdf.readers import READERS, Extract
from eval.pdf.score import bare, f1, words_of

_LEAST_WORDS = 12  # of a paragraph: shorter ones are found anywhere
_GRAM = 3
_LONG = 9
_LEAST_FOUND = 0.6  # of the paragraphs, by the best reader: else source and file are not the same
# Headings that commands and environments print, which the source does not spell.
_UNTOLD = frozenset(
    [
        "contents",
        "references",
        "bibliography",
        "abstract",
        "literature",
        "index",
        "list of figures",
        "list of tables",
        "acknowledgments",
        "acknowledgements",
        "keywords",
        "nomenclature",
        "ccs concepts",
        "affiliation",
    ]
)

Tokens = list[str | None]
"""Words, and None where the source does not say them."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Shares from 0 to 1; what a reader does not tell is None."""

    found: float
    """Of paragraphs, those of which half the triples of words stand close together."""
    words: float
    """F1 of the words of found paragraphs and of what stands in their place."""
    pairs: float
    """Of neighbouring words of the prose, those that are neighbours in the text."""
    order: float
    """Of neighbouring paragraphs, those found one after the other."""
    whole: float
    """Of words of nine letters and more, those that are whole."""
    floating: float
    """Of neighbouring words of notes and captions, those that are neighbours."""
    headings: float | None = None
    """F1 of headings."""
    levels: float | None = None
    """Of headings found, those of the right level."""
    first_pages: float | None = None
    """Of paragraphs found, those said to begin on the page that has their first words."""
    last_pages: float | None = None


def tokens_of(text: str) -> Tokens:
    r"""Words of a text with gaps; what touches a gap is not known either.

    >>> tokens_of("The mean\x00 is (here).")
    ['the', None, 'is', 'here']
    """
    found: Tokens = []
    for piece in text.split():
        found += [None] if GAP in piece else words_of(piece)
    return found


def _known(tokens: Tokens) -> list[str]:
    return [word for word in tokens if word is not None]


def _neighbours(tokens: Tokens) -> Counter[object]:
    return Counter(pair for pair in pairwise(tokens) if None not in pair)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a paragraph stands, in words of the text."""

    start: int
    end: int


class Text:
    """The words a reader gave, and where threes of them stand."""

    def __init__(self, text: str) -> None:
        self.words = words_of(text)
        self._at: dict[tuple[str | None, ...], list[int]] = defaultdict(list)
        for at, gram in enumerate(grams(self.words)):
            self._at[gram].append(at)

    def find(self, tokens: Tokens) -> Place | None:
        """The place with most triples of the paragraph, if it has half of them."""
        wanted = [gram for gram in grams(tokens) if None not in gram]
        spots = sorted({at for gram in wanted for at in self._at.get(gram, ())})
        reach = int(1.5 * len(tokens)) + 20
        best = (0, 0, 0)
        for first, spot in enumerate(spots):
            last = bisect_left(spots, spot + reach)
            if last - first > best[0]:
                best = (last - first, spot, spots[last - 1] + _GRAM)
        if 2 * best[0] < max(1, len(set(wanted))):
            return None
        # The same triples stand elsewhere too: what is longest is the paragraph.
        blocks = SequenceMatcher(None, tokens, self.words[best[1] : best[2]], autojunk=False)
        long = [one for one in blocks.get_matching_blocks() if one.size >= _GRAM]
        return Place(best[1] + long[0].b, best[1] + long[-1].b + long[-1].size)


def words_f1(tokens: Tokens, given: Sequence[str]) -> float:
    """F1 of a paragraph and what stands in its place; what stands in a gap does not count.

    >>> words_f1(["a", None, "b"], ["a", "7", "b"]), words_f1(["a", "b"], ["a", "7", "b"])
    (1.0, 0.8)
    """
    both = extra = 0
    for kind, left, right, start, end in SequenceMatcher(
        None, tokens, given, autojunk=False
    ).get_opcodes():
        around = tokens[max(0, left - (kind == "insert")) : right + (kind == "insert")]
        if kind == "equal":
            both += right - left
        elif None not in around:
            extra += end - start
    return 2 * both / max(1, len(_known(tokens)) + both + extra)


def mark(prose: Sequence[Prose], extract: Extract, pages: Pages) -> Marks:
    """The figures of one paper."""
    text = Text(extract.text)
    parts = [tokens_of(one.text) for one in prose if one.kind == "paragraph"]
    parts = [one for one in parts if len(_known(one)) >= _LEAST_WORDS]
    floating = [tokens_of(one.text) for one in prose if one.kind == "floating"]
    places = [text.find(one) for one in parts]
    met = [(one, place) for one, place in zip(parts, places, strict=True) if place]
    given: Counter[object] = Counter(pairwise(text.words))
    long: Counter[object] = Counter(
        word for one in parts for word in _known(one) if len(word) >= _LONG
    )
    steps = [(one, other) for one, other in pairwise(places) if one and other]
    told: dict[str, float] = {}
    if extract.document:
        told = _structure(prose, extract.document) | _paging(met, extract.document, pages)
    return Marks(
        found=len(met) / max(1, len(parts)),
        words=sum(words_f1(one, text.words[at.start : at.end]) for one, at in met)
        / max(1, len(met)),
        pairs=_share(sum(map(_neighbours, parts), Counter()), given),
        order=sum(one.start < other.start for one, other in steps) / max(1, len(steps)),
        whole=_share(long, Counter(text.words)),
        floating=_share(sum(map(_neighbours, floating), Counter()), given),
        **told,
    )


def _paging(
    met: Sequence[tuple[Tokens, Place]], document: Document, pages: Pages
) -> dict[str, float]:
    """Whether paragraphs are said to stand on the pages that have their words."""
    said = told_pages(document)
    firsts = [(pages.first(one), said[at.start]) for one, at in met]
    lasts = [(pages.last(one), said[at.end - 1]) for one, at in met]
    named = {"first_pages": firsts, "last_pages": lasts}
    rights = {name: [a == b for a, b in some if a is not None] for name, some in named.items()}
    return {name: sum(some) / len(some) for name, some in rights.items() if some}


def _share(wanted: Counter[object], given: Counter[object]) -> float:
    return (wanted & given).total() / wanted.total() if wanted else 1.0


def _structure(prose: Sequence[Prose], document: Document) -> dict[str, float]:
    gold = [(tokens_of(one.text), one.level) for one in prose if one.kind == "heading"]
    lift = min((level for _, level in gold), default=1) - 2
    wanted = [(" ".join(_known(words)), level) for words, level in gold if None not in words]
    names: Counter[object] = Counter(text for text, _ in wanted)
    if not names:
        return {}
    given = [(_named(one.heading, names), one.level) for one in document.sections]
    for words, _ in gold:
        if None in words:  # of such a heading only some words are known
            partly = [one for one in given if set(_known(words)) <= set(one[0].split())]
            given = [one for one in given if one not in partly[:1]]
    untold = {*_UNTOLD, _named(document.title, names)}
    given = [one for one in given if one[0] in names or one[0] not in untold]
    level_of = dict(given)
    rights = [level_of[text] == level - lift for text, level in wanted if text in level_of]
    return {
        "headings": f1(names, Counter(text for text, _ in given)),
        "levels": sum(rights) / max(1, len(rights)),
    }


def _named(heading: str, names: Mapping[object, int]) -> str:
    """The words of a heading, without its number unless the source has that."""
    whole = " ".join(words_of(heading))
    return whole if whole in names else bare(heading)


def half_of(pair: Pair) -> str:
    """Rules are mended on one half of the papers only.

    By package: papers of one look alike.
    """
    seed = pair.name if pair.package.startswith("texlive") else pair.package
    return ("mended on", "not looked at")[zlib.crc32(seed.encode()) % 2]


def _cells(some: Sequence[Marks]) -> str:
    cells = []
    for one in fields(Marks):
        values = [value for each in some if (value := getattr(each, one.name)) is not None]
        told = f"{sum(values) / len(values):.3f}".removeprefix("0") if values else "–"
        cells.append(told)
    return " | ".join(cells)


@dataclass(slots=True)
class Outcome:
    """What all readers made of all papers."""

    marks: dict[str, dict[Pair, Marks]]
    spent: dict[str, float]
    failed: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """What readers raised; of such a paper they have nothing."""
    pages: int = 0

    def show(self, left_out: Mapping[str, float]) -> None:
        """The tables: readers, then ours by half and by columns."""
        head = " | ".join(one.name.replace("_", " ") for one in fields(Marks))
        click.echo(f"{len(next(iter(self.marks.values())))} papers, {self.pages} pages")
        click.echo(f"left out: {', '.join(f'{n} ({v:.2f})' for n, v in left_out.items()) or '-'}")
        for name, faults in self.failed.items():
            click.echo(f"{name} raised {len(faults)} times: {', '.join(sorted(set(faults)))}")
        for half in ("", "mended on", "not looked at", "two columns"):
            click.echo(f"\n| {half or 'reader'} | {head} | pages/CPU-s |\n|{'---|' * 12}")
            for name, by_pair in self.marks.items():
                some = [one for pair, one in by_pair.items() if _is_of(pair, half)]
                speed = f"{self.pages / self.spent[name]:.0f}" if not half else ""
                click.echo(f"| {name} ({len(some)}) | {_cells(some)} | {speed} |")


def _is_of(pair: Pair, half: str) -> bool:
    if half == "two columns":
        return pair.package.startswith("texlive")
    return half in ("", half_of(pair))


def _pages(content: bytes) -> int:
    import pypdfium2  # noqa: PLC0415 - heavy

    pdf = pypdfium2.PdfDocument(content)
    count = len(pdf)
    pdf.close()
    return count


@click.command()
@click.option("--folder", type=click.Path(path_type=Path), required=True, help="For packages.")
@click.option("--readers", default=",".join(READERS), help="Names, with commas.")
@click.option("--most-pages", default=40, help="Longer ones are left out.")
@click.option("--half", default="", help="mended on, not looked at, or two columns.")
@click.option("--each", is_flag=True, help="Show every paper.")
def main(folder: Path, readers: str, most_pages: int, half: str, each: bool) -> None:
    """Fetch the packages, read the papers, and print the tables of means."""
    missing = fetch(folder)
    if missing:
        click.echo(f"not to be had here (Debian's apt-get is needed): {', '.join(missing)}")
    out = Outcome({name: {} for name in readers.split(",")}, defaultdict(float))
    left_out: dict[str, float] = {}
    for pair in [one for one in pairs(folder) if _is_of(one, half)]:
        content = pair.pdf.read_bytes()
        count = _pages(content)
        if count > most_pages:
            continue
        made = _read(content, read_source(pair.text()), out)
        best = max(one.found for one in made.values())
        if best < _LEAST_FOUND:
            left_out[pair.name] = best
            continue
        out.pages += count
        for name, marks in made.items():
            out.marks[name][pair] = marks
            if each:
                click.echo(f"{pair.name} | {name} | {_cells([marks])} | {half_of(pair)}")
    out.show(left_out)


def _read(content: bytes, prose: Sequence[Prose], out: Outcome) -> dict[str, Marks]:
    made = {}
    pages = Pages(content)
    for name in out.marks:
        started = time.process_time()
        try:
            extract = READERS[name](content)
        except Exception as exc:  # noqa: BLE001 - whatever a reader raises, it read nothing
            out.failed[name].append(type(exc).__name__)
            extract = Extract("")
        out.spent[name] += time.process_time() - started
        made[name] = mark(prose, extract, pages)
    return made


if __name__ == "__main__":
    main()
