"""Indexes as ``commonplace add`` does, and stops where it is told, to be killed there.

A kill after something was read from a pipe comes when a busy machine lets it, and all may be done
by then. So the program stops itself: before a commit, or when so many documents are told to be
kept. It writes a line for everything acknowledged, and at the end how many commits there were.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from commonplace.domain.errors import CommonplaceError
from commonplace.embedders.static import StaticEmbedder
from commonplace.engines.sqlite.store import SqliteStore
from commonplace.index.pipeline import sync_source
from commonplace.index.sources import add_source
from commonplace.index.writer import Writer
from commonplace.settings import Settings

ROOT = Path(__file__).parents[2]


def start(home: Path, *folders: Path, batch: int = 200, **at: int) -> "subprocess.Popen[str]":
    """Index in a process of its own, which stops before a ``commit`` or at so many ``documents``.

    At ``waits`` documents it waits for ever instead, and hears Ctrl-C.
    """
    told = json.dumps(
        {"home": str(home), "folders": [*map(str, folders)], "batch": batch, "at": at}
    )
    return subprocess.Popen(
        [sys.executable, "-m", "tests.e2e.indexing", told],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # a process group of its own, to be interrupted as a whole
    )


def has_stopped(process: "subprocess.Popen[str]") -> bool:
    """Wait until it stops or ends; which of both."""
    found = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    return found is not None and found.si_code == os.CLD_STOPPED


def lines(output: str) -> Iterator[Any]:
    """What a run told; its last line may be torn by the kill."""
    for line in output.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            return


def acknowledged(output: str) -> int:
    """Documents that a run told to be kept."""
    return max((int(line[0]) for line in lines(output) if isinstance(line, list)), default=0)


def _stop() -> None:
    signal.raise_signal(signal.SIGSTOP)  # for this thread: nothing more happens after it


def _say(said: object) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


async def _index(home: Path, folders: list[str], batch: int, at: dict[str, int]) -> None:
    async def progress(done: float, total: float | None, message: str) -> None:
        _say([done, total, message])
        if done >= at.get("documents", float("inf")):
            _stop()
        if done >= at.get("waits", float("inf")):
            await asyncio.Event().wait()

    settings = Settings(home=home, workers=2)
    store = SqliteStore.open(settings.store_url)
    writer = Writer(
        store=store, settings=settings, embedder=StaticEmbedder(), batch_documents=batch
    )
    for folder in folders:
        report = await sync_source(writer, await add_source(writer, folder, "default"), progress)
        _say({"documents": report.documents, "added": report.added})
    await store.close()


def main(told: str) -> None:
    """Index, and stop where it is told."""
    chosen = json.loads(told)
    commits = 0

    def before_commit() -> bool:
        nonlocal commits
        commits += 1
        if commits == chosen["at"].get("commit"):
            _stop()
        return False

    apsw.connection_hooks.append(lambda one: one.set_commit_hook(before_commit))
    try:
        asyncio.run(_index(Path(chosen["home"]), chosen["folders"], chosen["batch"], chosen["at"]))
    except CommonplaceError as exc:
        sys.exit(f"{exc.code}: {exc.message}")
    except KeyboardInterrupt:
        sys.exit("interrupted")
    _say({"commits": commits})


if __name__ == "__main__":
    main(sys.argv[1])
