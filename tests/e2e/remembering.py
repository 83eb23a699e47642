"""The real program as a memory server, and clients that speak to it as agents do."""

import json
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from commonplace.serve.install import program
from tests.e2e.processes import WAIT_S


def commonplace(home: Path, *arguments: str) -> list[str]:
    return [*program(), *arguments, "--home", str(home)]


def run(home: Path, *arguments: str) -> str:
    """A command that must succeed; its output."""
    done = subprocess.run(commonplace(home, *arguments), capture_output=True, check=True, text=True)
    return done.stdout


class Agent:
    """A client and the tools it calls."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def call(self, name: str, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
        """The data of a reply, of a failed call too."""
        reply = await self._client.call_tool(name, arguments)
        assert reply.structured_content is not None
        return dict(reply.structured_content)


@asynccontextmanager
async def stdio_agent(home: Path) -> AsyncIterator[Agent]:
    """An agent whose client starts the server and ends it."""
    command, *arguments = commonplace(home, "serve", "--toolsets", "all", "--quiet")
    server = StdioServerParameters(command=command, args=arguments)
    async with Client(server) as client:
        yield Agent(client)


@contextmanager
def memory_server(home: Path, **settings: str) -> Iterator[str]:
    """The program serving over HTTP on a free port: its address."""
    named = {f"COMMONPLACE_{name.upper()}": value for name, value in settings.items()}
    arguments = ("serve", "--transport", "http", "--port", "0", "--toolsets", "all", "--json")
    process = subprocess.Popen(
        commonplace(home, *arguments, "--quiet"),
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | named,  # noqa: TID251 - a child's
    )
    try:
        assert process.stdout is not None
        yield str(json.loads(process.stdout.readline())["url"])
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=WAIT_S)


@asynccontextmanager
async def http_agent(url: str, token: str = "") -> AsyncIterator[Agent]:
    """An agent of a server others use too."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=WAIT_S) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield Agent(client)
