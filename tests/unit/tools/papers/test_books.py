"""Books of every format, through the same path as papers."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonplace.index.projects import create_project
from tests.library import Library, open_library
from tests.unit.parsers.book import make_epub
from tests.unit.parsers.word import make_docx

PROJECT = "lab/books"
WORD = (
    '<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:t>Zebras</w:t></w:r></w:p>'
    '<w:p><w:pPr><w:pStyle w:val="H2"/></w:pPr><w:r><w:t>Stripes</w:t></w:r></w:p>'
    "<w:p><w:r><w:t>Zebras have stripes that confuse flies.</w:t></w:r></w:p>"
)
BOOKS: dict[str, tuple[bytes, str, str, str]] = {
    "walrus.epub": (make_epub(), "what became of the oysters", "They were eaten.", "Oysters"),
    "zebra.docx": (make_docx(WORD), "stripes that confuse flies", "confuse flies", "Stripes"),
    "yak.html": (
        b"<html><body><h1>Yaks</h1><h2>Wool</h2><p>Wool of yaks keeps nomads warm.</p></body>",
        "wool that keeps nomads warm",
        "nomads warm",
        "Wool",
    ),
    "xerus.md": (
        b"# Xerus\n\n## Burrows\n\nGround squirrels dig burrows with many doors.\n",
        "burrows with many doors",
        "many doors",
        "Burrows",
    ),
}
BIB = "@book{carroll1871, title = {A Small Book}, author = {Carroll, Lewis}, year = {1871}}\n"


@pytest.fixture
async def lab(tmp_path: Path) -> AsyncIterator[Library]:
    async with open_library(tmp_path) as opened:
        await create_project(opened.app.writer, PROJECT)
        yield opened


@pytest.mark.requirement("EPB-04")
async def test_books_of_every_format_are_found_by_section_and_cited(
    lab: Library, tmp_path: Path
) -> None:
    folder = tmp_path / "books"
    folder.mkdir()
    (folder / "library.bib").write_text(BIB, "utf-8")
    for name, (content, *_) in BOOKS.items():
        (folder / name).write_bytes(content)
    told = await lab.call("ingest_from_source", project=PROJECT, source=str(folder), options={})
    assert told["documents_processed"] == len(BOOKS), told
    for _, question, answer, section in BOOKS.values():
        for tool in ("papers.query", "papers.query_hybrid"):
            found = await lab.call(tool, project=PROJECT, text=question)
            first = found["items"][0]
            assert answer in first["render_text"], (tool, question)
            assert first["section"] == section
    (epub, *_) = (
        await lab.call("papers.query_hybrid", project=PROJECT, text="oysters were eaten")
    )["items"]
    assert epub["citekey"] == "carroll1871"
    assert epub["section_path"][0] == "Part I"
