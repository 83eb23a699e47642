"""Log lines: one JSON object each, no secrets, no large text."""

import io
import json
import logging
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.serve.logs import JsonLines, start_logging
from commonplace.settings import Settings

SECRET = "correct-horse"  # noqa: S105 - invented


def line(message: str, *args: Any, secrets: tuple[str, ...] = (), **extra: Any) -> dict[str, Any]:  # noqa: ANN401
    record = logging.LogRecord("test", logging.INFO, __file__, 1, message, args, None)
    vars(record).update(extra)
    written = JsonLines(secrets).format(record)
    assert "\n" not in written
    parsed: dict[str, Any] = json.loads(written)
    return parsed


@pytest.fixture
def _own_logging() -> Iterator[None]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = before


@pytest.mark.requirement("SRV-26")
def test_facts_given_with_a_line_become_fields() -> None:
    facts = line("call", tool="kb.search", tokens=120)
    assert facts["event"] == "call"
    assert (facts["tool"], facts["tokens"], facts["level"]) == ("kb.search", 120, "INFO")


@pytest.mark.requirement("SRV-26")
@pytest.mark.parametrize(
    "extra",
    [
        {"authorization": "Bearer abc.def"},
        {"headers": {"Authorization": "Bearer abc.def", "Cookie": "abc.def"}},
        {"embed_key": "abc.def"},
        {"note": "sent Bearer abc.def to the server"},
        {"url": "https://user:abc.def@docs.example/"},
        {"items": ["Basic abc.def"]},
    ],
)
def test_secrets_are_left_out_wherever_they_stand(extra: dict[str, Any]) -> None:
    assert "abc.def" not in json.dumps(line("event", **extra))


@pytest.mark.requirement("SRV-26")
@given(st.text(max_size=300), st.text(max_size=300))
def test_the_servers_own_secrets_never_appear(before: str, after: str) -> None:
    text = f"{before}{SECRET}{after}"
    written = json.dumps(line(text.replace("%", "%%"), secrets=(SECRET,), note=text))
    assert SECRET not in written


@pytest.mark.requirement("SRV-26")
def test_large_text_is_replaced_by_its_length() -> None:
    facts = line("x" * 10_000, text="y" * 10_000)
    assert facts["text"] == "<10000 characters>"
    assert len(facts["event"]) < 600


@pytest.mark.requirement("SRV-26")
def test_an_exception_is_told_by_type_and_place_with_little_text() -> None:
    try:
        raise RuntimeError("z" * 5000)
    except RuntimeError:
        record = logging.LogRecord("test", logging.ERROR, "", 1, "failed", (), sys.exc_info())
    facts = json.loads(JsonLines().format(record))
    assert facts["error_type"] == "RuntimeError"
    assert len(facts["error_text"]) < 300
    assert facts["frames"][-1].endswith(
        "test_an_exception_is_told_by_type_and_place_with_little_text"
    )


@pytest.mark.requirement("SRV-26")
@pytest.mark.usefixtures("_own_logging")
def test_the_level_of_the_settings_holds_and_libraries_speak_up_only_for_warnings() -> None:
    stream = io.StringIO()
    start_logging(Settings(log_level="WARNING"), stream)
    logging.getLogger("commonplace").info("unheard")
    logging.getLogger("commonplace").warning("heard %s", "once")
    logging.getLogger().handlers[0].flush()
    start_logging(Settings(log_level="INFO"), stream)
    logging.getLogger("mcp.server").info("unheard")
    logging.getLogger("commonplace").info("wrong %d", "arguments")
    for handler in logging.getLogger().handlers:
        handler.flush()
    events = [json.loads(written)["event"] for written in stream.getvalue().splitlines()]
    assert events == ["heard once", "wrong %d"]
