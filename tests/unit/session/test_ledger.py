"""The ledger keeps what every call cost."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.session.ledger import Entry, Ledger


@pytest.mark.requirement("SRV-27")
def test_the_summary_adds_up_calls_of_every_tool() -> None:
    ledger = Ledger()
    ledger.enter(Entry(tool="kb.search", elapsed_ms=4, tokens=100, bytes=400, used_cursor=True))
    ledger.enter(
        Entry(
            tool="kb.search",
            elapsed_ms=8,
            tokens=300,
            bytes=900,
            is_truncated=True,
            duplicates=3,
        )
    )
    ledger.enter(Entry(tool="verify_quote", elapsed_ms=1, tokens=20, bytes=80, error="NOT_FOUND"))
    summary = ledger.summary()
    assert summary["calls"] == 3
    assert summary["errors"] == 1
    assert summary["tokens"] == 420
    row = summary["tools"]["kb.search"]
    assert row["most_tokens"] == 300
    assert row["most_bytes"] == 900
    assert row["cursors"] == 1
    assert row["truncation_rate"] == 0.5
    assert row["duplicates"] == 3
    assert (row["p50_ms"], row["p95_ms"]) == (8.0, 8.0)
    assert summary["tools"]["verify_quote"]["errors"] == {"NOT_FOUND": 1}
    json.dumps(summary)


@pytest.mark.requirement("SRV-27")
def test_nothing_entered_is_all_zeros() -> None:
    assert Ledger().summary() == {
        "calls": 0,
        "errors": 0,
        "tokens": 0,
        "bytes": 0,
        "cursors": 0,
        "truncated": 0,
        "duplicates": 0,
        "tools": {},
    }


@pytest.mark.requirement("SRV-27")
@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=600))
def test_percentiles_stay_within_what_was_measured(latencies_ms: list[float]) -> None:
    ledger = Ledger()
    for elapsed_ms in latencies_ms:
        ledger.enter(Entry(tool="t", elapsed_ms=elapsed_ms))
    row = ledger.summary()["tools"]["t"]
    assert min(latencies_ms) - 0.1 <= row["p50_ms"] <= row["p95_ms"] <= max(latencies_ms) + 0.1
