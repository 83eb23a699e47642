"""``memory.store_context``: remember something, with what it relates to."""

from typing import Any

from pydantic import Field

from commonplace.answer.render import one_line, session_note
from commonplace.domain.context import Context, ContextType, Relationship
from commonplace.domain.errors import InvalidArgument, NotFound
from commonplace.domain.evidence import Reply
from commonplace.domain.scope import Selection
from commonplace.memory.record import check, context_id
from commonplace.memory.state import check_agent
from commonplace.memory.write import SUCCESS, Stored, resolve, store
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolArgs, ToolOutput
from commonplace.tools.ids import whole_ids
from commonplace.tools.memory.replies import MemoryReply, Place, explain
from commonplace.tools.paging import SessionId
from commonplace.tools.scope import select

MAX_RELATIONSHIPS = 100
_MOST_PENDING = 20  # told of in a reply; all are kept
_AUTHORS = ("agent_id", "agent", "author")


class RelationshipArgs(ToolArgs):
    """One relationship."""

    target: str = Field(
        min_length=1,
        max_length=300,
        description="Any id, also of what is still to come: ctx_…, section_id, source_uri.",
    )
    type: str = Field(
        min_length=1, max_length=64, pattern=r"[A-Za-z]", description="supersedes, concerns, …"
    )


class StoreContextArgs(ToolArgs):
    """Arguments of memory.store_context."""

    content: dict[str, Any] = Field(description="What to remember.")
    type: ContextType
    metadata: dict[str, Any] = Field(default={})
    relationships: list[RelationshipArgs] = Field(default=[], max_length=MAX_RELATIONSHIPS)
    agent_id: str | None = Field(default=None, max_length=200, description="Who remembers.")
    scope: Place | None = None
    session_id: SessionId | None = None


class SimilarContext(ToolOutput):
    """A context that says nearly the same."""

    id: str = Field(description="Its id.")
    similarity: float = Field(description="Share of word pairs in common, 0 to 1.")


class StoreContextReply(MemoryReply):
    """Reply of memory.store_context."""

    session_id: str
    degraded: list[str] = Field(default=[], description="What did not run, and why.")

    id: str | None = Field(description="Of the context, for relationships and forgetting.")
    vector_id: str | None = Field(default=None, description="Its document; the same id.")
    graph_id: str | None = Field(default=None, description="Its node; the same id.")
    backend_status: dict[str, str] = Field(
        default={}, description="`vector` and `graph`: success, or what is missing."
    )
    duplicate_of: str | None = Field(
        default=None, description="This very content was stored before; relationships were added."
    )
    similar_to: list[SimilarContext] = Field(default=[], description="Nearly the same content.")
    pending_targets: list[str] = Field(
        default=[], description="Do not exist yet; their edges wait for them."
    )


DESCRIPTION = """\
Use when something should be known in later sessions: a decision with its reasons, a design, a \
trace, a plan, a log.
Do not use when it matters for minutes only.
Returns at most one id, with what it repeats or nearly repeats.
If you need it again, call memory_retrieve_context. A relationship of type supersedes replaces an \
older one.
Max: 256 KB of content, 100 relationships."""


async def run_store_context(app: App, call: Call, args: StoreContextArgs) -> Reply:
    """Check, store, read back."""
    selection = await select(app, args.scope)
    check(args.content, args.metadata)
    context = Context(
        id=context_id(selection.project, args.type, args.content),
        project=selection.project,
        type=args.type,
        content=args.content,
        metadata=args.metadata,
        relationships=await _relationships(app, call, selection, args),
        agent=_agent(call, args),
        environment=selection.environment,
        created_at=app.writer.clock(),
    )
    stored = await store(app.writer, context)
    structured = _structured(stored) | app.marks(call, stored.degraded)
    return Reply(text=_text(structured), structured=structured, degraded=stored.degraded)


async def _relationships(
    app: App, call: Call, selection: Selection, args: StoreContextArgs
) -> tuple[Relationship, ...]:
    """Handles and beginnings become the ids they stand for, addresses document ids."""
    project = selection.project
    whole = await whole_ids(app, selection, (one.target.strip() for one in args.relationships))
    found: dict[Relationship, None] = {}
    for one in args.relationships:
        target = whole[one.target.strip()]
        if not target:
            raise InvalidArgument("relationships: a target is blank; name an id", field="target")
        try:
            note = app.scratch.get(call.session.id, target)
        except NotFound:
            pass
        else:
            target = note.located.passage.id if note.project == project else target
        found[resolve(project, Relationship(one.type, target))] = None
    return tuple(found)


def _agent(call: Call, args: StoreContextArgs) -> str:
    """Who remembers: as the call says, as the metadata says, or whoever calls."""
    if args.agent_id is not None:
        check_agent(args.agent_id)
        return args.agent_id
    named = (args.metadata.get(name) for name in _AUTHORS)
    found = next((one for one in named if isinstance(one, str) and one.strip()), "")
    return one_line(found)[:200] or call.session.principal


def _structured(stored: Stored) -> dict[str, Any]:
    context = stored.context
    is_whole = all(state == SUCCESS for state in stored.status.values())
    message = "Context stored successfully in all backends"
    if not is_whole:
        told = "; ".join(f"{name}: {state}" for name, state in stored.status.items())
        message = f"Context stored in part: {told}"
    elif stored.is_duplicate:
        message = "Context was stored before; what is new in relationships and metadata was added"
    elif context.similar:
        message += f"; {len(context.similar)} nearly the same, see similar_to"
    structured: dict[str, Any] = {
        "success": True,
        "id": context.id,
        "vector_id": context.id,
        "graph_id": context.id,
        "message": message,
        "backend_status": dict(stored.status),
    }
    if stored.is_duplicate:
        structured["duplicate_of"] = context.id
    if context.similar:
        structured["similar_to"] = [
            {"id": one.id, "similarity": one.similarity} for one in context.similar
        ]
    if stored.pending:
        structured["pending_targets"] = list(stored.pending[:_MOST_PENDING])
    return structured


def _text(structured: dict[str, Any]) -> str:
    lines = [f"{structured['message']}: {structured['id']}"]
    lines += [
        f"nearly the same: {one['id']} ({one['similarity']:.0%} of its word pairs)"
        for one in structured.get("similar_to", ())
    ]
    if pending := structured.get("pending_targets"):
        lines.append("not there yet: " + ", ".join(one_line(target) for target in pending))
    lines += [f"degraded: {note}" for note in structured.get("degraded", ())]
    return "\n".join(lines) + session_note(structured["session_id"])


STORE_CONTEXT = Tool(
    name="memory.store_context",
    description=DESCRIPTION,
    args=StoreContextArgs,
    output=StoreContextReply,
    run=run_store_context,
    bare="store_context",
    writes=True,
    explain=explain({"id": None}, {"": "storage_error"}, {}),
)
