"""Histories of releases stand behind the manual, unless they are asked for."""

import pytest

from commonplace.domain.scope import Selection
from commonplace.engines.memory.store import MemoryStore
from commonplace.retrieve.histories import asks_for_history
from commonplace.retrieve.search import Reader, Request, search
from tests.unit.retrieve.shelf import PROJECT, shelve

TOLD = "A proxy is set for each request."
MANUAL = "A proxy is set for each request by its name, host and port."
LIBRARY = {
    "Ways": [MANUAL],
    "Pools": ["The town asks for water, and grants no other request of the baths."],
    "Bread": ["Bread rises for an hour in a warm kitchen."],
}


async def _first(history: str, question: str) -> str:
    store = MemoryStore()
    await shelve(store, {history: [TOLD], **LIBRARY}, [])
    reader = Reader(passages=store.passages, graph=store.graph, embedders=())
    request = Request(text=question, selection=Selection(project=PROJECT), limit=1, max_per_doc=9)
    return (await search(reader, request)).located[0].passage.text


@pytest.mark.requirement("RET-33")
@pytest.mark.parametrize("name", ["Changelog 2.1", "Release notes v3.0.1", "whatsnew-3.12"])
async def test_the_manual_comes_before_the_history_of_its_releases(name: str) -> None:
    assert await _first(name, "How is a proxy set for a request?") == MANUAL


@pytest.mark.requirement("RET-33")
async def test_who_asks_what_changed_gets_the_history() -> None:
    assert (
        await _first("Changelog 2.1", "Since which release is a proxy set for a request?") == TOLD
    )


@pytest.mark.requirement("RET-33")
@pytest.mark.parametrize("name", ["History", "News", "Changes of mind 2.1"])
async def test_what_is_only_called_so_is_no_history_of_releases(name: str) -> None:
    assert await _first(name, "How is a proxy set for a request?") == TOLD


@pytest.mark.requirement("RET-33")
@pytest.mark.parametrize("question", ["since which release", "Is it deprecated?", "new in 3.2"])
def test_questions_about_changes_are_known(question: str) -> None:
    assert asks_for_history(question)
