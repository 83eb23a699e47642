"""The wire of the stdio transport: two descriptors, lines of JSON-RPC in and out."""

import asyncio
import json
import os
import select
import stat
import sys
import threading
from collections.abc import AsyncGenerator, Iterator
from concurrent.futures import CancelledError
from contextlib import aclosing, contextmanager, suppress

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream
from pydantic import ValidationError

if sys.platform == "linux":
    import fcntl
    import termios

MAX_LINE_BYTES = 4 * 1024 * 1024  # what the SDK allows an HTTP body
_CHUNK_BYTES = 64 * 1024


class Unreadable(Exception):
    """A line that is no message; carries what to answer."""

    def __init__(self, code: int, message: str, asked: str | int | None = None) -> None:
        super().__init__(message)
        error = types.ErrorData(code=code, message=message)
        self.answer = types.JSONRPCError(jsonrpc="2.0", id=asked, error=error)


@contextmanager
def claimed_wire() -> Iterator[tuple[int, int]]:
    """Private copies of descriptors 0 and 1, while the public ones lead elsewhere.

    Whatever prints reaches standard error instead of the wire, and a child process reads nothing.
    """
    wire_in, wire_out = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    try:
        os.dup2(nowhere, 0)
        os.dup2(2, 1)
        yield wire_in, wire_out
    finally:
        sys.stdout.flush()  # what was printed and waits in its buffer is not for the wire either
        os.close(nowhere)
        os.dup2(wire_in, 0)
        os.dup2(wire_out, 1)


async def read_lines(wire: int) -> AsyncGenerator[bytes | None, None]:
    """Lines as they come, None for one over the limit; ends with the input."""
    parts: list[bytes] = []
    size = 0
    async with aclosing(_chunks(wire)) as chunks:
        async for chunk in chunks:
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                is_short = size + len(end) <= MAX_LINE_BYTES
                yield b"".join((*parts, end)) if is_short else None
                parts, size = [], 0
            size += len(rest)
            if size <= MAX_LINE_BYTES:  # the rest of a longer line is not kept
                parts.append(rest)
    if 0 < size <= MAX_LINE_BYTES:
        yield b"".join(parts)


async def _chunks(wire: int) -> AsyncGenerator[bytes, None]:
    """What there is to read, whenever there is something, until the input ends."""
    if not hasattr(select, "poll") or not _is_watchable(wire):
        async with _start_reading(wire) as read:
            async for chunk in read:
                yield chunk
        return
    while True:
        await anyio.wait_readable(wire)
        if not (chunk := _read(wire)):
            return
        yield chunk


def _is_watchable(wire: int) -> bool:
    """Whether the event loop can tell when there is something to read; of a file it cannot."""
    loop = asyncio.get_running_loop()
    try:
        loop.add_reader(wire, lambda: None)
    except (OSError, NotImplementedError):
        return False
    return loop.remove_reader(wire)


def _start_reading(wire: int) -> MemoryObjectReceiveStream[bytes]:
    """What a thread reads; two hops for every message, .2 ms of a search.

    It has a thread of its own: one of a pool, blocked in a read, would keep the process from
    ending when a signal asks it to.
    """
    sender, receiver = anyio.create_memory_object_stream[bytes](0)
    loop = asyncio.get_running_loop()

    def read() -> None:
        with suppress(RuntimeError, CancelledError, anyio.BrokenResourceError):  # nobody listens
            while chunk := _read(wire):
                asyncio.run_coroutine_threadsafe(sender.send(chunk), loop).result()
            loop.call_soon_threadsafe(sender.close)

    threading.Thread(target=read, name="stdin", daemon=True).start()
    return receiver


def _read(wire: int) -> bytes:
    try:
        return os.read(wire, _CHUNK_BYTES)
    except OSError:  # the terminal or the other end is gone: the same as the end of input
        return b""


def write_some(wire: int, line: memoryview) -> memoryview:
    """Write what a pipe takes at once, and give back the rest; raises OSError when nobody reads.

    A pipe said to be writable takes a little without waiting, an empty one all it can hold; of
    other files nobody promises it.
    """
    if not stat.S_ISFIFO(os.fstat(wire).st_mode) or not hasattr(select, "poll"):
        return line
    ready = select.poll()
    ready.register(wire, select.POLLOUT)
    while line and ready.poll(0):
        line = line[os.write(wire, line[: _room(wire)]) :]
    return line


def _room(wire: int) -> int:
    """How much a writable pipe surely takes: one line in one piece wakes its reader once."""
    if sys.platform == "linux":
        held = fcntl.ioctl(wire, termios.FIONREAD, bytes(4))
        if not any(held):
            return fcntl.fcntl(wire, fcntl.F_GETPIPE_SZ)
    return select.PIPE_BUF


def write_all(wire: int, line: memoryview) -> None:
    """Write all of it, however long that takes; raises OSError when nobody reads."""
    while line:
        line = line[os.write(wire, line) :]


def read_message(line: bytes | None) -> types.JSONRPCMessage | None:
    """The message of a line; None for an empty one, Unreadable for what is none.

    >>> read_message(b"  ") is None
    True
    >>> read_message(b"{oops")
    Traceback (most recent call last):
    commonplace.serve.wire.Unreadable: not JSON; send one JSON-RPC message a line
    """
    if line is None:
        raise Unreadable(types.INVALID_REQUEST, f"a line has at most {MAX_LINE_BYTES} bytes")
    if not line.strip():
        return None
    try:
        return types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        return _second_look(line)


def _second_look(line: bytes) -> types.JSONRPCMessage:
    # The strict parser refuses lone surrogates, which a tool answers better: with the field.
    try:
        decoded = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        problem = "not JSON; send one JSON-RPC message a line"
        raise Unreadable(types.PARSE_ERROR, problem) from None
    try:
        return types.jsonrpc_message_adapter.validate_python(decoded, by_name=False)
    except ValidationError:
        asked = decoded.get("id") if isinstance(decoded, dict) else None
        known = asked if isinstance(asked, str | int) and not isinstance(asked, bool) else None
        problem = "not a JSON-RPC 2.0 message"
        raise Unreadable(types.INVALID_REQUEST, problem, known) from None
