"""Looking words up in sorted lists gives what scoring every passage one by one gives."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from commonplace.domain.query import Hit
from commonplace.engines.base import Entry, Store
from commonplace.engines.memory import open_store as open_memory
from commonplace.engines.sqlite import open_store as open_sqlite
from commonplace.engines.sqlite.lexical import best
from commonplace.engines.sqlite.views import DELTA_LEAST
from tests.contract.engine_making import WHOLE, ask, make_entry

WORDS = 300
QUERIES = [
    ask("w0", "w1"),
    ask("w0", "w30", "w250"),
    ask("w50", "w60", "w70", "w80", "w90"),
    ask("w299"),
    ask("w0", "unknown"),
    ask("unknown"),
    ask("w0", phrases=[("w0", "w1")]),
    ask(phrases=[("w2", "w0"), ("w1", "w0")]),
]


def _entries(count: int, seed: int) -> list[Entry]:
    """Documents whose words are as unevenly frequent as those of a language."""
    random = np.random.default_rng(seed)
    frequency = 1 / np.arange(1, WORDS + 1)
    drawn = [
        random.choice(WORDS, random.integers(1, 30), p=frequency / frequency.sum())
        for _ in range(count)
    ]
    texts = [" ".join(f"w{word}" for word in row) + f" own{at} " for at, row in enumerate(drawn)]
    return [
        make_entry(f"{seed}/{start}.md", texts[start : start + 50], title=f"w{start % 7}")
        for start in range(0, count, 50)
    ]


def snapshots(folder: Path) -> list[Path]:
    return list(folder.glob("index.db-words*"))


async def _assert_equal(sqlite: Store, memory: Store) -> None:
    for query in QUERIES:
        for limit in (1, 10, 70):
            ours = await sqlite.passages.lexical(query, WHOLE, limit)
            theirs = await memory.passages.lexical(query, WHOLE, limit)
            assert _scores(ours) == pytest.approx(_scores(theirs), rel=1e-9), query


def _scores(hits: list[Hit]) -> dict[str, float]:
    return {hit.passage_id: hit.score for hit in hits}


@pytest.mark.requirement("ENG-17")
async def test_every_passage_is_scored_before_and_after_changes(tmp_path: Path) -> None:
    sqlite = open_sqlite(f"sqlite://{tmp_path}/index.db")
    memory = open_memory("memory://")
    first = _entries(DELTA_LEAST + 500, seed=1)
    for step in (first, _entries(300, seed=2), _entries(DELTA_LEAST + 200, seed=3)):
        for store in (sqlite, memory):
            await store.passages.write(step)
            await store.passages.remove("default", [step[1].card.id])
            await store.passages.write([make_entry(first[2].card.path, ["w0 w1 new "])])
        await _assert_equal(sqlite, memory)
    assert snapshots(tmp_path), "so many rows have a snapshot"
    await sqlite.close()
    again = open_sqlite(f"sqlite://{tmp_path}/index.db")
    await _assert_equal(again, memory)
    await again.close()


@pytest.mark.requirement("ENG-29")
async def test_what_is_prepared_need_not_be_sorted_by_the_first_search(tmp_path: Path) -> None:
    store = open_sqlite(f"sqlite://{tmp_path}/index.db")
    await store.passages.prepare("default")
    await store.passages.write(_entries(DELTA_LEAST + 50, seed=1))
    assert not snapshots(tmp_path)
    await store.passages.prepare("default")
    (made,) = snapshots(tmp_path)
    before = made.stat().st_mtime_ns
    assert await store.passages.lexical(QUERIES[0], WHOLE, 5)
    assert made.stat().st_mtime_ns == before
    await store.close()


@pytest.mark.requirement("ENG-17")
@given(
    arrays.arrays(np.float64, st.integers(0, 2000), elements=st.sampled_from([0.0, 0.5, 1.0, 2.0])),
    st.integers(1, 5),
)
def test_the_best_are_found_without_sorting_all(scores: np.ndarray, limit: int) -> None:
    positive = np.sort(scores[scores > 0])[::-1]
    expected = 0 if not len(positive) else positive[:limit][-1]
    places = best(scores, limit)
    assert sorted(places) == sorted(np.flatnonzero((scores >= expected) & (scores > 0)))
