"""Zotero's groups and saved searches: asked of Zotero, or read from disk."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.errors import SourceError
from commonplace.settings import Settings
from commonplace.sources.base import Skip
from commonplace.sources.zotero.items import Item, Library, Search, decode, encode
from commonplace.sources.zotero.places import describe, narrowed, parse
from commonplace.sources.zotero.searches import run
from commonplace.sources.zotero.source import Zotero
from tests.zotero.api import open_zotero
from tests.zotero.shelf import Shelf, make_shelf, paper

NOWHERE = "http://127.0.0.1:9"
TESTS = [("tag", "is", "to read"), ("title", "contains", "models")]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    made = make_shelf(tmp_path / "Zotero")
    made.save("SEARCH01", "Unread models", TESTS, ["EVANSPDF"])
    made.save("SEARCH02", "By content", [("fulltextContent", "contains", "x")], ["LEE00001"])
    lab = Shelf(made.folder)
    lab.collect("COLLWORM", "Worms")
    tags = [{"tag": "design"}]
    lab.put("WORM0001", "book", title="Worms hum", citationKey="worm1", tags=tags,
            collections=["COLLWORM"])  # fmt: skip
    lab.attach("WORMPDF1", "WORM0001", "Worms.pdf", paper("Worms", "worms hum at night"))
    lab.put("ANTS0001", "book", title="Ants walk", citationKey="ants1")
    made.groups[42] = ("Our Lab", lab)
    made.groups[7] = ("Empty", Shelf(made.folder))
    return made


async def told(tmp_path: Path, shelf: Shelf, location: str, url: str = NOWHERE) -> object:
    settings = Settings(home=tmp_path / "home", zotero_url=url, zotero_folder=str(shelf.folder))
    library = Zotero(parse(location), settings)
    listed = [(one.path, "" if isinstance(one, Skip) else one.uri) async for one in library.list()]
    return listed, [(one.citekey, one.uris) for one in await library.references()]


async def both(tmp_path: Path, shelf: Shelf, location: str) -> tuple[object, object]:
    """What a running Zotero and its folder give."""
    connection = shelf.write()
    from_file = await told(tmp_path / "a", shelf, location)
    async with open_zotero(shelf) as site:
        asked = await told(tmp_path / "b", shelf, location, site.url().rstrip("/"))
    connection.close()
    return asked, from_file


@pytest.mark.requirement("ZOT-14")
@pytest.mark.parametrize(
    "location",
    [
        "zotero:?group=Our+Lab&tag=design",
        "zotero:?group=42&tag=design",
        "zotero:Worms?group=our lab",
    ],
)
async def test_a_group_is_a_library_of_its_own(tmp_path: Path, shelf: Shelf, location: str) -> None:
    asked, from_file = await both(tmp_path, shelf, location)
    assert asked == from_file
    opening = "zotero://open-pdf/groups/42/items/WORMPDF1"
    showing = "zotero://select/groups/42/items/WORMPDF1"
    assert asked == ([("WORMPDF1/Worms.pdf", opening)], [("worm1", (opening, showing))])


@pytest.mark.requirement("ZOT-14")
@pytest.mark.parametrize("name", ["Nobody", "4"])
async def test_a_group_there_is_not_is_told_with_those_there_are(
    tmp_path: Path, shelf: Shelf, name: str
) -> None:
    connection = shelf.write()
    fault = r"there is no group .*Empty \(7\), Our Lab \(42\)"
    with pytest.raises(SourceError, match=fault):
        await told(tmp_path, shelf, f"zotero:?group={name}")
    async with open_zotero(shelf) as site:
        with pytest.raises(SourceError, match=fault):
            await told(tmp_path, shelf, f"zotero:?group={name}", site.url().rstrip("/"))
    connection.close()


@pytest.mark.requirement("ZOT-15")
async def test_a_saved_search_is_run_by_zotero_or_here(tmp_path: Path, shelf: Shelf) -> None:
    asked, from_file = await both(tmp_path, shelf, "zotero:?search=unread+models")
    assert asked == from_file
    assert "EVANSPDF/Evans.pdf" in str(asked)
    assert "lee" not in str(asked).lower()


@pytest.mark.requirement("ZOT-15")
async def test_a_search_only_zotero_can_run_asks_for_it(tmp_path: Path, shelf: Shelf) -> None:
    connection = shelf.write()
    with pytest.raises(SourceError, match="fulltextContent contains, which only Zotero itself"):
        await told(tmp_path, shelf, "zotero:?search=By+content")
    with pytest.raises(SourceError, match="no saved search 'X'; write one of: By content, Unread"):
        await told(tmp_path, shelf, "zotero:?search=X")
    async with open_zotero(shelf) as site:
        url = site.url().rstrip("/")
        assert "lee2021water" in str(await told(tmp_path, shelf, "zotero:?search=By+content", url))
    connection.close()


ITEMS = Library(
    (
        Item({"key": "A", "itemType": "book", "title": "Red Ants", "tags": [{"tag": "x"}],
              "collections": ["C"], "creators": [{"creatorType": "author", "lastName": "Ott"}]}),
        Item({"key": "B", "itemType": "report", "title": "Blue ants", "tags": [{"tag": "x y"}]}),
    )
)  # fmt: skip


@pytest.mark.requirement("ZOT-15")
@pytest.mark.parametrize(
    ("tests", "keys"),
    [
        ([("title", "contains", "ANTS")], "AB"),
        ([("title", "beginsWith", "red")], "A"),
        ([("tag", "is", "x")], "A"),
        ([("tag", "isNot", "x")], "B"),
        ([("itemType", "is", "report"), ("tag", "contains", "x")], "B"),
        (
            [("joinMode", "any", ""), ("title", "is", "red ants"), ("itemType", "is", "report")],
            "AB",
        ),
        ([("creator", "contains", "ott")], "A"),
        ([("editor", "contains", "ott")], ""),
        ([("bookAuthor", "contains", "ott")], ""),
        ([("collection", "is", "0_C")], "A"),
        ([("title", "doesNotContain", "red")], "B"),
        ([], ""),
    ],
)
def test_conditions_narrow(tests: list[tuple[str, str, str]], keys: str) -> None:
    assert run(ITEMS, Search("s", tuple(tests))) == set(keys)


@pytest.mark.requirement("ZOT-15")
@pytest.mark.parametrize(
    "condition", ["anyField", "fileTypeID", "date", "year", "fulltextContent/regexp", "lastName"]
)
def test_what_is_no_field_of_an_item_is_left_to_zotero(condition: str) -> None:
    with pytest.raises(SourceError, match=f"{condition} isNot, which only Zotero itself"):
        run(ITEMS, Search("s", ((condition, "isNot", "x"),)))


@pytest.mark.requirement("ZOT-15")
@given(
    st.lists(st.tuples(st.text(max_size=9), st.text(max_size=9), st.text(max_size=9)), max_size=3)
)
def test_whatever_a_search_asks_for_it_finds_or_refuses(tests: list[tuple[str, str, str]]) -> None:
    search = Search("s", tuple(tests))
    with contextlib.suppress(SourceError):
        assert run(ITEMS, search) <= {"A", "B"}
    assert decode(encode(Library(searches=(search,)))).searches == (search,)


@pytest.mark.requirement("ZOT-13")
@pytest.mark.parametrize(
    ("location", "kept", "name"),
    [
        ("zotero:?group=Our Lab", "zotero:?group=Our+Lab", "Our Lab"),
        ("zotero:A?tag=b&group=L", "zotero:A?group=L&tag=b", "A"),
        ("zotero:?search=To do", "zotero:?search=To+do", "To do"),
    ],
)
def test_groups_and_searches_are_written_one_way(location: str, kept: str, name: str) -> None:
    assert (describe(location).location, describe(location).name) == (kept, name)
    assert narrowed(kept, []) == kept


@pytest.mark.requirement("ZOT-13")
@pytest.mark.parametrize("query", ["?tag=a&x=b", "?group=a&group=b", "?search=a&search=b"])
def test_other_filters_are_refused(query: str) -> None:
    with pytest.raises(SourceError, match="one group=NAME and one search=NAME"):
        parse(f"zotero:{query}")
