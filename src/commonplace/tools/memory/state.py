"""``memory.update_scratchpad`` and ``memory.get_agent_state``: what an agent keeps for a while."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import one_line, quotation, session_note
from commonplace.domain.evidence import Reply
from commonplace.memory.state import (
    LEAST_TTL_S,
    MOST_TTL_S,
    Drawer,
    Prefix,
    UpdateMode,
    check_agent,
    read,
    read_all,
    update,
)
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolArgs
from commonplace.tools.memory.replies import MemoryReply, Place, explain
from commonplace.tools.paging import (
    BudgetedArgs,
    Continuation,
    CursorText,
    Listed,
    ResponseTokens,
    SessionId,
    budget,
    fingerprint,
    response_tokens,
)
from commonplace.tools.scope import select

_PIECE_CHARS = 400  # a text of 100 KB then has fewer pieces than a cursor can count
_FIELDS = {
    "agent_id": "invalid_agent_id",
    "key": "invalid_key",
    "content": "invalid_content_type",
    "ttl": "invalid_ttl",
    "prefix": "invalid_prefix",
}


class UpdateScratchpadArgs(ToolArgs):
    """Arguments of memory.update_scratchpad."""

    agent_id: str = Field(description="Your own name.")
    key: str
    content: str
    mode: UpdateMode = "overwrite"
    ttl: int = Field(default=3600, ge=LEAST_TTL_S, le=MOST_TTL_S, description="Seconds to live.")
    prefix: Prefix = "scratchpad"
    scope: Place | None = None
    session_id: SessionId | None = None


class UpdateScratchpadReply(MemoryReply):
    """Reply of memory.update_scratchpad."""

    key: str = Field(description="Full name.")
    ttl: int = Field(description="Seconds it lives from now.")
    content_size: int = Field(description="Bytes of the whole entry.")
    session_id: str


UPDATE_DESCRIPTION = """\
Use when you want to keep a note, a plan or a state for minutes or hours, under your agent_id.
Do not use when it should be known in later sessions: memory_store_context.
Returns at most the full key, its size and its life.
If you need it again, call memory_get_agent_state.
Defaults: overwrite, 3600 s, prefix scratchpad. append adds a line and never shortens the life. \
Max: 100 KB an entry, ttl 60 to 86400."""


async def run_update_scratchpad(app: App, call: Call, args: UpdateScratchpadArgs) -> Reply:
    """Check, write, tell."""
    drawer = await _drawer(app, call, args.agent_id, args.prefix, args.scope)
    is_named = "ttl" in args.model_fields_set
    ttl_s = args.ttl if is_named else app.settings.agent_ttl_s[args.prefix]
    keyvalue = app.store.keyvalue
    done = await update(keyvalue, drawer, args.key, args.content, (args.mode, ttl_s))
    structured = {
        "success": True,
        "message": f"Scratchpad updated successfully (mode: {args.mode})",
        "key": done.name,
        "ttl": done.ttl_s,
        "content_size": done.size_bytes,
        **app.marks(call, ()),
    }
    text = f"{structured['message']}: {done.name}, {done.size_bytes} bytes, lives {done.ttl_s} s"
    return Reply(text=text + session_note(call.session.id), structured=structured)


async def _drawer(
    app: App, call: Call, agent_id: str, prefix: Prefix, scope: Place | None
) -> Drawer:
    """The drawer of this agent of this principal; nobody else's can be named."""
    check_agent(agent_id)
    project = (await select(app, scope)).project
    principal = call.session.principal
    return Drawer(project=project, principal=principal, agent_id=agent_id, prefix=prefix)


class GetAgentStateArgs(BudgetedArgs):
    """Arguments of memory.get_agent_state."""

    agent_id: str = Field(description="Your own name.")
    key: str | None = Field(default=None, description="Omitted: all keys.")
    prefix: Prefix = "state"
    cursor: CursorText | None = None
    scope: Place | None = None
    max_response_tokens: ResponseTokens = 1500


class GetAgentStateReply(MemoryReply, Listed):
    """Reply of memory.get_agent_state."""

    data: dict[str, str] = Field(description="key, content, namespaced_key; or content by key.")
    keys: list[str] = Field(default=[], description="The keys in data, of a call without key.")
    large_keys: dict[str, int] = Field(
        default={}, description="Bytes of entries to be read with key, one at a time."
    )
    total_available: int | None = Field(default=None, description="Keys there are in all.")


GET_DESCRIPTION = """\
Use when you want back what you kept with memory_update_scratchpad (prefix scratchpad) or your \
state, memory or config.
Do not use when you look for what was decided or learned: memory_retrieve_context.
Returns at most max_response_tokens; other agents' entries never.
If you need more, send next_cursor back with the same arguments.
Defaults: prefix state, all keys."""


