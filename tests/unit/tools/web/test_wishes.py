"""What the asker does not want, or knows, stays out; what is told names its place and reason."""

from pathlib import Path
from typing import Any

import pytest

from commonplace.research.asking import read_constraint
from tests.unit.tools.web.webbing import open_web

_SECTIONS = "".join(
    f"<h2>Part {number}</h2><p>Gear {number} of the lathe turns {number * 7} times a minute and is "
    f"greased with {'beta' if number == 31 else 'plain'} oil of kind {number}.</p>"
    for number in range(60)
)
LATHE = f"<html><head><title>Lathe</title></head><body><main>{_SECTIONS}</main></body></html>"
SMALL = """<html><head><title>Drill</title></head><body><main><h1>Drill</h1><h2>Torque</h2>
<p>The nominal torque of the drill is 40 newton metres.</p><h2>Limits</h2>
<p>Never exceed 55 newton metres, or the clutch will slip and wear.</p>
<p><img src="/a.png" alt="x](http://evil.example/) [click](http://evil.example/"></p>
</main></body></html>"""


async def _answer(folder: Path, page: str, **asked: Any) -> dict[str, Any]:  # noqa: ANN401 - arguments
    async with open_web(folder) as (library, site):
        site.serve("/page", page)
        asked = {"url": site.url("/page"), "expansion_budget": 0, **asked}
        outcome = await library.outcome("web.answer", **asked)
        assert not outcome.is_error, outcome.text
        return {**outcome.structured, "shown": outcome.text}


def _said(told: dict[str, Any]) -> str:
    rows = [*(row["text"] for row in told["evidence"]), *(q["quote"] for q in told["citations"])]
    return "\n".join(rows)


@pytest.mark.requirement("WEB-30")
async def test_what_is_known_is_not_shown_though_the_whole_page_would_fit(tmp_path: Path) -> None:
    known = "The nominal torque of the drill is 40 newton metres. Never exceed 55 newton metres, "
    known += "or the clutch will slip and wear."
    page = SMALL.replace('<p><img src="/a.png"', '<p hidden><img src="/a.png"')
    told = await _answer(tmp_path, page, query="drill torque", known_context=known)
    assert told["evidence"] == []
    assert "known_context says it already" in told["shown"]


@pytest.mark.requirement("WEB-30")
async def test_a_sentence_that_is_known_is_not_cited(tmp_path: Path) -> None:
    known = "The nominal torque of the drill is 40 newton metres."
    told = await _answer(tmp_path, SMALL, query="what wears the clutch", known_context=known)
    assert told["citations"]
    assert not any("nominal torque" in row["quote"] for row in told["citations"])


@pytest.mark.requirement("WEB-30")
async def test_a_neighbour_that_is_excluded_stays_out(tmp_path: Path) -> None:
    asked = {"query": "Which oil greases gear 30 and gear 32?", "max_response_tokens": 1500}
    assert "beta" in _said(await _answer(tmp_path / "all", LATHE, **asked))
    told = await _answer(tmp_path / "less", LATHE, **asked, constraints=["exclude beta"])
    assert "beta" not in _said(told)
    assert told["evidence"]


@pytest.mark.requirement("WEB-30")
@pytest.mark.parametrize(
    ("text", "host", "file", "words"),
    [
        ("only from docs.python.org", "docs.python.org", "", set()),
        ("exclude example.com", "example.com", "", set()),
        ("must mention asyncio.gather", "", "", {"asyncio", "gath"}),
        ("must include Node.js code", "", "", set()),
        ("exclude torque.html", "", "torque.html", set()),
        ("focus on asyncio.gather", "", "", {"asyncio", "gath"}),
        ("must include examples of asyncio.gather", "", "", {"exampl", "asyncio", "gath"}),
        ("must include README.md", "", "", {"readm", "md"}),
        ("only on docs.python.org", "docs.python.org", "", set()),
        ("prefer pages from docs.python.org", "docs.python.org", "", set()),
        ("exclude official documentation", "", "", {"official", "documentation"}),
    ],
)
def test_dotted_words_are_hosts_only_where_they_are_said_to_be(
    text: str, host: str, file: str, words: set[str]
) -> None:
    read = read_constraint(text)
    assert (read.host, read.file, set(read.words)) == (host, file, words)


@pytest.mark.requirement("WEB-30")
async def test_a_constraint_that_says_nothing_is_told_and_leaves_all_there(tmp_path: Path) -> None:
    told = await _answer(tmp_path, SMALL, query="torque", constraints=["not", " "])
    assert told["evidence"]
    assert 'Constraint without effect, nothing in it can be looked for: "not"' in told["shown"]


@pytest.mark.requirement("WEB-31")
async def test_a_citation_names_the_heading_its_quote_stands_under(tmp_path: Path) -> None:
    told = await _answer(tmp_path, SMALL, query="What must never be exceeded?")
    (row,) = [row for row in told["citations"] if "Never exceed" in row["quote"]]
    assert row["section"] == "Limits"
    assert {"Torque", "Limits"} <= set(told["sources"][0]["sections"])


@pytest.mark.requirement("WEB-31")
async def test_names_of_pictures_make_no_links(tmp_path: Path) -> None:
    told = await _answer(tmp_path, SMALL, query="What must never be exceeded?")
    (line,) = [line for line in told["shown"].split("\n") if line.startswith("- [")]
    assert "](http://evil.example/)" not in line.replace("\\](", "")


@pytest.mark.requirement("WEB-31")
async def test_a_page_that_was_not_read_is_told_with_the_reason(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        urls = [site.url("/visit"), site.url("/nowhere"), "http://169.254.169.254/"]
        told = await library.call("web.answer", url=urls, query="opening hours", expansion_budget=0)
    notes = [note for note in told["stats"]["notes"] if note.startswith("Not read: ")]
    assert any("/nowhere (" in note and "404" in note for note in notes)
    assert any("169.254.169.254/ (" in note for note in notes)


@pytest.mark.requirement("WEB-31")
async def test_any_age_may_be_asked_for(tmp_path: Path) -> None:
    async with open_web(tmp_path) as (library, site):
        for age in (0, 1e300):
            told = await library.call(
                "web.answer", url=site.url("/visit"), query="opening hours", max_age=age
            )
            assert told["evidence"]
