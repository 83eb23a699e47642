"""The store alone: write, open, dense, BM25 and both at 10k and 100k passages, as a table.

    python -m bench.store [PASSAGES…]

Text is made: words with Zipf's frequencies in documents that keep to a few topics. Vectors are
made: topics in a space of few dimensions plus noise, about as hard for one-bit codes as those
of real text. Opening is measured in a fresh process; memory in another that makes nothing, but
reads questions from a file, opens the store and asks them: what it takes in all, and what that is
more than before it opened the store.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import psutil

from commonplace import engines
from commonplace.catalog import collect
from commonplace.domain.document import Card, Span
from commonplace.domain.ids import stable_id
from commonplace.domain.passage import Passage
from commonplace.domain.query import Query
from commonplace.domain.scope import Selection
from commonplace.engines.base import Engine, Entry, Store, Vectors

DIMENSION = 256
MODEL = "bench"
WORDS = 60_000
PASSAGE_WORDS = 120
PASSAGES_A_DOCUMENT = 10
TOPICS = 400
QUERIES = 200
BATCH = 25
MOMENT = datetime(2025, 1, 1, tzinfo=UTC)
WHOLE = Selection(project="default")
NARROW = Selection(project="default", tags=(frozenset({"tag3"}),))


def vocabulary(random: np.random.Generator) -> np.ndarray:
    letters = np.array(list("etaoinshrdlucmfwypvbgkqjxz"))
    weights = 1 / np.arange(2, 28)
    sizes = random.integers(2, 11, WORDS)
    return np.array(
        ["".join(random.choice(letters, size, p=weights / weights.sum())) for size in sizes]
    )


class Maker:
    """Documents and queries from one seed."""

    def __init__(self, passages: int) -> None:
        self.random = np.random.default_rng(7)
        self.words = vocabulary(self.random)
        # Summed once: `choice` would do so for every passage, two thirds of a run's time.
        self.summed = np.cumsum(1 / (np.arange(WORDS) + 2.7))
        self.summed /= self.summed[-1]
        self.topics = self.random.normal(size=(TOPICS, 24))
        self.spread = self.random.normal(size=(24, DIMENSION))
        self.documents = passages // PASSAGES_A_DOCUMENT
        self.own = [self.random.integers(300, WORDS, 80) for _ in range(TOPICS)]

    def vectors(self, topics: np.ndarray) -> Vectors:
        """Unit vectors near their topics."""
        inner = self.topics[topics] + self.random.normal(size=(len(topics), 24))
        rows = inner @ self.spread + self.random.normal(scale=2.0, size=(len(topics), DIMENSION))
        rows += 1.5  # real models lean to one side
        units: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        return units

    def entry(self, place: int) -> Entry:
        """One document."""
        topic = int(self.random.integers(TOPICS))
        document = stable_id("d", str(place))
        passages, start = [], 0
        for ordinal in range(PASSAGES_A_DOCUMENT):
            common = self.summed.searchsorted(self.random.random(PASSAGE_WORDS * 3 // 4), "right")
            own = self.random.choice(self.own[topic], PASSAGE_WORDS // 4)
            picked = self.random.permutation(np.concatenate([common, own]))
            text = " ".join(self.words[picked]) + "\n\n"
            passages.append(
                Passage(
                    id=_passage_id(document, ordinal),
                    document_id=document,
                    ordinal=ordinal,
                    text=text,
                    span=Span(start, start + len(text)),
                    headings=(str(self.words[own[0]]), str(self.words[own[1]])),
                    tokens=160,
                )
            )
            start += len(text)
        card = Card(
            id=document,
            project="default",
            source_id="bench",
            uri=f"file:///bench/{place}.md",
            path=f"part{place % 10}/{place}.md",
            title=" ".join(self.words[self.own[topic][:3]]),
            media_type="text/markdown",
            content_hash=document,
            tags=(f"tag{place % 10}",),
            modified_at=MOMENT,
            indexed_at=MOMENT,
            size_bytes=start,
        )
        vectors = self.vectors(np.full(PASSAGES_A_DOCUMENT, topic))
        return Entry(card=card, passages=passages, vectors={MODEL: vectors})

    def query(self) -> tuple[Query, np.ndarray]:
        """A question on one topic."""
        topic = int(self.random.integers(TOPICS))
        own = self.random.choice(self.own[topic], 3)
        # Two words as frequent as what is left of a question without its stop words.
        common = self.random.choice(np.arange(150, 3000), 2)
        terms = tuple(dict.fromkeys(str(self.words[at]) for at in (*own, *common)))
        return Query(text=" ".join(terms), terms=terms), self.vectors(np.array([topic]))[0]


def open_store(path: Path) -> Store:
    return collect(engines, Engine)["sqlite"].open(f"sqlite://{path}")


async def fill(path: Path, passages: int) -> float:
    """Write everything, vectors also beside the store: what it finds is compared with them."""
    maker = Maker(passages)
    store = open_store(path)
    spent, kept = 0.0, []
    for start in range(0, maker.documents, BATCH):
        entries = [maker.entry(at) for at in range(start, min(start + BATCH, maker.documents))]
        kept += [entry.vectors[MODEL] for entry in entries]
        began = time.perf_counter()
        await store.passages.write(entries)
        spent += time.perf_counter() - began
    await store.close()
    np.save(_vectors(path), np.concatenate(kept))
    return passages / spent


def _vectors(path: Path) -> Path:
    return path.with_name("vectors.npy")


def _passage_id(document: str, ordinal: int) -> str:
    return stable_id("p", document, str(ordinal))


async def clock(ask: Callable[[Query, np.ndarray], Awaitable[object]], maker: Maker) -> list[float]:
    asked = [maker.query() for _ in range(QUERIES)]
    await ask(*asked[0])
    times = []
    for query, vector in asked:
        began = time.perf_counter()
        await ask(query, vector)
        times.append((time.perf_counter() - began) * 1000)
    return times


async def recall(store: Store, maker: Maker, path: Path) -> float:
    """The share of the true ten nearest that is found."""
    matrix = np.load(_vectors(path))
    shares = []
    for _ in range(100):
        _, vector = maker.query()
        nearest = np.argsort(-(matrix @ vector))[:10].tolist()
        places = [divmod(at, PASSAGES_A_DOCUMENT) for at in nearest]
        best = {_passage_id(stable_id("d", str(place)), ordinal) for place, ordinal in places}
        found = await store.passages.dense(MODEL, vector, WHOLE, 10)
        shares.append(len(best & {hit.passage_id for hit in found}) / 10)
    return statistics.mean(shares)


async def measure(path: Path, passages: int) -> dict[str, float]:
    maker = Maker(passages)
    began = time.perf_counter()
    store = open_store(path)
    query, vector = maker.query()
    await store.passages.lexical(query, WHOLE, 10)
    await store.passages.dense(MODEL, vector, WHOLE, 10)
    found = {"open_ms": (time.perf_counter() - began) * 1000}

    async def dense(_query: Query, vector: np.ndarray) -> None:
        await store.passages.dense(MODEL, vector, WHOLE, 10)

    async def narrow(_query: Query, vector: np.ndarray) -> None:
        await store.passages.dense(MODEL, vector, NARROW, 10)

    async def lexical(query: Query, _vector: np.ndarray) -> None:
        await store.passages.lexical(query, WHOLE, 10)

    async def narrow_lexical(query: Query, _vector: np.ndarray) -> None:
        await store.passages.lexical(query, NARROW, 10)

    async def hybrid(query: Query, vector: np.ndarray) -> None:
        legs = await asyncio.gather(
            store.passages.dense(MODEL, vector, WHOLE, 50),
            store.passages.lexical(query, WHOLE, 50),
        )
        await store.passages.get(WHOLE, [hit.passage_id for leg in legs for hit in leg[:10]])

    for ask in (dense, lexical, hybrid, narrow, narrow_lexical):
        times = sorted(await clock(ask, maker))
        found[f"{ask.__name__}_p50"] = statistics.median(times)
        found[f"{ask.__name__}_p95"] = times[int(len(times) * 0.95)]
    found["recall"] = await recall(store, maker, path)
    found["size_mb"] = await store.size_bytes() / 1e6
    await store.close()
    return found


def rss_mb() -> float:
    """The memory this process has now, files mapped into it included.

    Not the most it had: Linux counts the parent's there, from before the program was loaded.
    """
    return float(psutil.Process().memory_info().rss) / 1e6


def write_questions(path: Path, passages: int) -> None:
    """Questions as data, so that whoever asks them need not make them."""
    maker = Maker(passages)
    asked = [maker.query() for _ in range(QUERIES)]
    told = [[query.text, query.terms, vector.tolist()] for query, vector in asked]
    path.write_text(json.dumps(told), "utf-8")


def read_questions(path: Path) -> list[tuple[Query, np.ndarray]]:
    """What ``write_questions`` wrote."""
    return [
        (Query(text=text, terms=tuple(terms)), np.array(vector, np.float32))
        for text, terms, vector in json.loads(path.read_text("utf-8"))
    ]


async def weigh(path: Path, asked: list[tuple[Query, np.ndarray]]) -> dict[str, float]:
    """The memory of a process that only opens the store and asks."""
    before = rss_mb()
    store = open_store(path)
    for query, vector in asked:
        for selection in (WHOLE, NARROW):
            await store.passages.dense(MODEL, vector, selection, 50)
            await store.passages.lexical(query, selection, 50)
    total = rss_mb()
    await store.close()
    return {"rss_mb": total, "rss_added_mb": total - before}


HEADS = {
    "passages": "passages",
    "write_s": "written/s",
    "build_ms": "first open ms",
    "open_ms": "open ms",
    "dense": "dense p50 / p95 ms",
    "lexical": "BM25",
    "hybrid": "both + read",
    "narrow": "dense, 1 of 10 tags",
    "narrow_lexical": "BM25, 1 of 10 tags",
    "recall": "recall@10",
    "rss_mb": "RSS MB",
    "rss_added_mb": "of it the store's",
    "size_mb": "disk MB",
}


def row(found: dict[str, float]) -> str:
    cells = []
    for name in HEADS:
        if f"{name}_p50" in found:
            cells.append(f"{found[f'{name}_p50']:.2f} / {found[f'{name}_p95']:.2f}")
        else:
            cells.append(f"{found[name]:.3f}" if name == "recall" else f"{found[name]:,.0f}")
    return f"| {' | '.join(cells)} |"


def alone(*arguments: str) -> dict[str, float]:
    """What a fresh process finds."""
    output = subprocess.check_output([sys.executable, "-m", "bench.store", *arguments])
    return dict(json.loads(output))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("passages", nargs="*", type=int, default=[10_000, 100_000])
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--weigh", type=Path, nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.weigh:
        print(json.dumps(asyncio.run(weigh(asked.weigh[0], read_questions(asked.weigh[1])))))
        return
    if asked.measure:
        print(json.dumps(asyncio.run(measure(asked.measure, asked.passages[0]))))
        return
    print(f"| {' | '.join(HEADS.values())} |\n|{'---|' * len(HEADS)}")
    for passages in asked.passages:
        with tempfile.TemporaryDirectory() as folder:
            path, questions = Path(folder) / "index.db", Path(folder) / "questions.json"
            written = asyncio.run(fill(path, passages))
            write_questions(questions, passages)
            # The first run also makes the snapshot.
            runs = [alone("--measure", str(path), str(passages)) for _ in range(2)]
            extra = {"passages": passages, "write_s": written, "build_ms": runs[0]["open_ms"]}
            weight = alone("--weigh", str(path), str(questions))
            print(row(runs[1] | weight | extra), flush=True)


if __name__ == "__main__":
    main()
