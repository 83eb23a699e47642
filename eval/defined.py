"""Entries of an HTML reference: how often what an entry says answers a question that names it.

``python -m eval.defined PAGES [--every N]`` indexes a folder of pages and asks for each term that
has an anchor (``<dt id=…>``) what it does and, where a sentence tells it, what its default is.
Printed is how often the first quote has the sentence that says so, how often any quote has it, and
beside it how often the first passage of plain BM25 does. The sentences are read from the pages by
rules of their own, so sections need not be found for this to be measured.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lxml import html

from eval.reference import HERE, indexed, main

TOKENS = 600
_NAME = re.compile(r"[A-Za-z_][\w.]*[A-Za-z_]\w*")
_END = re.compile(r"(?<=[.]) +(?=[A-Z(])")
_LEAST_CHARS = 40


class Case(NamedTuple):
    """A question and the sentences that answer it."""

    question: str
    answers: list[str]


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[`*¶]", "", text).split())


def cases(folder: Path) -> dict[str, list[Case]]:
    """Questions to the entries of all pages, by kind; a name of two entries is left out."""
    found: dict[str, list[tuple[str, str]]] = {}
    for page in sorted(folder.rglob("*.html")):
        for name, told in _entries(page):
            found.setdefault(name, []).append((name, told))
    once = [entries[0] for entries in found.values() if len(entries) == 1]
    does = [Case(f"What does {name} do?", _END.split(told)[:1]) for name, told in once]
    defaults = [
        Case(f"What is the default of {name}?", said)
        for name, told in once
        if (said := [one for one in _END.split(told) if re.search(r"\bdefault\b", one)])
    ]
    return {"What does NAME do?": does, "What is the default of NAME?": defaults}


def _entries(page: Path) -> Iterator[tuple[str, str]]:
    for term in html.parse(str(page)).getroot().iter("dt"):
        said = term.getnext()
        name = _plain(term.text_content()).partition("(")[0].strip()
        if not term.get("id") or said is None or said.tag != "dd" or not _NAME.fullmatch(name):
            continue
        first = said.find("p")
        told = _plain((said if first is None else first).text_content())
        if len(told) >= _LEAST_CHARS:
            yield name, told


def _has(case: Case, texts: list[str]) -> bool:
    return any(answer in text for answer in case.answers for text in texts)


async def measure(folder: Path, every: int) -> None:
    """Index, ask, print."""
    async with indexed(folder) as reference:
        stats = await reference.app.store.passages.stats(HERE.project)
        print(f"{stats.passages} passages\n\n| asked | entries | first | any | BM25, first |")
        print("|---|--:|--:|--:|--:|")
        for form, asked in cases(folder).items():
            chosen = asked[::every]
            first = anywhere = words = 0
            for case in chosen:
                rows = await reference.quotes(case.question, TOKENS)
                quoted = [_plain(row["quote"]) for row in rows]
                found = await reference.first_by_words(case.question)
                first += _has(case, quoted[:1])
                anywhere += _has(case, quoted)
                words += _has(case, [_plain(one.passage.text) for one in found])
            shares = [f"{count / max(1, len(chosen)):.2f}" for count in (first, anywhere, words)]
            print(f"| {form} | {len(chosen)} | {' | '.join(shares)} |", flush=True)


if __name__ == "__main__":
    main(measure)
