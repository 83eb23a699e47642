"""One small library for every test of the tools."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.library import Library, open_library


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with open_library(tmp_path) as opened:
        yield opened
