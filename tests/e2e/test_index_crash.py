"""Indexing in processes that are killed, run side by side, or find the disk full."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import psutil
import pytest

from commonplace.domain.query import Query
from commonplace.domain.scope import Selection, Source
from commonplace.engines.sqlite.store import SqliteStore
from commonplace.index.jobs import list_jobs
from commonplace.index.sources import list_sources

WHOLE = Selection(project="default")
FILES = 700

# What `commonplace add` does, with a line on standard output for everything acknowledged.
PROGRAM = """
import asyncio, json, resource, signal, sys
from pathlib import Path
from commonplace.domain.errors import CommonplaceError
from commonplace.embedders.static import StaticEmbedder
from commonplace.engines.sqlite.store import SqliteStore
from commonplace.index.pipeline import sync_source
from commonplace.index.sources import add_source
from commonplace.index.writer import Writer
from commonplace.settings import Settings

async def progress(done, total, message):
    print(json.dumps([done, total, message]), flush=True)

async def main(home, *locations):
    settings = Settings(home=Path(home), workers=2)
    store = SqliteStore.open(settings.store_url)
    writer = Writer(store=store, settings=settings, embedder=StaticEmbedder())
    print(json.dumps("open"), flush=True)
    for location in locations:
        source = await add_source(writer, location, "default")
        report = await sync_source(writer, source, progress)
        print(json.dumps({"documents": report.documents, "added": report.added}), flush=True)
    await store.close()

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    try:
        asyncio.run(main(*sys.argv[1:]))
    except CommonplaceError as exc:
        sys.exit(f"{exc.code}: {exc.message}")
    except KeyboardInterrupt:
        sys.exit("interrupted")
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("program") / "indexer.py"
    path.write_text(PROGRAM, "utf-8")
    return path


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of one unique word each, in all large enough that workers parse them."""
    folder = tmp_path_factory.mktemp("docs")
    for number in range(FILES):
        filler = f"Sentence about subject {number % 7}. " * 120
        text = f"# Page {number}\n\nmarker{number} stands here. {filler}\n"
        (folder / f"{number:04}.md").write_text(text, "utf-8")
    return folder


def start(program: Path, home: Path, *locations: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, str(program), str(home), *map(str, locations)]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # a process group of its own, to be interrupted as a whole
    )


def lines(output: str) -> Iterator[object]:
    """What a run told; its last line may be torn by the kill."""
    for line in output.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            return


def acknowledged(output: str) -> int:
    counts = [int(line[0]) for line in lines(output) if isinstance(line, list)]
    return max(counts, default=0)


async def check(home: Path, docs: Path, acked: int) -> int:
    """Assert that the index is sound and whole; the number of documents it holds."""
    connection = apsw.Connection(str(home / "index.db"))
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    store = SqliteStore.open(f"sqlite://{home}/index.db")
    try:
        sources: list[Source] = await list_sources(store.keyvalue, "default")
        known = await store.passages.fingerprints("default", sources[0].id) if sources else {}
        assert len(known) >= acked
        passages = 0
        for fingerprint in known.values():
            located = await store.passages.read(WHOLE, fingerprint.document_id, range(1000))
            passages += len(located)
            text = "".join(one.passage.text for one in located)
            assert text == (docs / located[0].card.path).read_text("utf-8")
        stats = await store.passages.stats("default")
        assert (stats.documents, stats.passages) == (len(known), passages)
        assert sum(one.embedded for one in stats.coverage) == passages
        for number in {0, acked // 2, acked - 1} & set(range(acked)):
            word = f"marker{number}"
            (hit,) = await store.passages.lexical(Query(text=word, terms=(word,)), WHOLE, 5)
            (found,) = await store.passages.get(WHOLE, [hit.passage_id])
            assert found.card.path == f"{number:04}.md"
        jobs = await list_jobs(store.keyvalue)
        assert all(job.state != "running" for job in jobs)
        return len(known)
    finally:
        await store.close()


def descendants(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    try:
        return list(psutil.Process(process.pid).children(recursive=True))
    except psutil.NoSuchProcess:
        return []


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.requirement("IDX-11")
@pytest.mark.requirement("IDX-15")
def test_killed_twenty_times_nothing_acknowledged_is_lost(
    program: Path, docs: Path, tmp_path: Path
) -> None:
    began = time.monotonic()
    whole = start(program, tmp_path / "whole", docs)
    output, errors = whole.communicate(timeout=180)
    assert acknowledged(output) == FILES, errors
    longest_s = time.monotonic() - began
    chance = random.Random(20)
    partial = 0
    orphans: list[psutil.Process] = []
    for number in range(20):
        home = tmp_path / f"home{number}"
        process = start(program, home, docs)
        assert process.stdout is not None
        first = process.stdout.readline()  # the store is open; before that there is nothing
        try:
            process.wait(chance.uniform(0, longest_s))
        except subprocess.TimeoutExpired:
            workers = descendants(process)
            orphans += workers
            process.send_signal(signal.SIGKILL)
            _, alive = psutil.wait_procs(workers, timeout=20)
            assert alive == [], "workers outlived their parent"
        output = first + process.communicate(timeout=30)[0]
        acked = acknowledged(output)
        held = asyncio.run(check(home, docs, acked))
        partial += 0 < held < FILES
        if number % 5 == 0:
            again = start(program, home, docs)
            output, errors = again.communicate(timeout=180)
            assert acknowledged(output) == FILES, errors
            assert asyncio.run(check(home, docs, FILES)) == FILES
    assert partial > 0, "no kill fell into the middle of the work"
    assert orphans, "no kill fell into a time with workers"


@pytest.mark.timeout(400)
@pytest.mark.requirement("IDX-10")
def test_ctrl_c_ends_quietly_and_a_new_run_goes_on(
    program: Path, docs: Path, tmp_path: Path
) -> None:
    process = start(program, tmp_path, docs)
    assert process.stdout is not None
    told = ""
    while acknowledged(told) == 0:
        told += process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the workers get it too
    output, errors = process.communicate(timeout=180)
    acked = acknowledged(told + output)
    assert process.returncode != 0
    assert errors.strip().splitlines()[-1] == "interrupted", errors
    assert "Traceback" not in errors
    assert 0 < asyncio.run(check(tmp_path, docs, acked)) < FILES
    again = start(program, tmp_path, docs)
    output, errors = again.communicate(timeout=180)
    assert acknowledged(output) == FILES, errors


@pytest.mark.timeout(400)
@pytest.mark.requirement("IDX-12")
def test_two_indexers_on_one_home_both_finish(program: Path, docs: Path, tmp_path: Path) -> None:
    some, other = tmp_path / "some", tmp_path / "other"
    for folder, numbers in ((some, range(150)), (other, range(150, 300))):
        folder.mkdir()
        for number in numbers:
            name = f"{number:04}.md"
            (folder / name).write_bytes((docs / name).read_bytes())
    home = tmp_path / "home"
    both = [start(program, home, some, other), start(program, home, some, other)]
    outputs = [process.communicate(timeout=180) for process in both]
    reports = [[line for line in lines(out) if isinstance(line, dict)] for out, _ in outputs]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert [report["documents"] for one in reports for report in one] == [150] * 4
    assert sum(report["added"] for one in reports for report in one) == 300


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.requirement("IDX-13")
def test_a_full_disk_is_named_and_the_index_stays_sound(
    program: Path, docs: Path, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "none", str(disk)],
        check=False,
        capture_output=True,
    )
    if mounted.returncode != 0:
        pytest.skip("this user may not mount a small disk")
    try:
        process = start(program, disk, docs)
        output, errors = process.communicate(timeout=180)
        assert process.returncode == 1
        assert "free space" in errors, errors
        assert "Traceback" not in errors
        acked = acknowledged(output)
        subprocess.run(["mount", "-o", "remount,size=200m", str(disk)], check=True)
        asyncio.run(check(disk, docs, acked))
        process = start(program, disk, docs)
        output, errors = process.communicate(timeout=180)
        assert acknowledged(output) == FILES, errors
        assert asyncio.run(check(disk, docs, FILES)) == FILES
    finally:
        subprocess.run(["umount", str(disk)], check=True)
