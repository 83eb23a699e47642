"""The MCP inspector, in strict mode, on the server people run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.node_programs import command
from tests.e2e.processes import environ

INSPECTOR = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"


@pytest.mark.requirement("SRV-29")
@pytest.mark.parametrize("flags", [{}, {"toolsets": "all"}, {"kb_v2_enabled": "false"}])
def test_the_inspector_finds_no_fault_in_any_tool(flags: dict[str, str], tmp_path: Path) -> None:
    inspector = command(INSPECTOR)
    settings = {name.upper(): value for name, value in flags.items()}
    server = {
        "command": sys.executable,
        "args": ["-m", "commonplace.serve.cli", "serve"],
        "env": {f"COMMONPLACE_{name}": value for name, value in settings.items()}
        | {"COMMONPLACE_HOME": str(tmp_path)},
    }
    config = tmp_path / "servers.json"
    config.write_text(json.dumps({"mcpServers": {"commonplace": server}}))
    chosen = ["--config", str(config), "--server", "commonplace"]
    done = subprocess.run(
        [*inspector, "--cli", "--strict", *chosen, "--method", "tools/list"],
        cwd=tmp_path,
        env=environ(tmp_path) | {"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["tools"]) >= 2
    words = [line for line in done.stderr.splitlines() if not line.startswith("{")]
    assert [line for line in words if "Warning" in line or "Error" in line] == []
