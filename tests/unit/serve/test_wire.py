"""Bytes to lines to messages."""

import os
import threading
from pathlib import Path

import mcp_types as types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.serve.wire import (
    MAX_LINE_BYTES,
    Unreadable,
    read_lines,
    read_message,
    write_all,
    write_some,
)


async def lines(*chunks: bytes) -> list[bytes | None]:
    reading, writing = os.pipe()

    def write() -> None:
        for chunk in chunks:
            os.write(writing, chunk)
        os.close(writing)

    writer = threading.Thread(target=write)
    writer.start()
    found = [line async for line in read_lines(reading)]
    writer.join()
    os.close(reading)
    return found


@pytest.mark.requirement("SRV-18")
@given(st.lists(st.binary(min_size=1, max_size=20), max_size=8))
async def test_lines_come_out_whole_however_the_bytes_arrive(chunks: list[bytes]) -> None:
    expected = b"".join(chunks).split(b"\n")
    if not expected[-1]:
        expected.pop()
    assert await lines(*chunks) == expected


@pytest.mark.requirement("SRV-18")
async def test_a_line_over_the_limit_is_dropped_and_the_next_one_read() -> None:
    chunk = b"x" * (1024 * 1024)
    found = await lines(*[chunk] * 5, b"\nshort\n", *[chunk] * 4, b"\nend")
    assert [line and len(line) for line in found] == [None, 5, MAX_LINE_BYTES, 3]


@pytest.mark.requirement("SRV-18")
async def test_a_file_is_read_as_a_pipe_is(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"one\ntwo\n\nthree")
    with (tmp_path / "in").open("rb") as file:
        found = [line async for line in read_lines(file.fileno())]
    assert found == [b"one", b"two", b"", b"three"]


@pytest.mark.requirement("SRV-18")
@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_nothing_or_unreadable(line: bytes) -> None:
    try:
        message = read_message(line)
    except Unreadable as exc:
        exc.answer.model_dump_json()
    else:
        assert message is None or isinstance(message, types.JSONRPCMessage)


@pytest.mark.requirement("SRV-04")
def test_a_lone_surrogate_is_let_through_to_the_tool_that_can_name_the_field() -> None:
    line = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":"\\ud800"}}'
    message = read_message(line)
    assert isinstance(message, types.JSONRPCRequest)
    assert message.params == {"a": "\ud800"}


@pytest.mark.requirement("SRV-36")
def test_a_pipe_takes_what_it_holds_at_once_and_the_rest_later() -> None:
    ours, theirs = os.pipe()
    line = bytes(range(256)) * 2048
    with os.fdopen(ours, "rb") as reader:
        rest = write_some(theirs, memoryview(line))
        assert 0 < len(rest) < len(line), "a full pipe is not waited for"

        def write() -> None:
            write_all(theirs, rest)
            os.close(theirs)

        writer = threading.Thread(target=write)
        writer.start()
        assert reader.read() == line
        writer.join()


@pytest.mark.requirement("SRV-36")
def test_an_empty_pipe_takes_a_whole_line_and_its_reader_wakes_once() -> None:
    ours, theirs = os.pipe()
    line = bytes(range(256)) * 32
    assert not write_some(theirs, memoryview(line))
    assert os.read(ours, 2 * len(line)) == line
    assert not write_some(theirs, memoryview(line))
    assert not write_some(theirs, memoryview(line)), "a second line waits behind the first"
    assert os.read(ours, 4 * len(line)) == line + line
    os.close(ours)
    os.close(theirs)


@pytest.mark.requirement("SRV-36")
def test_no_promise_is_expected_of_what_is_no_pipe(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as file:
        assert write_some(file.fileno(), memoryview(b"line")).tobytes() == b"line"
