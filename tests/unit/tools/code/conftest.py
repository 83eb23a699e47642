"""One small shop for every test of the code tools, and a folder to be filled."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.library import open_library
from tests.unit.tools.code.repository import Repository
from tests.unit.tools.code.shop import Shop, open_shop


@pytest.fixture(params=["sqlite", "memory"])
async def shop(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Shop]:
    chosen = {} if request.param == "sqlite" else {"store": "memory://"}
    async with open_shop(tmp_path, **chosen) as opened:
        yield opened


@pytest.fixture
async def repository(tmp_path: Path) -> AsyncIterator[Repository]:
    (tmp_path / "repository").mkdir()
    async with open_library(tmp_path, add=False) as library:
        yield Repository(library, tmp_path / "repository")
