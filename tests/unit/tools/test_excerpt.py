"""kb.read_excerpt and kb.expand_excerpt: bounded, whole, resumable."""

import pytest

from commonplace.tools.kb.excerpt import ExpandArgs, ReadArgs
from tests.library import GUIDE, Library


async def find(library: Library, query: str) -> str:
    reply = await library.call("kb.search", query=query)
    return str(reply["results"][0]["passage_id"])


@pytest.mark.requirement("KBX-01")
def test_the_defaults_and_caps_are_those_of_the_contract() -> None:
    read, expand = ReadArgs(passage_id="x"), ExpandArgs(passage_id="x")
    assert (read.max_tokens, read.start_char) == (300, 0)
    assert (read.options.format, read.options.include_citation) == ("text", True)
    assert (expand.before_tokens, expand.after_tokens) == (150, 150)
    assert ReadArgs.model_json_schema()["properties"]["max_tokens"]["maximum"] == 800


@pytest.mark.requirement("KBX-02")
async def test_an_excerpt_is_a_slice_of_the_source_with_its_citation(library: Library) -> None:
    handle = await find(library, "prune apple trees")
    reply = await library.call("kb.read_excerpt", passage_id=handle)
    citation = reply["citation"]
    assert set(citation) == {
        "section_id",
        "doc_tag",
        "title",
        "uri",
        "source_uri",
        "heading_path",
        "start_char",
        "end_char",
    }
    assert GUIDE[citation["start_char"] : citation["end_char"]] == reply["excerpt"]
    assert reply["passage_id"] == handle


@pytest.mark.requirement("KBX-03")
async def test_reading_on_from_next_start_char_gives_the_whole_passage(library: Library) -> None:
    handle = await find(library, "How much water does the drip line deliver?")
    whole = await library.call("kb.read_excerpt", passage_id=handle, max_tokens=800)
    start: int | None = 0
    parts = []
    while start is not None:
        page = await library.call(
            "kb.read_excerpt", passage_id=handle, max_tokens=15, start_char=start
        )
        assert library.app.tokens(page["excerpt"]) <= 15
        parts.append(page["excerpt"])
        assert page["truncated"] == (page["next_start_char"] is not None)
        assert page["next_start_char"] is None or page["next_start_char"] > start
        start = page["next_start_char"]
    assert len(parts) > 1
    assert "".join("".join(parts).split()) == "".join(whole["excerpt"].split())


@pytest.mark.requirement("KBX-04")
async def test_an_excerpt_ends_at_a_sentence(library: Library) -> None:
    handle = await find(library, "How much water does the drip line deliver?")
    page = await library.call("kb.read_excerpt", passage_id=handle, max_tokens=20)
    assert page["excerpt"].endswith((".", "Watering"))


@pytest.mark.requirement("KBX-05")
async def test_bullets_and_no_citation_are_options(library: Library) -> None:
    handle = await find(library, "prune apple trees")
    options = {"format": "bullets", "include_citation": False}
    reply = await library.call("kb.read_excerpt", passage_id=handle, options=options)
    assert "citation" not in reply
    assert all(line.startswith("- ") for line in reply["excerpt"].splitlines() if "\t" not in line)


@pytest.mark.requirement("KBX-06")
async def test_expanding_adds_whole_sentences_on_both_sides_across_passages(
    library: Library,
) -> None:
    evidence = await library.call("kb.retrieve_evidence", question="When does the pump freeze?")
    quote = evidence["quotes"][0]
    reply = await library.call(
        "kb.expand_excerpt", passage_id=quote["passage_id"], before_tokens=60, after_tokens=60
    )
    citation = reply["citation"]
    assert quote["quote"] in reply["excerpt"]
    assert len(reply["excerpt"]) > len(quote["quote"])
    assert GUIDE[citation["start_char"] : citation["end_char"]] == reply["excerpt"]
    again = await library.call(
        "kb.expand_excerpt", passage_id=quote["passage_id"], before_tokens=60, after_tokens=60
    )
    assert again["excerpt"] == reply["excerpt"]


@pytest.mark.requirement("KBX-07")
async def test_reading_goes_on_behind_an_expanded_excerpt(library: Library) -> None:
    evidence = await library.call("kb.retrieve_evidence", question="How long to water young trees?")
    handle = evidence["quotes"][0]["passage_id"]
    expanded = await library.call("kb.expand_excerpt", passage_id=handle, after_tokens=400)
    if expanded["next_start_char"] is None:
        assert not expanded["truncated"]
        return
    following = await library.call(
        "kb.read_excerpt", passage_id=handle, start_char=expanded["next_start_char"]
    )
    assert following["citation"]["start_char"] >= expanded["citation"]["end_char"]


@pytest.mark.requirement("KBX-08")
async def test_no_excerpt_exceeds_800_tokens_or_32_kilobytes(library: Library) -> None:
    page = library.folder / "long.md"
    page.write_text("# Long\n\n" + "Zebra words go on and on " * 4000 + "\n")
    await library.add(library.folder)
    handle = await find(library, "zebra words go on")
    for tool, arguments in (
        ("kb.read_excerpt", {"max_tokens": 800}),
        ("kb.expand_excerpt", {"before_tokens": 400, "after_tokens": 400}),
    ):
        reply = await library.call(tool, passage_id=handle, **arguments, max_response_tokens=9000)
        assert library.app.tokens(reply["excerpt"]) <= 800
        assert len(reply["excerpt"].encode()) <= 32 * 1024


@pytest.mark.requirement("KBX-09")
async def test_an_unknown_handle_and_a_place_past_the_end_are_typed_errors(
    library: Library,
) -> None:
    handle = await find(library, "prune")
    assert await library.error("kb.read_excerpt", passage_id="nope") == "NOT_FOUND"
    far = {"passage_id": handle, "start_char": 10**9}
    assert await library.error("kb.read_excerpt", **far) == "INVALID_ARGUMENT"
    over = {"passage_id": handle, "max_tokens": 801}
    assert await library.error("kb.read_excerpt", **over) == "INVALID_ARGUMENT"
