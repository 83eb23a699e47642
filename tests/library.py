"""A small indexed library for tests: real files, the real store, the real dispatcher."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonplace import tools
from commonplace.catalog import collect
from commonplace.index.pipeline import sync_source
from commonplace.index.sources import SourceOptions, add_source
from commonplace.index.writer import Writer
from commonplace.serve.build import build
from commonplace.serve.dispatch import Caller, Dispatcher, Outcome
from commonplace.settings import Settings
from commonplace.tools.app import App
from commonplace.tools.base import Tool

GUIDE = """\
# Orchard guide

The orchard keeps apple trees and pear trees. This page tells how to look after them.

## Watering

Water young trees twice a week. The drip line delivers 12 litres per hour. In a dry summer,
water them every day before sunrise, because midday water evaporates.

### Frost

Stop watering when frost is expected. The pump freezes at minus four degrees.

## Pruning

Prune apple trees in February. Remove crossing branches first; then shorten the leaders by a third.

```sh
orchard prune --kind apple --depth 3
orchard report --last
```

| tool | price |
|---|---|
| saw | 30 |
| shears | 25 |
"""

RECIPES = """\
# Recipes

## Apple cake

Peel six apples. Bake the cake for forty minutes at 180 degrees.

## Pear jam

Boil the pears with sugar for one hour. Add the juice of two lemons.
"""

NOTES = """\
# Meeting notes

The committee decided to buy a second pump. Maria Lindqvist will order it in March. The old pump
stays as a spare.
"""


PATIENT = {"papers_ingest_s": 60.0, "tool_timeout_s": 150.0, "web_timeout_s": 150.0}
"""Limits no busy machine comes near; a test about a limit sets its own."""


@dataclass(frozen=True, slots=True)
class Library:
    """An application over a temporary home, and a caller of its tools."""

    app: App
    folder: Path
    dispatcher: Dispatcher

    async def call(self, name: str, **arguments: Any) -> Mapping[str, Any]:  # noqa: ANN401 - JSON
        """The data of a reply; an error envelope when the call failed."""
        return (await self.outcome(name, **arguments)).structured or {}

    async def outcome(self, name: str, **arguments: Any) -> Outcome:  # noqa: ANN401
        """The whole outcome."""
        return await self.dispatcher.call(name, arguments, Caller(connection="test"))

    async def error(self, name: str, **arguments: Any) -> str:  # noqa: ANN401
        """The code of the error a call must end with."""
        outcome = await self.outcome(name, **arguments)
        assert outcome.is_error, outcome.text
        assert outcome.structured is not None
        return str(outcome.structured["error"]["code"])

    async def add(self, folder: Path, project: str = "default", **options: Any) -> None:  # noqa: ANN401
        """Index a folder."""
        writer = Writer(
            store=self.app.store,
            settings=self.app.settings,
            embedder=self.app.embedders[self.app.settings.embedder],
        )
        source = await add_source(writer, str(folder), project, SourceOptions(**options))
        report = await sync_source(writer, source)
        assert report.failures == ()


def write_corpus(folder: Path) -> Path:
    """The three documents, in folders."""
    for path, text in {
        "guide/orchard.md": GUIDE,
        "kitchen/recipes.md": RECIPES,
        "notes.md": NOTES,
    }.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder


@asynccontextmanager
async def open_library(
    folder: Path,
    *,
    add: bool = True,
    **chosen: Any,  # noqa: ANN401
) -> AsyncIterator[Library]:
    """A library over the corpus, in the project ``default``, with static vectors only."""
    given = {"upgrade_embedder": "", "rate_limit_per_minute": 0, "passage_tokens": 64, "workers": 1}
    settings = Settings(home=folder / "home", **(given | PATIENT | chosen))
    app = build(settings)
    dispatcher = Dispatcher(app, collect(tools, Tool).values())
    library = Library(app, write_corpus(folder / "corpus"), dispatcher)
    try:
        if add:
            await library.add(library.folder, tags=("orchard",))
        yield library
    finally:
        await app.close()
