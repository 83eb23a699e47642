"""verify_quote: verbatim, differs, stitched, not found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.answer.verify import verify
from tests.library import GUIDE, Library
from tests.unit.session.test_scratch import located


@pytest.mark.requirement("VER-01")
@pytest.mark.parametrize(
    ("quote", "status"),
    [
        ("The pump freezes at minus four degrees.", "verbatim"),
        ("The pump   freezes\nat minus four degrees.", "verbatim"),
        ("water them every day before sunrise, because midday", "verbatim"),
        ("The pump freezes at minus five degrees.", "differs"),
        ("the pump freezes at minus four degrees.", "differs"),
        (
            "The pump freezes at minus four degrees. Prune apple trees in February.",
            "stitched",
        ),
        ("Water young trees twice a week. … Stop watering when frost is expected.", "stitched"),
        ("Penguins enjoy swimming in the cold ocean near the pole.", "not_found"),
    ],
)
async def test_every_verdict(library: Library, quote: str, status: str) -> None:
    reply = await library.call("verify_quote", quote=quote)
    assert reply["status"] == status
    assert reply["is_verbatim"] == (status == "verbatim")
    for place in reply["places"]:
        assert GUIDE[place["start_char"] : place["end_char"]] == place["text"]
    assert bool(reply["places"]) == (status != "not_found")


@pytest.mark.requirement("VER-02")
async def test_a_difference_is_shown_word_by_word(library: Library) -> None:
    reply = await library.call("verify_quote", quote="The pump freezes at minus five degrees.")
    assert "[-five-] {+four+}" in reply["diff"]


@pytest.mark.requirement("VER-03")
async def test_a_source_narrows_where_to_look(library: Library) -> None:
    quote = "The pump freezes at minus four degrees."
    there = await library.call("verify_quote", quote=quote, source="guide/orchard.md")
    assert there["status"] == "verbatim"
    elsewhere = await library.call("verify_quote", quote=quote, source="kitchen/recipes.md")
    assert elsewhere["status"] == "not_found"
    section = there["places"][0]["section_id"]
    by_id = await library.call("verify_quote", quote=quote, source=section)
    assert by_id["status"] == "verbatim"


@pytest.mark.requirement("VER-04")
@given(data=st.data(), text=st.text(min_size=1, max_size=300))
def test_any_slice_of_a_text_is_verbatim_at_its_place(data: st.DataObject, text: str) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    quote = text[start:end]
    verdict = verify(quote, [located("a", text)])
    if quote.strip():
        assert verdict.status == "verbatim"
        (place,) = verdict.places
        assert text[place.span.start : place.span.end] == place.text
        assert place.text.split() == quote.split()
    else:
        assert verdict.status == "not_found"


@pytest.mark.requirement("VER-05")
@given(quote=st.text(max_size=200), text=st.text(max_size=300))
def test_any_verdict_points_at_text_that_is_there(quote: str, text: str) -> None:
    for place in verify(quote, [located("a", text)]).places:
        assert text[place.span.start : place.span.end] == place.text


@pytest.mark.requirement("VER-06")
async def test_a_named_source_is_read_whole_and_an_unknown_one_is_an_error(
    library: Library,
) -> None:
    for number in range(30):
        page = library.folder / f"legal{number}.md"
        page.write_text(f"# Doc {number}\n\nAll rights reserved by the committee.\n\n|---|---|\n")
    await library.add(library.folder)
    for quote in ("All rights reserved by the committee.", "|---|---|"):
        reply = await library.call("verify_quote", quote=quote, source="legal17.md")
        assert reply["status"] == "verbatim"
        assert reply["places"][0]["source_uri"].endswith("/legal17.md")
    assert await library.error("verify_quote", quote="x", source="nowhere.md") == "NOT_FOUND"
