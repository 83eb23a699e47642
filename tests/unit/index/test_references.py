"""Bibliographies: four formats, one record, matched to documents."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.document import Card
from commonplace.domain.reference import Reference
from commonplace.index.references.match import Matcher
from commonplace.sources.bibliographies import bibtex, csl, ris

BOOK = Reference(
    citekey="möller2019orchards",
    title="Über Orchards & Graphs: A Field Guide",
    authors=("Jörg Möller", "Ana Díaz"),
    year=2019,
    doi="10.1000/orchard.7",
    tags=("trees", "graphs"),
    language="en",
    file="Moeller.pdf",
)
CSL = json.dumps(
    [
        {
            "id": "http://zotero.org/users/1/items/AB",
            "citation-key": "möller2019orchards",
            "title": "Über Orchards & Graphs: A Field Guide",
            "author": [
                {"family": "Möller", "given": "Jörg"},
                {"family": "Díaz", "given": "Ana"},
            ],
            "issued": {"date-parts": [["2019", 5]]},
            "DOI": "10.1000/ORCHARD.7",
            "keyword": "trees, graphs",
            "language": "en",
            "file": "Moeller.pdf",
        }
    ]
)
BIBTEX = r"""
@comment{exported by hand}
@string{who = "M{\"o}ller, J{\"o}rg"}
@book{möller2019orchards,
  title = {{\"U}ber {Orchards} \& Graphs: A Field Guide},
  author = who # " and D{\'\i}az, Ana",
  year = 2019,
  doi = {https://doi.org/10.1000/orchard.7},
  keywords = {trees, graphs},
  language = "en",
  file = {Full Text:files/3/Moeller.pdf:application/pdf}
}
"""
BIBLATEX = r"""
@Book (möller2019orchards,
  title = {Über Orchards \& Graphs}, subtitle = {A Field Guide},
  author = {Möller, Jörg and Díaz, Ana}, date = {2019-05-01},
  doi = {10.1000/orchard.7}, keywords = {trees;graphs}, langid = {en}, file = {Moeller.pdf},
)
"""
RIS = """TY  - BOOK
ID  - möller2019orchards
TI  - Über Orchards & Graphs:
 A Field Guide
AU  - Möller, Jörg
AU  - Díaz, Ana
PY  - 2019/05//
DO  - 10.1000/orchard.7
KW  - trees
KW  - graphs
LA  - en
L1  - Moeller.pdf
ER  -
"""
READERS = {"csl": csl.read, "bibtex": bibtex.read, "ris": ris.read}


@pytest.mark.requirement("PAP-01")
@pytest.mark.parametrize(
    ("name", "text"), [("csl", CSL), ("bibtex", BIBTEX), ("bibtex", BIBLATEX), ("ris", RIS)]
)
def test_every_format_tells_the_same_of_a_book(name: str, text: str) -> None:
    reading = READERS[name](text)
    assert reading.references == (BOOK,)
    assert reading.problems == ()


@pytest.mark.requirement("PAP-02")
@pytest.mark.parametrize(
    ("item", "key"),
    [
        ({"id": "own", "citation-key": "better"}, "better"),
        ({"id": "own", "note": "PMID: 1\nCitation Key: pinned"}, "pinned"),
        ({"id": "own", "extra": "citation-key: extra1"}, "extra1"),
        ({"id": "own"}, "own"),
        ({"id": "http://zotero.org/users/1/items/AB"}, ""),
        ({"id": 17}, ""),
    ],
)
def test_a_citekey_is_the_one_its_owner_pinned(item: dict[str, object], key: str) -> None:
    reading = csl.read(json.dumps([{"title": "A title", **item}]))
    assert [one.citekey for one in reading.references] == [key]


@pytest.mark.requirement("PAP-02")
def test_a_note_pins_the_key_of_an_entry() -> None:
    reading = bibtex.read("@misc{k1, title={A}, note={Citation Key: pinned}}")
    assert [one.citekey for one in reading.references] == ["pinned"]


@pytest.mark.requirement("PAP-01")
def test_markup_of_csl_titles_is_no_part_of_them() -> None:
    text = json.dumps(
        {"items": [{"title": 'On <i>E. coli</i> if a<b: <span class="nocase">X</span>'}]}
    )
    assert [one.title for one in csl.read(text).references] == ["On E. coli if a<b: X"]


@pytest.mark.requirement("PAP-03")
def test_a_broken_entry_is_told_and_the_next_is_read() -> None:
    text = "@book{a, title = }\n@book{b, title = {Good}}\n@book{c, title = {never closed"
    reading = bibtex.read(text)
    assert [one.citekey for one in reading.references] == ["b"]
    assert reading.problems == (
        "entry at line 1: a field has no value",
        "entry at line 3: a value is not closed",
    )


@pytest.mark.requirement("PAP-03")
@pytest.mark.parametrize("name", READERS)
@given(text=st.text() | st.text("@{}(),=\"# \\\nabAB-TY019:[]'", max_size=200))
def test_any_text_gives_a_reading(name: str, text: str) -> None:
    reading = READERS[name](text)
    assert all(one.title for one in reading.references)


def card(title: str, path: str) -> Card:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return Card(
        id="d1",
        project="default",
        source_id="s1",
        uri=f"file:///{path}",
        path=path,
        title=title,
        media_type="text/markdown",
        content_hash="",
        modified_at=moment,
        indexed_at=moment,
    )


A = Reference(citekey="a", title="On the Pruning of Trees", doi="10.1/a", file="x1.pdf")
B = Reference(citekey="b", title="Watering: a Survey", doi="10.1000/b")


@pytest.mark.requirement("PAP-04")
@pytest.mark.parametrize(
    ("title", "path", "opening", "expected"),
    [
        ("On the pruning of trees", "b.md", "doi:10.1000/B.", "b"),
        ("ON THE PRUNING OF TREES.", "b.md", "", "a"),
        ("scan", "sub/X1.pdf", "", "a"),
        ("scan", "b.pdf", "", "b"),
        ("scan", "Lee - 2019 - Watering a survey.pdf", "", "b"),
        ("scan", "scan.pdf", "10.9999/other", None),
    ],
)
def test_a_document_is_known_by_doi_then_title_then_name(
    title: str, path: str, opening: str, expected: str | None
) -> None:
    found = Matcher([A, B]).match(card(title, path), opening)
    assert (found.citekey if found else None) == expected


@pytest.mark.requirement("PAP-04")
@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Pruning of old trees", "guide"),
        ("Pruning of Old Trees: Another Book", None),
        ("Grafting in the dark – a memoir", "dark"),
        ("Ten soils of Ulm", None),
        ("Watering", None),
    ],
)
def test_a_subtitle_that_one_of_both_lacks_does_not_part_them(
    title: str, expected: str | None
) -> None:
    records = [
        Reference(citekey="guide", title="Pruning of Old Trees: A Guide"),
        Reference(citekey="dark", title="Grafting in the Dark"),
        Reference(citekey="one", title="Ten Soils of Ulm: Part One"),
        Reference(citekey="two", title="Ten Soils of Ulm: Part Two"),
        Reference(citekey="short", title="Watering: A Survey"),
    ]
    found = Matcher(records).match(card(title, "scan.pdf"), "")
    assert (found.citekey if found else None) == expected
