"""Entries of a reference: how often a name asked for is answered from its own section.

``python -m eval.entries DOCS [--every N]`` indexes a folder of documentation, takes the sections
whose heading is a name of code that heads no other section, and asks for each in three ways.
Printed is how often the first quote is from that section, how often any, and beside it how often
the first result of plain BM25 is.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eval.reference import HERE, Reference, indexed, main

FORMS = ("What does {} do?", "What is the default of {}?", "{}")
TOKENS = 400
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[A-Z][A-Z0-9]{4,}")


async def _names(reference: Reference) -> list[str]:
    """Names of code that head exactly one section."""
    passages = reference.app.store.passages
    known = await passages.fingerprints(HERE.project, reference.source.id)
    found: dict[str, set[tuple[str, ...]]] = {}
    for fingerprint in known.values():
        (entry,) = await passages.entries(HERE.project, [fingerprint.document_id])
        for passage in entry.passages:
            if passage.headings and _NAME.fullmatch(passage.headings[-1]):
                place = (entry.card.uri, *passage.headings)
                found.setdefault(passage.headings[-1], set()).add(place)
    return sorted(name for name, places in found.items() if len(places) == 1)


def _sections(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The last heading of each row's section."""
    return [[row["title"], *row["heading_path"]][-1] for row in rows]


async def _found_by_words(reference: Reference, question: str) -> list[str]:
    return [
        heading
        for located in await reference.first_by_words(question)
        for heading in located.passage.headings[-1:]
    ]


async def measure(folder: Path, every: int) -> None:
    """Index, ask, print."""
    async with indexed(folder) as reference:
        names = (await _names(reference))[::every]
        print(f"{len(names)} entries\n")
        print("| asked | first quote | first result | BM25, first | any quote | any result |")
        print("|---|--:|--:|--:|--:|--:|")
        for form in FORMS:
            counts = Counter[int]()
            for name in names:
                question = form.format(name)
                quoted = _sections(await reference.quotes(question, TOKENS))
                found = _sections(await reference.results(question))
                by_words = await _found_by_words(reference, question)
                firsts = (quoted[:1], found[:1], by_words)
                met = (*(first == [name] for first in firsts), name in quoted, name in found)
                counts.update(column for column, is_met in enumerate(met) if is_met)
            shares = [f"{counts[column] / max(1, len(names)):.2f}" for column in range(5)]
            print(f"| {form.format('NAME')} | {' | '.join(shares)} |", flush=True)


if __name__ == "__main__":
    main(measure)
