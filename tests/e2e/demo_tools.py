"""Small tools that show what serving does around a tool; any transport can serve them."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from pydantic import Field

from commonplace.domain.document import Card, Span
from commonplace.domain.errors import NotFound
from commonplace.domain.evidence import Reply, ResourceLink
from commonplace.domain.passage import Located, Passage
from commonplace.session.scratch import scratch_uri
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolArgs, ToolOutput

INNER_TEXT = "/etc/secret of somebody"
MOMENT = datetime(2026, 1, 2, tzinfo=UTC)


class Options(ToolArgs):
    """How to echo."""

    times: int = Field(default=1, ge=1, le=5)


class EchoArgs(ToolArgs):
    """Arguments of the demo tools."""

    text: str = Field(min_length=1, max_length=10_000, description="What to say.")
    options: Options | None = None
    cursor: str | None = None
    session_id: str | None = None


class NoArgs(ToolArgs):
    """Nothing but the session."""

    session_id: str | None = None


class Echo(ToolOutput):
    """What was said."""

    said: str
    session_id: str
    next_cursor: str | None = None


def reply(text: str, structured: Mapping[str, Any], **more: Any) -> Reply:  # noqa: ANN401
    return Reply(text=text, structured=structured, **more)


async def run_echo(_app: App, call: Call, args: EchoArgs) -> Reply:
    said = args.text * (args.options.times if args.options else 1)
    call.session.ask(said)
    fields = {"said": said, "session_id": call.session.id, "next_cursor": None}
    return reply(said, fields, degraded=("dense: no model",))


async def run_missing(_app: App, _call: Call, _args: NoArgs) -> Reply:
    raise NotFound("no such thing; look elsewhere", wanted="thing")


async def run_broken(_app: App, _call: Call, _args: NoArgs) -> Reply:
    raise RuntimeError(INNER_TEXT)


async def run_wrong(_app: App, call: Call, _args: NoArgs) -> Reply:
    return reply("wrong", {"said": 7, "session_id": call.session.id})


async def run_surrogate(_app: App, call: Call, _args: NoArgs) -> Reply:
    return reply("\ud800", {"said": "\ud800", "session_id": call.session.id})


async def run_big(_app: App, call: Call, _args: NoArgs) -> Reply:
    said = "a" * 60_000
    return reply(said, {"said": said, "session_id": call.session.id})


async def run_slow(app: App, call: Call, _args: NoArgs) -> Reply:
    """Report progress, then wait for ever; leave a mark when cancelled."""
    await call.progress(1, 2, "half")
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        (app.settings.home / "cancelled").touch()
        raise
    raise AssertionError("an event nobody sets was set")


async def run_keep(app: App, call: Call, _args: NoArgs) -> Reply:
    """Put a text into scratch and point at it."""
    note = app.scratch.put(call.session.id, located("The whole text."))
    uri = scratch_uri(call.session.id, note.passage_id)
    link = ResourceLink(
        uri=uri, name="Title", size_bytes=note.size_bytes, modified_at=MOMENT.isoformat()
    )
    return reply(uri, {"said": uri, "session_id": call.session.id}, links=(link,))


def located(text: str) -> Located:
    """A passage of an invented document."""
    card = Card(
        id="d1",
        project="default",
        source_id="s1",
        uri="file:///a.md",
        path="a.md",
        title="Title",
        media_type="text/markdown",
        content_hash="",
        modified_at=MOMENT,
        indexed_at=MOMENT,
    )
    span = Span(0, len(text))
    return Located(card, Passage(id="p1", document_id="d1", ordinal=0, text=text, span=span))


def _tool(name: str, run: Any, args: type[ToolArgs] = NoArgs, **more: Any) -> Tool:  # noqa: ANN401
    about = "Use when testing. Do not use otherwise. Returns little. No follow-up. No defaults."
    return Tool(name=name, description=about, args=args, output=Echo, run=run, **more)


ECHO = _tool("demo.echo", run_echo, EchoArgs, bare="echo", aliases=("say",))
MISSING = _tool("demo.missing", run_missing)
BROKEN = _tool("demo.broken", run_broken)
WRONG = _tool("demo.wrong", run_wrong)
SURROGATE = _tool("demo.surrogate", run_surrogate)
BIG = _tool("demo.big", run_big)
SLOW = _tool("demo.slow", run_slow)
LATE = _tool("demo.late", run_slow, timeout_s=0.05)
KEEP = _tool("demo.keep", run_keep, writes=True)
OLD = _tool("old_echo", run_echo, EchoArgs, is_legacy=True)

TOOLS = {
    tool.name: tool
    for tool in (ECHO, MISSING, BROKEN, WRONG, SURROGATE, BIG, SLOW, LATE, KEEP, OLD)
}
