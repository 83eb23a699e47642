"""Code through a real client and the real command line, over an application of the corpus."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent

from commonplace.serve.cli.root import run
from commonplace.serve.names import CODE
from commonplace.tools.code.sharing import spread
from tests.e2e.processes import ROOT, environ

CLINIC = ROOT / "tests" / "corpus" / "apps" / "clinic"
COLUMN = "visits.fee_cents"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("code")
    shutil.copytree(CLINIC, folder / "clinic")
    added = run(["--home", str(folder / "home"), "add", str(folder / "clinic"), "--no-wait", "-q"])
    assert added == 0
    return folder / "home"


def server(home: Path, *flags: str, **settings: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "commonplace.serve.cli", "--home", str(home), "serve", *flags],
        env=environ(home, upgrade_embedder="", log_level="ERROR", **settings),
        cwd=ROOT,
    )


def told(reply: CallToolResult) -> tuple[dict[str, Any], str]:
    assert not reply.is_error, reply.content
    (block,) = [one for one in reply.content if isinstance(one, TextContent)]
    return spread(reply.structured_content or {}), block.text


ASKED: dict[str, dict[str, Any]] = {
    # Short looks into the store are not waited for: only what takes longer can be ended.
    "code_search_symbols": {"query": "who pays", "search_mode": "semantic"},
    "code_get_symbol_details": {"symbol": COLUMN},
    "code_get_dependencies": {"symbol": COLUMN},
    "code_trace_lineage": {"symbol": COLUMN},
    "code_analyze_impact": {"symbol": COLUMN},
    "code_get_file_contents": {"file": "clinic/models.py"},
    "graph_query": {"query": "MATCH (c:Column) RETURN c.name"},
    "code_list_project_overview": {},
    "code_find_usages": {"symbol": COLUMN},
    "code_compare_snapshots": {},
}
"""Each of the ten tools, with arguments that have an answer."""


@pytest.mark.requirement("CODE-T26")
async def test_each_of_the_ten_tools_tells_when_it_took_too_long(home: Path) -> None:
    short = server(home, "--toolsets", "code", tool_timeout_s="0.000001")
    async with Client(short, mode="legacy") as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == ASKED.keys()
        for tool, arguments in ASKED.items():
            late = await client.call_tool(tool, arguments)
            assert late.is_error, tool
            error = (late.structured_content or {})["error"]
            assert (error["code"], error["details"]) == ("TIMEOUT", {"timeout_s": 1e-06})
            name = tool.replace("_", ".", 1)
            assert error["message"].startswith(f"{name} took longer than 1e-06 s; ask for")


@pytest.mark.requirement("CODE-T26")
async def test_each_of_the_ten_tools_keeps_to_its_own_rate(home: Path) -> None:
    once = {"rate_limit_per_minute": "1", "rate_limits": "graph.query=1"}
    few = server(home, "--toolsets", "code", **once)
    async with Client(few, mode="legacy") as client:
        for tool, arguments in ASKED.items():
            first = await client.call_tool(tool, arguments)
            assert not first.is_error or tool == "code_compare_snapshots", (tool, first.content)
            second = await client.call_tool(tool, arguments)
            assert second.is_error, tool
            error = (second.structured_content or {})["error"]
            assert error["code"] == "RATE_LIMITED", tool
            assert 0 < error["details"]["retry_after_s"] <= 60


@pytest.mark.requirement("CODE-T18")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_goes_from_a_search_to_lineage_and_impact(
    home: Path, mode: Literal["auto", "legacy"]
) -> None:
    async with Client(server(home, "--toolsets", "code"), mode=mode) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert len(names) == 10, "nine of its own, and graph_query"
        found, text = told(await client.call_tool("code_search_symbols", {"query": "fee_cents"}))
        (column,) = [one for one in found["results"] if one["fqn"] == COLUMN]
        assert column["id"] in text
        by_id = {"symbol_id": column["id"]}
        details, _ = told(await client.call_tool("get_symbol_details", by_id))
        assert details["within"] == "visits"
        needed, text = told(await client.call_tool("code.get_dependencies", by_id))
        readers = {one["fqn"] for group in needed["groups"] for one in group["symbols"]}
        assert "clinic.store.visits.visits_of" in readers
        lineage, text = told(await client.call_tool("code_trace_lineage", by_id))
        assert {"clinic.models.Visit.fee_cents", "invoices.total_cents"} <= {
            one["fqn"] for one in lineage["steps"]
        }
        assert "(already examined)" in text
        asked = {**by_id, "change_type": "type"}
        impact, text = told(await client.call_tool("analyze_impact", asked))
        assert impact["risk"] == "high"
        assert text.startswith("Changing the type of visits.fee_cents (COLUMN)")
        overview, _ = told(await client.call_tool("list_project_overview", {}))
        assert overview["trail"] == ["visits.fee_cents"]
        counted = await client.call_tool(
            "query_graph", {"query": "MATCH (c:Column) RETURN count(c) AS n"}
        )
        assert told(counted)[0]["results"][0]["n"] == overview["counts"]["COLUMN"]
        missing = await client.call_tool("code_find_usages", {"symbol": "fee_cent"})
        assert missing.is_error
        assert "fee_cents" in json.dumps(missing.structured_content)


@pytest.mark.requirement("CODE-T17")
async def test_the_core_is_listed_where_code_is_indexed(home: Path, tmp_path: Path) -> None:
    for folder, wanted in ((home, set(CODE)), (tmp_path, set())):
        async with Client(server(folder)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
        listed = {name for name in names if name.startswith("code_")}
        assert listed == {name.replace(".", "_") for name in wanted}


Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(home: Path, capsys: pytest.CaptureFixture[str]) -> Cli:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(["--home", str(home), *arguments])
        return (code, *capsys.readouterr())

    return call


@pytest.mark.requirement("CODE-T19")
def test_symbols_are_listed_and_nothing_found_is_exit_code_1(cli: Cli) -> None:
    code, out, err = cli("symbols", "fee_cents")
    assert code == 0
    assert out.splitlines()[0].split()[:2] == ["column", COLUMN]
    assert "symbols" in err
    code, out, _ = cli("symbols", "zzzz", "--json")
    assert (code, json.loads(out)["results"]) == (1, [])


@pytest.mark.requirement("CODE-T19")
def test_connections_are_drawn_as_a_tree(cli: Cli) -> None:
    code, out, _ = cli("lineage", COLUMN)
    assert code == 0
    assert out.startswith(f"{COLUMN} column")
    assert "└── data goes to" in out
    assert "invoices.total_cents column" in out
    _, out, _ = cli("deps", "visits_of", "--direction", "inbound")
    assert "└── Called by (1)" in out
    _, out, _ = cli("impact", COLUMN, "--change", "type", "--severity", "high")
    assert "risk high" in out
    assert "direct, high: READS" in out


@pytest.mark.requirement("CODE-T19")
def test_connections_are_drawn_for_other_programs(cli: Cli) -> None:
    _, dot, _ = cli("deps", "visits_of", "--format", "dot")
    assert dot.startswith("digraph code {")
    assert dot.rstrip().endswith("}")
    assert dot.count('label="CALLS"') >= 2
    _, mermaid, _ = cli("impact", COLUMN, "--format", "mermaid")
    assert mermaid.startswith("flowchart LR\n")
    assert "-->|READS| n0" in mermaid
    for flags in (("--format", "json"), ("--json",)):
        _, out, _ = cli("lineage", COLUMN, *flags)
        assert json.loads(out)["symbol"]["fqn"] == COLUMN


@pytest.mark.requirement("CODE-T19")
def test_an_unknown_or_doubtful_name_fails_with_what_to_name(cli: Cli) -> None:
    code, _, err = cli("deps", "fee_cent")
    assert code == 1
    assert COLUMN in err
    code, _, err = cli("deps", "make_invoices")
    assert code == 1
    assert "name one:" in err


@pytest.mark.requirement("CODE-T19")
def test_two_runs_are_compared(cli: Cli, home: Path) -> None:
    code, out, _ = cli("diff")
    assert code == 0
    assert "only one index run" in out
    file = home.parent / "clinic" / "clinic" / "client.py"
    file.write_text(file.read_text("utf-8") + "\n\ndef later() -> None:\n    pass\n", "utf-8")
    again = ("add", str(home.parent / "clinic"), "-q", "--no-wait", "--label", "second")
    assert cli(*again)[0] == 0
    _, out, _ = cli("diff")
    assert "second" in out
    assert "clinic.client.later (FUNCTION)" in out
    assert json.loads(cli("diff", "--json")[1])["totals"]["added"] == 1
