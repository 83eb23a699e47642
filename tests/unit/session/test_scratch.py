"""Scratch: per session, bounded, forgetting."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.document import Card, Span
from commonplace.domain.errors import NotFound
from commonplace.domain.passage import Located, Passage
from commonplace.session.scratch import Scratch

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def located(name: str, text: str = "Some text.") -> Located:
    card = Card(
        id="d" + name,
        project="default",
        source_id="s",
        uri=f"file:///{name}.md",
        path=f"{name}.md",
        title=name,
        media_type="text/markdown",
        content_hash="",
        modified_at=NOW,
        indexed_at=NOW,
    )
    span = Span(0, len(text))
    return Located(
        card, Passage(id="p" + name, document_id=card.id, ordinal=0, text=text, span=span)
    )


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def scratch(max_bytes: int = 1 << 20, clock: Callable[[], float] | None = None) -> Scratch:
    return Scratch(max_bytes, 1800.0, clock or Clock())


@pytest.mark.requirement("SCR-01")
def test_a_note_is_read_back_by_its_handle_in_its_session() -> None:
    store = scratch()
    note = store.put("one", located("a"))
    assert store.get("one", note.passage_id).located.passage.text == "Some text."


@pytest.mark.requirement("SCR-02")
def test_another_sessions_handle_and_an_invented_one_fail_in_the_same_words() -> None:
    store = scratch()
    handle = store.put("one", located("a")).passage_id
    with pytest.raises(NotFound) as foreign:
        store.get("two", handle)
    with pytest.raises(NotFound) as invented:
        store.get("two", "zzzzzzzz")
    assert foreign.value.message.replace(handle, "") == invented.value.message.replace(
        "zzzzzzzz", ""
    )


@pytest.mark.requirement("SCR-03")
def test_a_handle_is_not_derived_from_the_text() -> None:
    store = scratch()
    assert store.put("one", located("a")).passage_id != store.put("two", located("a")).passage_id


@pytest.mark.requirement("SCR-04")
def test_the_same_passage_keeps_its_handle_within_a_session() -> None:
    store = scratch()
    first = store.put("one", located("a"), Span(0, 4))
    again = store.put("one", located("a"), Span(5, 9))
    assert again.passage_id == first.passage_id
    assert store.get("one", first.passage_id).window == Span(5, 9)
    assert store.stats().entries == 1


@pytest.mark.requirement("SCR-05")
def test_a_note_expires_after_its_time_without_use() -> None:
    clock = Clock()
    store = scratch(clock=clock)
    handle = store.put("one", located("a")).passage_id
    clock.now = 1799
    store.get("one", handle)
    clock.now = 1799 + 1799
    store.get("one", handle)
    clock.now += 1800
    with pytest.raises(NotFound):
        store.get("one", handle)
    assert store.stats().expired == 1


@pytest.mark.requirement("SCR-06")
@given(st.lists(st.integers(1, 5000), min_size=1, max_size=60))
def test_memory_stays_bounded_and_the_newest_note_survives(sizes: list[int]) -> None:
    store = scratch(max_bytes=10_000)
    for number, size in enumerate(sizes):
        handle = store.put("one", located(str(number), "x" * size)).passage_id
        assert store.get("one", handle)
        stats = store.stats()
        assert stats.bytes <= 10_000
        assert stats.entries + stats.evicted_for_memory == number + 1


@pytest.mark.requirement("SCR-07")
def test_concurrent_sessions_never_see_each_others_notes() -> None:
    store = scratch(max_bytes=50_000)
    wrong: list[str] = []

    def work(session: str) -> None:
        for number in range(200):
            handle = store.put(session, located(f"{session}-{number}")).passage_id
            try:
                title = store.get(session, handle).located.card.title
            except NotFound:
                continue
            if not title.startswith(session):
                wrong.append(title)

    threads = [threading.Thread(target=work, args=(f"s{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.requirement("SCR-08")
def test_the_passages_used_last_come_first_each_once_and_of_the_project_only() -> None:
    store = scratch()
    first = store.put("one", located("a"))
    store.put("one", located("b"))
    store.put("two", located("b"))
    store.put("two", located("c"))
    store.get("one", first.passage_id)
    assert store.recent("default", 9) == ["pa", "pc", "pb"]
    assert store.recent("default", 2) == ["pa", "pc"]
    assert store.recent("other", 9) == []
