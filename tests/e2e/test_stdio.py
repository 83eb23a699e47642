"""The stdio transport on the raw wire: bad lines, good manners, clean ends."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.processes import ROOT, WAIT_S, environ, pipe

PRINTS = """
import asyncio, os, subprocess
from dataclasses import replace
from commonplace.serve.build import build
from commonplace.serve.stdio import serve_stdio
from commonplace.settings import load
from tests.e2e.demo_tools import ECHO, run_echo

async def run(app, call, args):
    print("stray words")
    os.write(1, b"stray bytes\\n")
    subprocess.run(["cat"], check=True)
    return await run_echo(app, call, args)

asyncio.run(serve_stdio(build(load({"toolsets": ["all"]})), {"demo.echo": replace(ECHO, run=run)}))
"""


def error_code(answer: dict[str, Any]) -> str:
    result = answer["result"]
    assert result["isError"]
    code: str = result["structuredContent"]["error"]["code"]
    return code


@pytest.mark.requirement("SRV-18")
def test_lines_that_are_no_messages_are_answered_and_the_next_one_works(tmp_path: Path) -> None:
    with pipe(tmp_path) as wire:
        wire.greet()
        wire.write(b"{oops")
        assert wire.read()["error"]["code"] == -32700
        wire.write(b"\xff\xfe not even text")
        assert wire.read()["error"]["code"] == -32700
        wire.write(b"[" * 100_000)
        assert wire.read()["error"]["code"] == -32700
        wire.write(b'[{"jsonrpc":"2.0","id":7,"method":"ping"}]')
        assert wire.read()["error"]["code"] == -32600
        wire.write(b'{"jsonrpc":"1.0","id":7,"method":"ping"}')
        assert wire.read() == {
            "jsonrpc": "2.0",
            "id": 7,
            "error": {"code": -32600, "message": "not a JSON-RPC 2.0 message"},
        }
        wire.write(b"")
        wire.write(b"x" * (5 * 1024 * 1024))
        assert wire.read()["error"]["code"] == -32600
        assert not wire.call("demo_echo", text="healthy")["result"]["isError"]


@pytest.mark.requirement("SRV-03")
@pytest.mark.requirement("SRV-04")
def test_bad_arguments_over_the_wire_are_typed_errors_and_the_server_stays_healthy(
    tmp_path: Path,
) -> None:
    with pipe(tmp_path) as wire:
        wire.greet()
        bad: list[dict[str, Any]] = [
            {"text": "x" * 1_000_000},
            {"text": ""},
            {"text": "a\0b"},
            {"text": "a\ud800"},
            {"text": "a", "\udfff": 1},
            {"text": "a", "options": {"times": -1}},
            {"text": "a", "options": {"times": 10**300}},
            {"text": "a", "options": {"times": float("nan")}},
            {"text": "a", "options": {"times": float("inf")}},
            {"text": "a", "unknown": {"deep": [[[[]]]]}},
            {"text": None},
            {"text": ["a"]},
            {"text": "a", "session_id": "../../etc/passwd"},
        ]
        for arguments in bad:
            assert error_code(wire.call("demo_echo", **arguments)) == "INVALID_ARGUMENT"
        wire.send("tools/call", 1, name="demo_echo", arguments="not an object")
        assert wire.read()["error"]["code"] == -32602
        wire.send("tools/call", 1, name="\ud800", arguments={})
        assert wire.read()["error"]["code"] == -32602
        assert not wire.call("demo_echo", text="healthy")["result"]["isError"]


@pytest.mark.requirement("SRV-19")
def test_what_a_tool_prints_never_reaches_the_wire(tmp_path: Path) -> None:
    requests: list[dict[str, Any]] = [
        {"id": 0, "method": "ping"},
        {
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"},
            },
        },
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": "a"}}},
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0"} | request) + "\n" for request in requests)
    done = subprocess.run(
        [sys.executable, "-c", PRINTS],
        input=lines.encode(),
        capture_output=True,
        env=environ(tmp_path),
        cwd=ROOT,
        timeout=WAIT_S,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [0, 1, 2]
    assert answers[2]["result"]["structuredContent"]["said"] == "a"
    assert b"stray words" in done.stderr
    assert b"stray bytes" in done.stderr


@pytest.mark.requirement("SRV-20")
def test_calls_at_work_are_answered_after_the_input_has_ended(tmp_path: Path) -> None:
    with pipe(tmp_path) as wire:
        wire.greet()
        wire.send("tools/call", 1, name="demo_late", arguments={})
        rest, _ = wire.end()
        assert error_code(json.loads(rest)) == "TIMEOUT"
        assert wire.process.returncode == 0


@pytest.mark.requirement("SRV-20")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_while_a_call_is_at_work(
    number: signal.Signals, tmp_path: Path
) -> None:
    with pipe(tmp_path) as wire:
        wire.greet()
        wire.send("tools/call", 1, name="demo_slow", arguments={}, _meta={"progressToken": 5})
        assert wire.read()["method"] == "notifications/progress"
        wire.process.send_signal(number)
        assert wire.process.wait(WAIT_S) == 0
        assert (tmp_path / "cancelled").exists()
        log = wire.process.communicate()[1].decode()
        assert "Traceback" not in log
        assert all(json.loads(line) for line in log.splitlines())


@pytest.mark.requirement("SRV-20")
def test_a_client_that_is_gone_ends_the_server_quietly(tmp_path: Path) -> None:
    with pipe(tmp_path) as wire:
        wire.greet()
        assert wire.process.stdout is not None
        wire.process.stdout.close()
        wire.send("ping", 1)
        assert wire.process.wait(WAIT_S) == 0
        assert wire.process.stderr is not None
        log = wire.process.stderr.read().decode()
        assert "Traceback" not in log
        assert "the client is gone" in log
        wire.process.stdout = None


@pytest.mark.requirement("SRV-34")
def test_a_log_nobody_reads_does_not_stop_the_server(tmp_path: Path) -> None:
    pipe_bytes, line_bytes = 64 * 1024, 150
    with pipe(tmp_path, rate_limit_per_minute="0") as wire:
        wire.greet()
        for _ in range(2 * pipe_bytes // line_bytes):
            assert not wire.call("demo_echo", text="again")["result"]["isError"]
        wire.process.terminate()
        assert wire.process.wait(WAIT_S) == 0
