"""A research that runs out of time, and the cursor that goes on with it."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.site import Asked, head
from tests.unit.tools.web.webbing import FILLER, open_web

GROUND = "The mirrors of the telescopes were ground in Jena."
START = f"""<main><h1>Observatory</h1><p>{FILLER}</p>
<p><a href="/jena">Mirrors ground in Jena</a>, <a href="/mirrors">mirrors ground for telescopes</a>,
<a href="/workshop">workshop</a></p></main>"""
MIRRORS = "Which mirrors were ground for the telescopes in Jena?"


async def stuck(_asked: Asked, writer: asyncio.StreamWriter) -> None:
    """Promise a page and never send it."""
    writer.write(head(200, {"content-length": "10"}))
    await writer.drain()
    await asyncio.sleep(30)


def ids(told: Mapping[str, Any]) -> list[str]:
    return [row["section_id"] for row in told["evidence"]]


@pytest.mark.requirement("WEB-16")
async def test_what_was_found_in_time_is_told_as_partial(tmp_path: Path) -> None:
    async with open_web(tmp_path, web_answer_s=6.0) as (library, site):
        await library.call("web.ingest", url=site.url("/"))
        for path in ("/telescopes", "/history", "/broken"):
            site.pages[path] = stuck
        outcome = await library.outcome(
            "web.answer", url=site.url("/"), query=MIRRORS, max_response_tokens=900
        )
    told = outcome.structured
    assert told["partial"] is True
    assert told["stats"]["stop_reason"] == "time is up"
    assert told["evidence"]
    assert told["next_cursor"]
    assert told["has_more"] is True
    assert f"more with cursor={told['next_cursor']}" in outcome.text
    assert "Note: Time ran out: this is what was found until then; the cursor goes on." in (
        outcome.text
    )


@pytest.mark.requirement("WEB-21")
async def test_the_cursor_of_a_partial_brief_goes_on_with_the_research(tmp_path: Path) -> None:
    async with open_web(tmp_path, web_answer_s=6.0) as (library, site):
        site.serve("/start", START)
        await library.call("web.ingest", url=site.url("/start"))
        for path in ("/jena", "/mirrors", "/workshop"):
            site.pages[path] = stuck
        ask: dict[str, Any] = {
            "url": site.url("/start"),
            "query": MIRRORS,
            "max_response_tokens": 900,
            "max_age": 0,
        }
        first = await library.call("web.answer", **ask)
        assert first["partial"] is True
        assert site.paths[-1] == "/workshop", "it was waiting for this page when time ran out"
        site.serve("/workshop", f"<main><h1>Workshop</h1><p>{FILLER}</p><p>{GROUND}</p></main>")
        site.asked.clear()
        second = await library.call("web.answer", **ask, cursor=first["next_cursor"])
        assert any(GROUND in row["text"] for row in second["evidence"])
        assert second["partial"] is False
        assert not set(ids(first)) & set(ids(second)), "what was shown is not shown again"
        assert site.paths == ["/workshop"], "what came or failed before is not fetched again"


@pytest.mark.requirement("WEB-21")
async def test_pages_fetched_anew_are_not_fetched_again_for_the_next_page(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        ask: dict[str, Any] = {
            "url": site.url("/visit"),
            "query": "opening hours and tickets of the house",
            "max_response_tokens": 500,
            "max_age": 0,
            "expansion_budget": 0,
        }
        told = await library.call("web.answer", **ask)
        before, seen = len(site.paths), ids(told)
        assert told["next_cursor"]
        while told["next_cursor"]:
            told = await library.call("web.answer", **ask, cursor=told["next_cursor"])
            seen += ids(told)
        assert len(site.paths) == before
        assert len(seen) == len(set(seen))


@pytest.mark.requirement("WEB-21")
async def test_a_cursor_whose_research_is_forgotten_says_so(tmp_path: Path) -> None:
    async with open_web(tmp_path, web_answer_s=6.0, session_ttl_s=0.1) as (library, site):
        await library.call("web.ingest", url=site.url("/"))
        for path in ("/telescopes", "/history", "/visit"):
            site.pages[path] = stuck
        ask: dict[str, Any] = {"url": site.url("/"), "query": MIRRORS}
        told = await library.call("web.answer", **ask)
        await asyncio.sleep(0.2)
        outcome = await library.outcome("web.answer", **ask, cursor=told["next_cursor"])
    assert outcome.structured["error"]["code"] == "INVALID_ARGUMENT"
    assert "call again without it" in outcome.text


@pytest.mark.requirement("WEB-16")
async def test_a_seed_that_never_comes_leaves_time_for_the_others(tmp_path: Path) -> None:
    async with open_web(tmp_path, web_answer_s=6.0, web_timeout_s=20.0) as (library, site):
        site.pages["/history"] = stuck
        urls = [site.url("/history"), site.url("/visit")]
        told = await library.call("web.answer", url=urls, query="opening hours", expansion_budget=0)
        assert any("opens at nine" in row["text"] for row in told["evidence"])
        assert any(site.url("/history") in note for note in told["stats"]["notes"])
        assert await library.error(
            "web.answer", url=site.url("/history"), query="opening hours", max_age=0
        ) == ("TIMEOUT")
