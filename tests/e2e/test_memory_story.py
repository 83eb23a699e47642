"""An agent's story over a real client: decide, restart, recall, supersede, move house."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.remembering import Agent, run, stdio_agent
from tests.library import write_corpus

DECISION = {
    "title": "Second pump",
    "decision": "A second pump is bought in March and stands behind the shed.",
    "reasons": ["the old one freezes", "the spare has no seal"],
}
SUCCESSOR = {
    "title": "Second pump, revised",
    "decision": "The second pump is rented for the summer instead of being bought.",
    "reasons": ["the seal of the spare was mended"],
}
QUESTION = "What did we decide about getting another pump, and why?"


async def recall(agent: Agent, mode: str, query: str = QUESTION) -> list[dict[str, Any]]:
    reply = await agent.call(
        "memory_retrieve_context", query=query, search_mode=mode, sort_by="relevance"
    )
    assert reply["success"], reply
    return list(reply["results"])


async def section(agent: Agent) -> dict[str, Any]:
    """The documentation the decision is about."""
    found = await agent.call("kb_search", query="When does the pump freeze?")
    return next(row for row in found["results"] if "freezes" in row["preview"])


async def answers(agent: Agent) -> list[Any]:
    """All that can be seen of the memory, without the handles of one session."""
    seen: list[Any] = [await recall(agent, mode) for mode in ("vector", "graph", "hybrid")]
    seen.append(await recall(agent, "graph", "When does the pump freeze?"))
    evidence = await agent.call("kb_retrieve_evidence", question=QUESTION)
    seen.append([(one["quote"], one["source_uri"]) for one in evidence["quotes"]])
    rows = await agent.call(
        "graph_query",
        query="MATCH (n:Context)-[r]->(m) WHERE n.type = $type "
        "RETURN n.id, n.content, r.type, m.id ORDER BY n.id, m.id",
        parameters={"type": "decision"},
    )
    seen.append(rows["results"])
    return seen


async def decide(agent: Agent) -> str:
    concerned = await section(agent)
    stored = await agent.call(
        "memory_store_context",
        type="decision",
        content=DECISION,
        metadata={"epic": "water"},
        agent_id="gardener-1",
        relationships=[
            {"type": "concerns", "target": concerned["section_id"]},
            {"type": "implements", "target": "req-water-7"},
        ],
    )
    assert stored["success"], stored
    assert stored["pending_targets"] == ["req-water-7"]
    return str(stored["id"])


async def check_recalled(agent: Agent, stored: str) -> None:
    """By meaning, by graph and by Cypher; beside the section it concerns; with its provenance."""
    for mode in ("vector", "graph", "hybrid"):
        row = (await recall(agent, mode))[0]
        assert (row["id"], row["agent"]) == (stored, "gardener-1")
        held = row.get("payload") or row
        assert held["content"] == DECISION
        assert row["relationships"][0] | {"target": ""} == {
            "type": "concerns",
            "target": "",
            "name": "Frost",
        }
    beside = await recall(agent, "graph", "When does the pump freeze?")
    assert stored in [row["id"] for row in beside]
    evidence = await agent.call("kb_retrieve_evidence", question="Which pump freezes?")
    uris = {one["source_uri"].rpartition("/")[2] for one in evidence["quotes"]}
    assert {stored, "orchard.md"} <= uris


async def check_cypher(agent: Agent, stored: str) -> None:
    query = (
        "MATCH (n:Context)-[r:CONCERNS]->(s) WHERE n.type = $type "
        "RETURN n.id, n.content, r.type, s.id"
    )
    for name in ("graph_query", "memory.query_graph", "query_graph"):
        rows = await agent.call(name, query=query, parameters={"type": "decision"})
        [row] = rows["results"]
        assert row["n.id"] == stored
        assert json.loads(row["n.content"]) == DECISION
        assert row["r.type"] == "concerns"
        assert row["s.id"] == (await section(agent))["section_id"]


@pytest.mark.requirement("MEM-24")
async def test_a_decision_outlives_the_server_its_successor_and_its_home(tmp_path: Path) -> None:
    corpus, home, fresh = write_corpus(tmp_path / "corpus"), tmp_path / "home", tmp_path / "fresh"
    for place in (home, fresh):
        place.mkdir()
        # Better vectors come when there is time: with them two homes differ for a while.
        (place / "settings.toml").write_text('upgrade_embedder = ""\n')
        run(place, "add", str(corpus), "--no-wait")
    async with stdio_agent(home) as agent:
        stored = await decide(agent)
    async with stdio_agent(home) as agent:
        await check_recalled(agent, stored)
        await check_cypher(agent, stored)
        successor = await agent.call(
            "memory_store_context",
            type="decision",
            content=SUCCESSOR,
            relationships=[{"type": "supersedes", "target": stored}],
        )
        rows = await recall(agent, "hybrid")
        assert [row["id"] for row in rows[:2]] == [successor["id"], stored]
        assert rows[1]["superseded_by"] == successor["id"]
        before = await answers(agent)
    run(home, "memory", "export", str(tmp_path / "memory.jsonl"))
    run(fresh, "memory", "import", str(tmp_path / "memory.jsonl"))
    async with stdio_agent(fresh) as agent:
        assert await answers(agent) == before
