"""Zotero libraries: asked, or read from disk, and indexed with their citations."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from commonplace.domain.scope import Source
from commonplace.index import watch as watch_module
from commonplace.index.pipeline import leave_source, sync_source
from commonplace.index.projects import create_project
from commonplace.index.references.keep import all_cited
from commonplace.index.sources import add_source, get_source, list_sources, remove_source
from tests.embedding import count_embedded
from tests.library import Library, open_library
from tests.zotero.api import open_zotero
from tests.zotero.shelf import Shelf, make_shelf, paper

PROJECT = "lab/papers"
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return make_shelf(tmp_path / "Zotero")


@pytest.fixture
async def lab(tmp_path: Path, shelf: Shelf) -> AsyncIterator[Library]:
    connection = shelf.write()
    async with open_library(
        tmp_path, add=False, zotero_url=NOWHERE, zotero_folder=str(shelf.folder)
    ) as opened:
        await create_project(opened.app.writer, PROJECT)
        yield opened
    connection.close()


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts each call of the embedder had."""
    return count_embedded(monkeypatch)


async def ingest(lab: Library, source: str = "zotero:", **options: Any) -> Any:  # noqa: ANN401
    told = await lab.call("ingest_from_source", project=PROJECT, source=source, options=options)
    assert "error" not in told, told
    return told


def choose(lab: Library, **chosen: str) -> None:
    """Let the tools work with other settings."""
    settings = lab.app.settings.model_copy(update=chosen)
    lab.dispatcher.app = replace(lab.app, settings=settings)


async def ask(lab: Library, text: str) -> Any:  # noqa: ANN401
    told = await lab.call("query_hybrid", project=PROJECT, text=text)
    return told["items"]


@pytest.mark.requirement("ZOT-04")
async def test_annotations_and_notes_are_found_with_their_page(lab: Library) -> None:
    await ingest(lab)
    marked = (await ask(lab, "entity is more than its attributes"))[0]
    assert marked["page_span"] == [2, 2]
    assert marked["citekey"] == "evans2003"
    assert "more than its attributes" in marked["render_text"]
    assert marked["section"] == "Page 102"
    assert marked["source_uri"] == "zotero://open-pdf/library/items/EVANSPDF?page=2"
    noted = (await ask(lab, "zither of the orchard hums"))[0]
    assert noted["citekey"] == "lee2021water"
    assert noted["source_uri"] == "zotero://select/library/items/LEENOTE1"


@pytest.mark.requirement("ZOT-05")
async def test_a_citation_has_what_zotero_knows(lab: Library) -> None:
    told = await ingest(lab)
    assert told["warnings"] == []
    item = (await ask(lab, "entities keep identity"))[0]
    assert (item["citekey"], item["doi"], item["year"]) == ("evans2003", "10.1000/ddd.1", 2003)
    assert item["authors"] == ["Eric Evans"]
    assert item["title"] == "Domain Models in Practice"
    cited = await all_cited(lab.app.store.keyvalue, PROJECT)
    known = {one.reference.citekey: one for one in cited.values() if one.reference}
    assert known["lee2021water"].reference is not None
    assert known["lee2021water"].reference.language == "de"
    assert set(known["evans2003"].tags) >= {"design", "to read"}
    narrow = await lab.call(
        "query", project=PROJECT, text="water", filters={"tags": ["design", "to read"]}
    )
    assert {one["citekey"] for one in narrow["items"]} == {"evans2003"}


@pytest.mark.requirement("ZOT-06")
async def test_linked_and_missing_files(lab: Library, shelf: Shelf, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "far.pdf").write_bytes(paper("Far", "a linked file of turnips"))
    (linked / "based.md").write_text("# Based\n\nA file in the base folder, of radishes.\n")
    for key, mode, path in (
        ("LINK0001", "linked_file", str(linked / "far.pdf")),
        ("LINK0002", "linked_file", "attachments:based.md"),
        ("LINK0003", "linked_url", ""),
        ("LINK0004", "linked_file", str(linked / "gone.pdf")),
    ):
        shelf.put(key, "attachment", contentType="", linkMode=mode, path=path)
    shelf.attach("LOSTPDF1", "LEE00001", "Lost.pdf", None)
    shelf.write().close()
    told = await ingest(lab)
    text = "\n".join(told["warnings"])
    assert "LINK0002: not read: based.md is linked, and where to is not known here" in text
    assert "LINK0004: not read: gone.pdf of 'LINK0004' is not on this machine" in text
    assert "LOSTPDF1: not read: Lost.pdf of 'Watering orchards' is not on this machine" in text
    assert "LINK0003" not in text
    chosen = {"zotero_linked_folder": str(linked)}
    choose(lab, **chosen)
    assert "LINK0002: not read" not in "\n".join((await ingest(lab))["warnings"])
    assert "radishes" in (await ask(lab, "base folder of radishes"))[0]["render_text"]
    assert "turnips" in (await ask(lab, "a linked file of turnips"))[0]["render_text"]
    (shelf.folder / "storage" / "EVANSPDF" / "Evans.pdf").unlink()
    told = await ingest(lab)
    assert any(one.startswith("EVANSPDF: not read: Evans.pdf") for one in told["warnings"])
    assert (await ask(lab, "entities keep identity"))[0]["citekey"] == "evans2003"


