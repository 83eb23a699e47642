"""``python -m bench.memory``: storing and finding contexts at 100,000, beside a plain FTS5 table.

Both do the same work in the same run: the same contents stored one by one, the same questions,
ten results with their content. Ours also embeds, looks for near duplicates, writes the graph,
reads back what it wrote, fuses two channels, follows replacements and packs the reply.
"""

import argparse
import asyncio
import json
import random
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.corpus import Corpus
from commonplace import tools
from commonplace.catalog import collect
from commonplace.domain.context import TYPES, Context, Relationship
from commonplace.memory.record import context_id
from commonplace.memory.write import store_all
from commonplace.serve.build import build
from commonplace.serve.dispatch import Caller, Dispatcher
from commonplace.settings import Settings
from commonplace.tools.base import Tool

START = datetime(2026, 1, 1, tzinfo=UTC)
BATCH = 2000
STORES, QUERIES = 300, 300
TOP = 10


def contents(corpus: Corpus, number: int) -> Iterator[dict[str, Any]]:
    """Contents as agents write them: a title and a paragraph of about eighty words."""
    made = 0
    while made < number:
        for text in corpus.documents(10_000):
            for paragraph in text.paragraphs:
                words = paragraph.split()
                yield {"title": " ".join(words[:5]), "text": " ".join(words[5:85])}
                made += 1
                if made == number:
                    return


def contexts(made: list[dict[str, Any]]) -> list[Context]:
    """The same as contexts, every tenth related to an earlier one."""
    found: list[Context] = []
    dice = random.Random(1)
    for number, content in enumerate(made):
        kind = TYPES[number % len(TYPES)]
        earlier = (Relationship("relates_to", dice.choice(found).id),) if number % 10 == 9 else ()
        found.append(
            Context(
                id=context_id("default", kind, content),
                project="default",
                type=kind,
                content=content,
                relationships=earlier,
                agent=f"agent-{number % 8}",
                created_at=START + timedelta(seconds=number),
            )
        )
    return found


class Ours:
    """The tools, called as a server calls them."""

    def __init__(self, home: Path) -> None:
        settings = Settings(home=home, upgrade_embedder="", rate_limit_per_minute=0)
        self.app = build(settings)
        self._dispatcher = Dispatcher(self.app, collect(tools, Tool).values())

    async def fill(self, made: list[dict[str, Any]]) -> None:
        """Write all in batches."""
        every = contexts(made)
        for start in range(0, len(every), BATCH):
            await store_all(self.app.writer, "default", every[start : start + BATCH])

    async def store(self, content: dict[str, Any]) -> None:
        """Remember one."""
        arguments = {"type": "log", "content": content}
        reply = await self._dispatcher.call(
            "memory.store_context", arguments, Caller(connection="bench")
        )
        assert reply.structured["success"], reply.text

    async def retrieve(self, query: str, mode: str = "hybrid") -> None:
        """The ten that fit best."""
        arguments = {"query": query, "limit": TOP, "search_mode": mode, "sort_by": "relevance"}
        reply = await self._dispatcher.call(
            "memory.retrieve_context", arguments, Caller(connection="bench")
        )
        assert reply.structured["success"], reply.text

    async def read_after_write(self, content: dict[str, Any], query: str) -> None:
        """What a reader waits for when the index has just changed."""
        await self.store(content)
        await self.retrieve(query)


