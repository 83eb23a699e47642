"""Search over real stdio and HTTP at a size, beside chromadb and lancedb doing the same work.

``python -m bench.search [--keep] 10000 100000``. The same texts, the same static vectors, the same
queries go to every engine in one run, above 200,000 passages to ours only; the peers live in their
own environment (``.bench/venv``). With ``--keep`` what was written stays, and the next run with the
flag only asks: a million take a quarter of an hour to write.
"""

import argparse
import asyncio
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from bench.clients import Figures, over_http, over_stdio, over_wire, timed
from bench.corpus import Corpus, Text
from commonplace.domain.document import Card, Span
from commonplace.domain.ids import stable_id
from commonplace.domain.passage import Passage
from commonplace.domain.scope import Selection
from commonplace.embedders.base import Embedder, Vectors
from commonplace.engines.base import Entry, Store
from commonplace.retrieve.analyse import analyse
from commonplace.retrieve.search import Reader, Request, search
from commonplace.serve.build import make_embedders, open_store
from commonplace.settings import Settings

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".bench"
QUERIES = 220
TOP = 10
PEERS_MOST = 200_000  # beyond, writing alone takes chromadb half an hour
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def entry(number: int, text: Text, vectors: Vectors, model: str) -> Entry:
    card = Card(
        id=f"d{number}",
        project="default",
        source_id="bench",
        uri=f"file:///bench/{number}.md",
        path=f"{number}.md",
        title=text.title,
        media_type="text/markdown",
        content_hash=str(number),
        tags=("bench",),
        modified_at=NOW,
        indexed_at=NOW,
    )
    passages, start = [], 0
    for ordinal, paragraph in enumerate(text.paragraphs):
        body = paragraph + "\n\n"
        passages.append(
            Passage(
                id=stable_id("p", card.uri, str(ordinal)),
                document_id=card.id,
                ordinal=ordinal,
                text=body,
                span=Span(start, start + len(body)),
                headings=(text.title,),
            )
        )
        start += len(body)
    return Entry(card=card, passages=passages, vectors={model: vectors})


async def fill(store: Store, embedder: Embedder, texts: Sequence[Text]) -> tuple[Vectors, Figures]:
    """Embed and write everything; the vectors, and how long each took."""
    began = time.perf_counter()
    rows = []
    for start in range(0, len(texts), 500):
        paragraphs = [p for text in texts[start : start + 500] for p in text.paragraphs]
        rows.append(await embedder.embed(paragraphs))
    vectors = np.concatenate(rows)
    embedded = time.perf_counter()
    width = len(texts[0].paragraphs)
    for start in range(0, len(texts), 100):
        batch = [
            entry(n, texts[n], vectors[n * width : (n + 1) * width], embedder.model)
            for n in range(start, min(start + 100, len(texts)))
        ]
        await store.passages.write(batch)
    written = time.perf_counter()
    return vectors, {"embed_s": embedded - began, "write_s": written - embedded}


async def in_process(store: Store, embedder: Embedder, queries: Sequence[str]) -> dict[str, Any]:
    selection = Selection(project="default")
    vectors = await embedder.embed(queries, is_query=True)
    analysed = [analyse(query) for query in queries]
    model, passages = embedder.model, store.passages
    dense = [
        lambda vector=vector: passages.dense(model, vector, selection, TOP) for vector in vectors
    ]
    lexical = [lambda query=query: passages.lexical(query, selection, TOP) for query in analysed]
    reader = Reader(passages=passages, graph=store.graph, embedders=(embedder,))
    hybrid = [
        lambda query=query: search(
            reader, Request(text=query, selection=selection, limit=TOP, max_per_doc=TOP)
        )
        for query in queries
    ]
    return {
        "dense": await timed(dense),
        "lexical": await timed(lexical),
        "hybrid": await timed(hybrid),
    }


def peers_python() -> Path:
    """The peers' own environment, made when missing."""
    python = FOLDER / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(FOLDER / "venv")], check=True)
        requirements = str(ROOT / "requirements" / "bench.txt")
        command = [str(python), "-m", "pip", "install", "--quiet", "--require-hashes"]
        subprocess.run([*command, "-r", requirements], check=True)
    return python


def peer(name: str, folder: Path) -> dict[str, Any]:
    script = str(Path(__file__).with_name("peers.py"))
    done = subprocess.run(
        [str(peers_python()), script, name, str(folder)], check=True, capture_output=True, text=True
    )
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


