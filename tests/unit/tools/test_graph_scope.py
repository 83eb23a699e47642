"""Borders in the graph: another project, document, or session is as if it were not there."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonplace.answer.pack import minify
from commonplace.domain.graph import Edge
from commonplace.serve.dispatch import Caller
from tests.unit.tools.shelf import Shelf, open_shelf

HIDDEN = """\
# Vault

Open the vault with the flower. See [the guide](../corpus/guide/orchard.md).

```sh
heliotrope --unlock
```
"""
TOOLS = {
    "graph.describe": ("node_ids", True),
    "graph.expand": ("node_ids", True),
    "graph.parents": ("section_ids", True),
    "graph.children": ("parent_id", False),
    "graph.entities_for_sections": ("section_ids", True),
    "graph.sections_for_entities": ("entity_ids", True),
    "describe_nodes": ("node_ids", True),
    "expand_neighbors": ("node_ids", True),
    "list_parents": ("section_ids", True),
    "list_children": ("parent_id", False),
    "get_entities_for_sections": ("section_ids", True),
    "get_sections_for_entities": ("entity_ids", True),
    "traverse_relationships": ("start_ids", True),
    "summarize_neighborhood": ("node_ids", True),
    "compute_context_bundle": ("seeds", True),
}
SCOPED = [name for name in TOOLS if name.startswith("graph.")]


@pytest.fixture
async def shelf(tmp_path: Path) -> AsyncIterator[Shelf]:
    async with open_shelf(tmp_path) as opened:
        yield opened


async def hide(shelf: Shelf, folder: Path, project: str) -> list[str]:
    """Index a secret; the ids of its passage, document, section and command."""
    folder.mkdir()  # noqa: ASYNC240 - a temporary folder
    (folder / "secret.md").write_text(HIDDEN)
    await shelf.library.add(
        folder, project, environment="prod", repository="vault", tags=("secret",)
    )
    scope = {"project_id": project}
    found = await shelf.library.call("kb.search", query="heliotrope vault", scope=scope)
    passage = found["results"][0]["section_id"]
    near = await shelf.library.call("graph.expand", node_ids=[passage], scope=scope)
    ids = [row["id"] for row in near["nodes"] if row["id"] != shelf.document]
    assert any("heliotrope" in row["name"] for row in near["nodes"])
    above = await shelf.library.call("graph.parents", section_ids=[passage], scope=scope)
    return [passage, *ids, above["parents"][-1]["id"]]


def asking(tool: str, node_id: str) -> dict[str, object]:
    field, is_list = TOOLS[tool]
    return {field: [node_id] if is_list else node_id}


@pytest.mark.requirement("GRAPH-T12")
@pytest.mark.parametrize("tool", TOOLS)
async def test_nodes_of_another_project_are_as_unknown_as_any(
    shelf: Shelf, tmp_path: Path, tool: str
) -> None:
    hidden = await hide(shelf, tmp_path / "b", "org/b")
    for node_id in hidden:
        if node_id.startswith("e"):
            continue
        there = await shelf.library.outcome(tool, **asking(tool, node_id))
        nowhere = await shelf.library.outcome(tool, **asking(tool, "p" + "0" * 18))
        assert there.is_error
        assert there.text.replace(node_id, "") == nowhere.text.replace("p" + "0" * 18, "")


@pytest.mark.requirement("GRAPH-T12")
@pytest.mark.parametrize("tool", SCOPED)
@pytest.mark.parametrize(
    "scope",
    [{"doc_tags": ["orchard", "tools"]}, {"repositories": ["elsewhere"]}, {"environment": "dev"}],
    ids=lambda scope: next(iter(scope)),
)
async def test_nodes_of_documents_outside_the_scope_are_not_there(
    shelf: Shelf, tmp_path: Path, tool: str, scope: dict[str, object]
) -> None:
    hidden = await hide(shelf, tmp_path / "b", "default")
    for node_id in hidden:
        arguments = {**asking(tool, node_id), "scope": scope}
        assert await shelf.library.error(tool, **arguments) == "NOT_FOUND"
        seen = await shelf.library.outcome(tool, **asking(tool, node_id))
        assert not seen.is_error


@pytest.mark.requirement("GRAPH-T12")
async def test_walks_do_not_pass_through_documents_outside_the_scope(
    shelf: Shelf, tmp_path: Path
) -> None:
    passage, *hidden = await hide(shelf, tmp_path / "b", "default")
    walk = {"node_ids": [shelf.document], "max_hops": 3}
    whole = await shelf.library.call("graph.expand", **walk, page_size=100)
    assert passage in {row["id"] for row in whole["nodes"]}
    scope = {"doc_tags": ["orchard", "tools"]}
    narrow = await shelf.library.outcome("graph.expand", **walk, page_size=100, scope=scope)
    assert not {passage, *hidden} & {row["id"] for row in narrow.structured["nodes"]}
    assert "heliotrope" not in narrow.text
    (row,) = (await shelf.library.call("graph.describe", node_ids=[shelf.document], scope=scope))[
        "nodes"
    ]
    assert "LINKS_TO" in row["edges_in"], "the tool guide links here"
    assert row["edges_in"]["LINKS_TO"] == 1, "the secret's link is not counted"
    ends = {"a_ids": [shelf.document], "b_ids": [passage]}
    assert (await shelf.library.call("graph.paths", **ends))["paths"]
    assert await shelf.library.error("graph.paths", **ends, scope=scope) == "NOT_FOUND"


@pytest.mark.requirement("GRAPH-T12")
@pytest.mark.parametrize("tool", SCOPED)
async def test_another_sessions_handle_is_unknown(shelf: Shelf, tool: str) -> None:
    outcome = await shelf.library.dispatcher.call(
        tool, asking(tool, shelf.handle), Caller(connection="other")
    )
    assert outcome.is_error
    assert outcome.structured["error"]["code"] == "NOT_FOUND"


@pytest.mark.requirement("GRAPH-T12")
@pytest.mark.parametrize("tool", SCOPED)
async def test_a_project_that_is_not_served_is_a_scope_violation(shelf: Shelf, tool: str) -> None:
    arguments = {**asking(tool, shelf.passage), "scope": {"project_id": "org/none"}}
    assert await shelf.library.error(tool, **arguments) == "SCOPE_VIOLATION"


@pytest.mark.requirement("GRAPH-T12")
async def test_debug_fields_of_a_search_name_nothing_outside_the_scope(
    shelf: Shelf, tmp_path: Path
) -> None:
    passage, *hidden = await hide(shelf, tmp_path / "b", "default")
    await shelf.library.app.store.graph.merge(
        [], [Edge(source=shelf.passage, relation="LINKS_TO", target=passage, project="default")]
    )
    options = {"include_debug": True, "max_per_doc": 9}
    asked = {"query": "prune apple trees", "options": options}
    whole = await shelf.library.outcome("kb.search", **asked)
    assert passage in minify(whole.structured)
    scope = {"doc_tags": ["orchard"]}
    narrow = minify((await shelf.library.outcome("kb.search", **asked, scope=scope)).structured)
    assert "related" in narrow
    assert not any(one in narrow for one in (passage, *hidden))
