"""A folder of code as users have it, indexed and asked about."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonplace.index.pipeline import sync_source
from commonplace.index.sources import SourceOptions, add_source
from commonplace.index.writer import Report, Writer
from commonplace.serve.cli.state import gather_status
from tests.library import Library

EDGES = "MATCH (a)-[r]->(b) WHERE type(r) IN $relations RETURN a.fqn AS a, type(r) AS r, b.fqn AS b"


@dataclass(frozen=True, slots=True)
class Repository:
    """A folder, and what is known of it once it is indexed."""

    library: Library
    root: Path

    def write(self, files: Mapping[str, str | bytes]) -> None:
        for path, content in files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)

    async def index(self, files: Mapping[str, str | bytes]) -> Report:
        self.write(files)
        app = self.library.app
        embedder = app.embedders[app.settings.embedder]
        writer = Writer(store=app.store, settings=app.settings, embedder=embedder)
        source = await add_source(writer, str(self.root), "default", SourceOptions())
        return await sync_source(writer, source)

    async def status(self) -> dict[str, Any]:
        (project,) = (await gather_status(self.library.app))["projects"]
        (told,) = project["code"]["sources"].values()
        assert project["code"]["is_bound"]
        return dict(told)

    async def names(self, query: str) -> list[str]:
        reply = await self.library.call("code.search_symbols", query=query)
        return [one["fqn"] for one in reply["results"]]

    async def edges(self, *relations: str) -> set[str]:
        reply = await self.library.call(
            "graph.query", query=EDGES, parameters={"relations": list(relations)}, limit=500
        )
        return {f"{one['a']} {one['r']} {one['b']}" for one in reply["results"]}

    async def usages(self, symbol: str) -> list[str]:
        reply = await self.library.call("code.find_usages", symbol=symbol)
        return [one["at"] for group in reply["groups"] for one in group["usages"]]
