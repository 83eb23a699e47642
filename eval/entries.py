"""Entries of a reference: how often a name asked for is answered from its own section.

``python -m eval.entries DOCS [--every N]`` indexes a folder of documentation, takes the sections
whose heading is a name of code that heads no other section, and asks for each in three ways.
Printed is how often the first quote is from that section, how often any, and beside it how often
the first result of plain BM25 is.
"""

import argparse
import asyncio
import re
import tempfile
from pathlib import Path

from commonplace.domain.scope import Selection, Source
from commonplace.index.pipeline import sync_source
from commonplace.index.sources import add_source
from commonplace.retrieve.analyse import analyse
from commonplace.serve.cli.running import opened, writer_of
from commonplace.serve.dispatch import Caller, Dispatcher
from commonplace.serve.listing import offers
from commonplace.serve.names import served_tools
from commonplace.settings import Settings
from commonplace.tools.app import App

FORMS = ("What does {} do?", "What is the default of {}?", "{}")
TOKENS = 400
HERE = Selection(project="default")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[A-Z][A-Z0-9]{4,}")


async def _names(app: App, source: Source) -> list[str]:
    """Names of code that head exactly one section."""
    passages = app.store.passages
    known = await passages.fingerprints(HERE.project, source.id)
    found: dict[str, set[tuple[str, ...]]] = {}
    for fingerprint in known.values():
        (entry,) = await passages.entries(HERE.project, [fingerprint.document_id])
        for passage in entry.passages:
            if passage.headings and _NAME.fullmatch(passage.headings[-1]):
                place = (entry.card.uri, *passage.headings)
                found.setdefault(passage.headings[-1], set()).add(place)
    return sorted(name for name, places in found.items() if len(places) == 1)


async def _quoted(dispatcher: Dispatcher, question: str) -> list[str]:
    """The last heading of each quote's section."""
    arguments = {"question": question, "max_response_tokens": TOKENS}
    caller = Caller(connection=question)  # nothing counts as seen before
    outcome = await dispatcher.call("kb.retrieve_evidence", arguments, caller)
    return [(row["heading_path"] or [""])[-1] for row in outcome.structured.get("quotes", [])]


async def _found_by_words(app: App, question: str) -> str:
    hits = await app.store.passages.lexical(analyse(question), HERE, 1)
    located = await app.store.passages.get(HERE, [hit.passage_id for hit in hits])
    return located[0].passage.headings[-1] if located and located[0].passage.headings else ""


async def measure(folder: Path, home: Path, every: int) -> None:
    """Index, ask, print."""
    settings = Settings(home=home, upgrade_embedder="", rate_limit_per_minute=0)
    async with opened(settings) as app:
        writer = writer_of(app)
        source = await add_source(writer, str(folder), HERE.project)
        await sync_source(writer, source)
        names = (await _names(app, source))[::every]
        dispatcher = Dispatcher(app, served_tools(offers(), settings))
        print(f"{len(names)} entries\n\n| asked | first quote | any quote | BM25, first |")
        print("|---|--:|--:|--:|")
        for form in FORMS:
            first = anywhere = words = 0
            for name in names:
                quoted = await _quoted(dispatcher, form.format(name))
                first += quoted[:1] == [name]
                anywhere += name in quoted
                words += await _found_by_words(app, form.format(name)) == name
            shares = [f"{count / max(1, len(names)):.2f}" for count in (first, anywhere, words)]
            print(f"| {form.format('NAME')} | {' | '.join(shares)} |", flush=True)


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
