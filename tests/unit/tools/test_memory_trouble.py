"""Memory in trouble: what works goes on and says what is missing, and claims nothing else."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NoReturn

import pytest

from commonplace import tools
from commonplace.catalog import collect
from commonplace.domain.context import Context
from commonplace.domain.errors import IndexUnavailable
from commonplace.memory.record import context_id
from commonplace.memory.write import store_all
from commonplace.serve.dispatch import Dispatcher
from commonplace.tools.base import Tool
from tests.library import Library, open_library

HOLD = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""
CONTENT = {"text": "The cistern leaks at the third joint."}


class Missing:
    """A port nobody serves."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any method
        async def fail(*_: object, **__: object) -> NoReturn:
            raise IndexUnavailable(f"no server answers {name}; start it")

        return fail


class Broken:
    """A store one or more of whose ports are not there."""

    def __init__(self, whole: Any, *names: str) -> None:  # noqa: ANN401 - a store
        self._whole, self._names = whole, names

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any port
        return Missing() if name in self._names else getattr(self._whole, name)


def without(library: Library, *ports: str) -> Library:
    app = replace(library.app, store=Broken(library.app.store, *ports))
    return replace(library, app=app, dispatcher=Dispatcher(app, collect(tools, Tool).values()))


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with open_library(tmp_path, writer_wait_s=0.2) as opened:
        yield opened


@contextmanager
def locked(library: Library) -> Iterator[None]:
    """The database as while another process writes to it."""
    path = str(library.app.settings.home / "index.db")
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield
        process.communicate()


