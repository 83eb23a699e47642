"""The old names of the graph tools: same signatures, same defaults, not listed."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from commonplace import tools
from commonplace.answer.pack import minify
from commonplace.catalog import collect
from commonplace.tools.base import Tool
from tests.unit.tools.shelf import Shelf, mention, open_shelf

REQUIRED = object()
SIGNATURES: dict[str, dict[str, Any]] = {  # DESIGN §7
    "describe_nodes": {"node_ids": REQUIRED, "fields": None},
    "expand_neighbors": {
        "node_ids": REQUIRED,
        "rel_types": [],
        "direction": "both",
        "max_hops": 1,
        "include_snippet": False,
        "cursor": None,
        "page_size": 25,
    },
    "get_paths_between": {
        "a_ids": REQUIRED,
        "b_ids": REQUIRED,
        "rel_types": [],
        "max_hops": 3,
        "max_paths": 10,
        "cursor": None,
    },
    "list_children": {"parent_id": REQUIRED, "cursor": None, "page_size": 50},
    "list_parents": {"section_ids": REQUIRED},
    "get_entities_for_sections": {"section_ids": REQUIRED, "labels": [], "max_per_section": 20},
    "get_sections_for_entities": {"entity_ids": REQUIRED, "max_per": 20},
    "traverse_relationships": {
        "start_ids": REQUIRED,
        "rel_types": [],
        "max_depth": 2,
        "include_text": False,
    },
    "summarize_neighborhood": {"node_ids": REQUIRED, "token_budget": 400},
    "compute_context_bundle": {"seeds": REQUIRED, "strategy": "hybrid", "token_budget": 2000},
}
TOOLS = collect(tools, Tool)


@pytest.fixture
async def shelf(tmp_path: Path) -> AsyncIterator[Shelf]:
    async with open_shelf(tmp_path) as opened:
        yield opened


@pytest.mark.requirement("GRAPH-T13")
@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures_and_defaults_are_the_old_ones(name: str) -> None:
    fields = dict(TOOLS[name].args.model_fields)
    assert TOOLS[name].is_legacy
    fields.pop("session_id")
    given = {key: REQUIRED if one.is_required() else one.default for key, one in fields.items()}
    assert given == SIGNATURES[name]
    assert list(given) == list(SIGNATURES[name])


@pytest.mark.requirement("GRAPH-T13")
@pytest.mark.parametrize(
    ("old", "new", "arguments"),
    [
        ("describe_nodes", "graph.describe", {"node_ids": ["PASSAGE"]}),
        ("expand_neighbors", "graph.expand", {"node_ids": ["PASSAGE"], "max_hops": 2}),
        ("list_parents", "graph.parents", {"section_ids": ["PASSAGE"]}),
        ("list_children", "graph.children", {"parent_id": "DOCUMENT"}),
        (
            "get_paths_between",
            "graph.paths",
            {"a_ids": ["PASSAGE"], "b_ids": ["DOCUMENT"]},
        ),
        (
            "get_entities_for_sections",
            "graph.entities_for_sections",
            {"section_ids": ["DOCUMENT"], "labels": ["Command"]},
        ),
    ],
)
async def test_an_old_name_gives_what_the_new_one_gives(
    shelf: Shelf, old: str, new: str, arguments: dict[str, Any]
) -> None:
    known = {"PASSAGE": shelf.passage, "DOCUMENT": shelf.document}
    real = {
        key: [known.get(one, one) for one in value] if isinstance(value, list) else value
        for key, value in arguments.items()
    }
    real = {
        key: known.get(value, value) if isinstance(value, str) else value
        for key, value in real.items()
    }
    theirs = await shelf.library.call(new, **real, max_response_tokens=10_000)
    assert await shelf.library.call(old, **real) == theirs


@pytest.mark.requirement("GRAPH-T13")
async def test_traversing_shows_text_only_when_asked(shelf: Shelf) -> None:
    plain = await shelf.library.call("traverse_relationships", start_ids=[shelf.passage])
    assert {1, 2} == {row["hops"] for row in plain["nodes"]}
    assert not any("snippet" in row for row in plain["nodes"])
    texts = await shelf.library.call(
        "traverse_relationships", start_ids=[shelf.passage], include_text=True
    )
    assert any("snippet" in row for row in texts["nodes"])


@pytest.mark.requirement("GRAPH-T14")
async def test_a_neighbourhood_is_counted_and_named_within_its_budget(shelf: Shelf) -> None:
    await mention(shelf.library, shelf.passage, 30)
    outcome = await shelf.library.outcome("summarize_neighborhood", node_ids=[shelf.passage])
    groups = {(row["relation"], row["kind"]): row for row in outcome.structured["groups"]}
    assert groups["MENTIONS", "Command"]["count"] == 30
    assert len(groups["MENTIONS", "Command"]["examples"]) == 5
    assert "Passage Pruning" in outcome.structured["summary"]
    for form in (outcome.text, minify(outcome.structured)):
        assert shelf.library.app.tokens(form) <= 400


@pytest.mark.requirement("GRAPH-T14")
@pytest.mark.parametrize("strategy", ["hybrid", "graph", "vector"])
async def test_a_bundle_holds_the_seeds_first_and_keeps_its_budget(
    shelf: Shelf, strategy: str
) -> None:
    outcome = await shelf.library.outcome(
        "compute_context_bundle", seeds=[shelf.passage], strategy=strategy, token_budget=900
    )
    rows = outcome.structured["results"]
    assert rows[0]["section_id"] == shelf.passage
    assert rows[0]["source"] == "seed"
    others = {row["source"] for row in rows[1:]}
    assert others <= {"seed", "graph", "vector"} - {
        {"graph": "vector", "vector": "graph"}.get(strategy, "")
    }
    assert len(rows) > 1
    for form in (outcome.text, minify(outcome.structured)):
        assert shelf.library.app.tokens(form) <= 900


@pytest.mark.requirement("GRAPH-T14")
async def test_a_bundle_around_an_entity_is_the_text_that_tells_of_it(shelf: Shelf) -> None:
    (entity,) = await mention(shelf.library, shelf.passage, 1)
    reply = await shelf.library.call(
        "compute_context_bundle", seeds=[entity, "nope"], strategy="graph"
    )
    assert reply["results"][0]["section_id"] == shelf.passage
    assert reply["unknown"] == ["nope"]
