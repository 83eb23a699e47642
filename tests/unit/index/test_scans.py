"""Scans through the write path: languages of a source, marks, and reading again."""

from pathlib import Path

import pytest

from commonplace.engines.memory.store import MemoryStore
from commonplace.index.pipeline import sync_source
from commonplace.index.sources import SourceOptions, add_source
from commonplace.index.writer import Writer
from commonplace.settings import Settings
from tests.unit.index.asking import found
from tests.unit.index.conftest import EMBEDDER
from tests.unit.parsers.test_ocr import GERMAN, needs_engine, page, scan


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
