"""A project and a folder of two papers with a bibliography."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonplace.index.projects import create_project
from tests.library import Library, open_library
from tests.unit.tools.papers.asking import BIB, EVANS, LEE, PROJECT


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "evans.md").write_text(EVANS, "utf-8")
    (folder / "lee.md").write_text(LEE, "utf-8")
    (folder / "library.bib").write_text(BIB, "utf-8")
    return folder


@pytest.fixture
async def lab(tmp_path: Path) -> AsyncIterator[Library]:
    async with open_library(tmp_path) as opened:
        await create_project(opened.app.writer, PROJECT)
        yield opened
