"""The program as others start it: clients, the demo, people who press Ctrl-C."""

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from commonplace.serve.install import program

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    },
}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def commonplace(home: Path, *arguments: str) -> list[str]:
    return [*program(), *arguments, "--home", str(home)]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "pager.md").write_text("# Pager\n\nThe team lead is called after ten minutes.\n")
    home = tmp_path / "home"
    command = commonplace(home, "add", str(tmp_path / "pager.md"), "--no-wait")
    subprocess.run(command, check=True, capture_output=True)
    return home


@pytest.mark.requirement("CLI-32")
def test_standard_output_of_serve_is_the_protocol_and_nothing_else(home: Path) -> None:
    messages = "".join(json.dumps(message) + "\n" for message in (HELLO, LIST))
    done = subprocess.run(
        commonplace(home, "serve", "--verbose"),
        input=messages,
        capture_output=True,
        text=True,
        check=True,
    )
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert [reply["id"] for reply in replies] == [1, 2]
    assert "kb_retrieve_evidence" in {tool["name"] for tool in replies[1]["result"]["tools"]}
    assert all(json.loads(line)["level"] for line in done.stderr.splitlines())


@pytest.mark.requirement("CLI-32")
async def test_a_client_asks_the_served_project_and_no_other(home: Path) -> None:
    command, *arguments = commonplace(home, "serve", "--project", "default", "--quiet")
    async with Client(StdioServerParameters(command=command, args=arguments)) as client:
        asked = {"question": "Who is called after ten minutes?"}
        reply = await client.call_tool("kb_retrieve_evidence", asked)
        other = await client.call_tool(
            "kb_retrieve_evidence", {**asked, "scope": {"project_id": "other"}}
        )
    assert reply.structured_content is not None
    assert "team lead" in reply.structured_content["quotes"][0]["quote"]
    assert other.is_error
    assert other.structured_content is not None
    assert other.structured_content["error"]["code"] == "SCOPE_VIOLATION"


def _harm(index: Path, harm: str) -> None:
    """Put something that cannot be used in the place of an index."""
    index.rename(index.with_name("kept.db"))
    if harm == "damaged":
        index.write_text("no database " * 100)
    elif harm == "newer":
        with closing(sqlite3.connect(index)) as newer:
            newer.execute("PRAGMA user_version=999")
    else:
        index.mkdir()


def _mend(index: Path) -> None:
    if index.is_dir():
        index.rmdir()
    index.with_name("kept.db").replace(index)


@pytest.mark.requirement("SRV-37")
@pytest.mark.parametrize("harm", ["damaged", "newer", "not to be opened"])
async def test_a_server_says_what_is_wrong_with_its_index_until_it_is_mended(
    home: Path, harm: str
) -> None:
    _harm(home / "index.db", harm)
    command, *arguments = commonplace(home, "serve", "--quiet")
    async with Client(StdioServerParameters(command=command, args=arguments)) as client:
        assert "kb_search" in {tool.name for tool in (await client.list_tools()).tools}
        for _ in range(2):
            told = (await client.call_tool("kb_search", {"query": "pager"})).structured_content
            assert told is not None
            assert told["error"]["code"] in ("INDEX_UNAVAILABLE", "BACKEND_UNAVAILABLE")
            assert "; " in told["error"]["message"]
        _mend(home / "index.db")
        reply = (await client.call_tool("kb_search", {"query": "pager"})).structured_content
    assert reply is not None
    assert "team lead" in reply["results"][0]["preview"]


@pytest.mark.requirement("CLI-38")
def test_status_sums_up_what_servers_gave_to_models(home: Path) -> None:
    command, *arguments = commonplace(home, "serve", "--quiet")

    async def converse() -> None:
        async with Client(StdioServerParameters(command=command, args=arguments)) as client:
            await client.call_tool("kb_search", {"query": "pager"})
            await client.call_tool("kb_search", {"query": "pager", "top_k": -1})

    asyncio.run(converse())
    asyncio.run(converse())
    told = subprocess.run(commonplace(home, "status", "--json"), capture_output=True, check=True)
    ledger = json.loads(told.stdout)["ledger"]
    assert ledger["calls"] == 4
    assert ledger["errors"] == {"INVALID_ARGUMENT": 2}
    assert 0 < ledger["most_tokens"] < ledger["tokens"]
    shown = subprocess.run(commonplace(home, "status"), capture_output=True, check=True)
    assert b"4 calls" in shown.stdout


def test_serve_refuses_a_public_address_without_a_token(home: Path) -> None:
    arguments = ("serve", "--transport", "http", "--host", "0.0.0.0", "--port", "0")  # noqa: S104 - refused
    done = subprocess.run(
        commonplace(home, *arguments), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "without a token" in done.stderr


@pytest.mark.requirement("CLI-37")
def test_the_demo_prints_a_cited_answer_and_draws_it(tmp_path: Path) -> None:
    picture = tmp_path / "answer.svg"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "commonplace.serve.demo",
            "--home",
            str(tmp_path / "demo"),
            "--picture",
            str(picture),
        ],
        env={"COMMONPLACE_UPGRADE_WAIT_S": "0", "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "▌ The default store is one SQLite database" in done.stdout
    assert "architecture.md:" in done.stdout
    drawn = picture.read_text("utf-8")
    assert drawn.startswith("<svg")
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "").replace(
        "https://www.textualize.io", ""
    )


@pytest.mark.requirement("CLI-35")
def test_watch_takes_up_a_change_and_ends_when_interrupted(home: Path, tmp_path: Path) -> None:
    watching = subprocess.Popen(
        commonplace(home, "watch", "--json"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert watching.stdout is not None
    first = json.loads(watching.stdout.readline())
    assert first["unchanged"] == 1
    fresh = tmp_path / "fresh"
    fresh.write_text("# Pager\n\nNobody is called at night any more.\n")
    fresh.rename(tmp_path / "pager.md")  # at once: half a change would be told as one
    assert json.loads(watching.stdout.readline())["changed"] == 1
    watching.send_signal(signal.SIGINT)
    _, told = watching.communicate(timeout=120)
    assert watching.returncode == 0
    assert b"Traceback" not in told
    asked = subprocess.run(
        commonplace(home, "ask", "Who is called at night?"), capture_output=True, text=True
    )
    assert "Nobody is called at night" in asked.stdout
