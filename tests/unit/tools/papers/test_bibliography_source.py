"""A bibliography that was added itself tells of the papers of all sources of its project."""

from pathlib import Path
from typing import Any

import pytest

from commonplace.domain.errors import SourceError
from commonplace.index.pipeline import leave_source, sync_source
from commonplace.index.references.keep import all_cited
from commonplace.index.sources import add_source, get_source
from commonplace.index.writer import Records
from commonplace.serve.transfer import export_project, import_project
from commonplace.sources.bibliography import accepts
from tests.embedding import count_embedded
from tests.library import Library, open_library
from tests.unit.tools.papers.asking import EVANS, LEE, PROJECT

BIB = """\
@book{evans2003, title = {Domain-Driven Design}, author = {Evans, Eric}, year = 2003,
  doi = {10.1000/ddd.1}, keywords = {design, domain}}
@article{owl1999, title = {Owls at Night}, author = {Owl, Olga}, year = 1999,
  keywords = {birds}, abstract = {Owls hunt voles <i>silently</i> & in the dark.}}
@article{gull, title = {Gulls of the coast}, author = {Gull, Gus}, year = 2000}
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    file = tmp_path / "elsewhere" / "library.bib"
    file.parent.mkdir()
    file.write_text(BIB, "utf-8")
    return file


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "evans.md").write_text(EVANS, "utf-8")
    (folder / "lee.md").write_text(LEE, "utf-8")
    return folder


def rewrite(library: Path, old: str, new: str) -> None:
    library.write_text(BIB.replace(old, new), "utf-8")


async def add(lab: Library, place: Path) -> Records | None:
    source = await add_source(lab.app.writer, str(place), PROJECT)
    return (await sync_source(lab.app.writer, source)).records


async def keys(lab: Library) -> dict[str, str | None]:
    known = await all_cited(lab.app.store.keyvalue, PROJECT)
    paths = {}
    for document_id, one in known.items():
        (entry,) = await lab.app.store.passages.entries(PROJECT, [document_id])
        paths[entry.card.path] = one.reference.citekey if one.reference else None
    return paths


def records(known: int, matched: int, documents: int) -> Records:
    return Records(known=known, matched=matched, documents=documents)


@pytest.mark.requirement("PAP-31")
async def test_records_tell_of_files_that_are_there(
    lab: Library, files: Path, library: Path
) -> None:
    assert await add(lab, files) is None
    assert await add(lab, library) == records(3, 1, 2)
    assert await keys(lab) == {
        "evans.md": "evans2003",
        "lee.md": None,
        "library.bib#owl1999": "owl1999",
    }


@pytest.mark.requirement("PAP-31")
async def test_records_tell_of_files_that_come_later(
    lab: Library, files: Path, library: Path
) -> None:
    assert await add(lab, library) == records(3, 0, 0)
    assert await add(lab, files) == records(3, 1, 2)
    (files / "gull.md").write_text("# Gulls of the Coast\n\nThey shout.\n", "utf-8")
    assert await add(lab, files) == records(3, 2, 3)
    assert (await keys(lab))["gull.md"] == "gull"


@pytest.mark.requirement("PAP-31")
async def test_records_of_the_source_itself_come_first(
    lab: Library, files: Path, library: Path
) -> None:
    own = "@book{own, title = {Domain-Driven Design}, doi = {10.1000/ddd.1}}"
    (files / "own.bib").write_text(own, "utf-8")
    await add(lab, library)
    assert await add(lab, files) == records(4, 1, 2)
    assert (await keys(lab))["evans.md"] == "own"


@pytest.mark.requirement("PAP-31")
async def test_an_edited_bibliography_changes_citations_and_a_removed_one_takes_them_along(
    lab: Library, files: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add(lab, files)
    await add(lab, library)
    embedded = count_embedded(monkeypatch)
    rewrite(library, "evans2003", "evansBlue")
    assert await add(lab, library) == records(3, 1, 2)
    assert (await keys(lab))["evans.md"] == "evansBlue"
    assert embedded == []
    source = await get_source(lab.app.store.keyvalue, PROJECT, str(library))
    assert await leave_source(lab.app.writer, source) == (1, 0)
    assert await keys(lab) == {"evans.md": None, "lee.md": None}
    told = await lab.call("query", project=PROJECT, text="entities", filters={"tags": ["domain"]})
    assert told["count"] == 0


@pytest.mark.requirement("PAP-31")
async def test_an_abstract_is_found_and_cited(lab: Library, library: Path) -> None:
    told = await lab.call("ingest_from_source", project=PROJECT, source=str(library))
    assert told["records"] == {"known": 3, "matched": 0, "documents": 0}
    assert (told["documents_processed"], told["warnings"]) == (1, [])
    found = await lab.call("query_hybrid", project=PROJECT, text="who hunts voles?")
    (item,) = found["items"]
    assert (item["citekey"], item["title"], item["year"]) == ("owl1999", "Owls at Night", 1999)
    assert "Owls hunt voles silently & in the dark." in item["render_text"]
    assert item["source_uri"].endswith("library.bib#owl1999")
    again = await lab.call("ingest_from_source", project=PROJECT, source=str(library))
    assert (again["chunks_written"], again["documents_processed"]) == (0, 1)


@pytest.mark.requirement("PAP-31")
async def test_what_cannot_be_read_of_a_bibliography_is_told(lab: Library, tmp_path: Path) -> None:
    broken = tmp_path / "broken.bib"
    broken.write_text("@article{ok, title = {Fine}}\n@article{, title = {Lost}}\n", "utf-8")
    told = await lab.call("ingest_from_source", project=PROJECT, source=str(broken))
    assert told["warnings"] == ["broken.bib: not read: entry at line 2: it has no key"]
    broken.write_bytes("@book{a, title = {Größe}}@book{a, title = {Maß}}".encode("cp1252"))
    told = await lab.call("ingest_from_source", project=PROJECT, source=str(broken))
    assert told["warnings"] == [
        "broken.bib: not UTF-8: read as Windows-1252; save the file as UTF-8 to be sure",
        "broken.bib: 2 works have the key 'a'; `cite` finds the first",
    ]
    broken.write_text("nothing", "utf-8")
    with pytest.raises(SourceError, match="no record that can be read: it is empty; mend it"):
        await add(lab, broken)
    named = await lab.outcome(
        "ingest_from_source",
        project=PROJECT,
        source=str(broken),
        options={"references_path": str(broken)},
    )
    assert named.is_error


@pytest.mark.requirement("PAP-31")
async def test_a_bibliography_has_no_bibliography(lab: Library, library: Path) -> None:
    told: Any = await lab.call(
        "ingest_from_source",
        project=PROJECT,
        source=str(library),
        options={"references_path": str(library)},
    )
    assert told["error"]["code"] == "INVALID_ARGUMENT"
    assert "is a bibliography itself; omit references_path" in told["error"]["message"]


@pytest.mark.requirement("PAP-31")
@pytest.mark.parametrize(
    ("name", "text", "is_one"),
    [
        ("a.bib", "", True),
        ("a.ris", "", True),
        ("a.json", '[{"id": "x", "type": "book", "title": "T", "DOI": "10.1000/1"}]', True),
        ("a.json", '{"packages": [{"title": "T"}]}', False),
        ("a.json", "[" * 5000, False),
        ("a.pdf", "", False),
    ],
)
def test_bibliographies_are_known_by_name_and_json_by_what_it_holds(
    tmp_path: Path, name: str, text: str, is_one: bool
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert accepts(str(tmp_path / name)) is is_one
    assert not accepts(str(tmp_path / f"gone-{name}"))
    assert not accepts(str(tmp_path))


@pytest.mark.requirement("PAP-31")
async def test_a_link_to_a_bibliography_is_read(lab: Library, library: Path, files: Path) -> None:
    link = files.parent / "link.bib"
    link.symlink_to(library)
    assert await add(lab, link) == records(3, 0, 0)


@pytest.mark.requirement("PAP-31")
async def test_records_of_one_key_and_of_none_are_told_apart(lab: Library, tmp_path: Path) -> None:
    file = tmp_path / "twice.json"
    items = ",".join(
        f'{{"type": "book", "title": "{title}", "issued": "2001", "abstract": "Of {title}."{key}}}'
        for title, key in (("One", ', "id": "k"'), ("Two", ', "id": "k"'), ("Three", ""))
    )
    file.write_text(f"[{items}]", "utf-8")
    await add(lab, file)
    assert sorted(await keys(lab)) == ["twice.json#k", "twice.json#k-2", "twice.json#three"]


@pytest.mark.requirement("PAP-32")
async def test_tags_of_records_filter_with_every_tool(
    lab: Library, files: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add(lab, files)
    await add(lab, library)

    async def found(*tags: str) -> list[str]:
        scope = {"project_id": PROJECT, "doc_tags": list(tags)}
        told = await lab.call("kb_search", query="entities owls", scope=scope)
        return sorted({one["source_uri"].rpartition("/")[2] for one in told["results"]})

    assert await found("domain") == ["evans.md"]
    assert await found("birds") == ["library.bib#owl1999"]
    assert await found("nothing") == []
    embedded = count_embedded(monkeypatch)
    rewrite(library, "domain}", "blue book}")
    await add(lab, library)
    assert embedded == []
    assert (await found("domain"), await found("blue book")) == ([], ["evans.md"])


@pytest.mark.requirement("PAP-32")
async def test_tags_of_records_survive_an_export(
    lab: Library, files: Path, library: Path, tmp_path: Path
) -> None:
    await add(lab, files)
    await add(lab, library)
    lines = [line async for line in export_project(lab.app.store, PROJECT)]
    async with open_library(tmp_path / "other", add=False) as other:
        await import_project(other.app.writer, lines, lambda _done, _total: None)
        told = await other.call(
            "query_hybrid", project=PROJECT, text="entities", filters={"tags": ["domain"]}
        )
    assert {one["citekey"] for one in told["items"]} == {"evans2003"}
