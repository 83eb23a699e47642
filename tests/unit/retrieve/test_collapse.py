"""Of passages that say the same, one stays."""

import pytest

from commonplace.retrieve.collapse import Collapse, collapse
from tests.unit.retrieve.shelf import locate

LONG = "The quick brown fox jumps over the lazy dog while the band plays on and on. " * 4


def _kept(one: str, other: str, *, is_same_title: bool = True) -> int:
    first = locate("Guide", one)
    second = locate("Guide" if is_same_title else "Other", "x", other)[1:]
    return len(collapse([*first, *second], max_per_doc=9))


@pytest.mark.requirement("RET-11")
@pytest.mark.parametrize(
    ("one", "other", "kept"),
    [
        (LONG, LONG, 1),
        (LONG, LONG.upper().replace(" ", "\n"), 1),
        (LONG, LONG + "Indeed.", 1),
        (LONG + "It takes 30 s.", LONG + "It takes 60 s.", 2),
        (LONG, "Something else altogether is said in this text.", 2),
    ],
)
def test_near_duplicates_collapse_unless_their_numbers_differ(
    one: str, other: str, kept: int
) -> None:
    assert _kept(one, other) == kept


@pytest.mark.requirement("RET-11")
def test_the_same_words_under_another_title_are_another_thing() -> None:
    assert _kept(LONG, LONG, is_same_title=False) == 2


@pytest.mark.requirement("RET-12")
def test_a_document_gives_no_more_than_its_share() -> None:
    sieve = Collapse(max_per_doc=2)
    kept = [
        one for one in locate("Guide", "one apple", "two pears", "red plums") if sieve.keeps(one)
    ]
    assert [one.passage.ordinal for one in kept] == [0, 1]
    assert (sieve.repeated, sieve.crowded) == (0, 1)
