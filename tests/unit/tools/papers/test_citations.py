"""Citations over time: nothing is done twice, nothing is embedded for a name, nothing is lost."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonplace.index.pipeline import sync_source
from commonplace.index.projects import create_project
from commonplace.index.references.keep import all_cited
from commonplace.index.sources import synced_sources
from commonplace.index.writer import Records
from commonplace.serve.transfer import export_project, import_project
from commonplace.sources.bibliographies import find
from tests.embedding import count_embedded
from tests.library import Library, open_library
from tests.unit.parsers.paper import Sheet, make_pdf

PROJECT = "lab/papers"
BIB = """\
@article{a1, title = {Quite another title}, author = {Ant, Adam}, year = 2001, doi = {10.1000/A.1}}
@article{b1, title = {A title of its own}, author = {Bee, Bob}, year = 2002,
  eprint = {1706.03762}, archiveprefix = {arXiv}}
@article{c1, title = {Worms in clover}, author = {Cat, Cleo}, year = 2003}
"""


def pdf(*lines: str, **info: str) -> bytes:
    sheet = Sheet().line(72, 720, lines[0], 18, "bold").lines(72, 690, list(lines[1:]))
    return make_pdf([sheet], info=info)


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "one.pdf").write_bytes(pdf("Ants", "Ants walk in lines.", Subject="doi:10.1000/a.1"))
    text = pdf("Bees", "Bees dance for each other.", "arXiv:1706.03762v5 [cs.CL] 6 Dec 2017")
    (folder / "two.pdf").write_bytes(text)
    (folder / "three.pdf").write_bytes(pdf("Worms in Clover", "Worms hum at night."))
    (folder / "four.pdf").write_bytes(pdf("Unknown", "Nobody wrote this."))
    (folder / "library.bib").write_text(BIB)
    return folder


@pytest.fixture
async def lab(tmp_path: Path) -> AsyncIterator[Library]:
    async with open_library(tmp_path, add=False) as opened:
        await create_project(opened.app.writer, PROJECT)
        yield opened


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts each call of the embedder had."""
    return count_embedded(monkeypatch)


async def ingest(lab: Library, folder: Path, **options: Any) -> Any:  # noqa: ANN401 - JSON
    told = await lab.call(
        "ingest_from_source", project=PROJECT, source=str(folder), options=options
    )
    assert "error" not in told, told
    return told


async def keys(lab: Library) -> dict[str, str | None]:
    told = await lab.call("query_hybrid", project=PROJECT, text="ants bees worms nobody", top_k=9)
    return {one["source_uri"].rpartition("/")[2]: one["citekey"] for one in told["items"]}


@pytest.mark.requirement("PAP-04")
async def test_what_a_pdf_says_of_itself_finds_its_record(lab: Library, papers: Path) -> None:
    told = await ingest(lab, papers)
    assert told["warnings"] == ["Metadata not found for document 'four.pdf'"]
    assert await keys(lab) == {
        "one.pdf#page=1": "a1",
        "two.pdf#page=1": "b1",
        "three.pdf#page=1": "c1",
        "four.pdf#page=1": None,
    }


@pytest.mark.requirement("PAP-37")
async def test_a_paper_without_a_record_is_cited_with_the_doi_it_states(
    lab: Library, tmp_path: Path
) -> None:
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "one.pdf").write_bytes(pdf("Ants", "Ants walk in lines.", Subject="doi:10.1000/A.1"))
    meta = '<meta name="Citation_DOI" content="https://doi.org/10.1000/b.2">'
    (folder / "two.html").write_text(
        f"<html><head><title>Bees</title>{meta}</head><body><h1>Bees</h1><p>Bees dance.</p></body>"
    )
    told = await ingest(lab, folder)
    assert sorted(told["warnings"]) == [
        "Metadata not found for document 'one.pdf'",
        "Metadata not found for document 'two.html'",
    ]
    found = await lab.call("query_hybrid", project=PROJECT, text="ants and bees")
    assert {(one["title"], one["citekey"], one["doi"]) for one in found["items"]} == {
        ("Ants", None, "10.1000/a.1"),
        ("Bees", None, "10.1000/b.2"),
    }
    shown = await lab.call("papers.inspect_collection", project=PROJECT, sample=2)
    assert {one["doi"] for one in shown["sample_payloads"]} == {"10.1000/a.1", "10.1000/b.2"}
    (folder / "library.bib").write_text("@misc{bees, title={Of bees}, doi={10.1000/B.2}}")
    assert (await ingest(lab, folder))["records"]["matched"] == 1


