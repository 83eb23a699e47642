"""The graph family through a real client: from a search to what is connected to its first hit."""

import json
import sys
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent

from tests.e2e.processes import ROOT, environ
from tests.unit.tools.shelf import open_shelf

LISTED = {
    "graph_children",
    "graph_describe",
    "graph_entities_for_sections",
    "graph_expand",
    "graph_parents",
    "graph_paths",
    "graph_sections_for_entities",
}


def data(reply: CallToolResult) -> dict[str, Any]:
    found: dict[str, Any] = reply.structured_content or {}
    return found


def text(reply: CallToolResult) -> str:
    (block,) = [one for one in reply.content if isinstance(one, TextContent)]
    return block.text


@pytest.mark.requirement("GRAPH-T15")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_walks_from_a_hit_to_its_neighbours(
    tmp_path: Path, mode: Literal["auto", "legacy"]
) -> None:
    async with open_shelf(tmp_path) as shelf:
        home = shelf.library.app.settings.home
    server = StdioServerParameters(
        command=sys.executable,
        args=[
            "-m",
            "commonplace.serve.cli",
            "--home",
            str(home),
            "serve",
            "--toolsets",
            "kb,graph",
        ],
        env=environ(home, upgrade_embedder="", log_level="ERROR"),
        cwd=ROOT,
    )
    async with Client(server, mode=mode) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert listed.keys() >= LISTED
        hints = [listed[name].annotations for name in LISTED]
        assert all(hint is not None and hint.read_only_hint for hint in hints)
        hit = await client.call_tool("kb_search", {"query": "prune apple trees in February"})
        handle = data(hit)["results"][0]["passage_id"]
        near = await client.call_tool("graph_expand", {"node_ids": [handle], "max_hops": 2})
        assert not near.is_error
        commands = [row for row in data(near)["nodes"] if row["kind"] == "Command"]
        assert "orchard prune" in {row["name"] for row in commands}
        assert commands[0]["id"] in text(near)
        ends = {"a_ids": [handle], "b_ids": [commands[0]["id"]]}
        paths = await client.call_tool("graph.paths", ends)
        assert data(paths)["paths"][0]["hops"] >= 1
        old = await client.call_tool("list_parents", {"section_ids": [handle]})
        assert data(old)["parents"][-1]["kind"] == "Document"
        missing = await client.call_tool("graph_describe", {"node_ids": ["nope"]})
        assert missing.is_error
        assert json.loads(text(missing))["error"]["code"] == "NOT_FOUND"
