"""Indexing in processes that are killed, run side by side, or find the disk full."""

import asyncio
import os
import random
import signal
import subprocess
from pathlib import Path

import apsw
import psutil
import pytest

from commonplace.domain.query import Query
from commonplace.domain.scope import Selection, Source
from commonplace.engines.sqlite.store import SqliteStore
from commonplace.index.jobs import list_jobs
from commonplace.index.sources import list_sources
from tests.e2e.indexing import acknowledged, has_stopped, lines, start

WHOLE = Selection(project="default")
FILES = 700
WAIT_S = 360


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of one unique word each, in all large enough that workers parse them."""
    folder = tmp_path_factory.mktemp("docs")
    for number in range(FILES):
        filler = f"Sentence about subject {number % 7}. " * 120
        text = f"# Page {number}\n\nmarker{number} stands here. {filler}\n"
        (folder / f"{number:04}.md").write_text(text, "utf-8")
    return folder


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
def test_killed_twenty_times_nothing_acknowledged_is_lost(docs: Path, tmp_path: Path) -> None:
    output, errors = start(tmp_path / "whole", docs).communicate(timeout=WAIT_S)
    assert acknowledged(output) == FILES, errors
    commits = max(line["commits"] for line in lines(output) if "commits" in line)
    chance = random.Random(20)
    # In the middle of the work, at its end, and anywhere.
    places = [{"documents": 1}, {"documents": FILES // 2}, {"commit": commits}]
    places += [{"commit": chance.randrange(1, commits + 1)} for _ in range(20 - len(places))]
    for number, place in enumerate(places):
        home = tmp_path / f"home{number}"
        process = start(home, docs, **place)
        if has_stopped(process):
            workers = descendants(process)
            process.kill()
            _, alive = psutil.wait_procs(workers, timeout=WAIT_S)
            assert alive == [], "workers outlived their parent"
        output, errors = process.communicate(timeout=WAIT_S)
        assert process.returncode in (0, -signal.SIGKILL), errors
        held = asyncio.run(check(home, docs, acknowledged(output)))
        if "documents" in place:
            assert place["documents"] <= held < FILES
            assert workers
        if number % 5 == 0:
            output, errors = start(home, docs).communicate(timeout=WAIT_S)
            assert acknowledged(output) == FILES, errors
            assert asyncio.run(check(home, docs, FILES)) == FILES


@pytest.mark.timeout(1200)
@pytest.mark.requirement("IDX-10")
def test_ctrl_c_ends_quietly_and_a_new_run_goes_on(docs: Path, tmp_path: Path) -> None:
    process = start(tmp_path, docs, waits=1)
    assert process.stdout is not None
    told = ""
    while acknowledged(told) == 0:
        told += process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the workers get it too
    output, errors = process.communicate(timeout=WAIT_S)
    acked = acknowledged(told + output)
    assert process.returncode != 0
    assert errors.strip().splitlines()[-1] == "interrupted", errors
    assert "Traceback" not in errors
    assert 0 < asyncio.run(check(tmp_path, docs, acked)) < FILES
    output, errors = start(tmp_path, docs).communicate(timeout=WAIT_S)
    assert acknowledged(output) == FILES, errors


@pytest.mark.timeout(1200)
@pytest.mark.requirement("IDX-12")
def test_two_indexers_on_one_home_both_finish(docs: Path, tmp_path: Path) -> None:
    some, other = tmp_path / "some", tmp_path / "other"
    for folder, numbers in ((some, range(150)), (other, range(150, 300))):
        folder.mkdir()
        for number in numbers:
            name = f"{number:04}.md"
            (folder / name).write_bytes((docs / name).read_bytes())
    home = tmp_path / "home"
    both = [start(home, some, other), start(home, some, other)]
    outputs = [process.communicate(timeout=WAIT_S) for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    told = [line for out, _ in outputs for line in lines(out) if "added" in line]
    assert [report["documents"] for report in told] == [150] * 4
    assert sum(report["added"] for report in told) == 300


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.requirement("IDX-13")
def test_a_full_disk_is_named_and_the_index_stays_sound(docs: Path, tmp_path: Path) -> None:
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
        process = start(disk, docs)
        output, errors = process.communicate(timeout=WAIT_S)
        assert process.returncode == 1
        assert "free space" in errors, errors
        assert "Traceback" not in errors
        acked = acknowledged(output)
        subprocess.run(["mount", "-o", "remount,size=200m", str(disk)], check=True)
        asyncio.run(check(disk, docs, acked))
        process = start(disk, docs)
        output, errors = process.communicate(timeout=WAIT_S)
        assert acknowledged(output) == FILES, errors
        assert asyncio.run(check(disk, docs, FILES)) == FILES
    finally:
        subprocess.run(["umount", str(disk)], check=True)