@pytest.mark.requirement("ZOT-07")
async def test_an_unchanged_library_costs_a_look(
    lab: Library, shelf: Shelf, embedded: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    from commonplace.sources.zotero import database  # noqa: PLC0415

    await ingest(lab)
    stats = await lab.app.store.passages.stats(PROJECT)
    embedded.clear()
    with monkeypatch.context() as patch:
        patch.setattr(database, "read_library", None)
        told = await ingest(lab)
    assert (told["chunks_written"], embedded) == (0, [])
    assert await lab.app.store.passages.stats(PROJECT) == stats
    async with open_zotero(shelf) as site:
        chosen = {"zotero_url": site.url().rstrip("/")}
        choose(lab, **chosen)
        assert (await ingest(lab))["chunks_written"] == 0
        site.asked.clear()
        assert (await ingest(lab))["chunks_written"] == 0
        assert set(site.paths) == {
            "/api/users/0/items?limit=1&sort=dateModified",
            "/api/users/0/collections",
        }
    assert embedded == []


@pytest.mark.requirement("ZOT-07")
async def test_a_watch_asks_a_library_again(
    lab: Library, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_module, "_POLL_S", 0.01)
    told: asyncio.Queue[Any] = asyncio.Queue()
    stop = asyncio.Event()

    async def tell(source: Source, outcome: Any) -> None:  # noqa: ANN401
        await told.put((source.location, outcome))

    await add_source(lab.app.writer, "zotero:Garden", PROJECT)
    task = asyncio.create_task(watch_module.watch(lab.app.writer, PROJECT, tell, stop))
    location, report = await told.get()
    assert (location, report.added) == ("zotero:Garden", 2)
    shelf.put("NOTE0002", "note", parentItem="LEE00001", note="<p>Weevils came in May.</p>")
    shelf.write().close()
    outcome = report
    while getattr(outcome, "added", 0) != 1:
        _, outcome = await told.get()
    stop.set()
    await task
    assert (await ask(lab, "weevils in May"))[0]["citekey"] == "lee2021water"


@pytest.mark.requirement("ZOT-08")
async def test_edited_metadata_changes_citations_only(
    lab: Library, shelf: Shelf, embedded: list[int]
) -> None:
    await ingest(lab)
    ids = [one["section_id"] for one in await ask(lab, "entities keep identity")]
    shelf.items[0] |= {"citationKey": "evans04", "date": "2004", "title": "Domain models, revised"}
    shelf.items[0]["dateModified"] = "2024-04-01T10:00:00Z"
    shelf.write().close()
    embedded.clear()
    told = await ingest(lab)
    assert (told["chunks_written"], embedded) == (0, [])
    found = await ask(lab, "entities keep identity")
    assert (found[0]["citekey"], found[0]["year"]) == ("evans04", 2004)
    assert found[0]["title"] == "Domain models, revised"
    assert [one["section_id"] for one in found] == ids


@pytest.mark.requirement("ZOT-08")
async def test_a_named_bibliography_decides_over_zotero(
    lab: Library, shelf: Shelf, tmp_path: Path
) -> None:
    named = tmp_path / "mine.bib"
    named.write_text("@article{mine, title={X}, year=1999, doi={10.1000/ddd.1}, file={Evans.pdf}}")
    await ingest(lab, references_path=str(named))
    assert (await ask(lab, "entities keep identity"))[0]["citekey"] == "mine"
    shelf.put("NOTE0009", "note", note="<p>New.</p>")
    shelf.write().close()
    source = await get_source(lab.app.store.keyvalue, PROJECT, "zotero:")
    await sync_source(lab.app.writer, source)
    assert (await ask(lab, "entities keep identity"))[0]["citekey"] == "mine"
    await ingest(lab)
    assert (await ask(lab, "entities keep identity"))[0]["citekey"] == "evans2003"


@pytest.mark.requirement("ZOT-08")
async def test_a_renamed_file_keeps_its_citation_and_its_ids(lab: Library, shelf: Shelf) -> None:
    await ingest(lab)
    before = (await ask(lab, "entities keep identity"))[0]
    place = shelf.folder / "storage" / "EVANSPDF"
    (place / "Evans.pdf").rename(place / "Renamed.pdf")
    next(one for one in shelf.items if one["key"] == "EVANSPDF")["filename"] = "Renamed.pdf"
    shelf.write().close()
    assert (await ingest(lab))["chunks_written"] == 0
    after = (await ask(lab, "entities keep identity"))[0]
    assert (after["section_id"], after["citekey"]) == (before["section_id"], "evans2003")


@pytest.mark.requirement("ZOT-10")
async def test_what_cannot_be_read_is_told_and_not_added(
    lab: Library, shelf: Shelf, tmp_path: Path
) -> None:
    async def fault(source: str = "zotero:", **chosen: str) -> str:
        choose(lab, **chosen)
        outcome = await lab.outcome("ingest_from_source", project=PROJECT, source=source)
        assert outcome.is_error
        return outcome.text

    told = await fault(source="zotero:Nothing")
    assert "there is no collection 'Nothing'; write one of: Architecture, Architecture/DDD" in told
    told = await fault(zotero_folder=str(tmp_path / "none"))
    assert "start it" in told
    assert "zotero_folder" in told
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "zotero.sqlite").write_bytes(b"no database at all, whatever its name")
    assert "cannot be read as a Zotero 7 library" in await fault(zotero_folder=str(broken))
    async with open_zotero(shelf) as site:
        site.serve("/api/users/0/items", "Local API is not enabled", 403)
        off = {"zotero_url": site.url().rstrip("/"), "zotero_folder": str(tmp_path / "none")}
        assert "allow other applications to communicate with Zotero" in await fault(**off)
        site.serve("/api/users/0/items", "<html>", 200)
        assert "is no Zotero 7 or later" in await fault(**off)
        site.serve("/api/users/0/items", "out of memory", 500)
        assert "Zotero fails at" in await fault(**off)
    assert "only ?tag=NAME" in await fault(source="zotero:A?tag=b&other=c")
    assert await list_sources(lab.app.store.keyvalue, PROJECT) == []


