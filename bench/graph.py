"""Walks through a graph of a million edges with hubs, over the port and over the whole tool.

    python -m bench.graph [EDGES]

The graph is made (``bench.made_graph``) and written as documents are: by ``passages.write``. Starts
are drawn by the same rule for every row: a fifth documents, half passages, the rest entities, and
of these the best connected most often. Times are wall times of single calls, one after another.
"""

import asyncio
import random
import shutil
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import psutil
from mcp import Client, StdioServerParameters

from bench.clients import QUIET, percentiles, server_command
from bench.made import write
from bench.made_graph import MadeGraph
from bench.search import FOLDER
from commonplace.domain.scope import Selection
from commonplace.domain.walk import Reach
from commonplace.engines.base import Store
from commonplace.serve.build import open_store
from commonplace.settings import Settings

CALLS = 220
HUBS = 10
WHOLE = Selection(project="default")
NARROW = Selection(project="default", tags=(frozenset({"tag3"}),))

Call = Callable[[], Awaitable[Any]]
Row = tuple[str, float, float, float, float]
"""What was done; median, 95th percentile and mean CPU time in milliseconds; memory in MB."""


class Asker:
    """Draws nodes to start from, the same ones every time."""

    def __init__(self, made: MadeGraph) -> None:
        self._made = made
        self._chance = random.Random(7)

    def node(self) -> str:
        """A document, a passage or an entity."""
        drawn = self._chance.random()
        if drawn < 0.2:
            return self._made.document_id(self._chance.randrange(self._made.documents))
        if drawn < 0.7:
            return self._made.passage_id(self._chance.randrange(self._made.passages))
        return self.entity()

    def entity(self) -> str:
        """One of the thousand best connected, the best most often."""
        return self._made.entity_id(int(1000 * self._chance.random() ** 3))


async def fill(store: Store, made: MadeGraph) -> tuple[int, float]:
    """Write the graph; its edges, and how long it took."""
    mentions = made.mentions()
    await store.graph.merge(made.entities(mentions), [])
    return await write(store, made.entries(mentions))


async def timed(name: str, process: psutil.Process, calls: Sequence[Call]) -> Row:
    times = []
    used = _cpu_s(process)
    for call in calls:
        began = time.perf_counter()
        await call()
        times.append((time.perf_counter() - began) * 1000)
    cpu_ms = (_cpu_s(process) - used) * 1000 / len(calls)
    figures = percentiles(times)
    return name, figures["p50_ms"], figures["p95_ms"], cpu_ms, process.memory_info().rss / 1e6


def _cpu_s(process: psutil.Process) -> float:
    """What a process has used; unlike wall time, other programs add little to it."""
    spent = process.cpu_times()
    return float(spent.user + spent.system)


def over_port(store: Store, made: MadeGraph) -> dict[str, list[Call]]:
    """The calls of each row of the first table."""
    ask, graph = Asker(made), store.graph
    rows: dict[str, list[Call]] = {}

    def expand(name: str, starts: Sequence[str], reach: Reach, seen: Selection = WHOLE) -> None:
        rows[name] = [partial(graph.expand, seen, [one], reach) for one in starts]

    def paths(name: str, ends: Sequence[tuple[list[str], list[str]]], hops: int) -> None:
        reach = Reach(hops=hops, limit=10)
        rows[name] = [partial(graph.paths, WHOLE, a, b, reach) for a, b in ends]

    for hops in (1, 2, 3):
        expand(f"expand, {hops} hop(s)", [ask.node() for _ in range(CALLS)], Reach(hops=hops))
    hubs = [made.entity_id(number % HUBS) for number in range(CALLS)]
    expand("expand, 2 hops, from the 10 largest hubs", hubs, Reach(hops=2))
    nodes = [ask.node() for _ in range(CALLS)]
    expand("expand, 2 hops, one kind only", nodes, Reach(hops=2, kinds=frozenset({"Command"})))
    expand("expand, 2 hops, 1 of 10 tags", nodes, Reach(hops=2), NARROW)
    for hops in (2, 3, 4):
        pairs = [([ask.node()], [ask.node()]) for _ in range(CALLS)]
        paths(f"paths, up to {hops} hops", pairs, hops)
    pairs = [([ask.entity()], [ask.entity()]) for _ in range(CALLS)]
    paths("paths, up to 3 hops, between entities", pairs, 3)
    several = [
        ([ask.node() for _ in range(3)], [ask.node() for _ in range(3)]) for _ in range(CALLS)
    ]
    paths("paths, up to 3 hops, 3 starts and 3 goals", several, 3)
    return rows


async def over_stdio(home: Path, made: MadeGraph) -> list[Row]:
    """The same through a real client: walk, rank, titles, packing, protocol."""
    command, *flags = server_command(home, "--toolsets", "graph")
    ask = Asker(made)
    before = {child.pid for child in psutil.Process().children()}
    rows = []
    async with Client(StdioServerParameters(command=command, args=flags, env={**QUIET})) as client:
        (server,) = [c for c in psutil.Process().children() if c.pid not in before]

        def calls(tool: str, arguments: Callable[[], dict[str, Any]]) -> list[Call]:
            asked = [arguments() for _ in range(CALLS)]
            return [partial(client.call_tool, tool, one) for one in asked]

        for name, tool, arguments in (
            ("graph_describe", "graph_describe", lambda: {"node_ids": [ask.node()]}),
            ("graph_expand", "graph_expand", lambda: {"node_ids": [ask.node()]}),
            (
                "graph_expand, max_hops 2, snippets",
                "graph_expand",
                lambda: {"node_ids": [ask.node()], "max_hops": 2, "include_snippet": True},
            ),
            ("graph_paths", "graph_paths", lambda: {"a_ids": [ask.node()], "b_ids": [ask.node()]}),
            (
                "graph_sections_for_entities",
                "graph_sections_for_entities",
                lambda: {"entity_ids": [ask.entity()]},
            ),
        ):
            rows.append(await timed(name, server, calls(tool, arguments)))
    return rows


async def measure(edges: int) -> str:
    """Make the graph, walk it both ways, and tell it as tables."""
    made, folder = MadeGraph(edges), FOLDER / f"graph-{edges}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    settings = Settings(home=folder, upgrade_embedder="")
    store = open_store(settings)
    written, seconds = await fill(store, made)
    await store.close()
    store, own = open_store(settings), psutil.Process()
    rows = [await timed(name, own, calls) for name, calls in over_port(store, made).items()]
    await store.close()
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6
    head = (
        f"{written:,} edges, {made.passages + made.documents:,} passages and documents, written in "
        f"{seconds:.0f} s, {size:.0f} MB on disk, one entity with {edges // 10:,} edges"
    )
    tables = [
        head,
        table("the port", rows),
        table("the tool, stdio", await over_stdio(folder, made)),
    ]
    shutil.rmtree(folder)
    return "\n\n".join(tables)


def table(what: str, rows: Sequence[Row]) -> str:
    """Rows as Markdown."""
    lines = [f"| {what} | p50 ms | p95 ms | CPU ms | RSS MB after |", "|---|--:|--:|--:|--:|"]
    lines += [
        f"| {name} | {p50:.1f} | {p95:.1f} | {cpu:.1f} | {rss:.0f} |"
        for name, p50, p95, cpu, rss in rows
    ]
    return "\n".join(lines)


def main() -> None:
    """Print the tables for so many edges, by default a million."""
    print(asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)))


if __name__ == "__main__":
    main()
