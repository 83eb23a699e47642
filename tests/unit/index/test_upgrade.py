"""Better vectors in the background."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from commonplace.domain.errors import EmbedError
from commonplace.domain.passage import Located
from commonplace.embedders.base import Vectors
from commonplace.index.jobs import list_jobs
from commonplace.index.lease import held
from commonplace.index.upgrade import Pace, upgrade
from commonplace.index.writer import Writer
from tests.unit.index.asking import index
from tests.unit.index.conftest import EMBEDDER


class Better:
    """A second model: the static one under another name; it remembers what it was asked."""

    model = "better@1"
    dimension = EMBEDDER.dimension
    texts_per_s = 20.0

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Vectors:
        self.asked += texts
        return await EMBEDDER.embed(texts, is_query=is_query)


class Failing(Better):
    async def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Vectors:
        raise EmbedError(f"no model for {len(texts)} texts, {is_query}; install it")


@pytest.fixture
async def many(writer: Writer, tmp_path: Path) -> Path:
    docs = tmp_path / "many"
    docs.mkdir()
    for number in range(100):
        (docs / f"{number:03}.txt").write_text(f"Page {number} tells of word{number}.", "utf-8")
    await index(writer, docs)
    return docs


async def covered(writer: Writer) -> int:
    stats = await writer.store.passages.stats("default")
    return sum(one.embedded for one in stats.coverage if one.model == Better.model)


@pytest.mark.requirement("IDX-21")
@pytest.mark.usefixtures("many")
async def test_everything_pending_is_embedded(writer: Writer) -> None:
    better = Better()
    seen: list[tuple[float, float | None]] = []

    async def progress(done: float, total: float | None, _: str) -> None:
        seen.append((done, total))

    outcome = await upgrade(writer, "default", better, None, progress)
    assert (outcome.embedded, outcome.remaining) == (100, 0)
    assert await covered(writer) == 100
    assert len(set(better.asked)) == 100
    assert seen[-1] == (100, 100)
    assert (await upgrade(writer, "default", better)).embedded == 0
    assert (await list_jobs(writer.store.keyvalue))[0].state == "done"


@pytest.mark.requirement("IDX-21")
async def test_the_newest_come_first_and_stopped_work_is_resumed(
    writer: Writer, many: Path
) -> None:
    (many / "newest.txt").write_text("The newest page.", "utf-8")
    await index(writer, many)
    better, stop = Better(), asyncio.Event()

    async def stopping(done: float, total: float | None, message: str) -> None:
        assert (done, total, message) == (32, 101, "vectors of better@1")
        stop.set()

    outcome = await upgrade(writer, "default", better, Pace(stop=stop), stopping)
    assert (outcome.embedded, outcome.remaining) == (32, 69)
    assert "newest page" in better.asked[0]
    outcome = await upgrade(writer, "default", better)
    assert (outcome.embedded, outcome.remaining) == (69, 0)
    assert len(set(better.asked)) == 101


@pytest.mark.requirement("IDX-31")
@pytest.mark.usefixtures("many")
async def test_what_was_shown_lately_comes_first_also_when_it_is_shown_meanwhile(
    writer: Writer,
) -> None:
    located = {one.card.path: one for one in await pending(writer)}
    ids = {path: one.passage.id for path, one in located.items()}
    better, shown = Better(), [ids["000.txt"], "unknown"]

    async def asking(*_: object) -> None:
        if len(better.asked) == 1:
            shown[:] = [ids["005.txt"], ids["000.txt"]]

    pace = Pace(recent=lambda project: [*shown] if project == "default" else [])
    outcome = await upgrade(writer, "default", better, pace, asking)
    assert (outcome.embedded, outcome.remaining) == (100, 0)
    assert len(better.asked) == len(set(better.asked)) == 100  # nothing twice
    assert "word0." in better.asked[0]
    assert "word99." in better.asked[1]  # the batch at hand, newest first
    assert "word5." in better.asked[33]


async def pending(writer: Writer) -> list[Located]:
    return await writer.store.passages.pending("default", Better.model, 1000)


@pytest.mark.requirement("IDX-21")
@pytest.mark.usefixtures("many")
async def test_no_time_is_no_work(writer: Writer) -> None:
    outcome = await upgrade(writer, "default", Better(), Pace(seconds=0.0))
    assert (outcome.embedded, outcome.remaining) == (0, 100)


@pytest.mark.requirement("IDX-21")
@pytest.mark.usefixtures("many")
async def test_foreground_work_goes_first(writer: Writer) -> None:
    better, busy = Better(), asyncio.Event()
    busy.set()
    task = asyncio.create_task(upgrade(writer, "default", better, Pace(is_busy=busy)))
    while not await list_jobs(writer.store.keyvalue):
        pass
    assert better.asked == []
    busy.clear()
    assert (await task).embedded == 100


@pytest.mark.requirement("IDX-22")
@pytest.mark.usefixtures("many")
async def test_one_of_several_does_the_work(writer: Writer) -> None:
    async with held(writer.store.keyvalue, f"upgrade/default/{Better.model}"):
        outcome = await upgrade(writer, "default", Better())
        assert (outcome.is_elsewhere, outcome.embedded, outcome.remaining) == (True, 0, 100)
    both = await asyncio.gather(*(upgrade(writer, "default", Better()) for _ in range(2)))
    assert sum(one.embedded for one in both) == 100


@pytest.mark.requirement("IDX-21")
@pytest.mark.usefixtures("many")
async def test_a_failing_model_is_told_and_leaves_the_way_free(writer: Writer) -> None:
    with pytest.raises(EmbedError, match="install it"):
        await upgrade(writer, "default", Failing())
    assert (await list_jobs(writer.store.keyvalue))[0].state == "failed"
    assert (await upgrade(writer, "default", Better())).remaining == 0
