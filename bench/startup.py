"""Start to tools/list: our server beside a bare SDK server, alternately, in one run.

``python -m bench.startup [RUNS]``; DESIGN §9 allows 150 ms more than the bare server.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

BARE = """
import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def list_tools(context, params):
    schema = {"type": "object", "properties": {}}
    return types.ListToolsResult(tools=[types.Tool(name="t", input_schema=schema)])

async def serve():
    server = Server("bare", on_list_tools=list_tools)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

anyio.run(serve)
"""
SERVERS = {
    "bare SDK server": [sys.executable, "-c", BARE],
    "commonplace serve": [sys.executable, "-m", "commonplace.serve.cli", "serve"],
}
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}
MESSAGES = (
    {"id": 1, "method": "initialize", "params": HELLO},
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/list"},
)
ALLOWED_MS = 150


class Start(NamedTuple):
    """Milliseconds from the start of a process to its tools/list reply, and of CPU in all."""

    wall_ms: float
    cpu_ms: float


def start(command: list[str], home: str) -> Start:
    """Start a server, list its tools, stop it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environ = os.environ | {"COMMONPLACE_HOME": home}  # noqa: TID251 - a child's environment
    started = time.perf_counter()
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environ,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in MESSAGES:
            line = json.dumps({"jsonrpc": "2.0"} | message) + "\n"
            process.stdin.write(line.encode())
        process.stdin.flush()
        while reply := process.stdout.readline():
            if json.loads(reply).get("id") == 2:
                break
        elapsed_ms = (time.perf_counter() - started) * 1000
        assert b'"tools"' in reply, f"no list from {command[1:3]}"
        process.stdin.close()
        process.wait(30)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Start(elapsed_ms, cpu_s * 1000)


def measure(runs: int) -> dict[str, list[Start]]:
    """Start every server this often, in turn, so that load on the machine strikes all alike."""
    starts: dict[str, list[Start]] = {name: [] for name in SERVERS}
    with tempfile.TemporaryDirectory() as home:
        for command in SERVERS.values():
            start(command, home)  # files into the cache, bytecode written
        for _ in range(runs):
            for name, command in SERVERS.items():
                starts[name].append(start(command, home))
    return starts


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    print(f"| start to tools/list, {runs} runs | median ms | best ms | median CPU ms |")
    print("|---|---|---|---|")
    medians = []
    for name, taken in measure(runs).items():
        median = statistics.median(one.wall_ms for one in taken)
        best = min(one.wall_ms for one in taken)
        cpu = statistics.median(one.cpu_ms for one in taken)
        print(f"| {name} | {median:.0f} | {best:.0f} | {cpu:.0f} |")
        medians.append(median)
    print(f"\nours is {medians[1] - medians[0]:+.0f} ms (allowed +{ALLOWED_MS} ms)")


if __name__ == "__main__":
    main()
