"""Work that outlives its call: joined while it runs, ended with the server."""

import asyncio

import pytest

from commonplace.session.chores import Chores


@pytest.mark.requirement("PAP-16")
async def test_who_asks_for_what_runs_joins_it() -> None:
    chores, gate, runs = Chores(), asyncio.Event(), []

    async def work() -> int:
        runs.append(1)
        await gate.wait()
        return len(runs)

    first = chores.start("sync", work)
    assert chores.start("sync", work) is first
    gate.set()
    assert await first == 1
    assert await chores.start("sync", work) == 2


@pytest.mark.requirement("PAP-16")
async def test_closing_lets_work_note_where_it_stands() -> None:
    chores, noted = Chores(), []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            noted.append("interrupted")

    task = chores.start("sync", work)
    await asyncio.sleep(0)
    await chores.close()
    assert task.cancelled()
    assert noted == ["interrupted"]


@pytest.mark.requirement("PAP-16")
async def test_a_failure_nobody_waits_for_is_not_lost_in_noise() -> None:
    chores = Chores()

    async def work() -> None:
        raise ValueError("as the job's record says")

    task = chores.start("sync", work)
    await asyncio.wait([task])
    await chores.close()
    with pytest.raises(ValueError, match="record"):
        task.result()
