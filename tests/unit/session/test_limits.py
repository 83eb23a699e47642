"""Calls are limited per tool and principal, and told how long to wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.errors import RateLimited
from commonplace.session.limits import Limits
from tests.unit.session.clock import Clock


@pytest.mark.requirement("SRV-11")
def test_the_call_over_the_rate_is_refused_with_the_time_to_wait() -> None:
    clock = Clock()
    limits = Limits(6, clock)
    for _ in range(6):
        limits.take("kb.search", "alice")
    with pytest.raises(RateLimited) as refused:
        limits.take("kb.search", "alice")
    wait_s = refused.value.details["retry_after_s"]
    assert wait_s == 10
    assert "10" in refused.value.message
    clock.now += wait_s
    limits.take("kb.search", "alice")


@pytest.mark.requirement("SRV-11")
def test_tools_and_principals_do_not_share_a_limit() -> None:
    limits = Limits(1, Clock())
    limits.take("kb.search", "alice")
    limits.take("kb.search", "bob")
    limits.take("verify_quote", "alice")


@pytest.mark.requirement("SRV-11")
def test_zero_is_no_limit() -> None:
    limits = Limits(0, Clock())
    for _ in range(1000):
        limits.take("kb.search", "alice")


@pytest.mark.requirement("SRV-11")
@given(st.integers(1, 120), st.lists(st.floats(0, 30), max_size=200))
def test_no_minute_lets_through_more_than_the_burst_and_what_trickled_in(
    per_minute: int, pauses_s: list[float]
) -> None:
    clock = Clock()
    limits = Limits(per_minute, clock)
    passed = 0
    started = clock.now
    for pause_s in pauses_s:
        clock.now += pause_s
        try:
            limits.take("t", "p")
        except RateLimited:
            continue
        passed += 1
    assert passed <= per_minute + (clock.now - started) * per_minute / 60 + 1e-6
