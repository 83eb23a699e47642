"""``kb.search``: a shortlist of passages with answer-shaped previews; never full text."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import Field

from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.preview import preview
from commonplace.answer.render import listing, one_line, place, quotation
from commonplace.domain.evidence import Reply, ResourceLink
from commonplace.domain.passage import Located
from commonplace.domain.query import Hit
from commonplace.domain.walk import Reach
from commonplace.retrieve.search import Found, Mode
from commonplace.session.scratch import Note, scratch_uri
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolArgs, ToolOutput
from commonplace.tools.kb.citing import address, citation, look_up
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
from commonplace.tools.scope import Filters, Question, Scope, select

MAX_TOP_K = 100

_MOST_RELATED = 5

Related = dict[str, list[dict[str, str]]]
"""By passage: its neighbours in the graph."""


class SearchOptions(ToolArgs):
    """How to search and what to show."""

    max_snippet_chars: int = Field(default=280, ge=40, le=1000)
    max_per_doc: int = Field(default=1, ge=1, le=50, description="Most passages per document.")
    include_scores: bool = False
    include_debug: bool = False
    mode: Mode = "auto"


class SearchArgs(BudgetedArgs):
    """Arguments of kb.search."""

    query: Question = Field(description="Words or a question.")
    top_k: int = Field(default=5, ge=1, le=MAX_TOP_K)
    cursor: CursorText | None = None
    page_size: int = Field(default=5, ge=1, le=50)
    scope: Scope | None = None
    filters: Filters | None = None
    options: SearchOptions = SearchOptions()
    max_response_tokens: ResponseTokens = 1500


class SearchResult(ToolOutput):
    """One candidate."""

    passage_id: str = Field(description="Handle for kb.read_excerpt and kb.extract_evidence.")
    section_id: str = Field(description="Stable id.")
    doc_tag: str
    title: str
    rank: int
    score: float | None = None
    source: str = Field(description="Channel that found it.")
    preview: str = Field(description="Verbatim.")
    start_char: int = Field(description="Of the preview, in the document.")
    end_char: int
    scratch_uri: str
    source_uri: str
    heading_path: list[str]
    size_bytes: int
    anchor: str | None
    debug: dict[str, Any] | None = None


class SearchReply(Listed):
    """Reply of kb.search."""

    results: list[SearchResult]
    partial: bool


DESCRIPTION = """\
Use when you want to see which passages of the indexed documents deal with something: a ranked \
shortlist with previews, no full text.
Do not use when you want an answer: kb_retrieve_evidence searches and quotes in one call.
Returns at most page_size results inside max_response_tokens.
If you need more, call kb_read_excerpt or kb_extract_evidence with a passage_id, or send \
next_cursor back with the same arguments.
Defaults: top_k 5, one passage per document, mode auto. Max: top_k 100, page_size 50, \
max_snippet_chars 1000."""


async def run_search(app: App, call: Call, args: SearchArgs) -> Reply:
    """Search, preview, pack."""
    reach = (args.top_k, args.options.max_per_doc, args.options.mode)
    found = await look_up(app, call, args, args.query, reach)
    facts = {"tool": "kb.search", **fingerprint(args)}
    continuation = Continuation(app.cursors, found.generation, facts)
    page = Page(continuation.offset(args.cursor), args.page_size)
    related = await _related(app, args, found) if args.options.include_debug else {}
    rows = _Rows(app, call, args, found, related)

    def shape(entries: Sequence[int], tail: Tail) -> Form:
        results = [rows.row(index) for index in entries]
        fields = continuation.fields(tail)
        structured = {"results": results, **fields, "partial": tail.has_more}
        structured |= app.marks(call, found.degraded)
        return Form(_text(args.query, structured), structured, rows.links(entries))

    reply = pack(range(len(found.hits)), page, budget(app, response_tokens(app, args)), shape)
    call.session.see(row["section_id"] for row in reply.structured["results"])
    return replace(reply, degraded=found.degraded, collapsed=found.collapsed)


async def _related(app: App, args: SearchArgs, found: Found) -> Related:
    """What stands next to each hit in the graph, for debug replies."""
    selection = await select(app, args.scope, args.filters)
    ids = [hit.passage_id for hit in found.hits]
    related: Related = {}
    for near in (await app.store.graph.expand(selection, ids, Reach())).reached:
        facts = {"id": near.node.id, "kind": near.node.kind, "relation": near.edge.relation}
        for origin in near.origins:
            rows = related.setdefault(origin, [])
            if len(rows) < _MOST_RELATED:
                rows.append(facts)
    return related


class _Rows:
    """Makes each result once, however often the packer tries."""

    def __init__(
        self, app: App, call: Call, args: SearchArgs, found: Found, related: Related
    ) -> None:
        self._app, self._call, self._args = app, call, args
        self._found, self._related = found, related
        self._made: dict[int, tuple[dict[str, Any], Note]] = {}

    def row(self, index: int) -> dict[str, Any]:
        if index not in self._made:
            self._made[index] = self._make(index)
        return self._made[index][0]

    def links(self, indexes: Sequence[int]) -> tuple[ResourceLink, ...]:
        notes = [self._made[index][1] for index in indexes]
        return tuple(resource_link(self._call.session.id, note) for note in notes)

    def _make(self, index: int) -> tuple[dict[str, Any], Note]:
        located, hit = self._found.located[index], self._found.hits[index]
        options = self._args.options
        best = preview(self._args.query, located, options.max_snippet_chars)
        note = self._app.scratch.put(self._call.session.id, located, best.span)
        row = {
            "passage_id": note.passage_id,
            **citation(located, best.span),
            "doc_tag": located.card.doc_tag,
            "rank": index + 1,
            "source": hit.channel,
            "preview": best.text,
            "scratch_uri": scratch_uri(self._call.session.id, note.passage_id),
            "size_bytes": note.size_bytes,
            "anchor": located.passage.anchor,
        }
        if options.include_scores or options.include_debug:
            row["score"] = round(hit.score, 4)
        if options.include_debug:
            near = self._related.get(located.passage.id, [])
            row["debug"] = _debug(hit, located, self._found) | {"related": near}
        return row, note


def _debug(hit: Hit, located: Located, found: Found) -> dict[str, Any]:
    """What each channel said, and the facts older clients read."""
    card, passage = located.card, located.passage
    return {
        "channels": {name: round(score, 4) for name, score in hit.parts},
        "mode": found.mode,
        "document_id": card.id,
        "ordinal": passage.ordinal,
        "tokens": passage.tokens,
        "kind": passage.kind,
        "path": card.path,
        "tags": list(card.tags),
        "modified_at": card.modified_at.isoformat(),
        "indexed_at": card.indexed_at.isoformat(),
    }


def resource_link(session_id: str, note: Note) -> ResourceLink:
    """The handle a host may show without putting the text into the context."""
    return ResourceLink(
        uri=scratch_uri(session_id, note.passage_id),
        name=one_line(note.located.card.title)[:80],
        size_bytes=note.size_bytes,
        modified_at=note.located.card.modified_at.isoformat(),
    )


def _text(query: str, structured: dict[str, Any]) -> str:
    lines = []
    for row in structured["results"]:
        where = place(row["title"], row["heading_path"])
        lines.append(f"{row['rank']}. {where} [passage_id {row['passage_id']}]")
        lines.append(quotation(row["preview"]))
        lines.append(f"   {address(row)}")
    return listing(lines, f"Nothing found for: {one_line(query)[:200]}", structured, "results")


SEARCH = Tool(
    name="kb.search",
    description=DESCRIPTION,
    args=SearchArgs,
    output=SearchReply,
    run=run_search,
)
