"""The one place that runs a tool: name in, checked outcome out, whatever happens between."""

import logging
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import anyio
from pydantic import ValidationError

from commonplace.domain.errors import BudgetExceeded, CommonplaceError, DeadlineExceeded, NotFound
from commonplace.domain.evidence import Reply, ResourceLink
from commonplace.serve.arguments import read_arguments
from commonplace.serve.envelope import clip, error_envelope, internal_envelope, minified, printable
from commonplace.serve.listing import Offer
from commonplace.serve.names import nearest_name, tools_by_name
from commonplace.session.ledger import Entry, Ledger
from commonplace.session.limits import Limits
from commonplace.session.sessions import Sessions
from commonplace.tools.app import App, Call, Progress
from commonplace.tools.base import Tool

log = logging.getLogger(__name__)

MAX_RESPONSE_BYTES = 512 * 1024  # DESIGN D4


async def no_progress(_done: float, _total: float | None, _message: str) -> None:
    """Progress nobody asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who calls, and over what."""

    principal: str = "local"
    connection: str | None = None
    """What the transport knows the conversation by; None on stateless HTTP."""
    progress: Progress = no_progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a call came to; both forms stand alone and fit the limits."""

    text: str
    structured: Mapping[str, Any]
    meta: Mapping[str, Any]
    links: tuple[ResourceLink, ...] = ()
    is_error: bool = False


@dataclass(slots=True)
class _Running:
    """One call on its way."""

    tool: Tool
    arguments: Mapping[str, Any]
    caller: Caller
    started: float
    correlation_id: str = field(default_factory=lambda: secrets.token_hex(6))


class Dispatcher:
    """Runs tools for every transport and the command line: limits, sessions, errors, ledger."""

    def __init__(
        self, app: App, tools: Iterable[Tool | Offer], clock: Callable[[], float] = time.monotonic
    ) -> None:
        settings = app.settings
        self.app = app
        self.sessions = Sessions(settings.session_ttl_s, clock)
        self.limits = Limits(settings.rate_limit_per_minute, clock, settings.rate_limits)
        self.ledger = Ledger()
        self._clock = clock
        self.tools = tuple(tools)
        self._by_name = tools_by_name(self.tools)

    def find(self, name: str) -> Tool:
        """The tool of a canonical, listed, bare or legacy name; raises NotFound."""
        tool = self._by_name.get(name)
        if tool is None:
            near = nearest_name(name, self._by_name)
            meant = f"did you mean {near}?" if near else "see tools/list"
            raise NotFound(f"unknown tool {printable(clip(name, 80))!r}; {meant}")
        return tool.tool if isinstance(tool, Offer) else tool

    def load(self) -> None:
        """Import every tool that is not yet, so that no call has to wait for it."""
        for tool in self.tools:
            if isinstance(tool, Offer):
                _ = tool.tool

    async def call(self, name: str, arguments: Mapping[str, Any] | None, caller: Caller) -> Outcome:
        """Run a tool; every failure of it is an outcome.

        Only two things pass through: NotFound for a name no tool has, and cancellation.
        """
        tool = self.find(name)
        call = _Running(tool, arguments or {}, caller, self._clock())
        try:
            with self.app.activity:
                reply = await self._run(call)
            outcome = self._succeed(call, reply)
        except CommonplaceError as exc:
            return self._fail(call, error_envelope(exc))
        except Exception:  # the edge: whatever a tool raises must not reach the client
            log.exception("call failed", extra=self._facts(call))
            return self._fail(call, internal_envelope(call.correlation_id))
        except BaseException:
            self._enter(call, Entry(tool=tool.name, elapsed_ms=self._ms(call), error="CANCELLED"))
            raise
        return outcome

    async def _run(self, call: _Running) -> Reply:
        tool, caller = call.tool, call.caller
        self.limits.take(tool.name, caller.principal)
        args = read_arguments(tool.args, call.arguments)
        session = self.sessions.resolve(
            getattr(args, "session_id", None), caller.connection, caller.principal
        )
        context = Call(
            session=session, correlation_id=call.correlation_id, progress=caller.progress
        )
        limit_s = tool.timeout_s or self.app.settings.tool_timeout_s
        with anyio.move_on_after(limit_s) as scope:
            return await tool.run(self.app, context, args)
        if not scope.cancelled_caught:  # pragma: no cover - the block above returns or raises
            raise AssertionError("left without a reply")
        raise DeadlineExceeded(
            f"{tool.name} took longer than {limit_s:g} s; ask for less, or raise tool_timeout_s",
            timeout_s=limit_s,
        )

    def _succeed(self, call: _Running, reply: Reply) -> Outcome:
        data = minified(dict(reply.structured))
        _check_output(call.tool, data)
        size_bytes = self._check_size(call.tool, reply.text, data)
        tokens = reply.tokens or max(self.app.tokens(reply.text), self.app.tokens(data))
        entry = Entry(
            tool=call.tool.name,
            elapsed_ms=self._ms(call),
            tokens=tokens,
            bytes=size_bytes,
            used_cursor=bool(call.arguments.get("cursor")),
            is_truncated=bool(reply.structured.get("truncated")),
            duplicates=reply.collapsed,
        )
        self._enter(call, entry, reply.degraded)
        return Outcome(
            text=reply.text,
            structured=reply.structured,
            links=reply.links,
            meta=_meta(call, entry, reply.degraded),
        )

    def _check_size(self, tool: Tool, text: str, data: str) -> int:
        most_chars = self.app.settings.response_chars
        size_bytes = max(len(text.encode("utf-8")), len(data.encode("utf-8")))
        if max(len(text), len(data)) <= most_chars and size_bytes <= MAX_RESPONSE_BYTES:
            return size_bytes
        log.error("%s gave a reply over the limit: %d bytes", tool.name, size_bytes)
        raise BudgetExceeded(
            f"the reply would exceed {most_chars} characters; ask for fewer or shorter entries",
            limit_chars=most_chars,
            limit_bytes=MAX_RESPONSE_BYTES,
        )

    def _fail(self, call: _Running, envelope: dict[str, Any]) -> Outcome:
        if call.tool.explain is not None:
            envelope = {**envelope, **call.tool.explain(envelope["error"])}
        told = call.tool.error_text
        text = told(envelope["error"]) if told is not None else minified(envelope)
        entry = Entry(
            tool=call.tool.name,
            elapsed_ms=self._ms(call),
            tokens=self.app.tokens(text),
            bytes=len(text.encode("utf-8")),
            error=envelope["error"]["code"],
        )
        self._enter(call, entry)
        return Outcome(
            text=text,
            structured=envelope,
            meta=_meta(call, entry, ()),
            is_error=True,
        )

    def _enter(self, call: _Running, entry: Entry, degraded: tuple[str, ...] = ()) -> None:
        self.ledger.enter(entry)
        facts = {
            "elapsed_ms": entry.elapsed_ms,
            "tokens": entry.tokens,
            "bytes": entry.bytes,
            "error": entry.error,
            "cursor": entry.used_cursor,
            "truncated": entry.is_truncated,
            "collapsed": entry.duplicates,
            "degraded": list(degraded),
        }
        log.info("call", extra=self._facts(call) | {k: v for k, v in facts.items() if v})

    def _facts(self, call: _Running) -> dict[str, Any]:
        return {"tool": call.tool.name, "correlation_id": call.correlation_id}

    def _ms(self, call: _Running) -> float:
        return round((self._clock() - call.started) * 1000, 1)


def _check_output(tool: Tool, data: str) -> None:
    try:
        tool.output.model_validate_json(data, strict=True)
    except ValidationError as exc:
        # Only places and kinds of the faults: the values are document text.
        faults = [f"{error['type']} at {error['loc']}" for error in exc.errors()[:5]]
        raise TypeError(f"{tool.name} broke its own output schema: {faults}") from None


def _meta(call: _Running, entry: Entry, degraded: tuple[str, ...]) -> dict[str, Any]:
    return {
        "correlation_id": call.correlation_id,
        "tokens": entry.tokens,
        "elapsed_ms": entry.elapsed_ms,
        "degraded": list(degraded),
    }