async def store(library: Library, **content: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    given = {"type": "log", "content": content or CONTENT}
    return dict(await library.call("memory.store_context", **given))


async def ids(library: Library, **arguments: Any) -> list[str]:  # noqa: ANN401
    given = {"query": "leaking cistern joint"} | arguments
    reply = await library.call("memory.retrieve_context", **given)
    assert reply["success"] is True, reply
    return [row["id"] for row in reply["results"]]


@pytest.mark.requirement("MEM-15")
@pytest.mark.requirement("MEM-16")
async def test_a_locked_database_is_read_and_nothing_is_claimed_to_be_stored(
    library: Library,
) -> None:
    first = await store(library)
    pad = {"agent_id": "a", "key": "k", "content": "x"}
    with locked(library):
        refused = await store(library, text="The second cistern leaks as well.")
        assert (refused["success"], refused["error_type"]) == (False, "storage_error")
        assert refused["error"]["code"] == "BACKEND_UNAVAILABLE"
        assert await ids(library) == [first["id"]]
        written = await library.call("memory.update_scratchpad", **pad)
        assert (written["success"], written["error_type"]) == (False, "storage_error")
        read = await library.call("memory.get_agent_state", agent_id="a", prefix="scratchpad")
        assert read["data"] == {}
    assert await ids(library) == [first["id"]]
    assert (await store(library, text="The second cistern leaks as well."))["success"]
    assert len(await ids(library)) == 2
    assert (await library.call("memory.update_scratchpad", **pad))["success"]


@pytest.mark.requirement("MEM-15")
async def test_without_the_graph_contexts_are_found_and_shown_as_text(library: Library) -> None:
    stored = await store(library)
    broken = without(library, "graph")
    reply = await broken.call("memory.retrieve_context", query="leaking cistern joint")
    [row] = reply["results"]
    assert row["id"] == stored["id"]
    assert row["payload"]["content"]["excerpt"] == CONTENT["text"]
    assert row["payload"]["type"] == "log"
    assert reply["search_mode_used"] == "vector"
    assert any(note.startswith("graph: no server answers") for note in reply["degraded"])
    repeated = await store(broken)
    assert repeated["duplicate_of"] == stored["id"]
    again = await store(broken, text="The second cistern leaks as well.")
    assert again["success"] is True
    assert again["backend_status"]["vector"] == "success"
    assert again["backend_status"]["graph"].startswith("failed: no server answers")
    assert again["message"].startswith("Context stored in part")


@pytest.mark.requirement("MEM-15")
@pytest.mark.requirement("MEM-16")
async def test_without_passages_the_graph_is_searched_and_nothing_is_stored(
    library: Library,
) -> None:
    stored = await store(library)
    await store(library, text="Lunch is at noon.")
    broken = without(library, "passages")
    for mode in ("hybrid", "vector", "graph"):
        reply = await broken.call(
            "memory.retrieve_context", query="leaking cistern joint", search_mode=mode
        )
        assert [row["id"] for row in reply["results"]] == [stored["id"]]
        assert reply["results"][0]["content"] == CONTENT
        assert reply["search_mode_used"] == "graph"
        assert any(note.startswith("vector: no server answers") for note in reply["degraded"])
    refused = await store(broken, text="The second cistern leaks as well.")
    assert (refused["success"], refused["error_type"]) == (False, "storage_error")
    assert await ids(library, limit=1) == [stored["id"]]
    assert len(await ids(library)) == 2


@pytest.mark.requirement("MEM-15")
async def test_without_keyvalue_contexts_are_kept_and_scratchpads_say_so(library: Library) -> None:
    broken = without(library, "keyvalue")
    stored = await store(broken)
    assert stored["success"] is True
    assert any(note.startswith("keyvalue: ") for note in stored["degraded"])
    assert await ids(broken) == [stored["id"]]
    pad = {"agent_id": "a", "key": "k"}
    for name, arguments in (
        ("memory.update_scratchpad", pad | {"content": "x"}),
        ("memory.get_agent_state", pad),
        ("memory.get_agent_state", {"agent_id": "a"}),
    ):
        reply = await broken.call(name, **arguments)
        assert (reply["success"], reply["error_type"]) == (False, "storage_unavailable")


@pytest.mark.requirement("MEM-15")
@pytest.mark.requirement("MEM-16")
async def test_without_any_port_every_tool_says_so(library: Library) -> None:
    broken = without(library, "graph", "passages", "keyvalue")
    assert (await store(broken))["error_type"] == "storage_error"
    reply = await broken.call("memory.retrieve_context", query="cistern")
    assert (reply["success"], reply["results"]) == (False, [])
    assert reply["error_type"] == "storage_error"


@pytest.mark.requirement("MEM-15")
async def test_without_a_model_words_are_searchable_and_the_reply_says_so(tmp_path: Path) -> None:
    chosen = {"embedder": "remote", "embed_url": "http://127.0.0.1:9/v1", "embed_model": "none"}
    async with open_library(tmp_path, **chosen, add=False) as library:
        stored = await store(library)
        assert stored["success"] is True
        assert stored["backend_status"]["vector"] != "success"
        assert await ids(library) == [stored["id"]]


@pytest.mark.requirement("MEM-15")
async def test_an_unreadable_snapshot_is_made_anew(tmp_path: Path) -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC)

    def context(number: int) -> Context:
        content = {"text": f"Entry {number} about cistern {number % 7} and joint {number % 11}."}
        return Context(
            id=context_id("default", "log", content),
            project="default",
            type="log",
            content=content,
            agent="a",
            created_at=moment + timedelta(minutes=number),
        )

    async with open_library(tmp_path) as library:
        await store_all(library.app.writer, "default", [context(n) for n in range(2500)])
        expected = await ids(library, search_mode="vector", query="Entry 77 cistern 0 joint 0")
    snapshots = [path for path in (tmp_path / "home").iterdir() if "bits" in path.name]
    assert snapshots
    for path in snapshots:
        path.unlink()
        path.mkdir()
    async with open_library(tmp_path) as library:
        found = await ids(library, search_mode="vector", query="Entry 77 cistern 0 joint 0")
    assert found == expected


@pytest.mark.requirement("MEM-16")
async def test_what_is_acknowledged_is_there_for_another_process(library: Library) -> None:
    async def one(number: int) -> str:
        return str((await store(library, text=f"Cistern {number} leaks at joint {number}."))["id"])

    stored = await asyncio.gather(*(one(number) for number in range(12)))
    async with open_library(library.folder.parent) as other:
        nodes = await other.app.store.graph.nodes("default", list(stored))
        assert {node.id for node in nodes} == set(stored)
        for node in nodes:
            query = str(node.name)
            assert node.id in await ids(other, query=query, limit=20)
