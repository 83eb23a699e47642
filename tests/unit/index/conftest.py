"""A writer over a real store of each engine, and a folder of documents."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonplace import engines
from commonplace.catalog import collect
from commonplace.embedders.static import StaticEmbedder
from commonplace.engines.base import Engine
from commonplace.index.writer import Writer
from commonplace.settings import Settings

ENGINES = collect(engines, Engine)
EMBEDDER = StaticEmbedder()  # one for all tests: loading it takes a tenth of a second


@pytest.fixture(params=ENGINES.values(), ids=list(ENGINES))
async def writer(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Writer]:
    engine: Engine = request.param
    home = tmp_path / "home"
    store = engine.open(f"{engine.name}://{home}/index.db?wait_s=60")
    yield Writer(store=store, settings=Settings(home=home), embedder=EMBEDDER)
    await store.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three small documents."""
    made = tmp_path / "docs"
    (made / "sub").mkdir(parents=True)
    (made / "apple.md").write_text("# Apples\n\nApples grow in an orchard.\n", "utf-8")
    (made / "boat.txt").write_text("Boats sail over the lake.\n", "utf-8")
    (made / "sub" / "clock.md").write_text(
        "---\ntags: [time]\n---\n# Clocks\n\nA clock strikes twelve.\n", "utf-8"
    )
    return made
