"""A library with a small graph beside its documents, and ids to ask for."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from commonplace.domain.graph import Edge, Node
from tests.library import Library, open_library

TOOL_GUIDE = """\
# Tool guide

The `orchard` command needs the setting `ORCHARD_HOME`. See [watering](../corpus/guide/orchard.md).

## Prepare the shed

1. Open the door.
2. Run `orchard report --last`.
3. Close the door.

## Errors

`E1234` means that the pump is frozen.
"""


@dataclass(frozen=True, slots=True)
class Shelf:
    """A library and some of its ids."""

    library: Library
    passage: str
    """The stable id of the passage about pruning."""
    handle: str
    """Its handle in the session of the tests."""
    document: str


@asynccontextmanager
async def open_shelf(folder: Path) -> AsyncIterator[Shelf]:
    """The orchard library with a guide to its tools."""
    async with open_library(folder) as library:
        more = folder / "tools"
        more.mkdir()
        (more / "tools.md").write_text(TOOL_GUIDE, "utf-8")
        await library.add(more, tags=("tools",))
        found = await library.call("kb.search", query="prune apple trees in February", top_k=1)
        (row,) = found["results"]
        above = await library.call("graph.parents", section_ids=[row["section_id"]])
        yield Shelf(library, row["section_id"], row["passage_id"], above["parents"][-1]["id"])


async def mention(library: Library, passage: str, count: int) -> list[str]:
    """Commands a passage mentions, ever less sure."""
    ids = [f"cmd{number:03}" for number in range(count)]
    nodes = [Node(id=one, project="default", kind="Command", name=f"command {one}") for one in ids]
    edges = [
        Edge(
            source=passage,
            relation="MENTIONS",
            target=one,
            project="default",
            confidence=1 - number / (2 * count),
        )
        for number, one in enumerate(ids)
    ]
    await library.app.store.graph.merge(nodes, edges)
    return ids
