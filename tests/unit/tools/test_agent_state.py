"""What agents keep for a while: its life, its limit, and that nobody else reads it."""

import asyncio
from pathlib import Path
from typing import Any

import apsw
import pytest

from commonplace.serve.dispatch import Caller
from tests.library import Library, open_library

PAD = {"agent_id": "agent-auth-dev-001", "key": "current_task"}
NAME = "agent:agent-auth-dev-001:scratchpad:current_task"
NAMESPACE = "agents/local/default"
MOST = 100 * 1024


async def update(library: Library, content: str, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401
    return dict(
        await library.call("memory.update_scratchpad", **PAD | {"content": content} | arguments)
    )


async def read(library: Library, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401
    given = PAD | {"prefix": "scratchpad"} | arguments
    return dict(await library.call("memory.get_agent_state", **given))


@pytest.mark.requirement("MEM-02")
async def test_an_entry_is_updated_and_read_in_the_shape_of_the_seed(library: Library) -> None:
    done = await update(library, "Implementing JWT", ttl=7200)
    del done["session_id"]
    assert done == {
        "success": True,
        "message": "Scratchpad updated successfully (mode: overwrite)",
        "key": NAME,
        "ttl": 7200,
        "content_size": 16,
    }
    one = await read(library)
    assert one["data"] == {
        "key": "current_task",
        "content": "Implementing JWT",
        "namespaced_key": NAME,
    }
    assert one["message"] == "State retrieved successfully"
    await update(library, "half", key="progress")
    every = await library.call(
        "get_agent_state", agent_id="agent-auth-dev-001", prefix="scratchpad"
    )
    assert every["data"] == {"current_task": "Implementing JWT", "progress": "half"}
    assert every["keys"] == ["current_task", "progress"]
    assert every["message"] == "Retrieved 2 scratchpad entries"
    assert every["total_available"] == 2
    assert (await read(library, key=NAME))["data"]["key"] == "current_task"


@pytest.mark.requirement("MEM-03")
@pytest.mark.parametrize(
    ("arguments", "error_type"),
    [
        ({"agent_id": "agent-invalid@id"}, "invalid_agent_id"),
        ({"agent_id": ""}, "invalid_agent_id"),
        ({"agent_id": "a:b"}, "invalid_agent_id"),
        ({"agent_id": "a" * 65}, "invalid_agent_id"),
        ({"key": "a b"}, "invalid_key"),
        ({"key": "../x"}, "invalid_key"),
        ({"key": "k" * 129}, "invalid_key"),
        ({"content": 7}, "invalid_content_type"),
        ({"content": "x" * (MOST + 1)}, "content_too_large"),
        ({"content": "é" * (MOST // 2 + 1)}, "content_too_large"),
        ({"ttl": 59}, "invalid_ttl"),
        ({"ttl": 86_401}, "invalid_ttl"),
        ({"prefix": "secrets"}, "invalid_prefix"),
        ({"mode": "prepend"}, "validation_error"),
    ],
)
async def test_a_wrong_update_is_told_by_its_type(
    library: Library, arguments: dict[str, Any], error_type: str
) -> None:
    given = {**PAD, "content": "x", **arguments}
    outcome = await library.outcome("memory.update_scratchpad", **given)
    assert outcome.is_error
    assert outcome.structured["success"] is False
    assert outcome.structured["error_type"] == error_type


@pytest.mark.requirement("MEM-03")
@pytest.mark.parametrize(
    ("arguments", "error_type"),
    [
        ({"agent_id": "agent-invalid@id"}, "invalid_agent_id"),
        ({"prefix": "secrets"}, "invalid_prefix"),
        ({"key": "a b"}, "invalid_key"),
        ({"key": "nonexistent"}, "key_not_found"),
        ({"key": "agent:other:scratchpad:current_task"}, "access_denied"),
        ({"scope": {"project_id": "org/other"}}, "access_denied"),
    ],
)
async def test_a_wrong_question_is_told_by_its_type(
    library: Library, arguments: dict[str, Any], error_type: str
) -> None:
    reply = await read(library, **arguments)
    assert (reply["success"], reply["data"]) == (False, {})
    assert reply["error_type"] == error_type


@pytest.mark.requirement("MEM-10")
@pytest.mark.parametrize("prefix", ["state", "scratchpad", "memory", "config"])
async def test_each_prefix_is_a_drawer_of_its_own_and_lives_as_set(
    library: Library, prefix: str
) -> None:
    done = await update(library, "x", prefix=prefix)
    assert done["ttl"] == library.app.settings.agent_ttl_s[prefix]
    for other in ("state", "scratchpad", "memory", "config"):
        reply = await read(library, prefix=other)
        assert reply["success"] is (other == prefix)


@pytest.mark.requirement("MEM-10")
async def test_what_has_expired_is_neither_read_nor_kept(library: Library) -> None:
    await library.app.store.keyvalue.put(NAMESPACE, NAME, b"old", ttl_s=0)
    assert (await read(library))["error_type"] == "key_not_found"
    assert (await read(library, key=None))["data"] == {}
    await update(library, "x", key="other")
    with apsw.Connection(str(library.app.settings.home / "index.db")) as file:
        names = [row[0] for row in file.execute("SELECT key FROM pairs")]
    assert NAME not in names
    assert NAME.replace("current_task", "other") in names


@pytest.mark.requirement("MEM-11")
async def test_append_adds_a_line_and_never_shortens_the_life(library: Library) -> None:
    await update(library, "one", ttl=7200)
    done = await update(library, "two", mode="append", ttl=60)
    assert done["message"] == "Scratchpad updated successfully (mode: append)"
    assert done["content_size"] == 7
    assert 7190 <= done["ttl"] <= 7200
    assert (await read(library))["data"]["content"] == "one\ntwo"
    assert (await update(library, "new", ttl=60))["ttl"] == 60


@pytest.mark.requirement("MEM-11")
async def test_the_limit_holds_to_the_byte_when_many_append_at_once(library: Library) -> None:
    await update(library, "x" * (MOST - 50))
    replies = await asyncio.gather(
        *(update(library, f"{number:04}", mode="append") for number in range(30))
    )
    kept = [reply for reply in replies if reply["success"]]
    assert len(kept) == 10
    refused = {reply["error_type"] for reply in replies if not reply["success"]}
    assert refused == {"content_too_large"}
    assert max(reply["content_size"] for reply in kept) == MOST
    assert (await update(library, "", mode="append"))["success"] is False


@pytest.mark.requirement("MEM-12")
async def test_agents_principals_and_projects_do_not_see_each_other(tmp_path: Path) -> None:
    async with open_library(tmp_path) as library:
        await library.call("memory.update_scratchpad", **PAD, content="mine")
        await library.add(library.folder, project="org/other")
        asked = PAD | {"prefix": "scratchpad"}
        for arguments, caller in (
            (asked | {"agent_id": "agent-auth-dev-00"}, Caller(connection="test")),
            (asked, Caller(principal="someone", connection="test-2")),
            (asked | {"scope": {"project_id": "org/other"}}, Caller(connection="test")),
        ):
            outcome = await library.dispatcher.call("memory.get_agent_state", arguments, caller)
            assert outcome.structured["error_type"] == "key_not_found"
            everything = {name: value for name, value in arguments.items() if name != "key"}
            outcome = await library.dispatcher.call("memory.get_agent_state", everything, caller)
            assert outcome.structured["data"] == {}


@pytest.mark.requirement("MEM-13")
async def test_a_long_entry_is_read_page_by_page(library: Library) -> None:
    content = "\n".join(f"line {number} of what was noted ✓" for number in range(3000))
    await update(library, content[: MOST // 2])
    kept = content[: MOST // 2]
    read_so_far, cursor = "", None
    while True:
        more: dict[str, Any] = {"cursor": cursor} if cursor else {}
        reply = await read(library, max_response_tokens=4000, **more)
        read_so_far += reply["data"]["content"]
        cursor = reply["next_cursor"]
        if cursor is None:
            break
        assert reply["data"]["content"].endswith("\n")
    assert read_so_far == kept
    everything = await read(library, key=None)
    assert everything["large_keys"] == {"current_task": len(kept.encode())}


@pytest.mark.requirement("MEM-13")
async def test_a_cursor_does_not_continue_in_other_content(library: Library) -> None:
    await update(library, "word " * 5000)
    cursor = (await read(library))["next_cursor"]
    await update(library, "changed " * 5000)
    reply = await read(library, cursor=cursor)
    assert reply["error"]["code"] == "INVALID_ARGUMENT"


@pytest.mark.requirement("MEM-14")
@pytest.mark.parametrize(
    ("name", "arguments", "most"),
    [
        ("memory.store_context", {"type": "poem", "content": {}}, 100),
        ("memory.retrieve_context", {"query": ""}, 50),
        ("memory.update_scratchpad", PAD | {"content": "x", "ttl": 1}, 200),
        ("memory.get_agent_state", PAD, 100),
    ],
)
async def test_each_tool_has_the_rate_of_the_seed_for_each_principal(
    tmp_path: Path, name: str, arguments: dict[str, Any], most: int
) -> None:
    async with open_library(tmp_path, rate_limit_per_minute=600) as library:
        library.dispatcher.limits._clock = lambda: 0.0  # a minute that does not pass
        types = [(await library.call(name, **arguments))["error_type"] for _ in range(most + 1)]
        assert types[-1] == "rate_limit"
        assert "rate_limit" not in types[:-1]
        reply = await library.call(name, **arguments)
        assert reply["message"].startswith(f"Rate limit exceeded: {most} requests per minute")
        assert reply["error"]["details"]["retry_after_s"] > 0
        other = await library.dispatcher.call(
            name, arguments, Caller(principal="other", connection="test-2")
        )
        assert other.structured["error_type"] != "rate_limit"
