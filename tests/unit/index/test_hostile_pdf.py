"""Files that attack their reader: they are read in a worker, end there, and are told."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from commonplace.engines.memory.store import MemoryStore
from commonplace.index import pipeline
from commonplace.index import workers as under_test
from commonplace.index.sources import add_source
from commonplace.index.writer import Writer
from commonplace.settings import Settings
from tests.unit.index.asking import found, index
from tests.unit.index.conftest import EMBEDDER
from tests.unit.parsers import hostile

SOUND = "The sound file speaks of walruses."
MEMORY_MB = 512


@pytest.fixture
async def writer(tmp_path: Path) -> AsyncIterator[Writer]:
    settings = Settings(home=tmp_path / "home", parse_memory_mb=MEMORY_MB)
    store = MemoryStore()
    yield Writer(store=store, settings=settings, embedder=EMBEDDER)
    await store.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "papers"
    made.mkdir()
    return made


def lay(folder: Path, files: dict[str, bytes]) -> None:
    """The files, and a sound one before and after them."""
    for name, content in {**files, "0-sound": hostile.good(SOUND)}.items():
        (folder / f"{name}.pdf").write_bytes(content)
    (folder / "zz.md").write_text("Walruses end the alphabet.\n", "utf-8")


@pytest.mark.requirement("PDF-12")
async def test_the_hostile_are_reported_and_the_others_indexed(
    writer: Writer, folder: Path
) -> None:
    made = {name: make() for name, (make, _) in hostile.REFUSED.items()}
    lay(folder, {**made, **{name: make() for name, make in hostile.READ.items()}})
    report = await index(writer, folder)
    reasons = {one.path.removesuffix(".pdf"): one.reason for one in report.failures}
    assert reasons.keys() == hostile.REFUSED.keys()
    for name, (_, told) in hostile.REFUSED.items():
        assert told in reasons[name], name
    assert set(await found(writer, "walruses")) == {"0-sound.pdf", "zz.md"}
    again = await index(writer, folder)
    assert {one.path for one in again.failures} == {one.path for one in report.failures}


@pytest.mark.requirement("PDF-13")
@pytest.mark.parametrize(
    ("make", "limits", "told"),
    [
        (hostile.form_bomb, (1.0, 8 * MEMORY_MB), "took more than 1 s"),
        (hostile.contents_bomb, (60.0, MEMORY_MB), f"took more than {MEMORY_MB} MB"),
    ],
)
async def test_one_that_takes_too_much_fails_alone(
    writer: Writer,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    make: hostile.Make,
    limits: tuple[float, int],
    told: str,
) -> None:
    # The other limit is far off: which of two is met first depends on the machine.
    limit_s, memory_mb = limits
    monkeypatch.setattr(under_test, "_LIMIT_S", limit_s)
    settings = writer.settings.model_copy(update={"parse_memory_mb": memory_mb})
    writer = replace(writer, settings=settings)
    lay(folder, {"bad": make()})
    report = await index(writer, folder)
    assert [one.path for one in report.failures] == ["bad.pdf"]
    assert told in report.failures[0].reason
    assert set(await found(writer, "walruses")) == {"0-sound.pdf", "zz.md"}


@pytest.mark.requirement("PDF-14")
async def test_a_long_book_is_read_whole_and_its_pages_are_told(
    writer: Writer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "_PACE_S", 0.05)
    told: list[str] = []

    async def hear(_done: float, _total: float | None, message: str) -> None:
        told.append(message)

    (folder / "book.pdf").write_bytes(hostile.many_pages())
    source = await add_source(writer, str(folder), "default")
    report = await pipeline.sync_source(writer, source, hear)
    assert report.added == 1
    assert any("book.pdf, page" in one and one.endswith("of 2000") for one in told)
    assert await found(writer, "1999") == ["book.pdf"]
