"""The program; see the package."""

import argparse
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.extraction.sets import Labelled, read_docs, read_newspaper, read_trafilatura
from eval.extraction.ways import Extract, ways

# A word, or one character of a script that sets no spaces.
_WORD = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u9fff\uac00-\ud7af]|[^\W_]+")


@dataclass(frozen=True, slots=True)
class Figure:
    """Precision, recall and F1 of an extractor on a set, and what it took."""

    precision: float
    recall: float
    f1: float
    cpu_s: float


def words(text: str) -> Counter[str]:
    """The words of a text and how often each stands there.

    >>> sorted(words("A b, a!").items())
    [('a', 2), ('b', 1)]
    """
    return Counter(_WORD.findall(text.lower()))


def by_words(found: str, gold: str) -> tuple[float, float, float]:
    """Precision, recall and F1 of the words of a text, each as often as it stands there.

    >>> by_words("a b c d", "a b")
    (0.5, 1.0, 0.6666666666666666)
    """
    ours, theirs = words(found), words(gold)
    shared = (ours & theirs).total()
    precision = shared / ours.total() if ours else 0.0
    recall = shared / theirs.total() if theirs else 0.0
    return precision, recall, _f1(precision, recall)


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def measure(extract: Extract, pages: Sequence[Labelled]) -> Figure:
    """How an extractor does on a set: the mean over pages, or over pieces where those are given."""
    started = time.process_time()
    texts = [extract(page.content) for page in pages]
    cpu_s = time.process_time() - started
    if pages[0].gold:
        each = [by_words(text, page.gold) for text, page in zip(texts, pages, strict=True)]
        means = [sum(one[place] for one in each) / len(each) for place in range(3)]
        return Figure(means[0], means[1], means[2], cpu_s)
    return Figure(*_by_pieces(texts, pages), cpu_s)


def _by_pieces(texts: Sequence[str], pages: Sequence[Labelled]) -> tuple[float, float, float]:
    held = wrong = wanted = 0
    for text, page in zip(texts, pages, strict=True):
        plain = " ".join(text.split())
        held += sum(" ".join(piece.split()) in plain for piece in page.wanted)
        wrong += sum(" ".join(piece.split()) in plain for piece in page.unwanted)
        wanted += len(page.wanted)
    precision, recall = held / max(1, held + wrong), held / max(1, wanted)
    return precision, recall, _f1(precision, recall)


def gather(chosen: argparse.Namespace) -> dict[str, list[Labelled]]:
    """The sets that were named."""
    sets: dict[str, list[Labelled]] = {}
    readers = {"newspaper": read_newspaper, "trafilatura": read_trafilatura}
    for name, read in readers.items():
        archive: Path | None = getattr(chosen, name)
        if archive is not None:
            sets[name] = read(archive)
    if chosen.docs is not None:
        themes = read_docs(chosen.docs)
        sets["documentation"] = [page for pages in themes.values() for page in pages]
        if chosen.themes:
            sets |= {f"documentation: {name}": pages for name, pages in themes.items()}
    return sets


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    for name in ("newspaper", "trafilatura", "docs"):
        reader.add_argument(f"--{name}", type=Path)
    reader.add_argument("--themes", action="store_true", help="also a table for every theme")
    chosen = reader.parse_args()
    found, missing = ways()
    print("| set | pages | extractor | precision | recall | F1 | pages per CPU-second |")
    print("|---|--:|---|--:|--:|--:|--:|")
    for name, pages in gather(chosen).items():
        for way, extract in found.items():
            one = measure(extract, pages)
            speed = len(pages) / max(one.cpu_s, 1e-9)
            figures = " | ".join(f"{v:.3f}" for v in (one.precision, one.recall, one.f1))
            print(f"| {name} | {len(pages)} | {way} | {figures} | {speed:.0f} |", flush=True)
    if missing:
        print(f"\nnot installed, so left out: {', '.join(missing)}")


if __name__ == "__main__":
    main()
