"""Entries of an HTML reference: how often what an entry says answers a question that names it.

``python -m eval.defined PAGES [--every N]`` indexes a folder of pages and asks for each term that
has an anchor (``<dt id=…>``) what it does and, where a sentence tells it, what its default is.
Printed is how often the first quote has the sentence that says so, how often any quote has it, and
beside it how often the first passage of plain BM25 does. The sentences are read from the pages by
rules of their own, so sections need not be found for this to be measured.
"""

import argparse
import asyncio
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lxml import html

from commonplace.domain.scope import Selection
from commonplace.index.pipeline import sync_source
from commonplace.index.sources import add_source
from commonplace.retrieve.analyse import analyse
from commonplace.serve.cli.running import opened, writer_of
from commonplace.serve.dispatch import Caller, Dispatcher
from commonplace.serve.listing import offers
from commonplace.serve.names import served_tools
from commonplace.settings import Settings
from commonplace.tools.app import App

TOKENS = 600
HERE = Selection(project="default")
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


async def _quotes(dispatcher: Dispatcher, question: str) -> list[str]:
    arguments = {"question": question, "max_response_tokens": TOKENS}
    caller = Caller(connection=question)  # nothing counts as seen before
    outcome = await dispatcher.call("kb.retrieve_evidence", arguments, caller)
    return [_plain(row["quote"]) for row in outcome.structured.get("quotes", [])]


async def _first_by_words(app: App, question: str) -> list[str]:
    hits = await app.store.passages.lexical(analyse(question), HERE, 1)
    located = await app.store.passages.get(HERE, [hit.passage_id for hit in hits])
    return [_plain(one.passage.text) for one in located]


def _has(case: Case, texts: list[str]) -> bool:
    return any(answer in text for answer in case.answers for text in texts)


async def measure(folder: Path, home: Path, every: int) -> None:
    """Index, ask, print."""
    settings = Settings(home=home, upgrade_embedder="", rate_limit_per_minute=0)
    async with opened(settings) as app:
        writer = writer_of(app)
        await sync_source(writer, await add_source(writer, str(folder), HERE.project))
        stats = await app.store.passages.stats(HERE.project)
        dispatcher = Dispatcher(app, served_tools(offers(), settings))
        print(f"{stats.passages} passages\n\n| asked | entries | first | any | BM25, first |")
        print("|---|--:|--:|--:|--:|")
        for form, asked in cases(folder).items():
            chosen = asked[::every]
            quoted = [await _quotes(dispatcher, case.question) for case in chosen]
            words = [await _first_by_words(app, case.question) for case in chosen]
            rows = ([one[:1] for one in quoted], quoted, words)
            shares = [sum(map(_has, chosen, row)) / max(1, len(chosen)) for row in rows]
            told = " | ".join(f"{share:.2f}" for share in shares)
            print(f"| {form} | {len(chosen)} | {told} |", flush=True)


def main() -> None:
    """Measure one folder."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(measure(given.folder, Path(home), given.every))


if __name__ == "__main__":
    main()
