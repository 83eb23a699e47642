"""Results are stretches of a document: joined, filled, apart from one another."""

from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonplace.domain.scope import Selection
from commonplace.index.projects import create_project
from commonplace.tools.papers.stretches import Part, filled
from tests.library import Library, open_library
from tests.unit.parsers.paper import Sheet, make_pdf
from tests.unit.tools.papers.asking import PROJECT, ask, put_in

SUBJECTS = ("clover", "worms", "rain", "frost", "zithers", "mulch", "bees", "roots")


def _told(section: str, subjects: tuple[str, ...]) -> str:
    told = [
        f"In {section} we saw {subject} number {number} near the old orchard wall."
        for subject in subjects
        for number in range(12)
    ]
    return f"## {section}\n\n{' '.join(told)}\n\n"


BOOK = "# A book\n\n" + _told("Spring", SUBJECTS) + _told("Autumn", SUBJECTS[::-1])


@pytest.fixture
async def shelf(tmp_path: Path, papers: Path) -> AsyncIterator[Library]:
    (papers / "book.md").write_text(BOOK, "utf-8")
    async with open_library(tmp_path / "shelf", passage_tokens=120) as lab:
        await create_project(lab.app.writer, PROJECT)
        await put_in(lab, papers)
        yield lab


def _of_book(told: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - JSON
    return [one for one in told["items"] if "book.md" in one["source_uri"]]


@pytest.mark.requirement("PAP-34")
async def test_hits_side_by_side_are_one_result(shelf: Library) -> None:
    asked: dict[str, Any] = {"text": "Spring clover near the orchard wall", "top_k": 3}
    told = await ask(shelf, "query_hybrid", **asked, include_full_text=True)
    item = _of_book(told)[0]
    assert item["section_path"] == ["Spring"]
    assert item["render_text"].count("clover") >= 10
    assert item["render_text"] in BOOK
    assert item["render_text"] in item["full_text"]
    assert 900 < len(item["render_text"]) <= 1800


@pytest.mark.requirement("PAP-34")
@given(
    words=st.lists(
        st.sampled_from((*SUBJECTS, "Spring", "Autumn", "wall")), min_size=1, max_size=4
    ),
    top_k=st.integers(1, 9),
    tokens=st.integers(600, 4000),
)
@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_results_are_verbatim_of_one_section_and_apart(
    shelf: Library, words: list[str], top_k: int, tokens: int
) -> None:
    told = await ask(
        shelf, "query_hybrid", text=" ".join(words), top_k=top_k, max_response_tokens=tokens
    )
    assert told["total_count"] <= top_k
    found = []
    for one in _of_book(told):
        text = one["render_text"]
        assert BOOK.count(text) == 1
        assert len(text) <= 1800
        start = BOOK.index(text)
        found.append((start, start + len(text)))
        (section,) = one["section_path"]
        other = "Autumn" if section == "Spring" else "Spring"
        assert f"In {other}" not in text
    found.sort()
    assert all(before[1] <= after[0] for before, after in pairwise(found))


@pytest.mark.requirement("PAP-34")
async def test_the_pages_of_a_result_are_those_of_its_text(tmp_path: Path, papers: Path) -> None:
    sheets = []
    for page in range(1, 4):
        sheet = Sheet()
        told = [f"On page {page} the zither hums line {line} of it." for line in range(12)]
        sheets.append(sheet.lines(72, 700, told))
    (papers / "hum.pdf").write_bytes(make_pdf(sheets))
    async with open_library(tmp_path / "pages", passage_tokens=80) as lab:
        await create_project(lab.app.writer, PROJECT)
        await put_in(lab, papers)
        told = await ask(lab, "query_hybrid", text="zither hums on page 2", top_k=1)
    (item,) = told["items"]
    shown = [page for page in (1, 2, 3) if f"On page {page} " in item["render_text"]]
    assert len(shown) > 1
    assert item["page_span"] == [shown[0], shown[-1]]
    assert item["source_uri"].endswith(f"#page={shown[0]}")


TEXTS = st.lists(
    st.lists(st.tuples(st.integers(1, 400), st.floats(0.001, 0.999)), min_size=1, max_size=9),
    min_size=1,
    max_size=6,
)


def _parts(drawn: list[tuple[int, float]]) -> list[Part]:
    parts, at = [], 0
    for chars, chance in drawn:
        parts.append(Part(at, at + chars, 1 + chars // 4, chance))
        at += chars
    return parts


@pytest.mark.requirement("PAP-34")
@given(drawn=TEXTS, mean=st.integers(1, 900), more=st.integers(0, 300), middle=st.integers(0, 8))
def test_filled_runs_keep_what_was_found_and_their_limits(
    drawn: list[list[tuple[int, float]]], mean: int, more: int, middle: int
) -> None:
    texts = [_parts(one) for one in drawn]
    cores = [(min(middle, len(parts) - 1),) * 2 for parts in texts]
    runs = filled(texts, cores, mean, mean + more)
    sizes = []
    for parts, (first, last), (place, _) in zip(texts, runs, cores, strict=True):
        assert first <= place <= last
        sizes.append(parts[last].end - parts[first].start)
        assert sizes[-1] <= mean + more or first == last
    found = [
        parts[place].end - parts[place].start
        for parts, (place, _) in zip(texts, cores, strict=True)
    ]
    assert sum(sizes) <= max(mean * len(texts), sum(found))


@pytest.mark.requirement("PAP-34")
@pytest.mark.parametrize("tokens", [500, 700, 1200, 4000])
async def test_the_id_of_a_result_is_that_of_a_passage_it_shows(
    shelf: Library, tokens: int
) -> None:
    told = await ask(
        shelf, "query_hybrid", text="zithers in Autumn", top_k=6, max_response_tokens=tokens
    )
    for one in _of_book(told):
        found = await shelf.app.store.passages.get(Selection(project=PROJECT), [one["section_id"]])
        start = BOOK.index(one["render_text"])
        end = start + len(one["render_text"])
        assert found[0].passage.span.start < end
        assert found[0].passage.span.end > start