@pytest.mark.requirement("PAP-06")
async def test_ingesting_twice_changes_neither_ids_nor_counts(
    lab: Library, papers: Path, embedded: list[int]
) -> None:
    await ingest(lab, papers)
    before = [line async for line in export_project(lab.app.store, PROJECT)]
    stats = await lab.app.store.passages.stats(PROJECT)
    embedded.clear()
    told = await ingest(lab, papers)
    assert (told["chunks_written"], told["documents_processed"], embedded) == (0, 4, [])
    after = [line async for line in export_project(lab.app.store, PROJECT)]
    assert after[2:] == before[2:]
    assert await lab.app.store.passages.stats(PROJECT) == stats


@pytest.mark.requirement("PAP-06")
async def test_a_file_known_by_its_name_keeps_its_citation_under_another(
    lab: Library, papers: Path
) -> None:
    """Nothing in the file tells which record is its own: only the name it had did."""
    bib = papers / "library.bib"
    bib.write_text(BIB + "@book{four, title = {Not in the file}, author = {Fly, Flo}, year = 2004}")
    await ingest(lab, papers)
    (papers / "four.pdf").rename(papers / "scan.pdf")
    assert (await ingest(lab, papers))["warnings"] == []
    assert (await keys(lab))["scan.pdf#page=1"] == "four"
    (papers / "scan.pdf").rename(papers / "again.pdf")
    bib.write_text(bib.read_text().replace("{four,", "{fly2004,"))
    await lab.add(papers, PROJECT)
    assert (await keys(lab))["again.pdf#page=1"] == "fly2004"
    bib.write_text(BIB)
    await ingest(lab, papers)
    assert (await keys(lab))["again.pdf#page=1"] is None


@pytest.mark.requirement("PAP-06")
async def test_a_record_that_names_another_file_now_is_taken_from_the_first(
    lab: Library, papers: Path
) -> None:
    bib = papers / "library.bib"
    told = (
        "@book{d1, title = {Not in it}, author = {Fly, Flo}, year = 2004, file = {:four.pdf:PDF}}"
    )
    bib.write_text(BIB + told)
    (papers / "five.pdf").write_bytes(pdf("Nameless", "Nobody wrote this either."))
    await ingest(lab, papers)
    assert (await keys(lab))["four.pdf#page=1"] == "d1"
    bib.write_text(BIB + told.replace("four.pdf", "five.pdf"))
    await ingest(lab, papers)
    found = await keys(lab)
    assert (found["five.pdf#page=1"], found["four.pdf#page=1"]) == ("d1", None)


@pytest.mark.requirement("PAP-07")
async def test_edited_metadata_is_told_and_nothing_is_embedded(
    lab: Library, papers: Path, embedded: list[int]
) -> None:
    await ingest(lab, papers)
    (papers / "library.bib").write_text(BIB.replace("{c1,", "{cat2003,").replace("Cleo", "Clio"))
    embedded.clear()
    told = await ingest(lab, papers)
    assert (told["chunks_written"], embedded) == (0, [])
    assert (await keys(lab))["three.pdf#page=1"] == "cat2003"


@pytest.mark.requirement("PAP-07")
async def test_a_sync_reads_an_edited_bibliography(
    lab: Library, papers: Path, embedded: list[int]
) -> None:
    await ingest(lab, papers)
    (papers / "library.bib").write_text(BIB.replace("{c1,", "{cat2003,"))
    embedded.clear()
    await lab.add(papers, PROJECT)
    assert embedded == []
    assert (await keys(lab))["three.pdf#page=1"] == "cat2003"


