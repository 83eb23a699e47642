"""What programs that ask a reference share: the folder indexed, the tool and BM25 asked."""

import argparse
import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonplace.domain.passage import Located
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

HERE = Selection(project="default")


@dataclass(frozen=True, slots=True)
class Reference:
    """A folder of documentation, indexed by the static tier."""

    app: App
    source: Source
    dispatcher: Dispatcher

    async def quotes(self, question: str, tokens: int) -> Sequence[Mapping[str, Any]]:
        """What the tool quotes within so many tokens."""
        arguments = {"question": question, "max_response_tokens": tokens}
        caller = Caller(connection=question)  # nothing counts as seen before
        outcome = await self.dispatcher.call("kb.retrieve_evidence", arguments, caller)
        quotes: Sequence[Mapping[str, Any]] = outcome.structured.get("quotes", [])
        return quotes

    async def results(self, query: str) -> Sequence[Mapping[str, Any]]:
        """What the search tool finds with nothing but a query."""
        caller = Caller(connection=query)
        outcome = await self.dispatcher.call("kb.search", {"query": query}, caller)
        results: Sequence[Mapping[str, Any]] = outcome.structured.get("results", [])
        return results

    async def first_by_words(self, question: str) -> list[Located]:
        """The best passage of plain BM25, if there is one."""
        passages = self.app.store.passages
        hits = await passages.lexical(analyse(question), HERE, 1)
        return list(await passages.get(HERE, [hit.passage_id for hit in hits]))


@asynccontextmanager
async def indexed(folder: Path) -> AsyncIterator[Reference]:
    """The folder in an index of its own, gone afterwards."""
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(home=Path(home), upgrade_embedder="", rate_limit_per_minute=0)
        async with opened(settings) as app:
            writer = writer_of(app)
            source = await add_source(writer, str(folder), HERE.project)
            await sync_source(writer, source)
            yield Reference(app, source, Dispatcher(app, served_tools(offers(), settings)))


def main(measure: Callable[[Path, int], Awaitable[None]]) -> None:
    """Measure the folder that is named, or each so manieth of its entries."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()

    async def run() -> None:
        await measure(given.folder, given.every)

    asyncio.run(run())
