"""The web family through real clients over stdio and HTTP, in both eras, on a real site."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import jsonschema
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent

from tests.e2e.processes import ROOT, environ, http_server, stdio_server
from tests.site import Asked, Site, head, open_site
from tests.unit.tools.web.webbing import PAGES

SERVER = "tests.e2e.web_server"
FOCAL = "What is the focal length of the large refractor?"
SETTINGS = {
    "web_allow_hosts": "127.0.0.1",
    "web_host_delay_s": "0",
    "upgrade_embedder": "",
    "rate_limit_per_minute": "0",
    "passage_tokens": "64",
}
PHASES = (
    "Analyzing query — decomposed into 1 sub-query",
    "Checking if ",
    "Indexed ",
    "Searching 1 documents...",
    "Reranking ",
    "Expanding to linked pages (iteration 1/6)...",
    "Scraping ",
    "Grabbing adjacent context...",
    "Assembling results (",
)
Era = Literal["auto", "legacy"]
Connect = Callable[[Path, Era], AbstractAsyncContextManager[Client]]


@asynccontextmanager
async def over_stdio(home: Path, era: Era) -> AsyncIterator[Client]:
    async with Client(stdio_server(home, SERVER, **SETTINGS), mode=era) as client:
        yield client


@asynccontextmanager
async def over_http(home: Path, era: Era) -> AsyncIterator[Client]:
    with http_server(home, SERVER, **SETTINGS) as (address, _):
        async with Client(streamable_http_client(address), mode=era) as client:
            yield client


WIRES = [
    pytest.param(over_stdio, "auto", id="stdio"),
    pytest.param(over_http, "auto", id="http"),
    pytest.param(over_http, "legacy", id="http-legacy"),
]


@asynccontextmanager
async def serving() -> AsyncIterator[Site]:
    async with open_site() as site:
        for path, page in PAGES.items():
            site.serve(path, page, etag=f'"{path}"')
        yield site


def data(reply: CallToolResult) -> dict[str, Any]:
    assert not reply.is_error, reply.content
    found: dict[str, Any] = reply.structured_content or {}
    return found


def text(reply: CallToolResult) -> str:
    (block,) = [one for one in reply.content if isinstance(one, TextContent)]
    return block.text


@pytest.mark.requirement("WEB-25")
@pytest.mark.parametrize(("connect", "era"), WIRES[:2])
async def test_a_client_asks_searches_ingests_and_looks(
    connect: Connect, era: Era, tmp_path: Path
) -> None:
    said: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert (progress, total) == (len(said) + 1, None)
        said.append(message or "")

    async with serving() as site, connect(tmp_path, era) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        ask = {"url": site.url("/"), "query": FOCAL, "max_response_tokens": 900}
        reply = await client.call_tool("web_answer", ask, progress_callback=hear)
        told = data(reply)
        jsonschema.validate(told, tools["web_answer"].output_schema)
        assert any("5,290 millimetres" in row["text"] for row in told["evidence"])
        order = ["[SOURCES]", "[EVIDENCE]", "[STATS]"]
        places = [text(reply).index(name) for name in order]
        assert places == sorted(places)
        firsts = [next(n for n, one in enumerate(said) if one.startswith(p)) for p in PHASES]
        assert firsts == sorted(firsts)
        session = {"session_id": told["session_id"]}
        site.serve("/extra", "<main><h1>Extra</h1><p>The cellar holds nine barrels.</p></main>")
        more = await client.call_tool("web_ingest", {"url": [site.url("/extra")], **session})
        assert data(more)["pages"][0]["was_indexed"] is False
        before = list(site.paths)
        found = data(
            await client.call_tool("web_search", {"query": "barrels", "top_k": 1, **session})
        )
        assert "nine barrels" in found["evidence"][0]["text"]
        assert site.url("/refractor") in found["session_urls"]
        status = data(await client.call_tool("web_status", session))
        assert status["documents"] == len(set(before) - {"/broken"})
        assert all(row["read_in_session"] for row in status["pages"])
        assert site.paths == before
        missing = await client.call_tool("web_answer", {"url": site.url("/none"), "query": "x"})
        assert missing.is_error
        assert text(missing).startswith("[ERROR]\n")


@pytest.mark.requirement("WEB-26")
@pytest.mark.parametrize(("connect", "era"), WIRES)
async def test_cancelling_stops_fetching_at_once(
    connect: Connect, era: Era, tmp_path: Path
) -> None:
    hung_up = asyncio.Event()
    is_asked = asyncio.Event()

    async def never(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(head(200, {"connection": "close"}))
        is_asked.set()
        try:
            while True:
                writer.write(b"<p>word</p>")
                await writer.drain()
                await asyncio.sleep(0.02)
        except OSError:
            hung_up.set()
            raise

    async with serving() as site, connect(tmp_path, era) as client:
        site.pages["/never"] = never
        urls = [site.url("/never"), site.url("/visit")]
        call = asyncio.create_task(client.call_tool("web_answer", {"url": urls, "query": "hours"}))
        await is_asked.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await hung_up.wait()
        asked = len(site.paths)
        told = data(
            await client.call_tool(
                "web_answer", {"url": site.url("/visit"), "query": "tickets", "expansion_budget": 0}
            )
        )
        assert "seven euros" in told["evidence"][0]["text"]
        assert len(site.paths) <= asked + 1


@pytest.mark.requirement("CLI-39")
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
async def test_the_command_line_tells_every_phase_where_somebody_watches(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    async with serving() as site:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "commonplace.serve.cli", "ask", "--tokens", "900"),
            *("--url", site.url("/"), FOCAL),
            env=environ(tmp_path, **SETTINGS) | {"TERM": "xterm", "COLUMNS": "200"},
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
            stderr=theirs,
        )
        os.close(theirs)
        watched = asyncio.create_task(asyncio.to_thread(read_terminal, ours))
        out, _ = await process.communicate()
        seen = await watched
    assert process.returncode == 0
    assert "5,290 millimetres" in out.decode()
    places = [seen.find(phase) for phase in PHASES]
    assert -1 not in places
    assert places == sorted(places)


def read_terminal(end: int) -> str:
    """All that was written to the other end until it is closed."""
    seen = b""
    try:
        while part := os.read(end, 65_536):
            seen += part
    except OSError:  # how Linux says that nobody has the other end open
        pass
    finally:
        os.close(end)
    return seen.decode("utf-8", "replace")
