"""Seed 001 by the letter: names, parameters, defaults, caps, and the words of §6 and §8."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from commonplace.tools.web import ANSWER, INGEST, SEARCH, STATUS
from commonplace.tools.web.errors import error_text
from tests.site import Asked, head
from tests.unit.tools.web.webbing import open_web

CAPS: list[tuple[str, dict[str, Any]]] = [
    ("web.answer", {"url": [], "query": "x"}),
    ("web.answer", {"url": ["https://a.example/"] * 21, "query": "x"}),
    ("web.answer", {"url": "https://a.example/", "query": ""}),
    ("web.answer", {"url": "https://a.example/" + "x" * 4000, "query": "x"}),
    ("web.answer", {"url": "https://a.example/", "query": "x", "intent": "poem"}),
    ("web.answer", {"url": "https://a.example/", "query": "x", "expansion_budget": -1}),
    ("web.answer", {"url": "https://a.example/", "query": "x", "expansion_budget": 21}),
    ("web.answer", {"url": "https://a.example/", "query": "x", "constraints": ["a"] * 21}),
    ("web.answer", {"url": "https://a.example/", "query": "x", "known_context": "x" * 20_001}),
    ("web.answer", {"url": "https://a.example/", "query": "x", "max_age": -1}),
    ("web.answer", {"url": "https://a.example/", "query": "x", "cursor": "nonsense"}),
    ("web.search", {"query": "x", "top_k": 0}),
    ("web.search", {"query": "x", "top_k": 51}),
    ("web.search", {"query": "x", "source_urls": ["https://a.example/"] * 21}),
    ("web.status", {"page_size": 201}),
    ("web.status", {"include_urls": "perhaps"}),
    ("web.ingest", {"url": []}),
    ("web.ingest", {"url": "https://a.example/", "max_age": -1}),
]


@pytest.mark.requirement("WEB-27")
@pytest.mark.parametrize(("tool", "arguments"), CAPS)
async def test_what_is_beyond_a_cap_is_refused_before_anything_is_fetched(
    tool: str, arguments: dict[str, Any], tmp_path: Path
) -> None:
    async with open_web(tmp_path) as (library, site):
        outcome = await library.outcome(tool, **arguments)
        assert outcome.structured["error"]["code"] == "INVALID_ARGUMENT"
        assert outcome.text.startswith("[ERROR]\n")
        assert site.connections == 0


@pytest.mark.requirement("WEB-27")
def test_names_and_defaults_are_the_seed_s() -> None:
    assert [tool.bare for tool in (ANSWER, SEARCH, STATUS, INGEST)] == [
        "answer",
        "search",
        "status",
        "ingest",
    ]
    ask = ANSWER.args.model_validate({"url": "https://a.example/", "query": "x"}).model_dump()
    assert ask["url"] == ["https://a.example/"], "one address or several"
    named = ("intent", "known_context", "expansion_budget", "max_age", "cursor")
    assert [ask[name] for name in named] == [None] * len(named)
    assert ask["constraints"] == []
    for optional in ("intent", "known_context", "constraints", "expansion_budget"):
        ANSWER.args.model_validate({"url": "https://a.example/", "query": "x", optional: None})
    search = SEARCH.args.model_validate({"query": "x", "source_urls": None}).model_dump()
    assert (search["top_k"], search["source_urls"], search["intent"]) == (20, [], None)
    status = STATUS.args.model_validate({}).model_dump()
    assert (status["source_url"], status["include_urls"]) == (None, True)


@pytest.mark.requirement("WEB-12")
def test_a_failure_is_told_in_the_words_of_the_seed() -> None:
    told = error_text({"code": "BACKEND_UNAVAILABLE", "message": "it is down", "details": {}})
    assert told == (
        "[ERROR]\n"
        "Commonplace encountered an error during retrieval.\n\n"
        "Error type: BACKEND_UNAVAILABLE\n"
        "Details: it is down\n\n"
        "The knowledge retrieval service was unable to complete this query. Possible causes:\n"
        "- The URL may be unreachable, may not be allowed, or may return an error.\n"
        "- The index may not be available.\n\n"
        "Please inform the user of this error. Do not attempt to answer from memory — the tool was "
        "called because specific source material was needed."
    )


@pytest.mark.requirement("WEB-12")
async def test_a_timeout_is_told_in_the_words_of_the_seed(tmp_path: Path) -> None:
    async def stuck(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(head(200, {"content-length": "10"}))
        await writer.drain()
        await asyncio.sleep(30)

    async with open_web(tmp_path, web_timeout_s=0.3) as (library, site):
        site.pages["/stuck"] = stuck
        outcome = await library.outcome("web.answer", url=site.url("/stuck"), query="anything")
    assert outcome.is_error
    assert outcome.structured["error"]["code"] == "TIMEOUT"
    assert outcome.text.startswith("[ERROR]\nCommonplace timed out after 0.3s.\n")
    assert "did not complete within the allowed time. This may indicate:\n- A very large" in (
        outcome.text
    )
    assert outcome.text.endswith(
        "Suggestion: Retry with expansion_budget=0 to skip expansion, or try a more specific URL."
    )


@pytest.mark.requirement("WEB-03")
async def test_empty_results_keep_the_form_of_a_brief(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        outcome = await library.outcome(
            "web.answer",
            url=site.url("/visit"),
            query="tickets",
            constraints=["must include zeppelins"],
            expansion_budget=0,
            max_response_tokens=300,
        )
    assert not outcome.is_error
    assert outcome.text.startswith(
        "[SOURCES]\n(none)\n\n[EVIDENCE]\n"
        "No relevant content was found for this query in the specified URL.\n\n[STATS]\nMode: chunk"
    )
    assert outcome.structured["evidence"] == []
    assert re.search(r"^Stop reason: \S", outcome.text, re.MULTILINE)
    assert re.search(r"^Note: \d+ passages left out by constraints\.$", outcome.text, re.MULTILINE)


STATS = re.compile(
    r"""\[STATS\]
