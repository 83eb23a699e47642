"""Whatever a tool does, the outcome is bounded, typed and says nothing it should not."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.errors import CommonplaceError, NotFound
from commonplace.domain.evidence import Reply
from commonplace.serve.build import build
from commonplace.serve.dispatch import Caller, Dispatcher, Outcome
from commonplace.serve.envelope import error_envelope, minified
from commonplace.serve.schemas import output_schema
from commonplace.settings import Settings
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from tests.e2e.demo_tools import ECHO, INNER_TEXT, MISSING, TOOLS, Echo
from tests.unit.session.clock import Clock

PIPE = Caller(connection="pipe")


def dispatcher(home: Path, tools: Any = None, **settings: Any) -> Dispatcher:  # noqa: ANN401
    app = build(Settings(home=home, **settings))
    return Dispatcher(app, tools or TOOLS.values(), Clock())


def code(outcome: Outcome) -> str:
    assert outcome.is_error
    assert outcome.structured == json.loads(outcome.text)
    jsonschema.validate(outcome.structured, output_schema(Echo))
    found: str = outcome.structured["error"]["code"]
    return found


@pytest.mark.requirement("SRV-02")
@pytest.mark.parametrize("name", ["demo.echo", "demo_echo", "echo", "say"])
async def test_every_name_of_a_tool_calls_it(name: str, tmp_path: Path) -> None:
    outcome = await dispatcher(tmp_path).call(name, {"text": "hello"}, PIPE)
    assert (outcome.text, outcome.is_error) == ("hello", False)


@pytest.mark.requirement("SRV-02")
@pytest.mark.parametrize("name", ["demo_ecko", "", "x" * 100_000, "\ud800"])
async def test_an_unknown_name_is_not_found_in_few_words(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotFound) as missing:
        await dispatcher(tmp_path).call(name, {}, PIPE)
    assert len(missing.value.message.encode()) < 200


@pytest.mark.requirement("SRV-16")
async def test_a_reply_says_what_it_cost_and_what_did_not_run(tmp_path: Path) -> None:
    outcome = await dispatcher(tmp_path).call("demo.echo", {"text": "hello"}, PIPE)
    assert outcome.meta["degraded"] == ["dense: no model"]
    assert outcome.meta["tokens"] > 0
    assert outcome.meta["elapsed_ms"] == 0
    assert len(outcome.meta["correlation_id"]) == 12


@pytest.mark.requirement("SRV-05")
async def test_an_error_raised_on_purpose_is_the_envelope_in_both_forms(tmp_path: Path) -> None:
    outcome = await dispatcher(tmp_path).call("demo.missing", {}, PIPE)
    assert code(outcome) == "NOT_FOUND"
    assert outcome.structured["error"]["details"] == {"wanted": "thing"}


@pytest.mark.requirement("SRV-06")
async def test_an_unforeseen_error_shows_its_correlation_id_only(tmp_path: Path) -> None:
    outcome = await dispatcher(tmp_path).call("demo.broken", {}, PIPE)
    assert code(outcome) == "INTERNAL_ERROR"
    assert INNER_TEXT not in outcome.text
    assert "RuntimeError" not in outcome.text
    assert outcome.meta["correlation_id"] in outcome.text


@pytest.mark.requirement("SRV-07")
@pytest.mark.parametrize("name", ["demo.wrong", "demo.surrogate"])
async def test_a_reply_that_breaks_its_own_schema_does_not_leave(name: str, tmp_path: Path) -> None:
    assert code(await dispatcher(tmp_path).call(name, {}, PIPE)) == "INTERNAL_ERROR"


@pytest.mark.requirement("SRV-07")
async def test_a_reply_over_the_limit_does_not_leave(tmp_path: Path) -> None:
    outcome = await dispatcher(tmp_path).call("demo.big", {}, PIPE)
    assert code(outcome) == "BUDGET_EXCEEDED"
    assert outcome.structured["error"]["details"]["limit_chars"] == 45_000


@pytest.mark.requirement("SRV-07")
@given(said=st.text(max_size=200), chars=st.integers(1000, 1200), times=st.integers(1, 40))
async def test_no_reply_is_ever_longer_than_the_limit(
    said: str, chars: int, times: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    async def run(_app: App, call: Call, _args: object) -> Reply:
        structured = {"said": said * times, "session_id": call.session.id}
        return Reply(text=said * times, structured=structured)

    tools: list[Tool] = [replace(MISSING, run=run)]
    served = dispatcher(tmp_path_factory.getbasetemp(), tools, response_chars=chars)
    outcome = await served.call("demo.missing", {}, PIPE)
    assert len(outcome.text) <= chars
    assert len(minified(dict(outcome.structured))) <= chars


@pytest.mark.requirement("SRV-08")
async def test_a_call_over_its_time_is_timeout_and_its_work_stops(tmp_path: Path) -> None:
    outcome = await dispatcher(tmp_path).call("demo.late", {}, PIPE)
    assert code(outcome) == "TIMEOUT"
    assert (tmp_path / "cancelled").exists()


@pytest.mark.requirement("SRV-08")
async def test_the_time_limit_of_the_settings_holds_where_a_tool_names_none(tmp_path: Path) -> None:
    served = dispatcher(tmp_path, tool_timeout_s=0.01)
    assert code(await served.call("demo.slow", {}, PIPE)) == "TIMEOUT"


@pytest.mark.requirement("SRV-09")
async def test_cancelling_a_call_stops_its_work_and_counts_it(tmp_path: Path) -> None:
    served = dispatcher(tmp_path)
    begun = asyncio.Event()

    async def report(_done: float, _total: float | None, _message: str) -> None:
        begun.set()

    caller = Caller(connection="pipe", progress=report)
    task = asyncio.create_task(served.call("demo.slow", {}, caller))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (tmp_path / "cancelled").exists()
    assert served.ledger.summary()["tools"]["demo.slow"]["errors"] == {"CANCELLED": 1}


@pytest.mark.requirement("SRV-11")
async def test_calls_over_the_rate_are_refused_before_any_work(tmp_path: Path) -> None:
    served = dispatcher(tmp_path, rate_limit_per_minute=1)
    served.limits._clock = lambda: 0.0  # a minute that does not pass
    assert not (await served.call("demo.echo", {"text": "a"}, PIPE)).is_error
    limited = await served.call("echo", {"nonsense": 1}, PIPE)
    assert code(limited) == "RATE_LIMITED"
    assert limited.structured["error"]["details"]["retry_after_s"] == 60
    assert not (await served.call("echo", {"text": "a"}, Caller(principal="bob"))).is_error


@pytest.mark.requirement("SRV-12")
async def test_a_stateless_caller_gets_a_session_it_can_come_back_to(tmp_path: Path) -> None:
    served = dispatcher(tmp_path)
    alone = Caller(principal="alice")
    first = await served.call("echo", {"text": "a"}, alone)
    session_id = first.structured["session_id"]
    again = await served.call("echo", {"text": "b", "session_id": session_id}, alone)
    assert again.structured["session_id"] == session_id
    stolen = {"text": "c", "session_id": session_id}
    assert code(await served.call("echo", stolen, Caller(principal="bob"))) == "INVALID_ARGUMENT"


@pytest.mark.requirement("SRV-27")
async def test_calls_are_entered_into_the_ledger(tmp_path: Path) -> None:
    served = dispatcher(tmp_path)
    await served.call("echo", {"text": "a", "cursor": "1"}, PIPE)
    await served.call("demo.echo", {}, PIPE)
    summary = served.ledger.summary()
    row = summary["tools"]["demo.echo"]
    assert (row["calls"], row["cursors"], row["errors"]) == (2, 1, {"INVALID_ARGUMENT": 1})
    assert summary["tokens"] == row["tokens"] > 0


@pytest.mark.requirement("SRV-05")
@given(
    st.text(st.characters(), max_size=300),
    st.integers(1, 9),
    st.dictionaries(st.text(max_size=9), st.lists(st.text(max_size=9) | st.floats(), max_size=5)),
)
def test_any_error_becomes_an_envelope_no_client_cuts(
    words: str, times: int, details: dict[str, Any]
) -> None:
    error = CommonplaceError(words * times, nested=[{"again": details}] * times)
    assert len(minified(error_envelope(error)).encode("utf-8").decode("utf-8")) < 11_000


def test_two_tools_cannot_share_a_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"demo\.echo"):
        dispatcher(tmp_path, [ECHO, replace(ECHO, bare="")])
