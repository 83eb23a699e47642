"""Whatever agents stored and however they ask: replies keep their budget and their schema."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonplace.answer.pack import minify
from commonplace.serve.schemas import output_schema
from commonplace.tools.memory import GET_AGENT_STATE, RETRIEVE_CONTEXT
from tests.library import Library, open_library

CONTENTS: list[dict[str, Any]] = [
    {"title": "Pump", "text": "The pump is mended. " * 400},
    {"text": "水泵每年春天都要修理。" * 60},
    {"🔧": {"deep": [{"list": ["a", {"b": None}]}, 1.5, True]}},
    {"note": "pump\u202eevil\x1b[31m \r\n> quoted\n# heading\n```\nfence"},
    {"summary": "pump " * 3, "log": [f"line {n}" for n in range(300)]},
    {"text": "A short word about the pump."},
]
ODD = {"relation " * 7: "x" * 250, "supersedes": "ctx_nothing", "concerns": "req-1"}


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with open_library(tmp_path) as opened:
        previous = "req-0"
        for number, content in enumerate(CONTENTS):
            given_targets = [{"type": name, "target": target} for name, target in ODD.items()]
            stored = await opened.call(
                "memory.store_context",
                type="log" if number % 2 else "decision",
                content=content,
                metadata={"author": "a" * 300, "pad": "y" * (900 * (number % 3))},
                relationships=[*given_targets, {"type": "replaces", "target": previous}],
            )
            assert stored["success"], stored
            previous = stored["id"]
        for number in range(12):
            await opened.call(
                "memory.update_scratchpad",
                agent_id="a",
                key=f"k{number}",
                content="note ✓ " * 10 ** (number % 4),
            )
        yield opened


async def check(library: Library, tool: Any, arguments: dict[str, Any]) -> Any:  # noqa: ANN401
    outcome = await library.outcome(tool.name, **arguments)
    structured = json.loads(minify(outcome.structured))
    jsonschema.validate(structured, output_schema(tool.output))
    if outcome.is_error:
        assert structured["success"] is False
        assert structured["error"]["code"] in ("BUDGET_EXCEEDED", "INVALID_ARGUMENT"), structured
        return structured
    most = arguments["max_response_tokens"]
    for form in (outcome.text, minify(structured)):
        assert library.app.tokens(form) <= most
        assert len(form) <= library.app.settings.response_chars
    assert "\x1b" not in outcome.text
    assert "\u202e" not in outcome.text
    return structured


@pytest.mark.requirement("MEM-13")
@given(data=st.data())
@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_any_memory_reply_keeps_its_budget_and_its_schema(
    library: Library, data: st.DataObject
) -> None:
    asked: dict[str, Any] = {
        "query": data.draw(st.sampled_from(["pump", "水泵", "line 7", "req-1", "ctx_nothing a"])),
        "search_mode": data.draw(st.sampled_from(["vector", "graph", "hybrid"])),
        "type": data.draw(st.sampled_from(["all", "log", "decision", "sprint"])),
        "sort_by": data.draw(st.sampled_from(["timestamp", "relevance"])),
        "limit": data.draw(st.integers(1, 100)),
        "max_response_tokens": data.draw(st.sampled_from([100, 300, 700, 2000, 10_000])),
    }
    found = await check(library, RETRIEVE_CONTEXT, asked)
    while found.get("next_cursor"):
        more = await check(library, RETRIEVE_CONTEXT, asked | {"cursor": found["next_cursor"]})
        assert more["success"] is False or more["returned_count"] > 0
        found = more
    state: dict[str, Any] = {
        "agent_id": "a",
        "prefix": "scratchpad",
        "max_response_tokens": asked["max_response_tokens"],
    }
    if data.draw(st.booleans()):
        state["key"] = data.draw(st.sampled_from(["k0", "k3", "k11"]))
    await check(library, GET_AGENT_STATE, state)
