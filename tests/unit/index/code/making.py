"""Programs settled in a store without files and processes, and the graph that came of them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from commonplace.domain.document import Resource
from commonplace.domain.ids import document_id
from commonplace.domain.media import media_type_of
from commonplace.domain.scope import Source
from commonplace.index.code.changes import Found
from commonplace.index.code.extract import Extract
from commonplace.index.code.settle import Settled, settle
from commonplace.index.draft import Recipe, extract, make_recipe
from commonplace.index.writer import Writer

MOMENT = datetime(2025, 1, 1, tzinfo=UTC)
SOURCE = Source(id="s1", project="default", kind="folder", location="/code", added_at=MOMENT)
Graph = tuple[dict[str, tuple[Any, ...]], dict[tuple[str, ...], tuple[Any, ...]]]


def id_of(path: str) -> str:
    """The document id of a path."""
    return document_id("default", f"file:///code/{path}")


def facts(recipe: Recipe, path: str, text: str | bytes) -> Extract:
    """The facts of one file."""
    resource = Resource(
        uri=f"file:///code/{path}",
        path=path,
        content=text.encode() if isinstance(text, str) else text,
        media_type=media_type_of(PurePosixPath(path).name) or "",
        modified_at=MOMENT,
    )
    return extract(recipe, resource)


async def change(
    writer: Writer, files: Mapping[str, str | None], label: str = "", commit: str = ""
) -> Settled:
    """Write these files; None removes one."""
    # Once for all: it looks through the machine for what could read scans.
    recipe = make_recipe(SOURCE, writer.settings, MOMENT)
    found = Found(
        source=SOURCE,
        fresh=[facts(recipe, path, text) for path, text in files.items() if text is not None],
        gone=[id_of(path) for path, text in files.items() if text is None],
        label=label,
        commit=commit,
    )

    async def renew() -> None:
        return None

    return await settle(writer, found, renew)


async def graph_of(writer: Writer) -> Graph:
    """Every node and edge of the project's documents, with all they tell."""
    known = await writer.store.passages.fingerprints("default", SOURCE.id)
    entries = await writer.store.passages.entries(
        "default", [one.document_id for one in known.values()]
    )
    nodes: dict[str, tuple[Any, ...]] = {
        node.id: (node.kind, node.name, tuple(sorted(node.properties.items())))
        for entry in entries
        for node in entry.nodes
    }
    edges: dict[tuple[str, ...], tuple[Any, ...]] = {
        (edge.source, edge.relation, edge.target, edge.document_id or ""): (
            round(edge.confidence, 6),
            tuple(sorted(edge.properties.items())),
        )
        for entry in entries
        for edge in entry.edges
    }
    return nodes, edges


def differences(found: Graph, wanted: Graph) -> list[str]:
    """What one graph has and the other has not, or has otherwise, in a line each."""
    names = {
        key: dict(row[2]).get("fqn", row[1])
        for graph in (found, wanted)
        for key, row in graph[0].items()
    }
    here: dict[tuple[str, ...], object]
    there: dict[tuple[str, ...], object]
    here, there = (
        {**{(key,): row for key, row in one[0].items()}, **one[1]} for one in (found, wanted)
    )
    return [
        " ".join(str(names.get(one, one)) for one in key)
        + f": {here.get(key)}, not {there.get(key)}"
        for key in sorted(here.keys() | there.keys())
        if here.get(key) != there.get(key)
    ]


async def named_edges(writer: Writer, *relations: str) -> set[str]:
    """Edges as sentences of full names: ``a.f CALLS b.g``; of libraries ``a.f CALLS lib:b.g``."""
    nodes, edges = await graph_of(writer)
    names = {
        key: ("lib:" if row[0] == "External" else "") + str(dict(row[2]).get("fqn", row[1]))
        for key, row in nodes.items()
    }
    return {
        f"{names.get(source, source)} {relation} {names.get(target, target)}"
        for source, relation, target, _ in edges
        if relation in relations
    }
