"""Hostile and broken pages: each ends in time with a brief or an error, and the server goes on."""

import asyncio
import gzip
from pathlib import Path
from typing import Any

import pytest

from tests.site import Asked, Handler, head, plain
from tests.unit.tools.web.webbing import open_web

WORDS = "<p>The lighthouse was built in 1871 on the northern rock.</p>"


async def endless(_asked: Asked, writer: asyncio.StreamWriter) -> None:
    writer.write(head(200, {"connection": "close"}))
    while True:
        writer.write(b"<p>more and more words</p>" * 1000)
        await writer.drain()


async def drip(_asked: Asked, writer: asyncio.StreamWriter) -> None:
    writer.write(head(200, {"connection": "close"}))
    while True:
        writer.write(b"<p>")
        await writer.drain()
        await asyncio.sleep(0.05)


async def reset(_asked: Asked, writer: asyncio.StreamWriter) -> None:
    writer.write(head(200, {"content-length": "5000"}) + b"<p>half")
    await writer.drain()
    writer.transport.abort()


FAILING: dict[str, tuple[Handler, str]] = {
    "endless": (endless, "BACKEND_UNAVAILABLE"),
    "drip": (drip, "TIMEOUT"),
    "bomb": (
        plain(gzip.compress(b"\0" * 30_000_000), content_encoding="gzip"),
        "BACKEND_UNAVAILABLE",
    ),
    "reset": (reset, "BACKEND_UNAVAILABLE"),
    "busy": (plain(b"", 503, retry_after="3600"), "BACKEND_UNAVAILABLE"),
    "picture": (plain(b"\x89PNG", content_type="image/png"), "BACKEND_UNAVAILABLE"),
    "circle": (plain(b"", 302, location="/circle"), "BACKEND_UNAVAILABLE"),
}
LINKS = "".join(f'<a href="/page{number}">page number {number}</a> ' for number in range(10_000))
READ: dict[str, bytes] = {
    "broken": f"<html><<div <p>{WORDS}<table><tr><td>x</div></b></i>".encode(),
    "deep": WORDS.encode() + b"<div>" * 5000 + b"<p>cheese</p>" + b"</div>" * 5000,
    "charset": WORDS.replace("northern", "nördlichen").encode("latin-1"),
    "nul": WORDS.encode() + b"\x00\x01\x02" * 100,
    "links": f"<main>{WORDS}{LINKS}</main>".encode(),
    "script": f"<script>document.write('cheese')</script>{WORDS}<style>p {{}}</style>".encode(),
    "comment": WORDS.encode() + b"<!--" + b"x" * 200_000,
}
SETTINGS: dict[str, Any] = {"web_max_bytes": 1_000_000, "web_timeout_s": 2.0}


@pytest.mark.requirement("WEB-19")
@pytest.mark.parametrize("name", FAILING)
async def test_a_page_that_cannot_be_had_is_an_error_and_the_next_is_read(
    name: str, tmp_path: Path
) -> None:
    handler, code = FAILING[name]
    async with open_web(tmp_path, **SETTINGS) as (library, site):
        site.pages[f"/{name}"] = handler
        site.serve("/good", f"<main>{WORDS}</main>")
        ask = {"query": "When was the lighthouse built?", "expansion_budget": 0}
        assert await library.error("web.answer", url=site.url(f"/{name}"), **ask) == code
        told = await library.call(
            "web.answer", url=[site.url(f"/{name}"), site.url("/good")], **ask
        )
        assert "1871" in told["evidence"][0]["text"]
        assert any(site.url(f"/{name}") in note for note in told["stats"]["notes"])


@pytest.mark.requirement("WEB-19")
@pytest.mark.parametrize("name", READ)
async def test_a_page_that_is_a_mess_gives_what_it_says(name: str, tmp_path: Path) -> None:
    async with open_web(tmp_path, **SETTINGS | {"web_max_pages": 3}) as (library, site):
        site.pages[f"/{name}"] = plain(READ[name], content_type="text/html")
        outcome = await library.outcome(
            "web.answer", url=site.url(f"/{name}"), query="When was the lighthouse built?"
        )
        assert not outcome.is_error
        assert "1871" in outcome.text
        assert "cheese" not in outcome.text
        assert len(site.paths) <= 3
        is_told = any("nested too deeply" in note for note in outcome.structured["stats"]["notes"])
        assert is_told == (name == "deep")


@pytest.mark.requirement("WEB-19")
async def test_links_in_a_circle_end(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        for here, there in (("a", "b"), ("b", "c"), ("c", "a")):
            site.serve(f"/{here}", f'<main><p>See <a href="/{there}">{there}</a>.</p></main>')
        told = await library.call("web.answer", url=site.url("/a"), query="What is the tide table?")
        assert sorted(site.paths) == ["/a", "/b", "/c"]
        assert told["stats"]["stop_reason"]