Mode: (?:chunk \(selective retrieval\)|full_context \(entire corpus fits within token budget\))
Documents searched: \d+
Documents matched: \d+
Chunks evaluated: \d+
Expansion iterations: \d+
URLs ingested: \d+
Stop reason: .+
Total time: \d+ms \(analysis: \d+ms, retrieval: \d+ms, reranking: \d+ms, expansion: \d+ms, """
    r"""locality: \d+ms, merge: \d+ms\)
Ingestion: \d+ms of it
"""
)


@pytest.mark.requirement("WEB-03")
async def test_the_stats_are_written_as_the_seed_writes_them(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        site.serve("/alone", "<main><h1>Alone</h1><p>The bell rings at noon.</p></main>")
        outcome = await library.outcome("web.answer", url=site.url("/alone"), query="bell")
    assert STATS.search(outcome.text)
    assert "\nNote: No expansion performed (single iteration).\n" in outcome.text
    assert "[EXPANSION TRACE]" not in outcome.text, "only where links were followed"
    assert "[IMAGES]" not in outcome.text, "only where there are images"


@pytest.mark.requirement("WEB-03")
async def test_images_captions_and_adjacent_context_are_written_as_the_seed_writes_them(
    tmp_path: Path,
) -> None:
    async with open_web(tmp_path) as (library, site):
        figure = (
            '<figure><img src="/mill.png" alt="The mill"><figcaption>Built 1802</figcaption>'
            '</figure><p><img src="/wheel.png" alt="The wheel"></p>'
        )
        words = "<p>" + "Corn is ground between two stones of the mill each autumn. " * 20 + "</p>"
        site.serve("/mill", f"<main><h1>Mill</h1>{figure}{words * 3}</main>")
        outcome = await library.outcome(
            "web.answer", url=site.url("/mill"), query="When was the mill built?"
        )
        base = site.url("")
    assert f"- [The mill]({base}/mill.png) — Built 1802 (from Source [1])" in outcome.text
    assert f"- [The wheel]({base}/wheel.png) (from Source [1])" in outcome.text
    assert re.search(
        r"^Source \[1\] \(relevance: \d\.\d\d, confidence: \d\.\d\d\)", outcome.text, re.M
    )


@pytest.mark.requirement("WEB-09")
async def test_the_status_is_written_as_the_seed_writes_it(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        await library.call("web.ingest", url=site.url("/visit"))
        outcome = await library.outcome("status")
        url = re.escape(site.url("/visit"))
    assert re.match(
        r"\[CORPUS STATUS\]\nDocuments indexed: 1\nTotal chunks: \d+\nTotal tokens: [\d,]+\n\n"
        rf"Indexed URLs:\n- Visit — {url}\n"
        r"  \(\d+ chunks, [\d,]+ tokens, fetched \d{4}-\d\d-\d\d \d\d:\d\d UTC, read in this "
        r"conversation\)\n",
        outcome.text,
    )