@pytest.mark.requirement("PAP-07")
async def test_a_bibliography_that_did_not_change_is_not_read_again(
    lab: Library, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (papers / "package-lock.json").write_text('{"packages": {}}')
    await lab.add(papers, PROJECT)
    before = await keys(lab)
    monkeypatch.setattr(find, "read_file", None)
    (papers / "four.pdf").write_bytes(pdf("Worms", "Worms hum.", Subject="doi:10.1000/a.1"))
    await lab.add(papers, PROJECT)
    assert await keys(lab) == before | {"four.pdf#page=1": "a1"}
    (papers / "one.pdf").unlink()
    await lab.add(papers, PROJECT)
    assert len(await all_cited(lab.app.store.keyvalue, PROJECT)) == 3


@pytest.mark.requirement("PAP-08")
async def test_a_named_bibliography_is_read_again_by_every_sync(
    lab: Library, papers: Path, tmp_path: Path
) -> None:
    named = tmp_path / "mine.bib"
    named.write_text(BIB.replace("{c1,", "{named,"))
    await ingest(lab, papers, references_path=str(named))
    named.write_text(BIB.replace("{c1,", "{edited,"))
    await lab.add(papers, PROJECT)
    assert (await keys(lab))["three.pdf#page=1"] == "edited"
    named.unlink()
    await lab.add(papers, PROJECT)
    assert (await keys(lab))["three.pdf#page=1"] == "edited"
    await ingest(lab, papers)
    assert (await keys(lab))["three.pdf#page=1"] == "c1"


@pytest.mark.requirement("PAP-22")
async def test_citations_move_with_an_exported_project(
    lab: Library, papers: Path, tmp_path: Path
) -> None:
    await ingest(lab, papers)
    lines = [line async for line in export_project(lab.app.store, PROJECT)]
    async with open_library(tmp_path / "there", add=False) as there:
        await import_project(there.app.writer, lines, lambda *_: None)
        assert [line async for line in export_project(there.app.store, PROJECT)] == lines
        assert await keys(there) == await keys(lab)


@pytest.mark.requirement("PAP-23")
async def test_a_quote_is_found_on_its_page(lab: Library, papers: Path) -> None:
    second = Sheet().lines(72, 700, ["Zebras stand on the second page."])
    (papers / "z.pdf").write_bytes(make_pdf([Sheet().lines(72, 700, ["Nothing here."]), second]))
    await ingest(lab, papers)
    asked: dict[str, Any] = {
        "quote": "Zebras stand on the second page.",
        "scope": {"project_id": PROJECT},
    }
    place = (await lab.call("verify_quote", **asked))["places"][0]
    assert place["source_uri"].endswith("z.pdf#page=1") or place["source_uri"].endswith("#page=2")
    again = await lab.call("verify_quote", source=place["source_uri"], **asked)
    assert again["status"] == "verbatim"


@pytest.mark.requirement("PAP-33")
async def test_a_renamed_file_keeps_its_vectors_of_every_model(lab: Library, papers: Path) -> None:
    await ingest(lab, papers)
    passages = lab.app.store.passages
    waiting = [one.passage.id for one in await passages.pending(PROJECT, "slow", 99)]
    rows = np.eye(len(waiting), 16, dtype="float32")
    await passages.embed(PROJECT, "slow", waiting, rows)
    (papers / "three.pdf").rename(papers / "worms.pdf")
    told = await ingest(lab, papers)
    assert told["chunks_written"] > 0
    stats = await passages.stats(PROJECT)
    assert {one.model: one.embedded for one in stats.coverage}["slow"] == stats.passages


@pytest.mark.requirement("PAP-33")
async def test_a_passage_that_names_its_file_is_embedded_anew(lab: Library, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "one.txt").write_text("words without a title " * 3)
    await ingest(lab, folder)
    passages = lab.app.store.passages
    (waiting,) = [one.passage.id for one in await passages.pending(PROJECT, "slow", 99)]
    await passages.embed(PROJECT, "slow", [waiting], np.eye(1, 16, dtype="float32"))
    (folder / "one.txt").rename(folder / "two.txt")
    await ingest(lab, folder)
    (left,) = await passages.pending(PROJECT, "slow", 99)
    assert left.card.path == "two.txt"


@pytest.mark.requirement("PAP-06")
async def test_a_file_renamed_in_one_of_two_sources_is_counted_once(
    lab: Library, papers: Path
) -> None:
    await ingest(lab, papers / "four.pdf")
    await ingest(lab, papers)
    (papers / "one.pdf").rename(papers / "other.pdf")
    told = await ingest(lab, papers)
    assert told["records"] == {"known": 3, "matched": 3, "documents": 3}
    looked = await lab.call("inspect_collection", project=PROJECT)
    assert (looked["documents"], looked["cited_documents"]) == (4, 3)
    (papers / "other.pdf").unlink()
    sources = await synced_sources(lab.app.store.keyvalue, PROJECT)
    source = next(one for one in sources if one.location == str(papers))
    report = await sync_source(lab.app.writer, source)
    assert report.records == Records(known=3, matched=2, documents=2)
    looked = await lab.call("inspect_collection", project=PROJECT)
    assert (looked["documents"], looked["cited_documents"]) == (3, 2)