class Plain:
    """One FTS5 table and nothing else."""

    def __init__(self, path: Path) -> None:
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=NORMAL")
        self._file.execute("CREATE VIRTUAL TABLE notes USING fts5(body, tokenize='porter')")

    def fill(self, made: list[dict[str, Any]]) -> None:
        """Write all in one transaction."""
        self._file.execute("BEGIN")
        rows = ((json.dumps(content),) for content in made)
        self._file.executemany("INSERT INTO notes VALUES (?)", rows)
        self._file.execute("COMMIT")

    async def store(self, content: dict[str, Any]) -> None:
        """One row."""
        self._file.execute("INSERT INTO notes VALUES (?)", (json.dumps(content),))

    async def retrieve(self, query: str) -> None:
        """The ten best by BM25."""
        match = " OR ".join(f'"{word}"' for word in query.split())
        sql = "SELECT body FROM notes WHERE notes MATCH ? ORDER BY rank LIMIT ?"
        self._file.execute(sql, (match, TOP)).fetchall()

    async def read_after_write(self, content: dict[str, Any], query: str) -> None:
        """What a reader waits for when the index has just changed."""
        await self.store(content)
        await self.retrieve(query)


async def timed(calls: Any) -> str:  # noqa: ANN401 - coroutines to be made one by one
    """Milliseconds that passed and that this process worked, each p50 / p95."""
    walls, works = [], []
    for make in calls:
        began, worked = time.perf_counter(), time.process_time()
        await make()
        walls.append((time.perf_counter() - began) * 1000)
        works.append((time.process_time() - worked) * 1000)
    return f"{shown(walls)} ({shown(works)})"


def shown(times: list[float]) -> str:
    ranked = sorted(times)
    return f"{ranked[len(ranked) // 2]:.1f} / {ranked[int(len(ranked) * 0.95)]:.1f}"


async def measure(engine: Ours | Plain, fresh: list[dict[str, Any]], asked: list[str]) -> list[str]:
    """Storing, asking, and asking right after storing."""
    for query in asked[:5]:
        await engine.retrieve(query)
    await engine.store(fresh[0])
    half = STORES + 1
    stores = await timed(lambda c=c: engine.store(c) for c in fresh[1:half])
    asks = await timed(lambda q=q: engine.retrieve(q) for q in asked)
    pairs = zip(fresh[half:], asked, strict=False)
    both = await timed(lambda c=c, q=q: engine.read_after_write(c, q) for c, q in pairs)
    return [stores, asks, both]


def copied(source: Path | None, target: Path | None) -> bool:
    """Copy a home if it is there."""
    if source is None or target is None or not source.exists():
        return False
    shutil.copytree(source, target)
    return True


async def run(number: int, kept: Path | None) -> None:
    corpus = Corpus()
    made = list(contents(corpus, number + STORES + 101))
    old, fresh = made[:number], made[number:]
    asked = corpus.queries(QUERIES)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        is_filled = copied(kept, home)
        ours, plain = Ours(home), Plain(Path(folder) / "plain.db")
        began = time.perf_counter()
        if not is_filled:
            await ours.fill(old)
        filled_s = time.perf_counter() - began
        if not is_filled:
            copied(home, kept)
        plain.fill(old)
        rows = {
            "plain FTS5 table": await measure(plain, fresh, asked),
            "commonplace": await measure(ours, fresh, asked),
        }
        size_mb = sum(one.stat().st_size for one in home.iterdir() if one.is_file()) / 1e6
        modes = {
            mode: await timed(lambda q=q, m=mode: ours.retrieve(q, m) for q in asked[:100])
            for mode in ("vector", "graph")
        }
        await ours.app.store.close()
    speed = f"written in batches at {number / filled_s:,.0f}/s, " if filled_s > 1 else ""
    print(f"{number:,} contexts, {speed}{size_mb:.0f} MB\n")
    print(
        "| p50 / p95 ms (of CPU) | store | retrieve 10 | store, then retrieve |\n|---|--:|--:|--:|"
    )
    for name, cells in rows.items():
        print(f"| {name} | {' | '.join(cells)} |")
    print(
        f"\nOther modes of retrieve: {', '.join(f'{name} {text}' for name, text in modes.items())}."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("contexts", nargs="?", type=int, default=100_000)
    parser.add_argument("--keep", type=Path, help="Folder for the filled home, to measure again.")
    asked = parser.parse_args()
    asyncio.run(run(asked.contexts, asked.keep))


if __name__ == "__main__":
    main()
