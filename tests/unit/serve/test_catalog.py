"""What reaches a model from the real catalog: names, descriptions, schemas, and their price."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp import Client

from commonplace.serve.build import build
from commonplace.serve.mcp import assemble
from commonplace.settings import Settings
from commonplace.tokens import token_counter
from tests.e2e.processes import ROOT, environ

MOST_TOKENS = {"default": 4_000, "all": 12_000}  # DESIGN D2
MOST_TEXT_BYTES = 2_048  # Claude Code cuts descriptions and instructions here
MOST_SCHEMA_BYTES = 16_384  # claude.ai drops a tool with a larger input schema
MOST_NAME_CHARS = 60  # Cursor, server and tool name together

LIST_AND_LOOK = """
import asyncio, json, sys
from mcp import Client
from commonplace.serve.build import build
from commonplace.serve.mcp import assemble
from commonplace.settings import load

async def main():
    async with Client(assemble(build(load({"toolsets": ["all"]})))) as client:
        return len((await client.list_tools()).tools)

print(json.dumps([asyncio.run(main()), sorted(sys.modules)]))
"""


async def listing(home: Path, toolset: str, *, with_code: bool = False) -> tuple[list[Any], str]:
    app = build(Settings(home=home, toolsets=(toolset,)))
    try:
        async with Client(assemble(app, with_code=with_code)) as client:
            return (await client.list_tools()).tools, client.instructions or ""
    finally:
        await app.store.close()


@pytest.mark.requirement("SRV-31")
@pytest.mark.requirement("CODE-T17")
@pytest.mark.parametrize("toolset", ["default", "all"])
async def test_the_list_fits_its_price(toolset: str, tmp_path: Path) -> None:
    count = token_counter("cl100k_base")
    tools, _ = await listing(tmp_path, toolset, with_code=True)
    shown = [
        {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
        for tool in tools
    ]
    assert count(json.dumps(shown, separators=(",", ":"))) <= MOST_TOKENS[toolset]


@pytest.mark.requirement("CODE-T25")
async def test_code_tools_of_the_default_profile_name_only_what_it_lists(tmp_path: Path) -> None:
    tools, _ = await listing(tmp_path, "default", with_code=True)
    names = {tool.name for tool in tools}
    for tool in tools:
        if tool.name.startswith("code_"):
            named = set(re.findall(r"\b(?:kb|code|graph|web|papers|memory)_\w+", tool.description))
            assert named <= names, tool.name


@pytest.mark.requirement("SRV-30")
async def test_every_tool_is_one_every_host_takes(tmp_path: Path) -> None:
    tools, instructions = await listing(tmp_path, "all")
    assert 0 < len(instructions.encode()) <= MOST_TEXT_BYTES
    for tool in tools:
        assert len(f"commonplace{tool.name}") <= MOST_NAME_CHARS
        assert len(tool.description.encode()) <= MOST_TEXT_BYTES
        assert len(json.dumps(tool.input_schema)) < MOST_SCHEMA_BYTES
        for schema in (tool.input_schema, tool.output_schema):
            jsonschema.Draft202012Validator.check_schema(schema)
            assert "$ref" not in json.dumps(schema)
            assert schema["type"] == "object"
        assert tool.annotations.destructive_hint is False
        assert tool.annotations.read_only_hint is not None
        assert tool.annotations.idempotent_hint is not None
        assert tool.annotations.open_world_hint is not None


@pytest.mark.requirement("SRV-32")
def test_tools_are_listed_before_anything_heavy_is_imported(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIST_AND_LOOK],
        capture_output=True,
        env=environ(tmp_path),
        cwd=ROOT,
        check=True,
    )
    listed, modules = json.loads(done.stdout)
    assert listed >= 6
    heavy = {"numpy", "onnxruntime", "tokenizers", "tiktoken", "wordllama", "lxml", "docutils"}
    heavy |= {
        "regex",
        "commonplace.cypher.run",
        "commonplace.link.graph",
        "commonplace.split.prose",
    }
    assert heavy.intersection(modules) == set()
