"""Several agents on one server over HTTP: nothing is lost, nothing leaks, limits hold."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.e2e.remembering import Agent, http_agent, memory_server

T = TypeVar("T")
WRITERS, READERS, ROUNDS = 8, 4, 6
MOST_BYTES = 100 * 1024
ENOUGH = ",".join(
    f"memory.{name}=100000"
    for name in ("store_context", "retrieve_context", "update_scratchpad", "get_agent_state")
)
QUIET = {"upgrade_embedder": "", "rate_limit_per_minute": "100000"}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with memory_server(tmp_path_factory.mktemp("agents"), rate_limits=ENOUGH, **QUIET) as url:
        yield url


async def write(agent: Agent, name: str) -> list[str]:
    """What one agent does: notes of its own, notes all share, and what it learned."""
    stored = []
    for number in range(ROUNDS):
        line = f"<{name}:{number}>"
        for whose in (name, "team"):
            done = await agent.call(
                "memory_update_scratchpad",
                agent_id=whose,
                key="notes",
                content=line,
                mode="append",
            )
            assert done["success"], done
        content = {"text": f"{name} learned fact number {number} about valve {name}-{number}."}
        kept = await agent.call(
            "memory_store_context", type="trace", content=content, agent_id=name
        )
        assert kept["success"], kept
        assert "duplicate_of" not in kept
        stored.append(kept["id"])
    return stored


async def read(agent: Agent, done: asyncio.Event) -> int:
    """Read everybody's notes until all is written; each holds its owner's lines only."""
    rounds = 0
    while not done.is_set():
        name = f"agent-{rounds % WRITERS}"
        notes = await agent.call("memory_get_agent_state", agent_id=name, prefix="scratchpad")
        assert notes["success"], notes
        lines = [line for text in notes["data"].values() for line in text.split("\n")]
        assert all(line.startswith(f"<{name}:") for line in lines)
        found = await agent.call("memory_retrieve_context", query=f"valve {name}-1", limit=5)
        assert found["success"], found
        assert found.get("degraded", []) == []
        rounds += 1
    return rounds


async def together(url: str, number: int, work: Callable[[list[Agent]], Awaitable[T]]) -> T:
    """Work with so many agents; a failure is told as it is, not in a group of each client's."""
    async with AsyncExitStack() as stack:
        agents = [await stack.enter_async_context(http_agent(url)) for _ in range(number)]
        [outcome] = await asyncio.gather(work(agents), return_exceptions=True)
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


async def notes_of(agent: Agent, name: str) -> list[str]:
    reply = await agent.call(
        "memory_get_agent_state", agent_id=name, key="notes", prefix="scratchpad"
    )
    return str(reply["data"]["content"]).split("\n")


@pytest.mark.requirement("MEM-23")
async def test_eight_write_and_four_read_and_nothing_is_lost_or_leaked(address: str) -> None:
    names = [f"agent-{number}" for number in range(WRITERS)]

    async def work(agents: list[Agent]) -> None:
        done = asyncio.Event()
        reading = [asyncio.create_task(read(agent, done)) for agent in agents[WRITERS:]]
        writing = [write(agent, name) for agent, name in zip(agents, names, strict=False)]
        stored = await asyncio.gather(*writing)
        done.set()
        assert all(rounds > 0 for rounds in await asyncio.gather(*reading))
        lines = await notes_of(agents[0], "team")
        assert sorted(lines) == sorted(f"<{name}:{n}>" for name in names for n in range(ROUNDS))
        for name, ids in zip(names, stored, strict=True):
            expected = [f"<{name}:{n}>" for n in range(ROUNDS)]
            assert await notes_of(agents[0], name) == expected
            assert [line for line in lines if line.startswith(f"<{name}:")] == expected
            query = {"query": f"valve {name}-0", "limit": 60, "max_response_tokens": 10_000}
            found = await agents[-1].call("memory_retrieve_context", **query)
            assert set(ids) <= {row["id"] for row in found["results"]}

    await together(address, WRITERS + READERS, work)


@pytest.mark.requirement("MEM-23")
@pytest.mark.requirement("MEM-11")
async def test_eight_who_fill_one_entry_fill_it_to_the_byte(address: str) -> None:
    piece = 4 * 1024 - 1  # with the line break between them, 25 make 100 KB less one byte
    jar = {"agent_id": "filler", "key": "jar", "mode": "append"}

    async def fill(agent: Agent, letter: str) -> list[str]:
        replies = [
            await agent.call("memory_update_scratchpad", **jar, content=letter * piece)
            for _ in range(5)
        ]
        return [reply.get("error_type", "kept") for reply in replies]

    async def work(agents: list[Agent]) -> None:
        filled = await asyncio.gather(*map(fill, agents, "abcdefgh"))
        outcomes = Counter(one for row in filled for one in row)
        assert outcomes == {"kept": 25, "content_too_large": WRITERS * 5 - 25}
        last = await agents[0].call("memory_update_scratchpad", **jar, content="")
        assert (last["success"], last["content_size"]) == (True, MOST_BYTES)

    await together(address, WRITERS, work)


@pytest.mark.requirement("MEM-23")
@pytest.mark.requirement("MEM-14")
async def test_the_rate_limit_holds_for_all_agents_of_a_principal_together(tmp_path: Path) -> None:
    async def work(agents: list[Agent]) -> tuple[float, list[dict[str, Any]]]:
        began = time.monotonic()
        calls = (
            agents[number % WRITERS].call("memory_retrieve_context", query=f"q {number}")
            for number in range(80)
        )
        replies = await asyncio.gather(*calls)
        return time.monotonic() - began, list(replies)

    with memory_server(tmp_path, upgrade_embedder="") as url:
        elapsed_s, replies = await together(url, WRITERS, work)
    passed = sum(reply["success"] for reply in replies)
    assert 50 <= passed <= 50 + elapsed_s * 50 / 60 + 1
    refused = [reply for reply in replies if not reply["success"]]
    assert {reply["error_type"] for reply in refused} == {"rate_limit"}
    assert all(reply["error"]["details"]["retry_after_s"] > 0 for reply in refused)


@pytest.mark.requirement("MEM-12")
async def test_two_principals_of_one_home_do_not_see_each_others_entries(tmp_path: Path) -> None:
    drawer = {"agent_id": "a", "prefix": "memory"}
    for token in ("first token", "second token"):
        with memory_server(tmp_path, auth_token=token, upgrade_embedder="") as url:
            async with http_agent(url, token) as agent:
                before = await agent.call("memory_get_agent_state", **drawer)
                await agent.call("memory_update_scratchpad", **drawer, key="k", content=token)
                after = await agent.call("memory_get_agent_state", **drawer)
        assert (before["data"], after["data"]) == ({}, {"k": token})
