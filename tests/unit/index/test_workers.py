"""Documents that take too long or end their process, in small jobs as in large ones."""

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import psutil
import pytest

from commonplace.domain.document import Resource
from commonplace.domain.scope import Source
from commonplace.index import workers as under_test
from commonplace.index.draft import Draft, Recipe, make_recipe
from commonplace.index.workers import Workers
from commonplace.index.writer import Writer
from commonplace.settings import Settings
from commonplace.sources.base import Skip
from tests.unit.index.asking import found, index

MOMENT = datetime(2025, 1, 1, tzinfo=UTC)
SMALL, LARGE = 0, 10**9


@dataclass(frozen=True)
class Hostile:
    """Stands for a resource; what a worker does on opening it."""

    path: str
    call: Callable[..., object]
    argument: object

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self.call, (self.argument,)


# Ends its process at once, as a fault in a C library does.
CRASH = cast("Resource", Hostile("crash.md", os._exit, 9))
# Runs for years within one call of C code, as a regular expression can on few bytes.
BLOW_UP = "__import__('re').fullmatch('(a|aa)+b', 'a' * 80)"
ENDLESS = cast("Resource", Hostile("endless.md", eval, BLOW_UP))


def resource(name: str, text: str = "Some words.") -> Resource:
    return Resource(
        uri=f"file:///{name}",
        path=name,
        content=f"# {name}\n\n{text}\n".encode(),
        media_type="text/markdown",
        modified_at=MOMENT,
    )


@pytest.fixture
def recipe() -> Recipe:
    source = Source(id="s", project="default", kind="folder", location="/docs", added_at=MOMENT)
    return make_recipe(source, Settings(), MOMENT)


@pytest.mark.requirement("IDX-14")
@pytest.mark.requirement("IDX-25")
@pytest.mark.parametrize("total_bytes", [SMALL, LARGE])
async def test_a_document_that_kills_its_worker_fails_alone(
    recipe: Recipe, total_bytes: int
) -> None:
    good = [resource(f"{number}.md") for number in range(4)]
    async with Workers(Settings(workers=2), total_bytes) as workers:
        chunks = [[good[0], CRASH, good[1]], good[2:]]
        mixed, whole = await asyncio.gather(*(workers.draft(recipe, one) for one in chunks))
        again = await workers.draft(recipe, good)
    assert [type(one) for one in mixed] == [Draft, Skip, Draft]
    assert isinstance(mixed[1], Skip)
    assert "process died" in mixed[1].reason
    assert [mixed[0], mixed[2], *whole] == again


@pytest.mark.requirement("IDX-27")
@pytest.mark.parametrize("total_bytes", [SMALL, LARGE])
async def test_a_document_that_takes_too_long_fails_alone(
    recipe: Recipe, total_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Workers(Settings(workers=2), total_bytes) as workers:
        await workers.draft(recipe, [resource("first.md")])  # all loaded
        monkeypatch.setattr(under_test, "_LIMIT_S", 1.0)
        short = resource("short.md")
        outcomes = await workers.draft(recipe, [short, ENDLESS, short])
    assert [type(one) for one in outcomes] == [Draft, Skip, Draft]
    assert isinstance(outcomes[1], Skip)
    assert "took more than 1 s" in outcomes[1].reason


@pytest.mark.requirement("IDX-28")
async def test_a_small_folder_with_a_document_too_slow_is_indexed_but_for_it(
    writer: Writer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await index(writer, folder)
    monkeypatch.setattr(under_test, "_LIMIT_S", 0.5)
    (folder / "slow.md").write_text("# A\n\nWord.\n" * 160_000, "utf-8")
    (folder / "ztree.md").write_text("Trees have rings.\n", "utf-8")
    report = await index(writer, folder)
    assert [(one.path, one.is_failure) for one in report.failures] == [("slow.md", True)]
    assert "took more than" in report.failures[0].reason
    assert await found(writer, "rings") == ["ztree.md"]
    again = await index(writer, folder)  # remembered: not tried again until it changes
    assert again.failures == report.failures


async def test_leaving_early_ends_what_is_under_way(recipe: Recipe) -> None:
    async with Workers(Settings(), SMALL) as workers:
        await workers.draft(recipe, [resource("first.md")])
        before = {child.pid: child.cpu_times().user for child in psutil.Process().children()}
        under_way = asyncio.create_task(workers.draft(recipe, [ENDLESS]))
        await asyncio.sleep(0)
        under_way.cancel()
        await asyncio.gather(under_way, return_exceptions=True)
    for child in psutil.Process().children():
        assert child.cpu_times().user - before.get(child.pid, 0.0) < 5


@pytest.mark.requirement("IDX-29")
async def test_the_next_small_job_takes_the_worker_of_the_last(recipe: Recipe) -> None:
    pids = []
    for _ in range(2):
        async with Workers(Settings(), SMALL) as workers:
            await workers.draft(recipe, [resource("first.md")])
        pids.append({child.pid for child in psutil.Process().children()})
    assert pids[0] & pids[1]


@pytest.mark.requirement("IDX-29")
async def test_a_worker_nobody_needs_ends(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "_IDLE_S", 0.0)
    before = psutil.Process().children()
    async with Workers(Settings(), SMALL) as workers:
        await workers.draft(recipe, [resource("first.md")])
        made = psutil.Process().children()
    assert made
    _, alive = await asyncio.to_thread(psutil.wait_procs, {*made, *before}, timeout=120)
    assert alive == []


@pytest.mark.requirement("IDX-29")
async def test_a_worker_waits_longer_for_who_watches(
    recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(under_test, "_IDLE_S", 0.0)
    with under_test.patient(60.0):
        async with Workers(Settings(), SMALL) as workers:
            await workers.draft(recipe, [resource("first.md")])
        waiting = psutil.Process().children()
        async with Workers(Settings(), SMALL) as workers:
            await workers.draft(recipe, [resource("second.md")])
            assert set(psutil.Process().children()) == set(waiting)
    async with Workers(Settings(), SMALL) as workers:
        await workers.draft(recipe, [resource("third.md")])
    _, alive = await asyncio.to_thread(psutil.wait_procs, waiting, timeout=120)
    assert alive == []
