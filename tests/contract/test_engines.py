"""Every engine keeps the promises of the three ports."""

import numpy as np

from commonplace.engines.base import Store
from tests.contract.engine_making import WHOLE, ask, ids, make_entry, unit_rows


async def test_what_was_written_is_read_back_whole(store: Store) -> None:
    entry = make_entry("a.md", ["Alpha beta. ", "Gämma 東京都 – délta"], tags=("x", "y"))
    await store.passages.write([entry])
    found = await store.passages.get(WHOLE, ids(entry)[::-1])
    assert [place.passage for place in found] == list(entry.passages)[::-1]
    assert found[0].card == entry.card
    assert await store.passages.projects() == ["default"]


async def test_words_find_passages(store: Store) -> None:
    entry = make_entry("a.md", ["The connection pool. ", "Set maxPoolSize here. ", "東京都の天気"])
    await store.passages.write([entry])
    found = [h.passage_id for h in await store.passages.lexical(ask("pool"), WHOLE, 10)]
    assert set(found) == set(ids(entry)[:2])
    for term in ("東京", "京", "天気"):
        assert [h.passage_id for h in await store.passages.lexical(ask(term), WHOLE, 10)] == ids(
            entry
        )[2:]


async def test_vectors_find_passages(store: Store) -> None:
    rows = unit_rows(3)
    entry = make_entry("a.md", ["one", "two", "three"], vectors={"m": rows})
    await store.passages.write([entry])
    hits = await store.passages.dense("m", rows[1], WHOLE, 2)
    assert hits[0].passage_id == ids(entry)[1]
    assert abs(hits[0].score - 1) < 1e-3
    assert len(hits) == 2
    assert np.isfinite(hits[1].score)
