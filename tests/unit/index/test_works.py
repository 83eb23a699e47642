"""The works that papers cite: nodes, and edges to the papers that are those works."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.document import Block, Document, Section, Span
from commonplace.domain.reference import Account
from commonplace.index.projects import create_project
from commonplace.index.references import tell
from commonplace.index.references.keep import all_cited, owed_space
from commonplace.index.sources import get_source, remove_source
from commonplace.link.works import account, title_of, work_graph
from tests.library import Library, open_library
from tests.unit.index.test_references import card
from tests.unit.parsers.paper import Sheet, make_pdf

PROJECT = "lab/papers"
CITING = [
    "[1] E. Evans. Domain models in practice. Journal of Models, 7(2),",
    "2003. doi:10.1000/ddd.1",
    "[2] A. Lee and B. Cho. Watering orchards by night. Kiel, 2021.",
    "[3] D. Knuth. The art of computer programming. Addison-Wesley, 1968.",
]


def paper(title: str, body: str, references: list[str] | None = None, **info: str) -> bytes:
    first = Sheet().line(72, 720, title, 20, "bold").lines(72, 690, [body])
    sheets = [first]
    if references:
        last = Sheet().line(72, 720, "References", 14, "bold").lines(72, 690, references)
        sheets.append(last)
    return make_pdf(sheets, info={"Title": title, **info})


@pytest.fixture
async def lab(tmp_path: Path) -> AsyncIterator[Library]:
    async with open_library(tmp_path, add=False) as opened:
        await create_project(opened.app.writer, PROJECT)
        yield opened


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    body = "All of this was said before, by others."
    (folder / "citing.pdf").write_bytes(paper("A Survey of Everything", body, CITING))
    return folder


async def put_in(lab: Library, folder: Path) -> None:
    told = await lab.call("ingest_from_source", project=PROJECT, source=str(folder))
    assert "error" not in told, told


async def cypher(lab: Library, query: str) -> list[Any]:
    told = await lab.call("graph.query", query=query, scope={"project_id": PROJECT})
    assert "error" not in told, told
    return [list(row.values()) for row in told["results"]]


DIRECT = "MATCH (a:Document)-[:CITES]->(b:Document) RETURN a.name, b.name ORDER BY b.name"
WORKS = "MATCH (a:Document)-[:CITES]->(w:Work) RETURN w.name ORDER BY w.name"


@pytest.mark.requirement("CIT-01")
async def test_references_of_a_paper_are_works(lab: Library, papers: Path) -> None:
    await put_in(lab, papers)
    assert await cypher(lab, WORKS) == [
        ["Domain models in practice"],
        ["The art of computer programming"],
        ["Watering orchards by night"],
    ]
    assert await cypher(lab, DIRECT) == []
    told = await cypher(lab, "MATCH (w:Work) WHERE w.doi IS NOT NULL RETURN w.doi, w.year")
    assert told == [["10.1000/ddd.1", 2003]]


@pytest.mark.requirement("CIT-02")
async def test_a_cited_paper_that_comes_later_is_led_to(lab: Library, papers: Path) -> None:
    await put_in(lab, papers)
    other = papers.parent / "others"
    other.mkdir()
    said = "Entities keep their identity. doi:10.1000/ddd.1"
    (other / "evans.pdf").write_bytes(paper("Models", said))
    (other / "lee.pdf").write_bytes(paper("Watering Orchards by Night", "Drip lines help."))
    await put_in(lab, other)
    pairs = [["A Survey of Everything", "Models"]]
    pairs += [["A Survey of Everything", "Watering Orchards by Night"]]
    assert await cypher(lab, DIRECT) == pairs
    start = await cypher(lab, "MATCH (a:Document {name: 'A Survey of Everything'}) RETURN a.id")
    walked = await lab.call(
        "graph.expand",
        node_ids=[start[0][0]],
        rel_types=["CITES"],
        scope={"project_id": PROJECT},
    )
    assert {"Models", "Watering Orchards by Night"} <= {one["name"] for one in walked["nodes"]}
    (other / "lee.pdf").unlink()
    await put_in(lab, other)
    assert await cypher(lab, DIRECT) == pairs[:1]


@pytest.mark.requirement("CIT-02")
async def test_a_record_tells_which_work_a_file_is(lab: Library, papers: Path) -> None:
    (papers / "k.md").write_text("# Notes without a title of their own\n\nSorting and searching.\n")
    await put_in(lab, papers)
    assert await cypher(lab, DIRECT) == []
    bib = "@book{k, title={The Art of Computer Programming}, author={Knuth, D.}, file={k.md}}"
    (papers / "library.bib").write_text(bib)
    await put_in(lab, papers)
    assert await cypher(lab, DIRECT) == [
        ["A Survey of Everything", "Notes without a title of their own"]
    ]


@pytest.mark.requirement("CIT-03")
async def test_works_go_with_the_last_paper_that_cites_them(lab: Library, papers: Path) -> None:
    (papers / "second.pdf").write_bytes(paper("Another survey", "Words.", CITING[2:]))
    await put_in(lab, papers)
    count = "MATCH (w:Work) RETURN count(w)"
    assert await cypher(lab, count) == [[3]]
    await put_in(lab, papers)
    assert await cypher(lab, count) == [[3]]
    (papers / "citing.pdf").unlink()
    await put_in(lab, papers)
    assert await cypher(lab, count) == [[2]]
    source = await get_source(lab.app.store.keyvalue, PROJECT, str(papers))
    await remove_source(lab.app.writer, source)
    assert await cypher(lab, count) == [[0]]
    assert await lab.app.store.keyvalue.keys(f"works/{PROJECT}") == []


def listed(text: str, heading: str = "References") -> Account | None:
    whole = f"{heading}\n\n{text}"
    start = len(heading) + 2
    blocks = [Block(kind="heading", span=Span(0, len(heading)))]
    for part in text.split("\n\n"):
        blocks.append(Block(kind="paragraph", span=Span(start, start + len(part))))
        start += len(part) + 2
    section = Section(heading=heading, level=1, span=Span(0, len(whole)))
    document = Document(title="T", text=whole, sections=(section,), blocks=tuple(blocks))
    return account(document, card("T", "a.md"))


@pytest.mark.requirement("CIT-04")
@pytest.mark.parametrize(
    ("text", "titles"),
    [
        (
            "[1] A. One, “First things here,” J. X, 2001. [2] B. Two, “Second things,” 2002.",
            ["First things here", "Second things"],
        ),
        (
            "1. One, A. The first of them. Press, 2001.\n\n2. Two, B. The second one. 2002.",
            ["The first of them", "The second one"],
        ),
        (
            "One, A., & Two, B. (2001). The first of them. Journal, 3. "
            "Three, C. (2002). The second one. Press.",
            ["The first of them", "The second one"],
        ),
        (
            "Brin, Sergey, and Lawrence Page. 1998. “First of them.” Journal 3. Knuth, Donald. "
            "1984. “Second of them.” Journal 4.",
            ["First of them", "Second of them"],
        ),
        (
            "1  Turing AM. Computing machinery. Mind. 1950;12:1. 2  Gray J. Notes on data bases. "
            "Proc. 1978:33.",
            ["Computing machinery", "Notes on data bases"],
        ),
        (
            "[1] A.M. Turing, B. Lee, Computing machinery, Mind 12 (1950) 1–3. "
            "[2] Gray, J.: Notes on data bases. Proc. (1978).",
            ["Computing machinery", "Notes on data bases"],
        ),
        ("See the manual for more.\n\nAsk your team.", []),
    ],
)
def test_lists_of_references_are_cut_into_entries(text: str, titles: list[str]) -> None:
    told = listed(text)
    found = [one.title for one in told.cites] if told else []
    assert found == titles


@pytest.mark.requirement("CIT-04")
def test_a_doi_broken_at_the_end_of_a_line_is_whole() -> None:
    first = "[1] A. One. The first. 2001. https://doi.org/10.1093/\n\ncomjnl/27. 2.97"
    told = listed(f"{first} [2] B. Two. The second. 10.1000/b.2. 2002.")
    assert told is not None
    assert [one.doi for one in told.cites] == ["10.1093/comjnl/27.2.97", "10.1000/b.2"]


@pytest.mark.requirement("CIT-04")
@pytest.mark.parametrize("heading", ["References", "7 References", "BIBLIOGRAPHY", "Literatur"])
def test_headings_of_lists(heading: str) -> None:
    told = listed("[1] A. One. The first of them. 2001.\n\n[2] B. Two. The second. 2002.", heading)
    assert told is not None
    assert len(told.cites) == 2


@pytest.mark.requirement("CIT-04")
@given(st.text(max_size=400) | st.lists(st.sampled_from(CITING)).map("\n\n".join))
def test_whatever_a_list_holds_entries_stand_in_it(text: str) -> None:
    told = listed(text or "x")
    for one in told.cites if told else ():
        assert 0 <= one.start < one.end <= len(f"References\n\n{text}")
        title_of(one.text)
    if told:
        nodes, edges = work_graph(card("T", "a.md"), told)
        assert len(nodes) == len(edges) == len({one.key for one in told.cites})


@pytest.mark.requirement("PAP-27")
@pytest.mark.parametrize("step", ["cite", "_lead_works"])
async def test_citations_a_killed_run_did_not_come_to_are_made_by_the_next(
    lab: Library, papers: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    (papers / "library.bib").write_text("@book{all, title = {A Survey of Everything}}")

    async def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(tell, step, killed)
        with pytest.raises(KeyboardInterrupt):
            await lab.add(papers)
    await lab.add(papers)
    store = lab.app.store
    known = await all_cited(store.keyvalue, "default")
    assert [one.reference.citekey for one in known.values() if one.reference] == ["all"]
    told = await lab.call("graph.query", query=WORKS)
    assert len(told["results"]) == 3
    assert not await store.keyvalue.keys(owed_space("default"))
