"""The write path on real files and real stores."""

import asyncio
import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from commonplace.domain.errors import SourceError
from commonplace.domain.ids import document_id
from commonplace.domain.query import Query
from commonplace.embedders.base import Vectors
from commonplace.embedders.models.openai import Endpoint, RemoteEmbedder
from commonplace.index.jobs import list_jobs
from commonplace.index.pipeline import sync_all, sync_source
from commonplace.index.sources import SourceOptions, add_source, list_sources
from commonplace.index.writer import Writer
from commonplace.sources import files
from commonplace.sources.walk import Limits
from tests.unit.index.asking import WHOLE, found, index, near, texts
from tests.unit.index.conftest import EMBEDDER


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files read from now on."""
    names: list[str] = []
    read_file = files.read_file

    def counting(path: str, root: Path, limits: Limits, inside: set[str]) -> bytes:
        names.append(os.path.basename(path))
        return read_file(path, root, limits, inside)

    monkeypatch.setattr(files, "read_file", counting)
    return names


def touch(path: Path, seconds: int = 100) -> None:
    """Give a file another time without changing it."""
    stat = path.stat()
    os.utime(path, (stat.st_atime, stat.st_mtime + seconds))


@pytest.mark.requirement("IDX-01")
async def test_a_new_folder_is_found_by_words_and_by_meaning(writer: Writer, folder: Path) -> None:
    report = await index(writer, folder)
    assert (report.added, report.changed, report.unchanged, report.failures) == (3, 0, 0, ())
    assert await found(writer, "orchard") == ["apple.md"]
    assert await near(writer, "What time does the clock strike?") == "sub/clock.md"
    stored = await texts(writer, report.source_id)
    assert stored == {path: (folder / path).read_text("utf-8") for path in stored}
    assert len(stored) == 3
    uri = (folder / "apple.md").as_uri()
    nodes = await writer.store.graph.neighbours("default", [document_id("default", uri)], [], 1)
    assert {neighbour.edge.relation for neighbour in nodes} >= {"HAS_SECTION"}


@pytest.mark.requirement("IDX-02")
async def test_an_unchanged_tree_is_not_read(
    writer: Writer, folder: Path, reads: list[str]
) -> None:
    await index(writer, folder)
    assert sorted(reads) == ["apple.md", "boat.txt", "clock.md"]
    reads.clear()
    before = await writer.store.passages.stats("default")
    report = await index(writer, folder)
    assert reads == []
    assert report.unchanged == 3
    assert (await writer.store.passages.stats("default")).generation == before.generation


@pytest.mark.requirement("IDX-03")
async def test_a_touched_file_is_read_once_and_not_written(
    writer: Writer, folder: Path, reads: list[str]
) -> None:
    await index(writer, folder)
    before = await writer.store.passages.stats("default")
    touch(folder / "apple.md")
    reads.clear()
    assert (await index(writer, folder)).unchanged == 3
    assert (await index(writer, folder)).unchanged == 3
    assert reads == ["apple.md"]
    assert (await writer.store.passages.stats("default")).generation == before.generation


@pytest.mark.requirement("IDX-04")
async def test_a_changed_file_replaces_only_its_own_rows(writer: Writer, folder: Path) -> None:
    await index(writer, folder)
    before = await writer.store.passages.stats("default")
    (folder / "apple.md").write_text("# Apples\n\nPears are not apples.\n", "utf-8")
    report = await index(writer, folder)
    assert (report.added, report.changed, report.unchanged) == (0, 1, 2)
    assert await found(writer, "orchard") == []
    assert await found(writer, "pears") == ["apple.md"]
    after = await writer.store.passages.stats("default")
    assert after.generation == before.generation + 1
    assert (after.documents, after.passages) == (before.documents, before.passages)


@pytest.mark.requirement("IDX-05")
async def test_a_removed_file_disappears_and_a_renamed_one_moves(
    writer: Writer, folder: Path
) -> None:
    await index(writer, folder)
    (folder / "boat.txt").unlink()
    (folder / "apple.md").rename(folder / "pear.md")
    report = await index(writer, folder)
    assert (report.added, report.removed) == (1, 2)
    assert await found(writer, "lake") == []
    assert await found(writer, "orchard") == ["pear.md"]


@pytest.mark.requirement("IDX-06")
@pytest.mark.requirement("IDX-08")
async def test_bad_files_are_reported_and_the_others_go_on(
    writer: Writer, folder: Path, reads: list[str]
) -> None:
    (folder / "broken.docx").write_bytes(b"not a zip file")
    (folder / "latin.txt").write_bytes("caf\xe9 au lait".encode("latin-1"))
    (folder / "binary.txt").write_bytes(b"\0\1\2" * 100)
    (folder / "empty.md").write_bytes(b"")
    os.mkfifo(folder / "pipe.md")
    with (folder / "huge.txt").open("wb") as huge:
        huge.truncate(2 * 1024**3)
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "self.md").symlink_to(folder / "self.md")
    report = await index(writer, folder)
    failed = {skip.path: skip.reason for skip in report.failures}
    assert set(failed) == {"broken.docx", "binary.txt", "pipe.md", "huge.txt"}
    assert "max_file_bytes" in failed["huge.txt"]
    assert "huge.txt" not in reads
    assert report.added == 5
    assert await found(writer, "lait") == ["latin.txt"]
    assert await found(writer, "orchard") == ["apple.md"]


@pytest.mark.requirement("IDX-06")
async def test_a_file_that_cannot_be_parsed_is_not_read_again_until_it_changes(
    writer: Writer, folder: Path, reads: list[str]
) -> None:
    (folder / "broken.docx").write_bytes(b"not a zip file")
    first = await index(writer, folder)
    reads.clear()
    second = await index(writer, folder)
    assert reads == []
    assert second.failures == first.failures
    (folder / "broken.docx").unlink()
    assert (await index(writer, folder)).failures == ()


@pytest.mark.requirement("IDX-07")
async def test_a_file_that_vanishes_while_read_is_reported_and_gone_next_time(
    writer: Writer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await index(writer, folder)
    (folder / "boat.txt").write_text("Boats sank.", "utf-8")
    read_file = files.read_file

    def vanishing(path: str, root: Path, limits: Limits, inside: set[str]) -> bytes:
        Path(path).unlink()
        return read_file(path, root, limits, inside)

    monkeypatch.setattr(files, "read_file", vanishing)
    report = await index(writer, folder)
    assert [skip.path for skip in report.failures] == ["boat.txt"]
    assert await found(writer, "lake") == ["boat.txt"]
    monkeypatch.setattr(files, "read_file", read_file)
    assert (await index(writer, folder)).removed == 1
    assert await found(writer, "lake") == []


@pytest.mark.requirement("IDX-07")
async def test_what_cannot_be_read_this_time_stays_indexed(writer: Writer, folder: Path) -> None:
    await index(writer, folder)
    (folder / "boat.txt").unlink()
    os.mkfifo(folder / "boat.txt")
    report = await index(writer, folder)
    assert (report.removed, [skip.path for skip in report.failures]) == (0, ["boat.txt"])
    assert await found(writer, "lake") == ["boat.txt"]


@pytest.mark.requirement("IDX-09")
async def test_a_source_whose_root_is_gone_keeps_its_documents(
    writer: Writer, folder: Path
) -> None:
    source = await add_source(writer, str(folder), "default")
    await sync_source(writer, source)
    shutil.rmtree(folder)
    with pytest.raises(SourceError, match="commonplace remove"):
        await sync_source(writer, source)
    assert await found(writer, "orchard") == ["apple.md"]
    (job,) = [job for job in await list_jobs(writer.store.keyvalue) if job.id.startswith("sync/")]
    assert job.state == "failed"
    (outcome,) = await sync_all(writer, "default")
    assert isinstance(outcome, tuple)


@pytest.mark.requirement("IDX-10")
@pytest.mark.requirement("IDX-20")
@pytest.mark.parametrize("stop_at", ["looking", "comparing", "document"])
async def test_a_cancelled_sync_goes_on_where_it_stopped(
    writer: Writer, tmp_path: Path, stop_at: str
) -> None:
    docs = tmp_path / "many"
    docs.mkdir()
    for number in range(250):
        (docs / f"{number:03}.md").write_text(f"# Page {number}\n\nword{number}\n", "utf-8")
    source = await add_source(writer, str(docs), "default")
    acknowledged = 0

    async def cancelling(done: float, _: float | None, message: str) -> None:
        nonlocal acknowledged
        acknowledged = int(done)
        if stop_at in message or (stop_at == "document" and message.endswith(".md")):
            task.cancel()
            await asyncio.sleep(0)

    task = asyncio.create_task(sync_source(writer, source, cancelling))
    with pytest.raises(asyncio.CancelledError):
        await task
    (job,) = await list_jobs(writer.store.keyvalue)
    assert job.state == "interrupted"
    stored = await texts(writer, source.id)
    assert len(stored) >= acknowledged
    assert all(text == (docs / path).read_text("utf-8") for path, text in stored.items())
    report = await sync_source(writer, source)
    assert (report.unchanged, report.added) == (len(stored), 250 - len(stored))
    assert len(await texts(writer, source.id)) == 250
    assert (await list_jobs(writer.store.keyvalue))[0].state == "done"


@pytest.mark.requirement("IDX-12")
async def test_two_syncs_of_one_source_at_once_both_finish(writer: Writer, folder: Path) -> None:
    source = await add_source(writer, str(folder), "default")
    first, second = await asyncio.gather(sync_source(writer, source), sync_source(writer, source))
    assert sorted([first.added, second.added]) == [0, 3]
    assert first.documents == second.documents == 3


@pytest.mark.requirement("IDX-16")
async def test_tags_of_the_source_come_first(writer: Writer, folder: Path) -> None:
    await index(writer, folder)
    ids = [
        hit.passage_id
        for word in ("orchard", "twelve")
        for hit in await writer.store.passages.lexical(query(word), WHOLE, 1)
    ]
    apple, clock = await writer.store.passages.get(WHOLE, ids)
    assert (apple.card.tags, apple.card.title) == (("docs",), "Apples")
    assert clock.card.tags == ("docs", "time")
    assert clock.card.doc_tag == "docs"


@pytest.mark.requirement("IDX-17")
async def test_other_tags_or_passage_sizes_make_documents_anew(
    writer: Writer, folder: Path
) -> None:
    await index(writer, folder)
    options = SourceOptions(tags=("manual",), environment="prod")
    source = await add_source(writer, str(folder), "default", options)
    assert (await sync_source(writer, source)).changed == 3
    assert (await sync_source(writer, source)).unchanged == 3
    (hit,) = await writer.store.passages.lexical(query("orchard"), WHOLE, 1)
    (apple,) = await writer.store.passages.get(WHOLE, [hit.passage_id])
    assert (apple.card.tags, apple.card.environment) == (("manual",), "prod")
    settings = writer.settings.model_copy(update={"passage_tokens": 64})
    assert (await sync_source(replace(writer, settings=settings), source)).changed == 3


@pytest.mark.requirement("IDX-18")
async def test_a_document_in_two_sources_belongs_to_the_first(writer: Writer, folder: Path) -> None:
    await index(writer, folder / "sub")
    report = await index(writer, folder)
    assert report.added == 2
    assert [skip.path for skip in report.skips] == ["sub/clock.md"]
    assert len(await list_sources(writer.store.keyvalue, "default")) == 2
    assert (await index(writer, folder / "sub")).unchanged == 1


class SlowStatic:
    """The static model under another name and as slow as a service."""

    model = "slow@1"
    dimension = EMBEDDER.dimension
    texts_per_s = 50.0

    async def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Vectors:
        return await EMBEDDER.embed(texts, is_query=is_query)


@pytest.mark.requirement("IDX-19")
async def test_a_slow_embedder_fills_in_after_the_documents_are_stored(
    writer: Writer, folder: Path
) -> None:
    slow = replace(writer, embedder=SlowStatic())
    report = await index(slow, folder)
    assert report.warnings == ()
    assert await near(slow, "a sailing boat") == "boat.txt"


@pytest.mark.requirement("IDX-19")
async def test_without_vectors_words_are_found_and_the_next_sync_fills(
    writer: Writer, folder: Path
) -> None:
    nobody = Endpoint(url="http://127.0.0.1:1/v1/embeddings", name="tiny", backoff_s=0.0)
    report = await index(replace(writer, embedder=RemoteEmbedder(nobody, 3)), folder)
    assert "only words" in report.warnings[0].reason
    assert await found(writer, "orchard") == ["apple.md"]
    assert (await index(writer, folder)).unchanged == 3
    assert await near(writer, "a sailing boat") == "boat.txt"


def query(word: str) -> Query:
    return Query(text=word, terms=(word,))
