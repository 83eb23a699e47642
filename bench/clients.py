"""The whole tool through each way in: the wire itself, the SDK's client over stdio, and HTTP."""

import asyncio
import json
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
from mcp import Client, StdioServerParameters

Figures = dict[str, float]
QUIET = {
    "COMMONPLACE_UPGRADE_EMBEDDER": "",
    "COMMONPLACE_RATE_LIMIT_PER_MINUTE": "0",
    "COMMONPLACE_LOG_LEVEL": "ERROR",
}
_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}

_SETTLED_S = 5.0  # soon after its start a server loads what nobody has asked for yet
_THINKING_S = 2.0  # what a model takes at least, from the list of tools to its first call
EMPTY = """
import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

SCHEMA = {"type": "object"}

async def list_tools(context, params):
    return types.ListToolsResult(tools=[types.Tool(name="kb_search", input_schema=SCHEMA)])

async def call_tool(context, params):
    return types.CallToolResult(content=[types.TextContent(type="text", text="done")])

async def serve():
    server = Server(
        "empty",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        get_tool_input_schema=lambda name: SCHEMA,
    )
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

anyio.run(serve)
"""


def percentiles(times_ms: Sequence[float]) -> Figures:
    """Median and 95th percentile of the warm calls: the first tenth is left out."""
    warm = sorted(times_ms[len(times_ms) // 10 :])
    return {"p50_ms": statistics.median(warm), "p95_ms": warm[int(len(warm) * 0.95)]}


async def timed(calls: Sequence[Callable[[], Awaitable[Any]]]) -> Figures:
    """How long these calls take, one after the other."""
    times = []
    for call in calls:
        began = time.perf_counter()
        await call()
        times.append((time.perf_counter() - began) * 1000)
    return percentiles(times)


def server_command(home: Path, *flags: str) -> list[str]:
    """Our server on this data folder."""
    program = str(Path(sys.executable).with_name("commonplace"))
    return [program, "--home", str(home), "serve", *flags]


class Wire:
    """A client that only writes lines and reads them: what the server itself takes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._number = 0
        self.times_ms: list[float] = []

    async def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request."""
        self._number += 1
        self._write({"id": self._number, "method": method, "params": params})
        assert self._process.stdout is not None
        while True:
            answer: dict[str, Any] = json.loads(await self._process.stdout.readline())
            if answer.get("id") == self._number:
                assert not answer["result"].get("isError"), answer
                return answer

    async def search(self, query: str) -> float:
        """Milliseconds from the line of a call to the line of its answer."""
        began = time.perf_counter()
        await self.ask("tools/call", {"name": "kb_search", "arguments": {"query": query}})
        return (time.perf_counter() - began) * 1000

    def tell(self, method: str) -> None:
        """A notification."""
        self._write({"method": method})

    def cpu_ms(self) -> float:
        """What the server has used of the processor."""
        used = psutil.Process(self._process.pid).cpu_times()
        return float(used.user + used.system) * 1000

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


@asynccontextmanager
async def _connected(command: Sequence[str]) -> AsyncIterator[Wire]:
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**QUIET, "PATH": ""},
        limit=1 << 20,
    )
    try:
        wire = Wire(process)
        await wire.ask("initialize", _HELLO)
        wire.tell("notifications/initialized")
        yield wire
    finally:
        process.terminate()
        await process.wait()


async def over_wire(home: Path, queries: Sequence[str]) -> dict[str, Figures]:
    """From the line of a request to the line of its answer, no SDK around them.

    In turns with a tool of the bare SDK that answers at once: what no server of it goes below.
    """
    bare = [sys.executable, "-c", EMPTY]
    warm = len(queries) // 10
    async with AsyncExitStack() as servers:
        ours = await servers.enter_async_context(_connected(server_command(home)))
        first = await ours.search(queries[0])
        empty = await servers.enter_async_context(_connected(bare))
        wires = {"wire": ours, "empty": empty}
        await asyncio.sleep(_SETTLED_S)
        await _in_turns([*wires.values()], queries[:warm])
        before = {name: wire.cpu_ms() for name, wire in wires.items()}
        await _in_turns([*wires.values()], queries[warm:])
        found = {
            name: {
                **percentiles(wire.times_ms),
                "cpu_ms": (wire.cpu_ms() - before[name]) / (len(queries) - warm),
            }
            for name, wire in wires.items()
        }
    async with _connected(server_command(home)) as ours:
        await ours.ask("tools/list", {})
        await asyncio.sleep(_THINKING_S)
        ready = await ours.search(queries[0])
    return {**found, "first": {"p50_ms": first}, "ready": {"p50_ms": ready}}


async def _in_turns(wires: Sequence[Wire], queries: Sequence[str]) -> None:
    for query in queries:
        for wire in wires:
            wire.times_ms.append(await wire.search(query))


async def _asked(client: Client, queries: Sequence[str]) -> Figures:
    calls = [
        lambda query=query: client.call_tool("kb_search", {"query": query}) for query in queries
    ]
    return await timed(calls)


async def over_stdio(home: Path, queries: Sequence[str]) -> Figures:
    """Over stdio through the SDK's client, which checks every answer against its schema."""
    command, *flags = server_command(home)
    parameters = StdioServerParameters(command=command, args=flags, env={**QUIET})
    children = {child.pid for child in psutil.Process().children()}
    async with Client(parameters) as client:
        figures = await _asked(client, queries)
        own = [c for c in psutil.Process().children() if c.pid not in children]
        memory = [p.memory_info().rss for c in own for p in [c, *c.children(recursive=True)]]
        figures["rss_mb"] = sum(memory) / 1e6
    return figures


async def over_http(home: Path, queries: Sequence[str]) -> Figures:
    """Over Streamable HTTP on loopback through the SDK's client."""
    command = server_command(home, "--transport", "http", "--port", "0")
    command = [command[0], "--json", *command[1:]]
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**QUIET, "PATH": ""},
    )
    try:
        assert process.stdout is not None
        url = json.loads(await process.stdout.readline())["url"]
        async with Client(url) as client:
            return await _asked(client, queries)
    finally:
        process.terminate()
        await process.wait()
