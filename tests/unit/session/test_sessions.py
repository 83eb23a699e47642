"""Sessions are found by their connection or by an id nobody else may use."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.errors import InvalidArgument
from commonplace.session.sessions import Sessions
from tests.unit.session.clock import Clock

TTL_S = 1800.0


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(clock: Clock) -> Sessions:
    return Sessions(TTL_S, clock)


@pytest.mark.requirement("SRV-12")
def test_a_connection_keeps_its_session(sessions: Sessions) -> None:
    first = sessions.resolve(None, "pipe", "local")
    assert sessions.resolve(None, "pipe", "local") is first
    assert sessions.resolve(first.id, "pipe", "local") is first
    assert sessions.resolve(None, "other pipe", "local") is not first


@pytest.mark.requirement("SRV-12")
def test_an_id_bound_to_a_connection_is_short(sessions: Sessions) -> None:
    assert len(sessions.resolve(None, "pipe", "local").id) <= 9


@pytest.mark.requirement("SRV-12")
def test_without_a_connection_every_call_starts_a_session_its_uuid_finds_again(
    sessions: Sessions,
) -> None:
    first = sessions.resolve(None, None, "local")
    assert uuid.UUID(first.id).version == 4
    assert sessions.resolve(None, None, "local") is not first
    assert sessions.resolve(first.id, None, "local") is first


def refusal(sessions: Sessions, session_id: str, connection: str | None, principal: str) -> str:
    with pytest.raises(InvalidArgument) as refused:
        sessions.resolve(session_id, connection, principal)
    assert sessions.find(session_id, connection, principal) is None
    return refused.value.message


@pytest.mark.requirement("SRV-13")
def test_unknown_expired_and_foreign_ids_are_refused_in_the_same_words(
    sessions: Sessions, clock: Clock
) -> None:
    expired = sessions.resolve(None, None, "alice")
    clock.now += TTL_S
    hers = sessions.resolve(None, None, "alice")
    piped = sessions.resolve(None, "pipe", "alice")
    messages = {
        refusal(sessions, "nonsense", None, "alice"),
        refusal(sessions, expired.id, None, "alice"),
        refusal(sessions, hers.id, None, "bob"),
        refusal(sessions, piped.id, None, "alice"),
        refusal(sessions, piped.id, "other pipe", "alice"),
        refusal(sessions, hers.id, "pipe", "alice"),
    }
    assert messages == {"unknown or expired session_id; omit it to start a new one"}


@pytest.mark.requirement("SRV-12")
def test_use_keeps_a_session_alive(sessions: Sessions, clock: Clock) -> None:
    session = sessions.resolve(None, None, "local")
    for _ in range(3):
        clock.now += TTL_S - 1
        assert sessions.resolve(session.id, None, "local") is session
    assert len(sessions) == 1


@pytest.mark.requirement("SRV-12")
def test_a_connection_whose_session_expired_gets_a_new_one(
    sessions: Sessions, clock: Clock
) -> None:
    old = sessions.resolve(None, "pipe", "local")
    clock.now += TTL_S
    new = sessions.resolve(None, "pipe", "local")
    assert new.id != old.id
    assert len(sessions) == 1


@pytest.mark.requirement("SRV-12")
@given(st.lists(st.integers(0, 9), max_size=60))
def test_the_least_used_sessions_make_room(calls: list[int]) -> None:
    sessions = Sessions(TTL_S, Clock(), most=4)
    given_ids: dict[int, str] = {}
    for call in calls:
        given_ids[call] = sessions.resolve(None, f"pipe {call}", "local").id
        assert len(sessions) <= 4
    recent = list(dict.fromkeys(reversed(calls)))[:4]
    found = {call: sessions.resolve(None, f"pipe {call}", "local").id for call in recent}
    assert found == {call: given_ids[call] for call in recent}


@pytest.mark.requirement("SRV-12")
def test_a_session_remembers_what_was_asked_and_shown_up_to_a_bound(sessions: Sessions) -> None:
    session = sessions.resolve(None, "pipe", "local")
    for number in range(3000):
        session.ask(f"question {number}")
        session.see([f"p{number}"])
    assert session.queries[-1] == "question 2999"
    assert len(session.queries) == 20
    assert session.has_seen("p2999")
    assert not session.has_seen("p0")
