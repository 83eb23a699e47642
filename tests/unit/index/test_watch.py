"""Watching real folders: the test waits for what is told, never for time to pass."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonplace.domain.errors import CommonplaceError, SourceError
from commonplace.domain.scope import Source
from commonplace.index.sources import add_source, remove_source
from commonplace.index.watch import watch
from commonplace.index.writer import Report, Writer
from tests.unit.index.asking import found

Told = asyncio.Queue[tuple[str, Report | CommonplaceError]]


@pytest.fixture
async def told(writer: Writer, folder: Path, tmp_path: Path) -> AsyncIterator[Told]:
    """What a watch over a folder and a single file tells, after its first sync of both."""
    queue: Told = asyncio.Queue()
    stop = asyncio.Event()
    notes = tmp_path / "notes.md"
    notes.write_text("First notes.", "utf-8")
    await add_source(writer, str(folder), "default")
    await add_source(writer, str(notes), "default")

    async def tell(source: Source, outcome: Report | CommonplaceError) -> None:
        await queue.put((Path(source.location).name, outcome))

    task = asyncio.create_task(watch(writer, "default", tell, stop))
    for _ in range(2):
        await queue.get()
    yield queue
    stop.set()
    await task


async def until_found(told: Told, writer: Writer, word: str, paths: list[str]) -> None:
    """Wait for syncs until a word is found in exactly these documents."""
    while await found(writer, word) != paths:
        await told.get()


@pytest.mark.requirement("IDX-23")
async def test_changes_in_folder_and_file_are_indexed(
    writer: Writer, folder: Path, told: Told
) -> None:
    (folder / "sub" / "new.md").write_text("A walrus appears.", "utf-8")
    await until_found(told, writer, "walrus", ["sub/new.md"])
    notes = folder.parent / "notes.md"
    fresh = folder.parent / "notes.md.tmp"
    fresh.write_text("Second thoughts on penguins.", "utf-8")
    fresh.rename(notes)  # as editors save
    await until_found(told, writer, "penguins", ["notes.md"])
    (folder / "boat.txt").unlink()
    await until_found(told, writer, "lake", [])


@pytest.mark.requirement("IDX-23")
async def test_a_root_that_goes_is_told_and_taken_up_when_it_returns(
    writer: Writer, folder: Path, told: Told
) -> None:
    aside = Path(shutil.move(folder, folder.parent / "aside"))
    while not isinstance((outcome := await told.get())[1], SourceError):
        pass
    assert "is gone" in str(outcome[1]) or "cannot list" in str(outcome[1])
    assert await found(writer, "orchard") == ["apple.md"]
    (aside / "apple.md").write_text("# Apples\n\nNow with cinnamon.\n", "utf-8")
    shutil.move(aside, folder)
    await until_found(told, writer, "cinnamon", ["apple.md"])
    (folder / "apple.md").write_text("# Apples\n\nNow with sugar.\n", "utf-8")
    await until_found(told, writer, "sugar", ["apple.md"])


@pytest.mark.requirement("IDX-23")
async def test_sources_added_and_removed_meanwhile_are_noticed(
    writer: Writer, folder: Path, told: Told
) -> None:
    other = folder.parent / "other"
    other.mkdir()
    (other / "zebra.md").write_text("Stripes.", "utf-8")
    source = await add_source(writer, str(other), "default")
    await until_found(told, writer, "stripes", ["zebra.md"])
    await remove_source(writer, source)
    shutil.rmtree(other)
    (folder / "last.md").write_text("Closing words.", "utf-8")
    await until_found(told, writer, "closing", ["last.md"])
    assert await found(writer, "stripes") == []
