"""Edits of a program step by step, and the graph a full index of what they leave would make."""

from pathlib import Path
from typing import TypeAlias

from commonplace.embedders.static import StaticEmbedder
from commonplace.engines.base import Store
from commonplace.engines.memory import MEMORY
from commonplace.index.code.shelf import Shelf
from commonplace.index.writer import Writer
from commonplace.link.code.program import Scale
from commonplace.settings import Settings
from tests.unit.index.code.making import change, differences, graph_of

Runs: TypeAlias = list[dict[str, str | None]]
"""What each run finds written, by path; None where a file is gone."""
EMBEDDER = StaticEmbedder()


def writer_at(path: Path, store: Store | None = None) -> Writer:
    """However few files there are, only what a change affects is bound."""
    store, shelf = (
        store or MEMORY.open("memory://"),
        Shelf(scale=Scale(few=10**6, calls_at_once=-1)),
    )
    return Writer(store=store, settings=Settings(home=path), embedder=EMBEDDER, shelf=shelf)


async def check(path: Path, runs: Runs, keeps: bool, store: Store | None = None) -> None:
    """Fail where the graph is not the one of a full index, and tell only what differs.

    ``keeps`` is whether the program stays in memory, as for who watches; edits are made in
    ``store``, the full index always in memory.
    """
    step = writer_at(path, store)
    step.shelf.keeps = keeps
    files: dict[str, str | None] = {}
    for run in runs:
        gone = {one for one, text in run.items() if text is None and one not in files}
        known = {one: text for one, text in run.items() if one not in gone}
        await change(step, known)
        files = {one: text for one, text in {**files, **known}.items() if text is not None}
        if not keeps:
            step.shelf.held = None
    whole = writer_at(path)
    await change(whole, files)
    told = differences(await graph_of(step), await graph_of(whole))
    assert not told, "\n".join((*told, "after", *map(str, runs)))
