"""``search_sections``, ``get_section_text``, ``search_documentation``.

Two go through ``kb.search`` with its debug fields, one reads bounded text.
"""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from commonplace.answer.excerpt import MAX_EXCERPT_BYTES, Measure, forwards
from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import closing, place, quotation
from commonplace.domain.errors import NotFound
from commonplace.domain.evidence import Reply
from commonplace.domain.passage import Located
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolArgs, ToolOutput
from commonplace.tools.kb.search import (
    MAX_TOP_K,
    SearchArgs,
    SearchOptions,
    SearchReply,
    run_search,
)
from commonplace.tools.paging import CursorText, Listed, SessionId, budget
from commonplace.tools.scope import Filters, Name, Question, select

UNLIMITED_TOKENS = 1_000_000  # the old tools were bounded in bytes, not in tokens


class SearchSectionsArgs(ToolArgs):
    """Arguments of search_sections."""

    query: Question
    top_k: int = Field(default=20, ge=1, le=MAX_TOP_K)
    filters: Filters | None = None
    cursor: CursorText | None = None
    page_size: int = Field(default=25, ge=1, le=50)
    session_id: SessionId | None = None


class SectionTextArgs(ToolArgs):
    """Arguments of get_section_text."""

    section_ids: list[Name] = Field(min_length=1, max_length=50)
    max_bytes_per: int = Field(default=8192, ge=64, le=MAX_EXCERPT_BYTES)
    session_id: SessionId | None = None


class SearchDocumentationArgs(ToolArgs):
    """Arguments of search_documentation."""

    query: Question
    top_k: int = Field(default=20, ge=1, le=50)
    verbosity: Literal["snippet", "graph", "full"] = "graph"
    session_id: SessionId | None = None


class SectionText(ToolOutput):
    """The text of one section, bounded."""

    section_id: str
    title: str
    doc_tag: str
    text: str
    truncated: bool
    size_bytes: int
    source_uri: str
    heading_path: list[str]
    start_char: int
    end_char: int


class SectionTextReply(Listed):
    """Reply of get_section_text."""

    results: list[SectionText]
    missing: list[str]


async def run_search_sections(app: App, call: Call, args: SearchSectionsArgs) -> Reply:
    """kb.search with the old defaults and all its debug fields."""
    wide = SearchArgs(
        query=args.query,
        top_k=args.top_k,
        page_size=args.page_size,
        cursor=args.cursor,
        filters=args.filters,
        options=SearchOptions(max_per_doc=50, include_scores=True, include_debug=True),
        max_response_tokens=10_000,
    )
    return await run_search(app, call, wide)


async def run_search_documentation(app: App, call: Call, args: SearchDocumentationArgs) -> Reply:
    """kb.search; ``graph`` adds debug fields and related nodes, ``full`` longer previews too."""
    longest = 1000 if args.verbosity == "full" else 280
    options = SearchOptions(
        max_per_doc=50,
        max_snippet_chars=longest,
        include_scores=True,
        include_debug=args.verbosity != "snippet",
    )
    wide = SearchArgs(
        query=args.query,
        top_k=args.top_k,
        page_size=args.top_k,
        options=options,
        max_response_tokens=10_000,
    )
    return await run_search(app, call, wide)


async def run_section_text(app: App, call: Call, args: SectionTextArgs) -> Reply:
    """The bounded text of sections named by their stable ids."""
    selection = await select(app, None)
    wanted = list(dict.fromkeys(args.section_ids))
    found = await app.store.passages.get(selection, wanted)
    if not found:
        raise NotFound(
            "none of these section_ids is in this project; search again for current ids",
            section_ids=wanted[:5],
        )
    missing = [one for one in wanted if one not in {located.passage.id for located in found}]
    measure = Measure(app.tokens, UNLIMITED_TOKENS, args.max_bytes_per)
    rows = [section(located, measure) for located in found]

    def shape(entries: Sequence[dict[str, Any]], tail: Tail) -> Form:
        structured = {
            "results": list(entries),
            "missing": missing,
            **ended(tail),
        } | app.marks(call, ())
        return Form(told(structured), structured)

    return pack(rows, Page(0, len(rows)), budget(app, UNLIMITED_TOKENS), shape)


def ended(tail: Tail) -> dict[str, Any]:
    """The tail of a list that no cursor continues."""
    return {
        "next_cursor": None,
        "limit_reason": tail.limit_reason,
        "truncated": tail.truncated,
        "has_more": tail.has_more,
        "returned_count": tail.returned_count,
        "remaining_count": tail.remaining_count,
        "total_count": tail.total_count,
    }


def section(located: Located, measure: Measure) -> dict[str, Any]:
    """The beginning of a passage in whole sentences, with its place."""
    card, passage = located.card, located.passage
    end = forwards(passage.text, 0, measure)
    return {
        "section_id": passage.id,
        "title": card.title,
        "doc_tag": card.doc_tag,
        "text": passage.text[:end],
        "truncated": end < len(passage.text),
        "size_bytes": len(passage.text.encode("utf-8", "replace")),
        "source_uri": located.address,
        "heading_path": located.heading_path,
        "start_char": passage.span.start,
        "end_char": passage.span.start + end,
    }


def told(structured: dict[str, Any]) -> str:
    """Sections as text."""
    lines = []
    for row in structured["results"]:
        lines.append(f"{place(row['title'], row['heading_path'])} [{row['section_id']}]")
        lines.append(quotation(row["text"]))
    return "\n".join([*lines, closing(structured, "sections")])


SEARCH_SECTIONS = Tool(
    name="search_sections",
    description="""\
Use when an older client asks by this name: ranked sections with previews, scores, debug fields.
Do not use when kb_search or kb_retrieve_evidence is listed.
Returns at most page_size sections, 10,000 tokens, no full text.
If you need more, call get_section_text with section_ids, or send next_cursor back.
Defaults: top_k 20, page_size 25. Max: top_k 100, page_size 50.""",
    args=SearchSectionsArgs,
    output=SearchReply,
    run=run_search_sections,
    is_legacy=True,
)
GET_SECTION_TEXT = Tool(
    name="get_section_text",
    description="""\
Use when you hold section_ids from a search and want their text.
Do not use when kb_read_excerpt is listed, or before you have narrowed to a few sections.
Returns at most max_bytes_per bytes of each section, in whole sentences, 45,000 characters in all.
If you need more, call it with fewer section_ids.
Defaults: max_bytes_per 8192. Max: 50 sections of 32 KB.""",
    args=SectionTextArgs,
    output=SectionTextReply,
    run=run_section_text,
    is_legacy=True,
)
SEARCH_DOCUMENTATION = Tool(
    name="search_documentation",
    description="""\
Use when an older client asks by this name: a search at a chosen verbosity.
Do not use when kb_retrieve_evidence or kb_search is listed.
Returns at most top_k sections with previews, 10,000 tokens.
If you need more, call get_section_text with section_ids.
Defaults: top_k 20, verbosity graph (adds related nodes). Max: top_k 50.""",
    args=SearchDocumentationArgs,
    output=SearchReply,
    run=run_search_documentation,
    is_legacy=True,
)
