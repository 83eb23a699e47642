"""Sources that hold the same documents: one goes, the documents stay with the other."""

from pathlib import Path

import pytest

from commonplace.index.pipeline import leave_source, sync_source
from commonplace.index.sources import get_source, list_sources
from commonplace.index.writer import Writer
from tests.unit.index.asking import WHOLE, found, index

pytestmark = pytest.mark.requirement("IDX-30")


async def leave(writer: Writer, location: Path) -> tuple[int, int]:
    source = await get_source(writer.store.keyvalue, "default", str(location))
    return await leave_source(writer, source)


async def test_a_file_removed_stays_with_its_folder(writer: Writer, folder: Path) -> None:
    await index(writer, folder / "apple.md")
    await index(writer, folder)
    assert await leave(writer, folder / "apple.md") == (0, 1)
    assert await found(writer, "orchard") == ["apple.md"]
    assert len(await list_sources(writer.store.keyvalue, "default")) == 1
    assert (await writer.store.passages.stats("default")).documents == 3
    assert (await index(writer, folder)).unchanged == 3
    assert await leave(writer, folder) == (3, 0)
    assert (await writer.store.passages.stats("default")).documents == 0


async def test_a_folder_removed_leaves_what_a_nested_one_holds(
    writer: Writer, folder: Path
) -> None:
    await index(writer, folder)
    await index(writer, folder / "sub")
    await index(writer, folder / "boat.txt")
    assert await leave(writer, folder) == (1, 2)
    assert await found(writer, "twelve") == ["clock.md"]
    assert await found(writer, "lake") == ["boat.txt"]
    assert await found(writer, "orchard") == []


async def test_a_document_that_moves_takes_the_tags_of_its_new_source(
    writer: Writer, folder: Path
) -> None:
    await index(writer, folder / "sub")
    await index(writer, folder)
    assert await leave(writer, folder / "sub") == (0, 1)
    assert await found(writer, "twelve") == ["sub/clock.md"]
    source = await get_source(writer.store.keyvalue, "default", str(folder))
    known = await writer.store.passages.fingerprints("default", source.id)
    (clock,) = (one for uri, one in known.items() if uri.endswith("clock.md"))
    (located,) = await writer.store.passages.read(WHOLE, clock.document_id, range(1))
    assert located.card.tags == ("docs", "time")


async def test_what_one_source_now_ignores_stays_with_the_other(
    writer: Writer, folder: Path
) -> None:
    await index(writer, folder)
    await index(writer, folder / "apple.md")
    (folder / ".commonplaceignore").write_text("apple.md\nboat.txt\n", "utf-8")
    report = await index(writer, folder)
    assert report.removed == 1
    assert await found(writer, "orchard") == ["apple.md"]
    assert await found(writer, "lake") == []
    source = await get_source(writer.store.keyvalue, "default", str(folder / "apple.md"))
    assert (await sync_source(writer, source)).unchanged == 1


async def test_a_deleted_file_goes_though_two_sources_held_it(writer: Writer, folder: Path) -> None:
    await index(writer, folder)
    await index(writer, folder / "sub")
    (folder / "sub" / "clock.md").unlink()
    assert (await index(writer, folder)).removed == 1
    assert await found(writer, "twelve") == []
    assert (await index(writer, folder / "sub")).documents == 0


async def test_a_source_that_is_gone_keeps_nothing_back(writer: Writer, folder: Path) -> None:
    await index(writer, folder)
    await index(writer, folder / "apple.md")
    (folder / "apple.md").unlink()
    assert (await index(writer, folder)).removed == 1
    assert await found(writer, "orchard") == []
