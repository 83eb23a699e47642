"""Several rankings become one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.query import Hit
from commonplace.retrieve.fuse import Ranking, fuse, normalise, reciprocal_ranks
from commonplace.retrieve.recall import merge_models

scores = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0, 1), max_size=8)


@pytest.mark.requirement("RET-06")
@given(scores, scores, st.randoms())
def test_order_of_arrival_never_matters(
    lexical: dict[str, float], dense: dict[str, float], random: st.DataObject
) -> None:
    def shuffled(found: dict[str, float]) -> dict[str, float]:
        keys = list(found)
        random.shuffle(keys)  # type: ignore[attr-defined]
        return {key: found[key] for key in keys}

    def fused(one: dict[str, float], other: dict[str, float]) -> list[Hit]:
        return fuse(
            [
                Ranking(channel="bm25", scores=one, weight=0.4),
                Ranking(channel="vector", scores=other, weight=0.6),
            ]
        )

    hits = fused(lexical, dense)
    assert hits == fused(shuffled(lexical), shuffled(dense))
    assert [hit.passage_id for hit in hits] == [
        hit.passage_id for hit in sorted(hits, key=lambda hit: (-hit.score, hit.passage_id))
    ]
    assert {hit.passage_id for hit in hits} == lexical.keys() | dense.keys()


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9))
def test_normalised_scores_lie_between_nothing_and_one(values: list[float]) -> None:
    found = normalise([Hit(str(place), value) for place, value in enumerate(values)])
    assert max(found.values()) == 1.0
    assert min(found.values()) >= 0.0


def test_reciprocal_ranks_fall_with_the_rank() -> None:
    assert list(reciprocal_ranks([Hit("a", 3), Hit("b", 2)]).values()) == [1 / 11, 1 / 12]


@pytest.mark.requirement("RET-10")
def test_a_better_model_orders_what_it_has_seen_below_what_the_other_thinks_of_the_best() -> None:
    seen, all_seen = {"a": 0.1, "c": 1.0}, {"a": 0.3, "b": 1.0, "c": 0.2}
    merged = merge_models([(seen, 0.5), (all_seen, 1.0)])
    assert merged["c"] > merged["a"]
    assert merged["b"] > merged["c"]


@pytest.mark.requirement("RET-10")
def test_a_model_that_has_seen_everything_decides_alone() -> None:
    assert merge_models([({"a": 0.1, "b": 1.0}, 1.0)]) == {"a": 0.1, "b": 1.0}
