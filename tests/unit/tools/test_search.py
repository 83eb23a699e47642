"""kb.search: a shortlist with previews, filtered, paged, never full text."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from commonplace.tools.kb.search import SearchArgs
from tests.library import Library, open_library

QUERY = "When should apple trees be pruned?"


@pytest.mark.requirement("KBS-01")
def test_the_defaults_are_those_of_the_contract() -> None:
    args = SearchArgs(query="x")
    assert (args.top_k, args.page_size, args.cursor) == (5, 5, None)
    options = args.options
    assert (options.max_snippet_chars, options.max_per_doc, options.mode) == (280, 1, "auto")
    assert (options.include_scores, options.include_debug) == (False, False)


@pytest.mark.requirement("KBS-02")
async def test_a_result_has_every_field_and_its_preview_is_a_slice_of_the_source(
    library: Library,
) -> None:
    reply = await library.call("kb.search", query=QUERY)
    first = reply["results"][0]
    assert set(first) == {
        "passage_id",
        "section_id",
        "doc_tag",
        "title",
        "rank",
        "source",
        "preview",
        "start_char",
        "end_char",
        "scratch_uri",
        "source_uri",
        "heading_path",
        "size_bytes",
        "anchor",
    }
    assert first["title"] == "Orchard guide"
    assert "Prune apple trees in February" in first["preview"]
    assert first["heading_path"][-1] == "Pruning"
    assert (first["rank"], first["doc_tag"], first["anchor"]) == (1, "orchard", "pruning")
    assert first["source_uri"].endswith("guide/orchard.md")
    text = (library.folder / "guide/orchard.md").read_text("utf-8")
    assert text[first["start_char"] : first["end_char"]] == first["preview"]
    assert first["scratch_uri"].endswith(f"/{reply['session_id']}/{first['passage_id']}")


@pytest.mark.requirement("KBS-03")
async def test_previews_respect_their_cap_and_never_hold_the_whole_passage(
    library: Library,
) -> None:
    options = {"max_snippet_chars": 60, "max_per_doc": 50}
    reply = await library.call("kb.search", query="water the trees", options=options)
    for row in reply["results"]:
        assert 0 < len(row["preview"]) <= 60
        assert len(row["preview"].encode()) < row["size_bytes"]


@pytest.mark.requirement("KBS-04")
async def test_one_document_gives_one_result_unless_more_are_allowed(library: Library) -> None:
    one = await library.call("kb.search", query="apple trees water")
    uris = [row["source_uri"] for row in one["results"]]
    assert len(uris) == len(set(uris))
    many = await library.call("kb.search", query="apple trees water", options={"max_per_doc": 9})
    assert len(many["results"]) > len(uris)


@pytest.mark.requirement("KBS-05")
async def test_scores_and_debug_fields_come_only_when_asked_for(library: Library) -> None:
    scored = await library.call("kb.search", query=QUERY, options={"include_scores": True})
    assert 0 < scored["results"][0]["score"] <= 1.5
    assert "debug" not in scored["results"][0]
    debug = await library.call("kb.search", query=QUERY, options={"include_debug": True})
    facts = debug["results"][0]["debug"]
    assert facts["channels"]
    assert facts["path"] == "guide/orchard.md"
    assert facts["related"]


@pytest.mark.requirement("KBS-06")
async def test_cursors_page_through_the_same_list_without_gap_or_repeat(library: Library) -> None:
    arguments = {"query": "trees water apples pears", "options": {"max_per_doc": 50}, "top_k": 6}
    whole = await library.call("kb.search", **arguments, page_size=50)
    sections, cursor = [], None
    while True:
        page = await library.call("kb.search", **arguments, page_size=2, cursor=cursor)
        sections += [row["section_id"] for row in page["results"]]
        cursor = page["next_cursor"]
        assert page["has_more"] == page["partial"] == (cursor is not None)
        if cursor is None:
            break
        assert page["limit_reason"] == "page_size"
    assert sections == [row["section_id"] for row in whole["results"]]
    assert whole["limit_reason"] == "none"


@pytest.mark.requirement("KBS-07")
async def test_a_small_budget_cuts_whole_results_and_says_so(library: Library) -> None:
    arguments = {"query": "trees water apples", "options": {"max_per_doc": 50}}
    reply = await library.call("kb.search", **arguments, max_response_tokens=420)
    assert reply["truncated"]
    assert reply["limit_reason"] == "token_cap"
    assert reply["returned_count"] + reply["remaining_count"] == reply["total_count"]
    rest = await library.call(
        "kb.search", **arguments, max_response_tokens=420, cursor=reply["next_cursor"]
    )
    assert rest["results"][0]["rank"] == reply["returned_count"] + 1


@pytest.mark.requirement("KBS-08")
async def test_filters_keep_only_what_they_name(library: Library, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    old = other / "old.md"
    old.write_text("# Old\n\nApple trees were pruned in spring then.\n")
    then = datetime.now(UTC) - timedelta(days=400)
    os.utime(old, (then.timestamp(), then.timestamp()))
    await library.add(other, tags=("archive",))

    async def titles(**filters: object) -> set[str]:
        reply = await library.call("kb.search", query="apple trees", filters=filters)
        return {row["title"] for row in reply["results"]}

    assert "Old" in await titles()
    assert await titles(doc_tag=["archive"]) == {"Old"}
    assert await titles(doc_tag="archive") == {"Old"}
    assert await titles(path_prefix="guide/") == {"Orchard guide"}
    assert await titles(path_prefix="./guide/") == {"Orchard guide"}
    assert await titles(path_prefix=f"{other}/") == {"Old"}
    assert await titles(path_prefix=other.as_uri()) == {"Old"}
    assert await titles(path_prefix=f"{other}/new") == set()
    recent = (datetime.now(UTC) - timedelta(days=30)).isoformat()
    assert "Old" not in await titles(updated_after=recent)
    assert await titles(doc_tag=["nothing"]) == set()


@pytest.mark.requirement("KBS-09")
@pytest.mark.parametrize("mode", ["auto", "vector_only", "hybrid_local"])
async def test_every_mode_answers_and_names_its_channels(library: Library, mode: str) -> None:
    reply = await library.call("kb.search", query=QUERY, options={"mode": mode})
    assert reply["results"]
    sources = {row["source"] for row in reply["results"]}
    assert sources <= {"vector"} if mode == "vector_only" else sources


@pytest.mark.requirement("KBS-10")
async def test_an_empty_project_answers_and_says_what_to_do(library: Library) -> None:
    await library.app.store.keyvalue.put("projects", "empty", b"{}")
    reply = await library.call("kb.search", query="anything", scope={"project_id": "empty"})
    assert reply["results"] == []
    assert "commonplace add" in reply["degraded"][0]


@pytest.mark.requirement("KBS-11")
@pytest.mark.parametrize(
    "arguments",
    [
        {"query": ""},
        {"query": " \t\n"},
        {"query": "x" * 1_000_000},
        {"query": "a\x00b"},
        {"query": "a\ud800b"},
        {"query": "x", "top_k": 0},
        {"query": "x", "top_k": -3},
        {"query": "x", "top_k": 10**30},
        {"query": "x", "page_size": 51},
        {"query": "x", "options": {"max_snippet_chars": 5000}},
        {"query": "x", "options": {"mode": "psychic"}},
        {"query": "x", "max_response_tokens": 5},
        {"query": "x", "cursor": "forged"},
        {"query": "x", "cursor": "000123456789012"},
        {"query": "x", "filters": {"updated_after": "yesterday"}},
        {"query": "x", "unknown": 1},
        {"query": 7},
        {},
    ],
)
async def test_bad_arguments_get_a_typed_error_that_names_the_field(
    library: Library, arguments: dict[str, object]
) -> None:
    outcome = await library.outcome("kb.search", **arguments)
    assert outcome.is_error
    assert outcome.structured is not None
    assert outcome.structured["error"]["code"] == "INVALID_ARGUMENT"
    assert len(outcome.text) < 2000
    assert (await library.call("kb.search", query=QUERY))["results"]


@pytest.mark.requirement("KBS-12")
async def test_every_result_has_a_resource_link_and_links_are_paid_for(library: Library) -> None:
    outcome = await library.outcome("kb.search", query=QUERY)
    assert outcome.structured is not None
    results = outcome.structured["results"]
    assert [link.uri for link in outcome.links] == [row["scratch_uri"] for row in results]
    assert all(link.size_bytes and link.modified_at for link in outcome.links)
    assert outcome.meta["tokens"] > library.app.tokens(outcome.text)


@pytest.mark.requirement("KBS-13")
async def test_null_means_left_out(library: Library) -> None:
    reply = await library.call(
        "kb.search",
        query=QUERY,
        cursor=None,
        options=None,
        scope={"project_id": None, "doc_tags": None, "repositories": None, "environment": None},
        filters={"doc_tag": None, "path_prefix": None, "updated_after": None},
    )
    assert reply["results"]


@pytest.mark.requirement("KBS-14")
async def test_the_server_can_set_the_budget_of_calls_that_name_none(tmp_path: Path) -> None:
    async with open_library(tmp_path, response_tokens=420) as library:
        options = {"max_per_doc": 50}
        outcome = await library.outcome("kb.search", query="trees water apples", options=options)
        assert outcome.meta["tokens"] <= 420
        named = {"query": "trees water apples", "options": options, "max_response_tokens": 1500}
        assert (await library.outcome("kb.search", **named)).meta["tokens"] > 420


@pytest.mark.requirement("KBS-15")
async def test_what_is_left_out_per_document_is_counted(library: Library) -> None:
    query = "apple trees water pump"
    await library.call("kb.search", query=query, options={"max_per_doc": 50})
    assert library.dispatcher.ledger.summary()["duplicates"] == 0
    await library.call("kb.search", query=query)
    assert library.dispatcher.ledger.summary()["duplicates"] > 0