async def run_get_agent_state(app: App, call: Call, args: GetAgentStateArgs) -> Reply:
    """One entry, or all that fit."""
    drawer = await _drawer(app, call, args.agent_id, args.prefix, args.scope)
    if args.key is not None:
        return await _one(app, call, args, drawer)
    return await _all(app, call, args, drawer)


async def _one(app: App, call: Call, args: GetAgentStateArgs, drawer: Drawer) -> Reply:
    content = await read(app.store.keyvalue, drawer, args.key or "")
    key = (args.key or "").rpartition(":")[2]
    continuation = _continuation(app, args, content)
    pieces = list(_pieces(content))

    def shape(entries: Sequence[str], tail: Tail) -> Form:
        data = {"key": key, "content": "".join(entries), "namespaced_key": drawer.name_of(key)}
        structured = _structured(data, "State retrieved successfully", continuation.fields(tail))
        structured |= app.marks(call, ())
        return Form(_text({key: data["content"]}, structured), structured)

    page = Page(continuation.offset(args.cursor), max(1, len(pieces)))
    return pack(pieces, page, budget(app, response_tokens(app, args)), shape)


async def _all(app: App, call: Call, args: GetAgentStateArgs, drawer: Drawer) -> Reply:
    entries = await read_all(app.store.keyvalue, drawer)
    tokens = response_tokens(app, args)
    # A third of the budget, at about two characters a token of the dearest usual text.
    large = {key: len(text.encode()) for key, text in entries.items() if 3 * len(text) > 2 * tokens}
    shown = [key for key in entries if key not in large]
    continuation = _continuation(app, args, repr(sorted(entries.items())))
    named = dict(list(large.items())[: max(1, tokens // 100)])

    def shape(keys: Sequence[str], tail: Tail) -> Form:
        data = {key: entries[key] for key in keys}
        message = f"Retrieved {len(data)} {args.prefix} entries"
        structured = _structured(data, message, continuation.fields(tail))
        structured |= {"keys": list(keys), "total_available": len(entries)}
        structured |= {"large_keys": named} if named else {}
        structured |= app.marks(call, ())
        return Form(_text(data, structured), structured)

    page = Page(continuation.offset(args.cursor), max(1, len(shown)))
    return pack(shown, page, budget(app, tokens), shape)


def _continuation(app: App, args: GetAgentStateArgs, content: str) -> Continuation:
    """A cursor goes on in the same content only."""
    facts = {"tool": "memory.get_agent_state", **fingerprint(args)}
    return Continuation(app.cursors, zlib.crc32(content.encode()), facts)


def _structured(data: Mapping[str, str], message: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"success": True, "data": dict(data), "message": message, **fields}


def _pieces(content: str) -> Sequence[str]:
    """The content cut after lines and words, so that a page ends at one of them."""
    pieces: list[str] = []
    start = 0
    while start < len(content):
        end = min(len(content), start + _PIECE_CHARS)
        if end < len(content):
            cut = content.rfind("\n", start, end) + 1 or content.rfind(" ", start, end) + 1
            end = cut if cut > start + _PIECE_CHARS // 4 else end
        pieces.append(content[start:end])
        start = end
    return pieces or [""]


def _text(data: Mapping[str, str], structured: Mapping[str, Any]) -> str:
    lines = [str(structured["message"])]
    for key, content in data.items():
        lines += [f"{one_line(key)}:", quotation(content)]
    lines += [
        f"{key}: {size_bytes} bytes, read it with key={key}"
        for key, size_bytes in structured.get("large_keys", {}).items()
    ]
    if structured["next_cursor"]:
        lines.append(f"more with cursor={structured['next_cursor']}")
    return "\n".join(lines) + session_note(str(structured.get("session_id", "")))


UPDATE_SCRATCHPAD = Tool(
    name="memory.update_scratchpad",
    description=UPDATE_DESCRIPTION,
    args=UpdateScratchpadArgs,
    output=UpdateScratchpadReply,
    run=run_update_scratchpad,
    bare="update_scratchpad",
    writes=True,
    explain=explain({}, {"": "storage_error", "INDEX_UNAVAILABLE": "storage_unavailable"}, _FIELDS),
)
GET_AGENT_STATE = Tool(
    name="memory.get_agent_state",
    description=GET_DESCRIPTION,
    args=GetAgentStateArgs,
    output=GetAgentStateReply,
    run=run_get_agent_state,
    bare="get_agent_state",
    explain=explain(
        {"data": {}},
        {
            "": "storage_exception",
            "INDEX_UNAVAILABLE": "storage_unavailable",
            "SCOPE_VIOLATION": "access_denied",
            "NOT_FOUND": "key_not_found",
        },
        _FIELDS,
    ),
)
