"""Servers as real processes, spoken to over real pipes and sockets."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mcp import StdioServerParameters

ROOT = Path(__file__).parents[2]
DEMO = "tests.e2e.demo_server"
WAIT_S = 120.0


def environ(home: Path, **settings: str) -> dict[str, str]:
    """The environment of a server: ours, with these settings."""
    named = {f"COMMONPLACE_{name.upper()}": value for name, value in settings.items()}
    return {**os.environ, "COMMONPLACE_HOME": str(home), **named}  # noqa: TID251 - a child's


def stdio_server(home: Path, module: str = DEMO, **settings: str) -> StdioServerParameters:
    """How a client starts a stdio server."""
    return StdioServerParameters(
        command=sys.executable, args=["-m", module], env=environ(home, **settings), cwd=ROOT
    )


class Pipe:
    """A stdio server and its raw wire."""

    def __init__(self, home: Path, **settings: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", DEMO],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environ(home, **settings),
            cwd=ROOT,
        )

    def write(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, method: str, asked: int | None = None, **params: Any) -> None:  # noqa: ANN401
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if asked is not None:
            message["id"] = asked
        self.write(json.dumps(message).encode())

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        return message

    def greet(self) -> None:
        """The handshake of the older era."""
        client = {"name": "test", "version": "1"}
        self.send("initialize", 0, protocolVersion="2025-11-25", capabilities={}, clientInfo=client)
        assert self.read()["id"] == 0
        self.send("notifications/initialized")

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401
        self.send("tools/call", 1, name=name, arguments=arguments)
        answer = self.read()
        assert answer["id"] == 1
        return answer

    def end(self) -> tuple[bytes, bytes]:
        """Close the input; what came after, and the log."""
        return self.process.communicate(timeout=WAIT_S)


@contextmanager
def pipe(home: Path, **settings: str) -> Iterator[Pipe]:
    """A stdio server, ended whatever happens."""
    started = Pipe(home, **settings)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.process.kill()
        started.process.communicate()


@contextmanager
def http_server(
    home: Path, module: str = DEMO, **settings: str
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """An HTTP server on a free loopback port: its address and its process."""
    chosen = {"transport": "http", "port": "0"} | settings
    process = subprocess.Popen(
        [sys.executable, "-m", module],
        stderr=subprocess.PIPE,
        text=True,
        env=environ(home, **chosen),
        cwd=ROOT,
    )
    try:
        yield _address(process), process
    finally:
        process.terminate()
        try:
            process.communicate(timeout=WAIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    said: list[str] = []
    for line in process.stderr:
        said.append(line)
        if line.startswith("{") and (url := json.loads(line).get("url")):
            return str(url)
    raise AssertionError(f"the server did not start: {''.join(said)}")
