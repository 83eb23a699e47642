"""What agents store is found again: by meaning, by graph, among documents, with its provenance."""

from pathlib import Path
from typing import Any

import pytest

from tests.library import Library

DECISION: dict[str, Any] = {
    "title": "Water by drip line",
    "description": "Young trees are watered with the drip line only, since the hose wastes half.",
    "components": ["pump", "drip line"],
}


async def remember(library: Library, **arguments: Any) -> str:  # noqa: ANN401 - JSON
    given: dict[str, Any] = {"type": "decision", "content": DECISION} | arguments
    stored = await library.call("memory.store_context", **given)
    assert stored["success"] is True, stored
    return str(stored["id"])


async def found(library: Library, query: str, **arguments: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    reply = await library.call("memory.retrieve_context", query=query, **arguments)
    assert reply["success"] is True, reply
    return list(reply["results"])


async def section(library: Library, query: str) -> dict[str, Any]:
    reply = await library.call("kb.search", query=query, filters={"doc_tag": "orchard"})
    return dict(reply["results"][0])


@pytest.mark.requirement("MEM-01")
@pytest.mark.parametrize("mode", ["vector", "graph", "hybrid"])
async def test_a_stored_context_is_found_in_every_mode(library: Library, mode: str) -> None:
    stored = await remember(library, agent_id="gardener-1")
    [row] = await found(library, "how are saplings irrigated?", search_mode=mode, limit=1)
    assert (row["id"], row["agent"]) == (stored, "gardener-1")
    assert row["source"] == ("graph" if mode == "graph" else "vector")


@pytest.mark.requirement("MEM-01")
async def test_documents_and_contexts_are_quoted_alike_with_agent_and_time(
    library: Library,
) -> None:
    stored = await remember(library, metadata={"author": "maria@example.org"})
    reply = await library.call("kb.retrieve_evidence", question="Why not use the hose?")
    [quote] = [one for one in reply["quotes"] if stored in one["source_uri"]]
    assert "the hose wastes half" in quote["quote"]
    assert quote["title"] == "Water by drip line"
    assert quote["heading_path"][0].startswith("decision by maria@example.org, 20")
    check = await library.call("verify_quote", quote=DECISION["description"])
    assert check["status"] == "verbatim"


@pytest.mark.requirement("MEM-02")
async def test_replies_have_the_shape_of_the_seed(library: Library) -> None:
    stored = await library.call("store_context", type="decision", content=DECISION)
    assert stored["id"].startswith("ctx_")
    assert stored["vector_id"] == stored["graph_id"] == stored["id"]
    assert stored["message"] == "Context stored successfully in all backends"
    assert stored["backend_status"] == {"vector": "success", "graph": "success"}
    reply = await library.call("retrieve_context", query="drip line", search_mode="hybrid")
    assert reply["search_mode_used"] == "hybrid"
    assert reply["message"] == "Found 1 matching contexts"
    assert reply["total_count"] == 1
    [row] = reply["results"]
    assert row["payload"] == {"content": DECISION, "type": "decision", "metadata": {}}
    by_graph = await library.call("retrieve_context", query="drip line", search_mode="graph")
    [row] = by_graph["results"]
    assert (row["type"], row["content"], row["source"]) == ("decision", DECISION, "graph")
    assert row["created_at"].endswith("Z")


@pytest.mark.requirement("MEM-03")
@pytest.mark.parametrize(
    "arguments",
    [
        {"content": {}},
        {"content": "text"},
        {"type": "poem"},
        {"content": {"text": "x" * 300_000}},
        {"relationships": [{"type": "", "target": "x"}]},
        {"content": {"deep": eval("[" * 40 + "]" * 40)}},  # noqa: S307 - our own brackets
    ],
)
async def test_what_cannot_be_stored_is_a_validation_error(
    library: Library, arguments: dict[str, Any]
) -> None:
    given = {"type": "log", "content": {"text": "x"}} | arguments
    outcome = await library.outcome("memory.store_context", **given)
    assert outcome.is_error
    assert outcome.structured["success"] is False
    assert outcome.structured["id"] is None
    assert outcome.structured["error_type"] == "validation_error"
    assert outcome.structured["message"] == outcome.structured["error"]["message"]


@pytest.mark.requirement("MEM-03")
@pytest.mark.parametrize(
    "arguments", [{"query": ""}, {"limit": 101}, {"limit": 0}, {"sort_by": "x"}, {"type": "poem"}]
)
async def test_a_wrong_question_is_a_validation_error(
    library: Library, arguments: dict[str, Any]
) -> None:
    reply = await library.call("memory.retrieve_context", **({"query": "x"} | arguments))
    assert (reply["success"], reply["results"]) == (False, [])
    assert reply["error_type"] == "validation_error"


@pytest.mark.requirement("MEM-04")
async def test_a_context_stands_beside_the_section_it_concerns(library: Library) -> None:
    watering = await section(library, "how much does the drip line deliver")
    stored = await remember(
        library,
        content={"text": "Nobody may change the schedule without asking Maria."},
        relationships=[{"type": "concerns", "target": watering["section_id"]}],
    )
    query = "how many litres per hour does it deliver"
    [row] = await found(library, query, search_mode="graph", limit=1)
    assert row["id"] == stored
    assert row["relationships"] == [
        {"type": "concerns", "target": watering["section_id"], "name": "Watering"}
    ]
    near = await library.app.store.graph.neighbours("default", [watering["section_id"]], (), 1)
    assert [one.edge.relation for one in near if one.node.id == stored] == ["CONCERNS"]


@pytest.mark.requirement("MEM-04")
async def test_targets_may_be_handles_and_addresses(library: Library) -> None:
    watering = await section(library, "how much does the drip line deliver")
    stored = await remember(
        library,
        relationships=[
            {"type": "cites", "target": watering["passage_id"]},
            {"type": "is about", "target": watering["source_uri"]},
            {"type": "explains", "target": f"{watering['source_uri']}#watering"},
        ],
    )
    near = await library.app.store.graph.neighbours("default", [stored], (), 1)
    kinds = {one.edge.relation: one.node.kind for one in near if one.edge.source == stored}
    assert kinds["CITES"] == "Passage"
    assert kinds["IS_ABOUT"] == "Document"
    assert kinds["EXPLAINS"] == "Section"


@pytest.mark.requirement("MEM-04")
async def test_an_edge_to_what_comes_later_waits_for_it(library: Library) -> None:
    later = {"title": "Pump house", "description": "Where the pump stands."}
    relationships = [
        {"type": "implements", "target": "req-auth-001"},
        {"type": "depends_on", "target": "ctx_later"},
    ]
    stored = await library.call(
        "memory.store_context", type="design", content=DECISION, relationships=relationships
    )
    assert stored["pending_targets"] == ["req-auth-001", "ctx_later"]
    [row] = await found(library, "req-auth-001", limit=1)
    assert row["id"] == stored["id"]
    target = await remember(library, content=later)
    again = await library.call(
        "memory.store_context",
        type="design",
        content=DECISION,
        relationships=[{"type": "depends_on", "target": target}],
    )
    assert again["duplicate_of"] == stored["id"]
    near = await library.app.store.graph.neighbours("default", [target], ("DEPENDS_ON",), 1)
    assert [one.node.id for one in near] == [stored["id"]]


@pytest.mark.requirement("MEM-05")
async def test_an_exact_duplicate_keeps_one_context_and_loses_nothing(library: Library) -> None:
    first = await remember(library, agent_id="a1", metadata={"epic": "water"})
    again = await library.call(
        "memory.store_context",
        type="decision",
        content=dict(reversed(DECISION.items())),
        agent_id="a2",
        metadata={"epic": "frost"},
        relationships=[{"type": "relates_to", "target": "req-9"}],
    )
    assert again["id"] == again["duplicate_of"] == first
    [node] = await library.app.store.graph.nodes("default", [first])
    assert node.properties["times_stored"] == 2
    assert "frost" in str(node.properties["repeats"])
    assert "req-9" in str(node.properties["relationships"])
    rows = await found(library, "drip line")
    assert [row["id"] for row in rows] == [first]
    other_type = await library.call("memory.store_context", type="log", content=DECISION)
    assert "duplicate_of" not in other_type


@pytest.mark.requirement("MEM-05")
async def test_a_near_duplicate_is_stored_linked_and_told(library: Library) -> None:
    first = await remember(library)
    nearly = DECISION | {"description": DECISION["description"].replace("half", "a third")}
    second = await library.call("memory.store_context", type="decision", content=nearly)
    assert [one["id"] for one in second["similar_to"]] == [first]
    assert second["similar_to"][0]["similarity"] > 0.7
    near = await library.app.store.graph.neighbours("default", [first], ("SIMILAR_TO",), 1)
    assert [one.node.id for one in near] == [second["id"]]
    other = await library.call("memory.store_context", type="log", content={"text": "Lunch."})
    assert "similar_to" not in other


@pytest.mark.requirement("MEM-06")
@pytest.mark.parametrize("relation", ["supersedes", "replaces"])
async def test_what_is_superseded_is_marked_and_brings_its_successor(
    library: Library, relation: str
) -> None:
    old = await remember(library)
    new = await remember(
        library,
        content={"text": "Irrigation is done by hand from now on."},
        relationships=[{"type": relation, "target": old}],
    )
    rows = await found(library, "drip line or hose for young trees", sort_by="relevance")
    assert [row["id"] for row in rows] == [new, old]
    assert rows[1]["superseded_by"] == new
    assert "superseded_by" not in rows[0]
    reply = await library.outcome("memory.retrieve_context", query="drip line or hose")
    assert f"superseded by {new}" in reply.text


@pytest.mark.requirement("MEM-06")
async def test_a_chain_of_successors_is_followed_to_its_end(library: Library) -> None:
    ids = [await remember(library)]
    for number in range(3):
        content = {"text": f"Rule {number} of the council about something else entirely"}
        relationships = [{"type": "supersedes", "target": ids[-1]}]
        ids.append(await remember(library, content=content, relationships=relationships))
    rows = await found(library, "drip line hose wastes", limit=4)
    assert [row["id"] for row in rows] == ids[::-1]


@pytest.mark.requirement("MEM-07")
async def test_of_equals_the_newer_comes_first(library: Library) -> None:
    watering = await section(library, "how much does the drip line deliver")
    ids = [
        await remember(
            library,
            content={"text": text},
            relationships=[{"type": "concerns", "target": watering["section_id"]}],
        )
        for text in ("Ask Maria first.", "Lunch is at noon.", "Keep the key under the mat.")
    ]
    query = "how many litres per hour does it deliver"
    rows = await found(library, query, search_mode="graph", sort_by="relevance")
    assert [row["id"] for row in rows] == ids[::-1]
    assert len({row["score"] for row in rows}) == 1


@pytest.mark.requirement("MEM-07")
async def test_by_timestamp_the_newest_comes_first_and_types_are_kept_apart(
    library: Library,
) -> None:
    ids = [
        await remember(library, content={"text": f"The pump was mended, part {n}"}, type=kind)
        for n, kind in enumerate(["log", "trace", "log"])
    ]
    rows = await found(library, "pump mended part 1")
    assert [row["id"] for row in rows] == ids[::-1]
    logs = await found(library, "pump mended part 1", type="log")
    assert [row["id"] for row in logs] == [ids[2], ids[0]]
    assert await found(library, "pump mended part 1", type="sprint") == []


@pytest.mark.requirement("MEM-08")
async def test_contexts_are_found_among_many_documents_on_the_same_matter(
    library: Library, tmp_path: Path
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(60):
        (folder / f"{number}.md").write_text(f"# Pump {number}\n\nThe pump pumps, pump {number}.\n")
    await library.add(folder)
    stored = await remember(library, content={"text": "A word about the old pump, long overdue."})
    assert [row["id"] for row in await found(library, "pump pumps pump")] == [stored]


@pytest.mark.requirement("MEM-04")
async def test_a_context_concerns_a_symbol_of_the_same_project(
    library: Library, tmp_path: Path
) -> None:
    code = tmp_path / "pumps"
    code.mkdir()
    (code / "pump.py").write_text("def start_pump():\n    return 1\n", "utf-8")
    await library.add(code)
    symbol = (await library.call("code.search_symbols", query="start_pump"))["results"][0]["id"]
    stored = await remember(library, relationships=[{"type": "concerns", "target": symbol}])
    near = await library.call("graph.expand", node_ids=[symbol], rel_types=["CONCERNS"])
    assert [row["id"] for row in near["nodes"]] == [stored]
