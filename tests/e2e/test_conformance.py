"""The MCP project's conformance suite, at both revisions, against our HTTP serving."""

import subprocess
from pathlib import Path

import pytest

from tests.e2e.node_programs import command
from tests.e2e.processes import http_server

SUITE = "@modelcontextprotocol/conformance/dist/index.js"


@pytest.mark.requirement("SRV-28")
@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_every_scored_scenario_passes(revision: str, tmp_path: Path) -> None:
    suite = command(SUITE)
    with http_server(tmp_path, "tests.e2e.conformance_server") as (url, _):
        done = subprocess.run(
            [*suite, "server", "--url", url, "--requirements", revision],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=170,
            check=False,
        )
    summary, _, not_scored = done.stdout.partition("Not scored for")
    ignored = {line.split()[1] for line in not_scored.splitlines() if line.startswith("  ")}
    results = [line for line in summary.splitlines() if line.startswith(("✓ ", "✗ "))]
    failed = [line for line in results if line[0] == "✗"]
    assert [line for line in failed if line[2:].partition(":")[0] not in ignored] == []
    assert len(results) - len(ignored) >= 30, done.stdout + done.stderr
    assert done.returncode == 0
