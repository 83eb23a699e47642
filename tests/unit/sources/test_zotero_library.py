"""Zotero libraries as a source: asked, or read from disk."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.errors import ParseError
from commonplace.domain.reference import Reference
from commonplace.parsers.annotations import PARSER
from commonplace.settings import Settings
from commonplace.sources.base import Skip
from commonplace.sources.files import limits_of
from commonplace.sources.zotero.files import Folders, documents
from commonplace.sources.zotero.items import Item, decode, encode
from commonplace.sources.zotero.items import Library as Held
from commonplace.sources.zotero.places import describe, narrowed, parse
from commonplace.sources.zotero.records import reference
from commonplace.sources.zotero.source import Zotero
from tests.golden.reading import resource
from tests.site import Asked, plain
from tests.zotero.api import open_zotero
from tests.zotero.shelf import Shelf, make_shelf

NOWHERE = "http://127.0.0.1:9"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
NAMES = ("itemType", "parentItem", "title", "creators", "tags", "collections", "dateModified")
PARTS = ("note", "linkMode", "path", "filename", "annotationPosition", "date", "DOI", "extra")
KINDS = st.sampled_from(["attachment", "note", "annotation", "book"])


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return make_shelf(tmp_path / "Zotero")


def opened(tmp_path: Path, shelf: Shelf, location: str = "zotero:", url: str = NOWHERE) -> Zotero:
    settings = Settings(home=tmp_path / "home", zotero_url=url, zotero_folder=str(shelf.folder))
    return Zotero(parse(location), settings)


async def seen(library: Zotero) -> tuple[list[Any], list[Reference]]:
    listed = [
        (one, None if isinstance(one, Skip) else (await library.read(one)).content)
        async for one in library.list()
    ]
    references = list(await library.references())
    assert all(one.csl for one in references)
    return listed, references


@pytest.mark.requirement("ZOT-01")
async def test_asking_and_reading_tell_the_same(tmp_path: Path, shelf: Shelf) -> None:
    connection = shelf.write()
    from_file = await seen(opened(tmp_path / "a", shelf))
    async with open_zotero(shelf) as site:
        asked = await seen(opened(tmp_path / "b", shelf, url=site.url().rstrip("/")))
    connection.close()
    assert asked == from_file
    uris = [one.uri for one, _ in asked[0]]
    assert uris == [
        "zotero://open-pdf/library/items/EVANSPDF",
        "zotero://select/library/items/EVANSPDF",
        "zotero://select/library/items/LEENOTE1",
        "zotero://open-pdf/library/items/LEEPDF01",
    ]
    assert [one.csl for one in asked[1]] == [one.csl for one in from_file[1]]


@pytest.mark.requirement("ZOT-05")
async def test_the_language_of_the_item_goes_with_its_file(tmp_path: Path, shelf: Shelf) -> None:
    connection = shelf.write()
    library = opened(tmp_path, shelf)
    told = {
        one.path: (await library.read(one)).language
        async for one in library.list()
        if not isinstance(one, Skip)
    }
    connection.close()
    assert told["LEEPDF01/Lee.pdf"] == "de"
    assert told["EVANSPDF/Evans.pdf"] == "en"


@pytest.mark.requirement("ZOT-01")
async def test_a_large_library_comes_page_by_page(tmp_path: Path, shelf: Shelf) -> None:
    for number in range(1200):
        shelf.put(f"NOTE{number:04}", "note", note=f"<p>Note number {number}.</p>")
    async with open_zotero(shelf) as site:
        library = opened(tmp_path, shelf, url=site.url().rstrip("/"))
        listed, _ = await seen(library)
    assert len(listed) == 1204
    assert sum("start=" in one for one in site.paths) == 3


@pytest.mark.requirement("ZOT-01")
async def test_a_zotero_that_fails_between_two_pages_is_left_for_its_folder(
    tmp_path: Path, shelf: Shelf
) -> None:
    for number in range(600):
        shelf.put(f"NOTE{number:04}", "note", note=f"<p>Note number {number}.</p>")
    shelf.write().close()
    async with open_zotero(shelf) as site:
        whole = site.pages["/api/users/0/items"]
        failed = plain(b"busy", 503)

        async def fails(asked: Asked, writer: Any) -> None:  # noqa: ANN401 - as a page takes it
            await (failed if "start=500" in asked.path else whole)(asked, writer)

        site.pages["/api/users/0/items"] = fails
        listed, _ = await seen(opened(tmp_path, shelf, url=site.url().rstrip("/")))
    assert len(listed) == 604


@pytest.mark.requirement("ZOT-02")
async def test_what_is_only_in_the_log_is_read(tmp_path: Path, shelf: Shelf) -> None:
    connection = shelf.write()
    file = shelf.folder / "zotero.sqlite"
    assert b"EVANSPDF" not in file.read_bytes()
    assert b"EVANSPDF" in (shelf.folder / "zotero.sqlite-wal").read_bytes()
    before = file.read_bytes()
    _, references = await seen(opened(tmp_path, shelf))
    assert {one.citekey for one in references} == {"evans2003", "lee2021water"}
    assert file.read_bytes() == before
    connection.close()


@pytest.mark.requirement("ZOT-03")
@pytest.mark.parametrize(
    ("location", "keys"),
    [
        ("zotero:", {"evans2003", "lee2021water"}),
        ("zotero:Architecture", {"evans2003"}),
        ("zotero:architecture/ddd", {"evans2003"}),
        ("zotero:DDD", {"evans2003"}),
        ("zotero:COLLGARD", {"lee2021water"}),
        ("zotero:?tag=design", {"evans2003", "lee2021water"}),
        ("zotero:?tag=design&tag=to+read", {"evans2003"}),
        ("zotero:Garden?tag=to read", set()),
    ],
)
async def test_collections_and_tags_narrow(
    tmp_path: Path, shelf: Shelf, location: str, keys: set[str]
) -> None:
    connection = shelf.write()
    listed, references = await seen(opened(tmp_path, shelf, location))
    connection.close()
    assert {one.citekey for one in references} == keys
    assert {one.uri[-8:-2] for one, _ in listed} <= {"EVANSP", "LEENOT", "LEEPDF"}
    assert bool(listed) is bool(keys)


@pytest.mark.requirement("ZOT-03")
@given(
    st.text("abÄ /&", max_size=12),
    st.lists(st.text("xy &=?ö", min_size=1, max_size=6), max_size=3),
)
def test_a_location_is_read_as_it_was_written(collection: str, tags: list[str]) -> None:
    location = narrowed("zotero:", tags, collection)
    assert describe(location).location == location
    assert set(parse(location).tags) == set(tags)
    assert parse(location).collection == collection.strip("/ ")


@pytest.mark.requirement("ZOT-04")
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_whatever_annotations_hold_they_are_read_or_refused(content: bytes) -> None:
    held = {"title": "x", "annotations": [{"page": 3, "text": content.decode("utf-8", "replace")}]}
    for bytes_ in (content, json.dumps(held).encode()):
        try:
            document = PARSER.parse(resource("a.annotations", bytes_, PARSER.media_types[0]))
        except ParseError:
            continue
        assert all(block.span.end <= len(document.text) for block in document.blocks)


@pytest.mark.requirement("ZOT-09")
async def test_trash_and_groups_are_left_out(tmp_path: Path, shelf: Shelf) -> None:
    shelf.trash.add("EVANS001")
    connection = shelf.write()
    from_file = await seen(opened(tmp_path / "a", shelf))
    async with open_zotero(shelf) as site:
        asked = await seen(opened(tmp_path / "b", shelf, url=site.url().rstrip("/")))
    connection.close()
    assert asked == from_file
    assert [one.citekey for one in asked[1]] == ["lee2021water"]
    assert len(asked[0]) == 2


@pytest.mark.requirement("ZOT-10")
@given(
    st.lists(
        st.dictionaries(st.sampled_from(NAMES + PARTS), JSON)
        | st.fixed_dictionaries({"itemType": KINDS, "parentItem": st.sampled_from("abc")}),
        max_size=4,
    )
)
def test_whatever_items_hold_they_are_listed_and_told(
    told: list[dict[str, Any]],
) -> None:
    items = tuple(Item({**data, "key": "abcd"[n]}) for n, data in enumerate(told))
    library = Held(items)
    folders = Folders(Path("/nowhere"), None, limits_of(Settings()))
    assert all(one is not None for one in documents(library, items, folders))
    for item in items:
        json.dumps(reference(item).csl)
    assert decode(encode(library)) == library