async def prepare(size: int, folder: Path) -> None:
    """Write the texts into our index, and what the peers are to write into files."""
    shutil.rmtree(folder, ignore_errors=True)
    home = folder / "home"
    home.mkdir(parents=True)
    corpus = Corpus()
    texts, queries = list(corpus.documents(size)), corpus.queries(QUERIES)
    settings = Settings(home=home, upgrade_embedder="")
    embedder = make_embedders(settings)["static"]
    store = open_store(settings)
    vectors, written = await fill(store, embedder, texts)
    await store.close()
    paragraphs = [paragraph for text in texts for paragraph in text.paragraphs]
    (folder / "texts.jsonl").write_text("\n".join(json.dumps(p) for p in paragraphs) + "\n")
    (folder / "queries.json").write_text(json.dumps(queries))
    np.save(folder / "vectors.npy", vectors)
    np.save(folder / "query_vectors.npy", await embedder.embed(queries, is_query=True))
    (folder / "written.json").write_text(json.dumps(written))


async def measure(size: int, *, keep: bool) -> dict[str, dict[str, Any]]:
    """All engines at one size."""
    folder = FOLDER / str(size)
    if not keep or not (folder / "written.json").exists():
        await prepare(size, folder)
    home = folder / "home"
    queries = json.loads((folder / "queries.json").read_text())
    settings = Settings(home=home, upgrade_embedder="")
    store = open_store(settings)
    figures: dict[str, Any] = json.loads((folder / "written.json").read_text())
    figures |= await in_process(store, make_embedders(settings)["static"], queries)
    await store.close()
    figures["disk_mb"] = sum(f.stat().st_size for f in home.rglob("*") if f.is_file()) / 1e6
    figures |= await over_wire(home, queries)
    figures["stdio"] = await over_stdio(home, queries)
    figures["http"] = await over_http(home, queries)
    found = {"commonplace": figures}
    if size <= PEERS_MOST:
        found |= {name: peer(name, folder) for name in ("lancedb", "chromadb")}
    if not keep:
        shutil.rmtree(folder)
    return found


def _cell(figures: dict[str, Any], kind: str) -> str:
    value = figures.get(kind)
    return f"{value['p50_ms']:.1f} / {value['p95_ms']:.1f}" if value else "–"


def table(size: int, found: dict[str, dict[str, Any]]) -> str:
    """One size as a Markdown table: p50 / p95 in milliseconds."""
    lines = [
        f"### {size:,} passages",
        "",
        "| engine | write s | dense | lexical | hybrid | whole tool, line to line "
        "| stdio, SDK client | HTTP, SDK client | disk MB | RSS MB |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, figures in found.items():
        seconds = figures.get("write_s", figures.get("index_s", 0.0))
        memory = figures.get("rss_mb", figures.get("stdio", {}).get("rss_mb", 0.0))
        kinds = ("dense", "lexical", "hybrid", "wire", "stdio", "http")
        cells = [_cell(figures, kind) for kind in kinds]
        lines.append(
            f"| {name} | {seconds:.1f} | {' | '.join(cells)} | {figures['disk_mb']:.0f} "
            f"| {memory:.0f} |"
        )
    return "\n".join([*lines, "", *_floor(found["commonplace"])])


def _floor(figures: dict[str, Any]) -> list[str]:
    """The whole tool beside one that does nothing."""
    lines = ["| line to line, in turns | p50 / p95 | CPU of the server, a call |", "|---|--:|--:|"]
    for name, kind in (("kb_search", "wire"), ("an empty tool of the bare SDK", "empty")):
        cpu_ms = figures[kind]["cpu_ms"]
        lines.append(f"| {name} | {_cell(figures, kind)} | {cpu_ms:.1f} |")
    for when, kind in (("at once", "first"), ("two seconds after tools/list", "ready")):
        lines.append(f"| kb_search, first call, {when} | {figures[kind]['p50_ms']:.0f} | – |")
    return lines


def main() -> None:
    """Print a table for every size named, by default 10,000 and 100,000."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sizes", nargs="*", type=int, default=[10_000, 100_000])
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args()
    for size in given.sizes:
        print(table(size, asyncio.run(measure(size, keep=given.keep))), flush=True)


if __name__ == "__main__":
    main()
