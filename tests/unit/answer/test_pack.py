"""The packer: whole entries, ranked, never over budget."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.answer.pack import Budget, Form, Page, Tail, minify, pack
from commonplace.domain.errors import BudgetExceeded


def count(text: str) -> int:
    """A token a character: what the packer promises holds for any counter."""
    return len(text)


def shape(entries: Sequence[str], tail: Tail) -> Form:
    structured = {"entries": list(entries), "left": tail.remaining_count, "why": tail.limit_reason}
    return Form("\n".join(entries), structured)


def budget(tokens: int, chars: int = 45_000) -> Budget:
    return Budget(tokens=tokens, chars=chars, count=count)


@pytest.mark.requirement("BUD-01")
@given(
    entries=st.lists(st.text(max_size=60), max_size=30),
    tokens=st.integers(1, 2000),
    offset=st.integers(0, 40),
    size=st.integers(1, 40),
)
def test_a_reply_never_exceeds_its_budget_and_holds_a_prefix_of_the_page(
    entries: list[str], tokens: int, offset: int, size: int
) -> None:
    try:
        reply = pack(entries, Page(offset, size), budget(tokens), shape)
        needed = 0
    except BudgetExceeded as exc:
        needed = exc.details["needed_tokens"]
    if needed:
        assert needed > tokens
        return
    shown = reply.structured["entries"]
    assert count(reply.text) <= tokens
    assert count(minify(reply.structured)) <= tokens
    assert shown == entries[offset : offset + size][: len(shown)]
    assert reply.structured["left"] == max(0, len(entries) - offset) - len(shown)


@pytest.mark.requirement("BUD-02")
@given(entries=st.lists(st.text(min_size=1, max_size=20), min_size=2, max_size=20))
def test_no_longer_prefix_would_have_fitted(entries: list[str]) -> None:
    tokens = 120
    try:
        reply = pack(entries, Page(0, 20), budget(tokens), shape)
    except BudgetExceeded:
        return
    shown = len(reply.structured["entries"])
    if shown == len(entries):
        return
    tail = Tail(
        returned_count=shown + 1,
        total_count=len(entries),
        remaining_count=len(entries) - shown - 1,
        truncated=True,
        has_more=True,
        limit_reason="token_cap",
        next_offset=shown + 1,
    )
    form = shape(entries[: shown + 1], tail)
    # At the very end of the list the tail itself gets shorter, by at most its own words.
    assert max(count(form.text), count(minify(form.structured))) > tokens - len("token_cap")


@pytest.mark.requirement("BUD-03")
def test_the_tail_says_why_the_list_ended() -> None:
    entries = [f"entry {number}" for number in range(10)]
    assert pack(entries, Page(0, 10), budget(2000), shape).structured["why"] == "none"
    assert pack(entries, Page(0, 3), budget(2000), shape).structured["why"] == "page_size"
    assert pack(entries, Page(0, 10), budget(90), shape).structured["why"] == "token_cap"
    assert pack(entries, Page(0, 10), budget(2000, 90), shape).structured["why"] == "byte_cap"


@pytest.mark.requirement("BUD-04")
def test_a_budget_too_small_for_one_entry_names_the_budget_that_would_do() -> None:
    with pytest.raises(BudgetExceeded) as refusal:
        pack(["x" * 500], Page(0, 5), budget(100), shape)
    needed = refusal.value.details["needed_tokens"]
    assert str(needed) in refusal.value.message
    assert pack(["x" * 500], Page(0, 5), budget(needed), shape).structured["entries"]
