"""Indexes a folder as ``commonplace add`` does, and kills itself where it is told.

``python -m tests.e2e.dying HOME FOLDER [documents N | commit N]``: as soon as so many documents are
told to be kept, or before that commit. A kill from outside comes when the machine lets it.
"""

import asyncio
import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

import apsw

from commonplace.embedders.static import StaticEmbedder
from commonplace.engines.sqlite.store import SqliteStore
from commonplace.index.pipeline import sync_source
from commonplace.index.sources import add_source
from commonplace.index.writer import Writer
from commonplace.settings import Settings

ROOT = Path(__file__).parents[2]
BATCH = 4
"""Documents of one transaction: few, so that deaths fall between them."""


def start(home: Path, folder: Path, *end: str) -> "subprocess.Popen[str]":
    """Index in a process of its own; it tells how many documents are indexed, and its commits."""
    command = [sys.executable, "-m", "tests.e2e.dying", str(home), str(folder), *end]
    return subprocess.Popen(
        command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def _index(home: Path, folder: Path, most_documents: float) -> int:
    async def progress(done: float, _total: float | None, _message: str) -> None:
        if done >= most_documents:
            _die()

    settings = Settings(home=home, workers=2)
    store = SqliteStore.open(settings.store_url)
    writer = Writer(
        store=store, settings=settings, embedder=StaticEmbedder(), batch_documents=BATCH
    )
    source = await add_source(writer, str(folder), "default")
    report = await sync_source(writer, source, progress)
    await store.close()
    return report.documents


def main(home: str, folder: str, kind: str = "", most: str = "0") -> None:
    """Index, and say so, or die."""
    commits = itertools.count(1)
    made = 0

    def before_commit() -> bool:
        nonlocal made
        made = next(commits)
        if kind == "commit" and made == int(most):
            _die()
        return False

    apsw.connection_hooks.append(lambda one: one.set_commit_hook(before_commit))
    most_documents = float(most) if kind == "documents" else float("inf")
    documents = asyncio.run(_index(Path(home), Path(folder), most_documents))
    sys.stdout.write(f"{documents} {made}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
