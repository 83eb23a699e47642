"""Look-ups on the event loop: at once when short, in a thread when locked or long."""

import threading
from collections.abc import AsyncIterator
from pathlib import Path

import apsw
import pytest

from commonplace.domain.errors import StoreError
from commonplace.engines.sqlite.connection import Connections, Lengthy

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("ENG-30")]

_LONG = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT max(i) FROM n
"""


@pytest.fixture
async def connections(tmp_path: Path) -> AsyncIterator[Connections]:
    opened = Connections(tmp_path / "index.db", wait_s=1.0)
    yield opened
    await opened.close()


class _Counting:
    """Counts, and notes in which threads it was asked to."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.threads: list[str] = []

    def __call__(self, connection: apsw.Connection) -> int:
        self.threads.append(threading.current_thread().name.split("_")[0])
        return int(connection.execute(_LONG, (self.most,)).get)


async def test_a_short_look_up_runs_where_it_is_asked(connections: Connections) -> None:
    work = _Counting(5)
    assert await connections.glance(work) == 5
    assert work.threads == ["MainThread"]


async def test_a_long_one_is_given_up_and_read_in_a_thread(connections: Connections) -> None:
    work = _Counting(500_000)
    assert await connections.glance(work) == 500_000
    assert work.threads == ["MainThread", "sqlite-read"]


async def test_one_that_finds_itself_long_goes_to_a_thread(connections: Connections) -> None:
    work = _Counting(5)

    def modest(connection: apsw.Connection) -> int:
        if connections.is_glance(connection):
            raise Lengthy
        return work(connection)

    assert await connections.glance(modest) == 5
    assert work.threads == ["sqlite-read"]


async def test_many_short_ones_of_one_statement_are_not_taken_for_a_long_one(
    connections: Connections,
) -> None:
    """SQLite counts the steps of a kept statement over all its runs; time is counted anew."""
    work = _Counting(50)
    for _ in range(1000):
        await connections.glance(work)
    assert set(work.threads) == {"MainThread"}


async def test_a_locked_file_is_waited_for_in_a_thread(connections: Connections) -> None:
    work = _Counting(5)
    locked = [apsw.BusyError("locked")]

    def blocked(connection: apsw.Connection) -> int:
        if locked:
            raise locked.pop()
        return work(connection)

    assert await connections.glance(blocked) == 5
    assert work.threads == ["sqlite-read"]


async def test_within_a_transaction_a_look_up_sees_its_writes(connections: Connections) -> None:
    def asked(connection: apsw.Connection) -> int:
        return int(connection.execute("SELECT count(*) FROM pairs").get)

    async with connections.transaction():
        await connections.write(
            lambda one: one.execute("INSERT INTO pairs VALUES ('a', 'b', x'00', NULL)")
        )
        assert await connections.glance(asked) == 1
    assert await connections.glance(asked) == 1


async def test_errors_are_translated_and_a_closed_store_says_so(connections: Connections) -> None:
    with pytest.raises(StoreError, match="run `commonplace doctor`"):
        await connections.glance(lambda one: one.execute("SELECT nothing FROM nowhere").get)
    await connections.close()
    with pytest.raises(StoreError, match="closed"):
        await connections.glance(_Counting(5))


async def test_the_last_of_many_look_ups_is_answered_as_the_first(connections: Connections) -> None:
    """A statement that is kept counts its steps over all runs, that which ends a view too."""
    for _ in range(25_000):
        assert await connections.glance(lambda connection: connection.execute("SELECT 7").get) == 7
