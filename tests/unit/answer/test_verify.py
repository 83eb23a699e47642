"""Is a quotation really there?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.answer.verify import verify
from tests.unit.retrieve.shelf import locate

PARTS = (
    "Apple trees are pruned in February. The gardener — Ada Lopez — does it ",
    "with a saw she bought in 1998. Pear trees follow in March, weather permitting.",
)
GUIDE = locate("Guide", *PARTS)
OTHER = locate("Pumps", "The pump freezes at minus four degrees. It needs a day of rest then.")
WHOLE = "".join(PARTS)


@pytest.mark.requirement("EVI-13")
@given(st.integers(0, len(WHOLE) - 2), st.integers(2, 90))
def test_any_slice_of_a_source_is_verbatim_at_a_place_that_says_it(start: int, size: int) -> None:
    quote = WHOLE[start : start + size]
    verdict = verify(quote, [*OTHER, *GUIDE])
    if not quote.strip():
        assert verdict.status == "not_found"
        return
    assert verdict.status == "verbatim"
    assert verdict.places[0].text == quote.strip()


@pytest.mark.requirement("EVI-13")
def test_white_space_does_not_matter() -> None:
    verdict = verify("Apple  trees\nare pruned\t in February.", GUIDE)
    assert verdict.status == "verbatim"
    assert verdict.places[0].span.of(WHOLE) == "Apple trees are pruned in February."


@pytest.mark.requirement("EVI-17")
def test_a_quote_may_cross_the_border_of_two_passages() -> None:
    quote = "Ada Lopez — does it with a saw she bought in 1998."
    verdict = verify(quote, [GUIDE[1], *OTHER, GUIDE[0]])
    assert verdict.status == "verbatim"
    assert verdict.places[0].passage_id == GUIDE[0].passage.id
    assert verdict.places[0].span.of(WHOLE) == quote


@pytest.mark.requirement("EVI-14")
@pytest.mark.parametrize(
    ("quote", "diff"),
    [
        ("Apple trees are pruned in January.", "[-January.-] {+February.+}"),
        ("The gardener - Ada Lopez - does it", "[---] {+—+}"),
        ("apple trees are pruned in February.", "[-apple-] {+Apple+}"),
        ("Pear trees follow in early March, weather permitting.", "[-early-]"),
        ("Pear trees follow March, weather permitting.", "{+in+}"),
    ],
)
def test_a_changed_quote_differs_and_the_diff_shows_where(quote: str, diff: str) -> None:
    verdict = verify(quote, [*OTHER, *GUIDE])
    assert verdict.status == "differs"
    assert diff in verdict.diff
    place = verdict.places[0]
    assert place.span.of(WHOLE) == place.text
    assert 0.7 < verdict.likeness <= 1.0


@pytest.mark.requirement("EVI-15")
@pytest.mark.parametrize(
    "quote",
    [
        "Apple trees are pruned in February. […] Pear trees follow in March, weather permitting.",
        "The pump freezes at minus four degrees ... a saw she bought in 1998.",
        "Apple trees are pruned in February. The pump freezes at minus four degrees.",
    ],
)
def test_a_quote_from_several_places_is_stitched(quote: str) -> None:
    verdict = verify(quote, [*OTHER, *GUIDE])
    assert verdict.status == "stitched"
    assert len(verdict.places) == 2


@pytest.mark.requirement("EVI-16")
@pytest.mark.parametrize(
    "quote", ["", "   ", "Bananas grow on the moon.", "\x00", "((((", "trees " * 3000]
)
def test_what_no_source_holds_is_not_found(quote: str) -> None:
    assert verify(quote, [*OTHER, *GUIDE]).status == "not_found"


@pytest.mark.requirement("EVI-16")
def test_nothing_is_found_among_no_candidates() -> None:
    assert verify("Apple trees are pruned in February.", []).status == "not_found"
