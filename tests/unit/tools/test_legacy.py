"""The names of seed 000's first server: same signatures, same defaults, not listed."""

import pytest

from commonplace.tools.legacy.search import (
    SearchDocumentationArgs,
    SearchSectionsArgs,
    SectionTextArgs,
)
from tests.library import GUIDE, Library


@pytest.mark.requirement("LEG-01")
def test_signatures_and_defaults_are_the_old_ones() -> None:
    sections = SearchSectionsArgs(query="x")
    assert list(SearchSectionsArgs.model_fields) == [
        "query",
        "top_k",
        "filters",
        "cursor",
        "page_size",
        "session_id",
    ]
    assert (sections.top_k, sections.page_size, sections.cursor) == (20, 25, None)
    assert SectionTextArgs(section_ids=["x"]).max_bytes_per == 8192
    documentation = SearchDocumentationArgs(query="x")
    assert (documentation.top_k, documentation.verbosity) == (20, "graph")


@pytest.mark.requirement("LEG-02")
async def test_search_sections_returns_scores_and_debug_fields(library: Library) -> None:
    reply = await library.call("search_sections", query="water the trees")
    assert len(reply["results"]) > 1
    assert all("score" in row and "channels" in row["debug"] for row in reply["results"])


@pytest.mark.requirement("LEG-03")
async def test_get_section_text_gives_bounded_text_and_names_what_is_missing(
    library: Library,
) -> None:
    found = await library.call("search_sections", query="prune apple trees")
    section = found["results"][0]["section_id"]
    reply = await library.call("get_section_text", section_ids=[section, "p0"], max_bytes_per=64)
    (row,) = reply["results"]
    assert reply["missing"] == ["p0"]
    assert len(row["text"].encode()) <= 64
    assert row["truncated"]
    assert GUIDE[row["start_char"] : row["end_char"]] == row["text"]
    assert await library.error("get_section_text", section_ids=["p0"]) == "NOT_FOUND"


@pytest.mark.requirement("LEG-04")
@pytest.mark.parametrize("verbosity", ["snippet", "graph", "full"])
async def test_search_documentation_takes_every_verbosity(library: Library, verbosity: str) -> None:
    reply = await library.call("search_documentation", query="prune apples", verbosity=verbosity)
    first = reply["results"][0]
    assert ("debug" in first) == (verbosity != "snippet")
    if verbosity == "graph":
        assert {near["kind"] for near in first["debug"]["related"]} <= {
            "Document",
            "Section",
            "Passage",
        }
        assert first["debug"]["related"]
