"""The code tools on a graph of half a million edges with hubs, as a client gets their replies.

    python -m bench.code_tools [EDGES] [--keep] [--only ROW]

The graph is made (``bench.made_code``); with ``--keep`` it stays, and the next run with the flag
asks the same; ``--only`` asks the rows whose names begin so. Methods are drawn by how often they
are called, so hubs come up often; columns and tables evenly. Calls go through the dispatcher:
traversal, ranking, projection, token counting and checks of the reply included, the wire left out.
"""

import argparse
import asyncio
import random
import shutil
from collections.abc import Callable
from functools import partial
from typing import Any

import psutil

from bench.graph import Call, Row, table, timed
from bench.made import write
from bench.made_code import COLUMNS, POWER, MadeCode
from bench.search import FOLDER
from commonplace import tools
from commonplace.catalog import collect
from commonplace.serve.build import build
from commonplace.serve.dispatch import Caller, Dispatcher
from commonplace.settings import Settings
from commonplace.tools.base import Tool

CALLS = 100


class Asker:
    """Draws what is asked for, the same every time."""

    def __init__(self, made: MadeCode) -> None:
        self._made, self._chance = made, random.Random(11)

    def method(self) -> str:
        """A method's id; the most called most often."""
        return self._made.method_id(int(self._made.methods * self._chance.random() ** POWER))

    def column(self) -> str:
        """A column's id."""
        place = self._chance.randrange(COLUMNS)
        return self._made.column(self._chance.randrange(self._made.tables), place)

    def name(self) -> str:
        """What people type: a name, its beginning, a column, words."""
        number = self._chance.randrange(self._made.methods)
        name = self._made.method_name(number)
        return self._chance.choice(
            (name, name[:9], f"{self._made.table(number % self._made.tables)}.col1", "save order")
        )


def asked(made: MadeCode) -> dict[str, tuple[str, Callable[[], dict[str, Any]]]]:
    """The rows of the table: tool and arguments."""
    ask = Asker(made)
    by = "symbol_id"
    return {
        "search_symbols": ("code.search_symbols", lambda: {"query": ask.name()}),
        "search_symbols, summary": (
            "code.search_symbols",
            lambda: {"query": ask.name(), "verbosity": "summary"},
        ),
        "get_symbol_details": ("code.get_symbol_details", lambda: {by: ask.method()}),
        "get_dependencies, inbound": (
            "code.get_dependencies",
            lambda: {by: ask.method(), "direction": "inbound"},
        ),
        "get_dependencies, depth 5": (
            "code.get_dependencies",
            lambda: {by: ask.method(), "direction": "outbound", "depth": 5},
        ),
        "get_dependencies, depth 5, inbound": (
            "code.get_dependencies",
            lambda: {by: ask.method(), "direction": "inbound", "depth": 5},
        ),
        "trace_lineage, max_depth 10": (
            "code.trace_lineage",
            lambda: {by: ask.column(), "max_depth": 10},
        ),
        "analyze_impact, method": ("code.analyze_impact", lambda: {by: ask.method()}),
        "analyze_impact, column": (
            "code.analyze_impact",
            lambda: {by: ask.column(), "change_type": "type"},
        ),
        "find_usages": ("code.find_usages", lambda: {by: ask.method()}),
        "list_project_overview": ("code.list_project_overview", dict),
    }


async def fill(settings: Settings, made: MadeCode) -> str:
    """Write the graph unless it is there; what there is of it."""
    head = f"{made.files:,} files, {made.methods:,} methods, {made.tables:,} tables"
    if (settings.home / "index.db").exists():
        return f"{head}, kept from a run before"
    settings.home.mkdir(parents=True, exist_ok=True)
    app = build(settings)
    written, seconds = await write(app.store, made.entries())
    await app.store.close()
    size = sum(file.stat().st_size for file in settings.home.rglob("*") if file.is_file()) / 1e6
    return f"{written:,} edges, {head}, written in {seconds:.0f} s, {size:.0f} MB on disk"


async def measure(edges: int, is_kept: bool, only: str = "") -> str:
    """Make the graph, ask it, and tell it as a table."""
    made, folder = MadeCode(edges), FOLDER / f"code-{edges}"
    if not is_kept:
        shutil.rmtree(folder, ignore_errors=True)
    settings = Settings(home=folder, upgrade_embedder="", rate_limit_per_minute=0)
    head = await fill(settings, made)
    app, own = build(settings), psutil.Process()
    dispatcher = Dispatcher(app, collect(tools, Tool).values())

    def call(tool: str, arguments: dict[str, Any]) -> Call:
        # Every call in a session of its own: nothing is collapsed as seen.
        return partial(_checked, dispatcher, tool, arguments)

    rows: list[Row] = []
    for name, (tool, arguments) in asked(made).items():
        if not name.startswith(only):
            continue
        await call(tool, arguments())()
        rows.append(await timed(name, own, [call(tool, arguments()) for _ in range(CALLS)]))
    await app.store.close()
    if not is_kept:
        shutil.rmtree(folder)
    return f"{head}\n\n{table('the tool', rows)}"


async def _checked(dispatcher: Dispatcher, tool: str, arguments: dict[str, Any]) -> None:
    outcome = await dispatcher.call(tool, arguments, Caller(connection=None))
    if outcome.is_error:
        raise RuntimeError(f"{tool} {arguments}: {outcome.text}")


def main() -> None:
    """Print the table for so many edges, by default half a million."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("edges", nargs="?", type=int, default=500_000)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    print(asyncio.run(measure(given.edges, given.keep, given.only)))


if __name__ == "__main__":
    main()
