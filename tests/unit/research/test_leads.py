"""Links by what they promise, and text without them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.index.page import SEPARATOR, Lead, Page
from commonplace.research.leads import Candidate, Ranking
from commonplace.sources.fetching.page import Known

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def candidate(name: str, text: str, depth: int = 1, *, is_outside: bool = False) -> Candidate:
    lead = Lead(url=f"https://a.example/{name}", text=text, context="", heading="")
    return Candidate(lead=lead, parent="https://a.example/", depth=depth, is_outside=is_outside)


async def order(question: str, *candidates: Candidate, **near: float) -> list[str]:
    known = {f"https://a.example/{name}": worth for name, worth in near.items()}
    ranked = await Ranking(question, None).promises(candidates, frozenset(), known)
    return [one.candidate.lead.url.rpartition("/")[2] for one in ranked]


@pytest.mark.requirement("WEB-28")
async def test_a_page_is_known_by_the_sections_links_lead_to() -> None:
    sections = SEPARATOR.join(["Errors", "Raising", "Defining clean-up actions"])
    found = await order(
        "How do I define clean-up actions?",
        candidate("actions", "Actions"),
        candidate("errors", sections),
        candidate("index", "Index"),
    )
    assert found == ["errors", "actions", "index"]


@pytest.mark.requirement("WEB-28")
async def test_one_link_that_says_all_goes_before_many_that_say_a_part_each() -> None:
    parts = SEPARATOR.join(["focal", "length", "refractor"])
    found = await order(
        "focal length of the refractor",
        candidate("parts", parts),
        candidate("whole", "The focal length of the refractor"),
    )
    assert found == ["whole", "parts"]


@pytest.mark.requirement("WEB-28")
async def test_nearer_pages_own_sites_and_links_in_good_evidence_go_first() -> None:
    text = "The large refractor"
    asked = "refractor"
    near, far = candidate("near", text), candidate("far", text, depth=2)
    outside = candidate("outside", text, is_outside=True)
    assert await order(asked, outside, far, near) == ["near", "far", "outside"]
    assert await order(asked, candidate("a", text), candidate("b", text), b=0.9) == ["b", "a"]


def page(linked: list[tuple[int, int]]) -> Page:
    return Page(
        document_id="d1",
        url="https://a.example/",
        title="",
        passages=1,
        tokens=1,
        fetched_at=NOW,
        fresh_until=NOW,
        known=Known(),
        content_hash="",
        linked=tuple(sorted(linked)),
    )


@pytest.mark.requirement("WEB-28")
@given(
    st.text(alphabet="ab ", min_size=1, max_size=60),
    st.lists(st.tuples(st.integers(0, 20), st.integers(1, 12)), max_size=6),
    st.integers(0, 30),
)
def test_text_without_links_is_the_text_whose_characters_no_link_has(
    text: str, gaps: list[tuple[int, int]], start: int
) -> None:
    spans: list[tuple[int, int]] = []
    for gap, length in gaps:
        first = (spans[-1][1] if spans else 0) + gap
        spans.append((first, first + length))
    covered = {place for first, last in spans for place in range(first, last)}
    rest = [one for place, one in enumerate(text, start) if place not in covered]
    told = page(spans).without_links(text, start)
    assert told.replace(" ", "") == "".join(rest).replace(" ", "")
