"""Scans through the write path: languages of a source, marks, and reading again."""

from dataclasses import replace
from pathlib import Path

import pytest

from commonplace.engines.memory.store import MemoryStore
from commonplace.index.pipeline import sync_source
from commonplace.index.sources import SourceOptions, add_source
from commonplace.index.writer import Writer
from commonplace.settings import Settings
from tests.unit.index.asking import found
from tests.unit.index.conftest import EMBEDDER
from tests.unit.parsers.paper import make_pdf
from tests.unit.parsers.test_ocr import ENGLISH, GERMAN, needs_engine, page, scan
from tests.zotero.shelf import Shelf


@needs_engine
@pytest.mark.requirement("OCR-03")
async def test_a_source_keeps_the_languages_it_was_added_with_and_new_ones_read_it_again(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "scans"
    folder.mkdir()
    (folder / "trees.pdf").write_bytes(scan(page(GERMAN)))
    settings = Settings(home=tmp_path / "home", ocr_languages=("en",))
    writer = Writer(store=MemoryStore(), settings=settings, embedder=EMBEDDER)
    source = await add_source(writer, str(folder), "default")
    report = await sync_source(writer, source)
    assert any("recognised (eng" in one.reason for one in report.warnings)
    assert await found(writer, "straße") == []
    wish = SourceOptions(ocr_languages=("de",))
    for _ in range(2):
        source = await add_source(writer, str(folder), "default", wish)
        report = await sync_source(writer, source)
        wish = SourceOptions()
    assert report.unchanged == 1
    assert await found(writer, "straße") == ["trees.pdf"]


@needs_engine
@pytest.mark.requirement("OCR-06")
async def test_what_recognises_scans_reads_only_documents_with_scans_again(tmp_path: Path) -> None:
    folder, nothing = tmp_path / "papers", tmp_path / "nothing"
    folder.mkdir()
    nothing.mkdir()
    (folder / "plain.md").write_text("# Plain\n\nNothing to recognise.\n")
    (folder / "trees.pdf").write_bytes(scan(page(GERMAN)))
    (folder / "text.pdf").write_bytes(make_pdf([page(ENGLISH)]))
    without = Settings(home=tmp_path / "home", ocr_folder=str(nothing))
    writer = Writer(store=MemoryStore(), settings=without, embedder=EMBEDDER)
    source = await add_source(writer, str(folder), "default")
    report = await sync_source(writer, source)
    assert [one.path for one in report.failures] == ["trees.pdf"]
    with_engine = replace(writer, settings=Settings(home=tmp_path / "home", ocr_languages=("en",)))
    report = await sync_source(with_engine, source)
    assert (report.added, report.changed, report.unchanged) == (1, 0, 2)
    german = replace(writer, settings=Settings(home=tmp_path / "home", ocr_languages=("de",)))
    report = await sync_source(german, source)
    assert (report.added, report.changed, report.unchanged) == (0, 1, 2)
    assert await found(writer, "straße") == ["trees.pdf"]
    report = await sync_source(german, source)
    assert (report.changed, report.unchanged) == (0, 3)


@needs_engine
@pytest.mark.requirement("OCR-06")
async def test_a_language_edited_in_zotero_recognises_the_scan_again(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "Zotero")
    work = shelf.put("TREES001", "book", title="Trees", language="en")
    shelf.attach("TREESPDF", "TREES001", "Trees.pdf", scan(page(GERMAN)))
    shelf.put("PLAIN001", "book", title="Plain", language="en")
    shelf.attach("PLAINPDF", "PLAIN001", "Plain.pdf", make_pdf([page(ENGLISH)]))
    settings = Settings(
        home=tmp_path / "home",
        zotero_url="http://127.0.0.1:9",
        zotero_folder=str(shelf.folder),
    )
    writer = Writer(store=MemoryStore(), settings=settings, embedder=EMBEDDER)
    shelf.write().close()
    source = await add_source(writer, "zotero:", "default")
    assert (await sync_source(writer, source)).added == 2
    assert await found(writer, "straße") == []
    for one in (work, shelf.items[2]):
        one["language"] = "de"
    shelf.write().close()
    report = await sync_source(writer, source)
    assert (report.changed, report.unchanged) == (1, 1)
    assert await found(writer, "straße") == ["TREESPDF/Trees.pdf"]
