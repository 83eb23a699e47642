"""The MCP project's own test programs, installed by ``make setup-node``; pinned in ``node/``."""

import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "node" / "node_modules"
LEAST_NODE = 22  # what the conformance suite needs


def command(script: str) -> list[str]:
    """How to run a script of an installed package; skips the test with the reason if it cannot."""
    if not (FOLDER / script).exists():
        pytest.skip(f"{script.split('/')[1]} is not installed; `make setup-node` does it, with npm")
    return [_node(), str(FOLDER / script)]


def _node() -> str:
    for found in sorted(FOLDER.glob("node-*/bin/node")):
        return str(found)
    known = shutil.which("node")
    if known:
        version = subprocess.run([known, "--version"], capture_output=True, text=True, check=True)
        if int(version.stdout.lstrip("v").partition(".")[0]) >= LEAST_NODE:
            return known
    pytest.skip(f"no Node {LEAST_NODE}; `make setup-node` installs one, with npm")
