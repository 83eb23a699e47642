"""The web tools over a real site on loopback, through the dispatcher every client uses."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from commonplace.serve.dispatch import Caller
from tests.unit.tools.web.webbing import INDEX, open_web

FOCAL = "What is the focal length of the large refractor?"


@pytest.mark.requirement("WEB-01", "WEB-03")
async def test_a_page_is_fetched_quoted_and_cited(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        outcome = await library.outcome(
            "web.answer", url=site.url("/visit"), query="When does the observatory open?"
        )
    told, text = outcome.structured, outcome.text
    assert told["sources"][0] == {
        "number": 1,
        "title": "Visit",
        "url": site.url("/visit"),
        "fetched_at": told["sources"][0]["fetched_at"],
        "is_stale": False,
        "sections": told["sources"][0]["sections"],
    }
    quoted = [row["quote"] for row in told["citations"]]
    assert any("opens at nine in the evening" in quote for quote in quoted)
    order = [name for name in ("[SOURCES]", "[EVIDENCE]", "[CITATIONS]", "[STATS]") if name in text]
    assert [text.index(name) for name in order] == sorted(text.index(name) for name in order)
    assert f"[1] Visit — {site.url('/visit')}" in text
    assert "    § Opening hours" in text
    assert "Source [1] (relevance: " in text
    assert "Stop reason: " in text
    assert "Total time: " in text


@pytest.mark.requirement("WEB-02", "WEB-04")
async def test_an_answer_two_links_away_is_found(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        outcome = await library.outcome("web.answer", url=site.url("/"), query=FOCAL)
        text = outcome.text
        assert any("5,290 millimetres" in row["text"] for row in outcome.structured["evidence"])
        assert "5,290 millimetres" in outcome.structured["citations"][0]["quote"]
        assert "/history" not in site.paths[:3]
    lines = outcome.structured["expansion_trace"]
    assert lines[0] == f"Base: {site.url('/')}"
    assert lines[2].startswith("/ (seed, score: ")
    assert any("└── /refractor (depth 2, +" in line for line in lines)
    assert any("score: 0." in line and "ms)" in line for line in lines)
    assert lines[-1].strip().startswith("[stopped: ")
    assert "[EXPANSION TRACE]" in text
    stats = outcome.structured["stats"]
    assert stats["urls_ingested"] == len(set(site.paths) - {"/broken"})


@pytest.mark.requirement("WEB-29")
async def test_every_step_is_logged_with_its_reason(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "commonplace.research")
    async with open_web(tmp_path) as (library, site):
        await library.outcome("web.answer", url=site.url("/?key=mine"), query=FOCAL)
    steps = [vars(record) for record in caplog.records if record.message == "step"]
    assert (steps[0]["url"], steps[0]["reason"]) == (site.url("/"), "seed")
    assert any(step["reason"].startswith("link promises 0.") for step in steps)
    assert steps[-1]["after"] > steps[0]["before"]
    assert all(step["elapsed_ms"] > 0 for step in steps if not step["failure"])
    assert "mine" not in str(steps)


@pytest.mark.requirement("WEB-06")
async def test_the_budget_bounds_how_far_it_goes(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        told = await library.call("web.answer", url=site.url("/"), query=FOCAL, expansion_budget=0)
        assert site.paths == ["/"]
        assert told["stats"]["expansion_iterations"] == 0
        assert told["stats"]["stop_reason"] == "no expansion was asked for"
        told = await library.call("web.answer", url=site.url("/"), query=FOCAL, expansion_budget=1)
        assert told["stats"]["expansion_iterations"] == 1
        notes = told["stats"]["notes"]
        assert "Expansion budget exhausted (reached 1 of 1 iterations)." in notes
    async with open_web(tmp_path / "flat", web_max_depth=1) as (library, site):
        told = await library.call("web.answer", url=site.url("/"), query=FOCAL)
        assert "/refractor" not in site.paths
        assert any(
            note.startswith("Expansion reached maximum depth (1)")
            for note in told["stats"]["notes"]
        )
    async with open_web(tmp_path / "few", web_max_pages=2) as (library, site):
        told = await library.call("web.answer", url=site.url("/"), query=FOCAL)
        assert len(site.paths) == 2


@pytest.mark.requirement("WEB-05")
async def test_known_context_and_constraints_really_count(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        ask: dict[str, Any] = {
            "url": site.url("/visit"),
            "query": "opening hours",
            "expansion_budget": 0,
        }
        known = "The observatory opens at nine in the evening on clear nights."
        told = await library.call("web.answer", **ask, known_context=known, max_response_tokens=900)
        assert not any("opens at nine" in row["text"] for row in told["evidence"])
        assert any("known_context" in note for note in told["stats"]["notes"])
        page = {
            "url": site.url("/refractor"),
            "query": "the large refractor",
            "expansion_budget": 0,
        }
        coded = await library.call(
            "web.answer", **page, constraints=["must include code"], max_response_tokens=900
        )
        assert "refractor.point" in coded["evidence"][0]["text"]
        assert all("```" in row["text"] for row in coded["evidence"])
        bare = await library.call(
            "web.answer", **page, constraints=["exclude code"], max_response_tokens=900
        )
        assert not any("```" in row["text"] for row in bare["evidence"])


@pytest.mark.requirement("WEB-07")
async def test_several_urls_are_read_together_and_a_bad_one_is_told(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        urls = [site.url("/visit"), site.url("/telescopes"), site.url("/missing")]
        told = await library.call(
            "web.answer", url=urls, query="Compare tickets and telescopes", expansion_budget=0
        )
        assert {source["title"] for source in told["sources"]} == {"Visit", "Telescopes"}
        assert any(site.url("/missing") in note for note in told["stats"]["notes"])
        outcome = await library.outcome("web.answer", url=site.url("/missing"), query="tickets")
    assert outcome.is_error
    assert outcome.structured["error"]["code"] == "BACKEND_UNAVAILABLE"


@pytest.mark.requirement("WEB-12")
async def test_errors_are_told_in_the_family_s_words(tmp_path: Path) -> None:
    async with open_web(tmp_path, web_allow_hosts=()) as (library, site):
        outcome = await library.outcome("web.answer", url=site.url("/"), query="anything")
        assert outcome.is_error
        assert outcome.text.startswith("[ERROR]\n")
        assert "web_allow_hosts" in outcome.text
        assert "Do not attempt to answer from memory" in outcome.text
        assert outcome.structured["error"]["code"] == "FORBIDDEN_OPERATION"
        assert site.connections == 0
        assert await library.error("web.answer", url="file:///etc/passwd", query="x") == (
            "INVALID_ARGUMENT"
        )


@pytest.mark.requirement("WEB-08", "WEB-09")
async def test_search_and_status_fetch_nothing(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        empty = await library.call("web.search", query="tickets")
        assert (empty["evidence"], empty["sources"]) == ([], [])
        await library.call("web.ingest", url=[site.url("/visit"), site.url("/history")])
        before = list(site.paths)
        told = await library.call("web.search", query="What do tickets cost?")
        assert "seven euros" in told["evidence"][0]["text"]
        assert "expansion_trace" not in told
        only = await library.call(
            "web.search", query="tickets", source_urls=[site.url("/history"), site.url("/none")]
        )
        assert {source["title"] for source in only["sources"]} == {"History"}
        assert only["degraded"] == [f"not indexed: {site.url('/none')}"]
        status = await library.outcome("web.status")
        assert status.structured["documents"] == 2
        assert status.text.startswith("[CORPUS STATUS]\nDocuments indexed: 2\n")
        assert all(row["read_in_session"] for row in status.structured["pages"])
        assert not any(row["is_stale"] for row in status.structured["pages"])
        one = await library.call("web.status", source_url=site.url("/visit"), include_urls=False)
        assert (one["documents"], one["pages"]) == (1, [])
        none = await library.outcome("web.status", source_url=site.url("/none"))
        assert "is not indexed" in none.text
        assert site.paths == before


@pytest.mark.requirement("WEB-10", "WEB-11")
async def test_a_young_page_is_not_fetched_and_an_old_one_asked_for_changes(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        first = await library.call("web.ingest", url=site.url("/visit"))
        assert first["pages"][0]["was_indexed"] is False
        again = await library.call("web.ingest", url=site.url("/visit"))
        assert again["pages"][0]["was_indexed"] is True
        assert site.paths == ["/visit"]
        site.serve("/visit", status=304)
        same = await library.call("web.ingest", url=site.url("/visit"), max_age=0)
        assert same["pages"][0]["was_indexed"] is True
        assert site.asked[-1].headers["if-none-match"] == '"/visit"'
        site.serve("/visit", "<main><h1>Visit</h1><p>Closed for repairs until spring.</p></main>")
        await library.call("web.ingest", url=site.url("/visit"), max_age=0)
        told = await library.call("web.search", query="closed for repairs")
        assert "until spring" in told["evidence"][0]["text"]
        assert not any("seven euros" in row["text"] for row in told["evidence"])
        mixed = await library.call("web.ingest", url=[site.url("/visit"), site.url("/missing")])
        assert [bool(row.get("failure")) for row in mixed["pages"]] == [False, True]


@pytest.mark.requirement("WEB-13")
@pytest.mark.parametrize("tokens", [250, 400, 700, 1500, 4000])
async def test_a_brief_keeps_its_budget_and_goes_on_by_cursor(tmp_path: Path, tokens: int) -> None:
    async with open_web(tmp_path) as (library, site):
        ask: dict[str, Any] = {"url": site.url("/"), "query": FOCAL, "max_response_tokens": tokens}
        outcome = await library.outcome("web.answer", **ask)
        if outcome.is_error:
            assert outcome.structured["error"]["code"] == "BUDGET_EXCEEDED"
            return
        assert outcome.meta["tokens"] <= tokens
        seen = [row["section_id"] for row in outcome.structured["evidence"]]
        while cursor := outcome.structured["next_cursor"]:
            outcome = await library.outcome("web.answer", **ask, cursor=cursor)
            assert outcome.meta["tokens"] <= tokens
            seen += [row["section_id"] for row in outcome.structured["evidence"]]
        assert len(seen) == len(set(seen)) == outcome.structured["total_count"]


@pytest.mark.requirement("WEB-13")
async def test_sections_go_in_the_order_of_their_worth_when_the_budget_shrinks(
    tmp_path: Path,
) -> None:
    """Seed 001 §6.3: sources and stats always, evidence, then citations, trace, images."""
    kept: list[set[str]] = []
    async with open_web(tmp_path) as (library, site):
        site.serve("/", INDEX.replace("The house", '<img src="/a.png" alt="A plan"> The house', 1))
        for tokens in (4000, 2500, 1500, 1100, 900, 800, 700, 600, 500):
            outcome = await library.outcome(
                "web.answer", url=site.url("/"), query=FOCAL, max_response_tokens=tokens
            )
            if outcome.is_error:
                assert outcome.structured["error"]["code"] == "BUDGET_EXCEEDED"
                continue
            told = outcome.structured
            assert told["sources"]
            assert told["stats"]
            assert told["evidence"]
            if "expansion_trace" not in told:
                note = f"[Expansion trace omitted — {told['trace_omitted']} iterations, see stats"
                assert note in outcome.text
            if told.get("omitted"):
                shown = len(told["evidence"])
                note = f"... (showing {shown} of {shown + told['omitted']} chunks — remaining"
                assert note in outcome.text
            kept.append(
                {name for name in ("images", "expansion_trace", "citations") if name in told}
            )
    assert any("expansion_trace" not in one for one in kept)
    for one in kept:  # whatever is there, what is worth more is there too
        assert "images" not in one or "expansion_trace" in one
        assert "expansion_trace" not in one or "citations" in one


@pytest.mark.requirement("WEB-14")
async def test_progress_tells_every_phase(tmp_path: Path) -> None:
    said: list[str] = []

    async def note(_done: float, _total: float | None, message: str) -> None:
        said.append(message)

    async with open_web(tmp_path) as (library, site):
        caller = Caller(connection="test", progress=note)
        ask = {"url": site.url("/"), "query": FOCAL, "max_response_tokens": 500}
        await library.dispatcher.call("web.answer", ask, caller)
    begins = (
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
    places = [next(n for n, one in enumerate(said) if one.startswith(begin)) for begin in begins]
    assert places == sorted(places)


@pytest.mark.requirement("WEB-15")
async def test_pages_that_fit_are_shown_whole(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        site.serve("/short", "<main><h1>Short</h1><p>One line about bees.</p></main>")
        outcome = await library.outcome(
            "web.answer", url=site.url("/short"), query="wasps", expansion_budget=0
        )
    assert outcome.structured["stats"]["mode"] == "full_context"
    assert "Mode: full_context (entire corpus fits within token budget)" in outcome.text
    assert "bees" in outcome.structured["evidence"][0]["text"]


@pytest.mark.requirement("WEB-23")
async def test_replies_name_what_else_the_conversation_has_read(tmp_path: Path) -> None:
    async with open_web(tmp_path, web_max_age_s=3600.0) as (library, site):
        await library.call("web.ingest", url=[site.url("/visit"), site.url("/history")])
        outcome = await library.outcome(
            "web.answer", url=site.url("/visit"), query="tickets", expansion_budget=0
        )
        assert outcome.structured["session_urls"] == [site.url("/history")]
        assert f"Also read in this conversation:\n{site.url('/history')}" in outcome.text
        (source,) = outcome.structured["sources"]
        assert source["is_stale"] is False
        assert f"    fetched {source['fetched_at']}\n" in outcome.text
    async with open_web(tmp_path, web_max_age_s=0.0) as (library, _):
        outcome = await library.outcome("web.search", query="tickets")
        assert "session_urls" not in outcome.structured, "another conversation"
        assert all(source["is_stale"] for source in outcome.structured["sources"])
        assert ", stale\n" in outcome.text


@pytest.mark.requirement("WEB-24")
async def test_stats_tell_the_time_of_every_phase(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        outcome = await library.outcome(
            "web.answer", url=site.url("/"), query=FOCAL, max_response_tokens=1500
        )
    stats = outcome.structured["stats"]
    names = ["analysis", "retrieval", "reranking", "expansion", "locality", "merge"]
    assert list(stats["phases_ms"]) == names
    assert all(stats["phases_ms"][name] > 0 for name in names if name != "analysis")
    assert stats["phases_ms"]["analysis"] >= 0
    assert stats["ingestion_ms"] > 0
    assert stats["total_ms"] >= stats["ingestion_ms"] + stats["phases_ms"]["expansion"] - 1
    times = ", ".join(f"{name}: {stats['phases_ms'][name]:.0f}ms" for name in names)
    assert f"Total time: {stats['total_ms']}ms ({times})" in outcome.text
    assert f"Ingestion: {stats['ingestion_ms']}ms of it" in outcome.text


@pytest.mark.requirement("WEB-17")
async def test_instructions_of_a_page_arrive_as_its_words(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        outcome = await library.outcome(
            "web.answer",
            url=site.url("/history"),
            query="previous instructions",
            expansion_budget=0,
        )
    lines = [line for line in outcome.text.splitlines() if "moon is cheese" in line]
    assert lines
    assert all(line.startswith("> ") or line.startswith('[1] "') for line in lines)


@pytest.mark.requirement("WEB-18")
async def test_parts_of_a_question_are_named_with_what_they_found(tmp_path: Path) -> None:
    query = "When does the observatory open? What do tickets cost?"
    async with open_web(tmp_path) as (library, site):
        outcome = await library.outcome(
            "web.answer", url=site.url("/visit"), query=query, expansion_budget=0
        )
    parts = {row.get("sub_query") for row in outcome.structured["evidence"] if row["relevance"]}
    assert parts <= {"When does the observatory open?", "What do tickets cost?"}
    assert 'sub-query: "What do tickets cost?"' in outcome.text


@pytest.mark.requirement("WEB-20")
async def test_the_intent_is_told_and_counts(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        page = (
            "<main><h1>Lamp</h1><p>The lamp of the tower is trimmed every evening by hand.</p>"
            "<h2>Trim</h2><p>To trim the lamp of the tower:</p><ol><li>Open it.</li>"
            "<li>Cut the wick.</li></ol></main>"
        )
        site.serve("/lamp", page)
        ask: dict[str, Any] = {"url": site.url("/lamp"), "query": "trim the lamp of the tower"}
        told = {
            intent: await library.call("web.answer", **ask, intent=intent, expansion_budget=0)
            for intent in ("factual", "how_to")
        }
        inferred = await library.call("web.answer", url=ask["url"], query="How do I trim the lamp?")
    assert inferred["stats"]["intent"] == "how_to"
    assert told["factual"]["stats"]["intent"] == "factual"
    assert _steps(told["how_to"]) > _steps(told["factual"])


def _steps(told: Mapping[str, Any]) -> float:
    return float(max(row["relevance"] for row in told["evidence"] if "Cut the wick" in row["text"]))
