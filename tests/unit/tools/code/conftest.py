"""One small shop for every test of the code tools."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.unit.tools.code.shop import Shop, open_shop


@pytest.fixture(params=["sqlite", "memory"])
async def shop(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Shop]:
    chosen = {} if request.param == "sqlite" else {"store": "memory://"}
    async with open_shop(tmp_path, **chosen) as opened:
        yield opened
