"""Killed again and again while it indexes code: the next sync ends where a new index would."""

import asyncio
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commonplace.index.pipeline import sync_source
from commonplace.index.sources import add_source, list_sources
from commonplace.serve.build import build
from commonplace.settings import Settings

PROGRAM = """
import asyncio, sys
from pathlib import Path
from tests.e2e.test_code_crash import sync
asyncio.run(sync(Path(sys.argv[1]), Path(sys.argv[2])))
"""
ROOT = Path(__file__).parents[2]
Graph = tuple[dict[str, Any], set[Any], dict[str, str]]


def settings(home: Path) -> Settings:
    return Settings(home=home, upgrade_embedder="", upgrade_wait_s=0)


async def sync(home: Path, folder: Path) -> None:
    app = build(settings(home))
    writer = app.writer
    await sync_source(writer, await add_source(writer, str(folder), "default"))
    await app.store.close()


async def graph(home: Path) -> Graph:
    """Nodes, edges and texts of every document."""
    app = build(settings(home))
    (source,) = await list_sources(app.store.keyvalue, "default")
    known = await app.store.passages.fingerprints("default", source.id)
    ids = [one.document_id for one in known.values()]
    entries = await app.store.passages.entries("default", ids)
    await app.store.close()
    nodes = {
        node.id: {key: value for key, value in node.properties.items() if key != "summary"}
        for entry in entries
        for node in entry.nodes
    }
    edges = {
        (one.source, one.relation, one.target, one.document_id)
        for entry in entries
        for one in entry.edges
    }
    texts = {one.card.path: "".join(part.text for part in one.passages) for one in entries}
    return nodes, edges, texts


def write(folder: Path, number: int, version: int) -> None:
    """A module that calls another; which one changes with its version."""
    other = (number * 7 + version) % 40
    (folder / f"m{number}.py").write_text(
        f"from m{other} import f{other}\n\n\ndef f{number}(x):\n    return f{other}(x)\n\n\n"
        f"class C{number}:\n    def run(self):\n        return f{number}(self)\n",
        "utf-8",
    )


@pytest.mark.slow
@pytest.mark.requirement("CIX-04")
def test_killed_while_it_indexes_code_it_ends_where_a_new_index_would(tmp_path: Path) -> None:
    folder, home = tmp_path / "code", tmp_path / "home"
    folder.mkdir()
    for number in range(40):
        write(folder, number, 0)
    chance = random.Random(7)
    command = [sys.executable, "-c", PROGRAM, str(home), str(folder)]
    for version in range(1, 5):
        process = subprocess.Popen(command, cwd=ROOT)
        try:
            process.wait(chance.uniform(0.5, 3.0))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for number in chance.sample(range(40), 5):
            write(folder, number, version)
    (folder / "m3.py").unlink()
    both = [subprocess.Popen(command, cwd=ROOT) for _ in range(2)]
    assert [one.wait() for one in both] == [0, 0]
    asyncio.run(sync(tmp_path / "fresh", folder))
    assert asyncio.run(graph(home)) == asyncio.run(graph(tmp_path / "fresh"))
