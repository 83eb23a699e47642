"""The files other programs start us by name what exists."""

import ast
import json
from pathlib import Path

import pytest

from commonplace import __version__
from commonplace.settings import PREFIX, Settings

ROOT = Path(__file__).parents[3]
MOST_DESCRIPTION_CHARS = 100  # the registry's limit


@pytest.mark.requirement("SRV-33")
def test_the_registry_entry_is_of_this_version_and_names_real_settings() -> None:
    entry = json.loads((ROOT / "server.json").read_text("utf-8"))
    (package,) = entry["packages"]
    assert entry["version"] == package["version"] == __version__
    assert len(entry["description"]) <= MOST_DESCRIPTION_CHARS
    names = {variable["name"] for variable in package["environmentVariables"]}
    assert names <= {f"{PREFIX}{field.upper()}" for field in Settings.model_fields}


@pytest.mark.requirement("SRV-33")
def test_fastmcp_finds_its_entry_point() -> None:
    source = json.loads((ROOT / "fastmcp.json").read_text("utf-8"))["source"]
    tree = ast.parse((ROOT / source["path"]).read_text("utf-8"))
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert source["entrypoint"] in functions
