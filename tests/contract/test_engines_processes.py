"""Several processes on one SQLite file: they see, wait for and survive each other."""

import asyncio
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from commonplace.domain.errors import StoreError
from commonplace.engines.base import Store
from commonplace.engines.sqlite import open_store
from tests.contract.engine_making import WHOLE, ask, ids, make_entry, unit_rows
from tests.contract.engine_worker import PARTS

Worker = subprocess.Popen[str]


@contextmanager
def worker(address: str, *words: str) -> Iterator[Worker]:
    command = [sys.executable, "-m", "tests.contract.engine_worker", address, *words]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as started:
        try:
            yield started
        finally:
            started.kill()


async def line(started: Worker) -> str:
    assert started.stdout is not None
    return (await asyncio.to_thread(started.stdout.readline)).strip()


async def tell(started: Worker) -> None:
    assert started.stdin is not None
    started.stdin.write("\n")
    await asyncio.to_thread(started.stdin.flush)


async def paths(store: Store, word: str) -> set[str]:
    hits = await store.passages.lexical(ask(word), WHOLE, 50)
    places = await store.passages.get(WHOLE, [hit.passage_id for hit in hits])
    return {place.card.path for place in places}


@pytest.mark.requirement("ENG-20")
async def test_a_reader_sees_what_another_process_committed_and_nothing_before(
    tmp_path: Path,
) -> None:
    address = f"sqlite://{tmp_path}/index.db"
    store = open_store(address)
    mine = make_entry("mine.md", ["mine "], vectors={"m": unit_rows(1, seed=9)})
    await store.passages.write([mine])
    vector = unit_rows(1)[0]
    with worker(address, "hold") as other:
        assert await line(other) == "ready"
        assert await paths(store, "held") == set()
        near = await store.passages.dense("m", vector, WHOLE, 5)
        assert [hit.passage_id for hit in near] == ids(mine)
        await tell(other)
        assert await line(other) == "done"
    assert await paths(store, "held") == {"held.md"}
    near = await store.passages.dense("m", vector, WHOLE, 5)
    assert len(near) == 2
    assert near[0].score == pytest.approx(1, abs=1e-3)
    assert (await store.passages.stats("default")).documents == 2
    await store.close()


@pytest.mark.requirement("ENG-20")
async def test_a_second_writer_waits_for_the_first(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/index.db"
    store = open_store(address)
    with worker(address, "write") as other:
        async with store.transaction():
            await store.passages.write([make_entry("mine.md", ["mine "])])
            assert await line(other) == "ready"
            assert await paths(store, "other") == set()
        assert await line(other) == "done"
    assert (await store.passages.stats("default")).documents == 2
    await store.close()


@pytest.mark.requirement("ENG-21")
async def test_a_writer_that_waited_its_bound_fails_with_the_fix(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/index.db"
    with worker(address, "hold") as other:
        assert await line(other) == "ready"
        store = open_store(f"{address}?wait_s=0.05")
        with pytest.raises(StoreError, match="writer_wait_s"):
            await store.passages.write([make_entry("mine.md", ["mine "])])
        await tell(other)
        assert await line(other) == "done"
        await store.passages.write([make_entry("mine.md", ["mine again "])])
    assert (await store.passages.stats("default")).documents == 2
    await store.close()


@pytest.mark.requirement("ENG-14")
async def test_of_two_processes_that_claim_a_lease_one_wins(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/index.db"
    with worker(address, "claim", "one") as one, worker(address, "claim", "two") as two:
        assert [await line(one), await line(two)] == ["ready", "ready"]
        await tell(one)
        await tell(two)
        assert sorted([await line(one), await line(two)]) == ["lost", "won"]


async def _assert_sound(address: str, path: Path, told: dict[str, int]) -> None:
    connection = apsw.Connection(str(path))
    assert connection.pragma("integrity_check") == "ok"
    connection.close()
    store = open_store(address)
    prints = await store.passages.fingerprints("default", "s1")
    assert {uri.rpartition("/")[2] for uri in prints} >= told.keys()
    for uri, fingerprint in prints.items():
        places = await store.passages.read(WHOLE, fingerprint.document_id, range(999))
        turns = {place.passage.text.split()[0] for place in places}
        assert len(places) == PARTS
        assert len(turns) == 1, "passages of two writes in one document"
        turn = int(turns.pop().removeprefix("turn"))
        assert turn >= told.get(uri.rpartition("/")[2], 0), "an acknowledged write was lost"
        assert await paths(store, f"turn{turn}") == {places[0].card.path}
        near = await store.passages.dense("m", unit_rows(PARTS, seed=turn)[5], WHOLE, 1)
        assert near[0].passage_id == places[5].passage.id
    coverage = (await store.passages.stats("default")).coverage
    assert [(c.embedded, c.total) for c in coverage] == [(PARTS * len(prints),) * 2]
    await store.close()


@pytest.mark.slow
@pytest.mark.requirement("ENG-23")
async def test_killing_a_writer_leaves_whole_documents_only(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    address = f"sqlite://{path}"
    pick = random.Random(11)
    told: dict[str, int] = {}
    for _ in range(6):
        with worker(address, "pour") as other:
            for _ in range(pick.randint(1, 12)):
                name, turn = (await line(other)).split()
                told[name] = int(turn)
            other.send_signal(signal.SIGKILL)
            assert other.stdout is not None
            for rest in (await asyncio.to_thread(other.stdout.read)).splitlines():
                name, turn = rest.split()
                told[name] = int(turn)
        await _assert_sound(address, path, told)
        told.clear()  # the next process counts its turns from nought again