@pytest.mark.requirement("ZOT-11")
async def test_the_tool_takes_source_zotero_with_filters(lab: Library, papers_md: Path) -> None:
    told = await ingest(lab, "source=zotero", collection="Architecture", tags=["design"])
    assert told["documents_processed"] == 2
    sources = await list_sources(lab.app.store.keyvalue, PROJECT)
    assert [one.location for one in sources] == ["zotero:Architecture?tag=design"]
    given: dict[str, Any] = {"project": PROJECT, "source": str(papers_md)}
    for options in ({"collection": "A"}, {"tags": ["a"]}):
        assert await lab.error("ingest_from_source", **given, options=options) == "INVALID_ARGUMENT"
    choose(lab, transport="http")
    asked = {"project": PROJECT, "source": "zotero"}
    assert await lab.error("ingest_from_source", **asked) == "FORBIDDEN_OPERATION"
    told = await ingest(lab, "zotero:Architecture?tag=design")
    assert told["documents_processed"] == 2


@pytest.fixture
def papers_md(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nText.\n")
    return folder


@pytest.mark.requirement("ZOT-12")
async def test_an_item_in_two_collections_is_one_document(lab: Library, shelf: Shelf) -> None:
    shelf.items[0]["collections"] = ["COLLDDD1", "COLLGARD"]
    shelf.write().close()
    await ingest(lab, "zotero:Architecture")
    told = await ingest(lab, "zotero:Garden")
    assert told["documents_processed"] == 2
    assert any("indexed already with zotero:Architecture" in one for one in told["warnings"])
    stats = await lab.app.store.passages.stats(PROJECT)
    assert stats.documents == 4
    assert (await ingest(lab, "zotero:Architecture"))["chunks_written"] == 0
    source = await get_source(lab.app.store.keyvalue, PROJECT, "zotero:Architecture")
    assert await leave_source(lab.app.writer, source) == (0, 2)
    found = (await ask(lab, "entities keep identity"))[0]
    assert found["citekey"] == "evans2003"
    rest = await get_source(lab.app.store.keyvalue, PROJECT, "zotero:Garden")
    await remove_source(lab.app.writer, rest)
    assert (await lab.app.store.passages.stats(PROJECT)).documents == 0
