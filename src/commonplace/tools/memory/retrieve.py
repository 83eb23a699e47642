"""``memory.retrieve_context``: what was remembered, by meaning, by the graph, or by both."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from commonplace.answer.pack import Form, Page, Tail, minify, pack
from commonplace.answer.preview import preview
from commonplace.answer.render import closing, one_line, quotation
from commonplace.domain.evidence import Reply
from commonplace.memory.recall import Asked, Memory, Mode, Order, Recalled, recall
from commonplace.memory.render import text_of
from commonplace.retrieve.recall import Failure, attempt
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolOutput
from commonplace.tools.memory.replies import MemoryReply, explain
from commonplace.tools.paging import (
    BudgetedArgs,
    Continuation,
    CursorText,
    Listed,
    ResponseTokens,
    budget,
    fingerprint,
    response_tokens,
)
from commonplace.tools.scope import Question, Scope, select

_EXCERPT_CHARS = 400
_LEAST_EXCERPT_CHARS = 40
_MOST_RELATIONSHIPS = 5


class RetrieveContextArgs(BudgetedArgs):
    """Arguments of memory.retrieve_context."""

    query: Question
    type: Literal["all", "design", "decision", "trace", "sprint", "log"] = "all"
    search_mode: Mode = "hybrid"
    limit: int = Field(default=10, ge=1, le=100)
    sort_by: Order = "timestamp"
    cursor: CursorText | None = None
    scope: Scope | None = None
    max_response_tokens: ResponseTokens = 2000


class Payload(ToolOutput):
    """What was stored."""

    content: dict[str, Any] = Field(description="As it was stored, or an excerpt.")
    type: str = Field(description="Of the context.")
    metadata: dict[str, Any] = Field(description="As it was stored.")


class Related(ToolOutput):
    """What a context relates to."""

    type: str = Field(description="How it relates.")
    target: str = Field(description="The id it relates to.")
    name: str | None = Field(default=None, description="Of the target, when it exists.")


class RetrievedContext(ToolOutput):
    """One context."""

    id: str = Field(description="Of the context.")
    source: Literal["vector", "graph"] = Field(description="What found it.")
    score: float = Field(description="Compares the results of one reply.")
    created_at: str = Field(description="When it was stored.")
    agent: str | None = Field(default=None, description="Who stored it.")
    payload: Payload | None = Field(default=None, description="Of a vector result.")
    type: str | None = Field(default=None, description="Of a graph result.")
    content: dict[str, Any] | None = Field(default=None, description="Of a graph result.")
    via: str | None = Field(default=None, description="How the graph led here.")
    is_excerpt: bool | None = Field(
        default=None, description="content.excerpt is a part; read on with passage_id."
    )
    passage_id: str | None = Field(default=None, description="Handle for kb.read_excerpt.")
    superseded_by: str | None = Field(default=None, description="A newer context replaces it.")
    relationships: list[Related] | None = Field(default=None, description="The first five.")


class RetrieveContextReply(MemoryReply, Listed):
    """Reply of memory.retrieve_context."""

    results: list[RetrievedContext]
    search_mode_used: Mode = Field(description="Another than asked for when a port failed.")


DESCRIPTION = """\
Use when earlier sessions may have decided, designed or learned something of use now.
Do not use when you want what documents say: kb_retrieve_evidence, which quotes contexts too.
Returns at most limit contexts; long ones as an excerpt, replaced ones marked superseded_by.
If you need more, send next_cursor back with the same arguments, or call kb_read_excerpt.
Defaults: all types, hybrid, newest of the best 10 first. Max: limit 100."""


async def run_retrieve_context(app: App, call: Call, args: RetrieveContextArgs) -> Reply:
    """Recall, name what is related, pack."""
    selection = await select(app, args.scope)
    asked = Asked(
        text=args.query,
        selection=selection,
        type=args.type,
        mode=args.search_mode,
        limit=args.limit,
        order=args.sort_by,
    )
    found = await recall(app.reader, asked)
    call.session.ask(args.query)
    names = await _names(app, selection.project, found)
    facts = {"tool": "memory.retrieve_context", **fingerprint(args)}
    continuation = Continuation(app.cursors, found.generation, facts)
    page = Page(continuation.offset(args.cursor), args.limit)
    tokens = response_tokens(app, args)
    rows = _Rows(app, call, args.query, tokens, names)

    def shape(memories: Sequence[Memory], tail: Tail) -> Form:
        structured = {
            "success": True,
            "results": [rows.row(one) for one in memories],
            "search_mode_used": found.mode,
            "message": f"Found {tail.total_count} matching contexts",
            **continuation.fields(tail),
            **app.marks(call, found.degraded),
        }
        return Form(_text(structured), structured)

    reply = pack(found.memories, page, budget(app, tokens), shape)
    return replace(reply, degraded=found.degraded)


async def _names(app: App, project: str, found: Recalled) -> Mapping[str, str]:
    """The names of what the contexts relate to, as far as it exists."""
    contexts = [one.context for one in found.memories if one.context is not None]
    targets = [
        relationship.target
        for context in contexts
        for relationship in context.relationships[:_MOST_RELATIONSHIPS]
    ]
    nodes = await attempt("graph", app.store.graph.nodes(project, targets)) if targets else []
    return {} if isinstance(nodes, Failure) else {node.id: node.name for node in nodes}


class _Rows:
    """Makes each result once, however often the packer tries."""

    def __init__(
        self, app: App, call: Call, query: str, tokens: int, names: Mapping[str, str]
    ) -> None:
        self._app, self._call, self._query = app, call, query
        # A character is a quarter of a token: so no result takes more than a fourth or so.
        self._most_chars = tokens
        self._names = names
        self._made: dict[str, dict[str, Any]] = {}

    def row(self, memory: Memory) -> dict[str, Any]:
        if memory.id not in self._made:
            self._made[memory.id] = self._make(memory)
        return self._made[memory.id]

    def _make(self, memory: Memory) -> dict[str, Any]:
        row: dict[str, Any] = {
            "id": memory.id,
            "source": memory.source,
            "score": round(memory.score, 4),
            "created_at": memory.created_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
        }
        context = memory.context
        content, metadata, is_whole = self._content(memory)
        kind = context.type if context else memory.located.card.tags[1] if memory.located else ""
        if context is not None:
            row["agent"] = context.agent[:80]
        if memory.source == "vector":
            row["payload"] = {"content": content, "type": kind, "metadata": metadata}
        else:
            row |= {"type": kind, "content": content, "via": one_line(memory.via)[:200]}
        if not is_whole:
            row["is_excerpt"] = True
        if not is_whole and memory.located is not None:
            session_id = self._call.session.id
            row["passage_id"] = self._app.scratch.put(session_id, memory.located).passage_id
        if memory.superseded_by:
            row["superseded_by"] = memory.superseded_by
        if context is not None and context.relationships:
            row["relationships"] = self._related(context.relationships)
        return row

    def _content(self, memory: Memory) -> tuple[Mapping[str, Any], Mapping[str, Any], bool]:
        """Content and metadata, or the part that fits the query best, and whether it is all."""
        context, located = memory.context, memory.located
        if context is not None:
            size = len(minify({"content": context.content, "metadata": context.metadata}))
            if size <= self._most_chars:
                return context.content, context.metadata, True
        most = max(_LEAST_EXCERPT_CHARS, min(_EXCERPT_CHARS, self._most_chars // 2))
        if located is not None:
            return {"excerpt": preview(self._query, located, most).text}, {}, False
        text = text_of(context) if context is not None else ""
        return {"excerpt": text[:most].rsplit("\n", 1)[0]}, {}, False

    def _related(self, relationships: Sequence[Any]) -> list[dict[str, Any]]:
        rows = []
        for one in relationships[:_MOST_RELATIONSHIPS]:
            row = {"type": one.type, "target": one.target[:100]}
            name = self._names.get(one.target)
            rows.append(row | {"name": one_line(name)[:100]} if name else row)
        return rows


def _text(structured: Mapping[str, Any]) -> str:
    lines = []
    for number, row in enumerate(structured["results"], 1):
        held = row.get("payload") or row
        head = f"{number}. {held['type']} {row['id']}, {row['created_at']}"
        head += f", by {one_line(row['agent'])}" if row.get("agent") else ""
        head += f" [passage_id {row['passage_id']}]" if "passage_id" in row else ""
        lines.append(head)
        if "superseded_by" in row:
            lines.append(f"   superseded by {row['superseded_by']}")
        lines.append(quotation(minify(held["content"])))
        for one in row.get("relationships", ()):
            name = f" ({one['name']})" if "name" in one else ""
            lines.append(f"   {one_line(one['type'])} {one_line(one['target'])}{name}")
    if not lines:
        lines.append("No context fits; it may be stored under other words.")
    lines.append(closing(structured, "contexts"))
    lines += [f"degraded: {note}" for note in structured.get("degraded", ())]
    return "\n".join(lines)


RETRIEVE_CONTEXT = Tool(
    name="memory.retrieve_context",
    description=DESCRIPTION,
    args=RetrieveContextArgs,
    output=RetrieveContextReply,
    run=run_retrieve_context,
    bare="retrieve_context",
    explain=explain({"results": []}, {"": "storage_error"}, {}),
)
