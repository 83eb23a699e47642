"""Serving one client over standard input and output."""

import logging
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage

from commonplace.serve.mcp import assemble
from commonplace.serve.signals import stopping
from commonplace.serve.wire import (
    Unreadable,
    claimed_wire,
    read_lines,
    read_message,
    write_all,
    write_some,
)
from commonplace.tools.app import App
from commonplace.tools.base import Tool

log = logging.getLogger(__name__)

_DRAIN_S = 10.0  # `echo request | commonplace serve` is answered after its input has ended

Inbox = MemoryObjectSendStream[SessionMessage | Exception]
Outbox = MemoryObjectSendStream[SessionMessage]


async def serve_stdio(app: App, tools: Mapping[str, Tool] | None = None) -> None:
    """Serve until the input ends, the client is gone, or a signal asks to stop."""
    await run_stdio(assemble(app, tools))


async def run_stdio(server: Server[Any]) -> None:
    """Serve any MCP server over the process's own descriptors."""
    unanswered = _Unanswered()
    inbox, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outbox, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    with claimed_wire() as (wire_in, wire_out):
        async with anyio.create_task_group() as tasks:
            with stopping(lambda _number: tasks.cancel_scope.cancel()):
                tasks.start_soon(_receive, wire_in, inbox, outbox.clone(), unanswered)
                tasks.start_soon(_send, wire_out, outgoing, unanswered, tasks.cancel_scope)
                await server.run(incoming, outbox, server.create_initialization_options())
    log.info("stopped")


async def _receive(wire: int, inbox: Inbox, outbox: Outbox, unanswered: "_Unanswered") -> None:
    async with inbox, outbox, aclosing(read_lines(wire)) as lines:
        async for line in lines:
            try:
                message = read_message(line)
            except Unreadable as exc:
                log.warning("unreadable message: %s", exc)
                await outbox.send(SessionMessage(exc.answer))
                continue
            if message is not None:
                unanswered.note(message)
                await inbox.send(SessionMessage(message))
        with anyio.move_on_after(_DRAIN_S):
            await unanswered.wait()


async def _send(
    wire: int,
    outgoing: MemoryObjectReceiveStream[SessionMessage],
    unanswered: "_Unanswered",
    scope: anyio.CancelScope,
) -> None:
    async with outgoing:
        async for envelope in outgoing:
            message = envelope.message
            try:
                line = message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
            except ValueError:  # cannot be encoded: leave it out rather than break the wire
                log.exception("a message could not be written")
                continue
            try:
                if rest := write_some(wire, memoryview(line)):
                    await anyio.to_thread.run_sync(write_all, wire, rest, abandon_on_cancel=True)
            except OSError:
                log.info("the client is gone")
                scope.cancel()
                return
            unanswered.settle(message)


class _Unanswered:
    """Requests still at work, so that the end of the input does not cut them off."""

    def __init__(self) -> None:
        self._ids: set[str | int] = set()
        self._changed = anyio.Event()

    def note(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, types.JSONRPCNotification):
            cancelled = message.method == "notifications/cancelled" and message.params
            self._drop(cancelled.get("requestId") if cancelled else None)

    def settle(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._drop(message.id)

    async def wait(self) -> None:
        while self._ids:
            self._changed = anyio.Event()
            await self._changed.wait()

    def _drop(self, asked: object) -> None:
        if isinstance(asked, str | int):
            self._ids.discard(asked)
            self._changed.set()
