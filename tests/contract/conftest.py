"""One store of each engine, and the makers of what is written to it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonplace import engines
from commonplace.catalog import collect
from commonplace.engines.base import Engine, Store

ENGINES = collect(engines, Engine)


def address(engine: Engine, folder: Path) -> str:
    """An address of this engine, its files in ``folder``."""
    return f"{engine.name}://{folder}/index.db?wait_s=60"


@pytest.fixture(params=ENGINES.values(), ids=list(ENGINES))
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    engine: Engine = request.param
    opened = engine.open(address(engine, tmp_path))
    yield opened
    await opened.close()
