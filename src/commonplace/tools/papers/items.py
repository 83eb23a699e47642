"""Passages of papers as a reply shows them: trimmed, with what is needed to cite them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from commonplace.answer.evidence import UNIT_TOKENS
from commonplace.answer.pack import Form, Page, Tail, cost_tokens, pack
from commonplace.answer.render import listing, one_line, quotation
from commonplace.domain.evidence import Reply
from commonplace.domain.passage import Located
from commonplace.domain.reference import Reference
from commonplace.engines.base import Stats
from commonplace.index.references.keep import references_of
from commonplace.tools.app import App, Call
from commonplace.tools.base import ToolArgs, ToolOutput
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
from commonplace.tools.papers.excerpts import MEAN_CHARS, RENDER_CHARS, Excerpt, core, parts_of
from commonplace.tools.papers.finding import Ask
from commonplace.tools.papers.stretches import Scored, filled
from commonplace.tools.papers.writing import Shown, Writing
from commonplace.tools.scope import Name, Question

_LEAST_CAP_TOKENS = 30
_MOST_AUTHORS = 8


class PaperFilters(ToolArgs):
    """Which passages to look at. A project named here means nothing: the argument decides."""

    tags: list[Name] = Field(default=[], max_length=50, description="All of them.")
    section_prefix: str | None = Field(
        default=None, max_length=500, description="Start of the section path."
    )
    project: SkipJsonSchema[str | None] = None
    project_id: SkipJsonSchema[str | None] = None


class PapersArgs(BudgetedArgs):
    """Arguments of both queries."""

    project: Name
    text: Question
    top_k: int = Field(default=6, ge=1)
    filters: PaperFilters = Field(default=PaperFilters())
    include_full_text: bool = False
    cursor: CursorText | None = None
    max_response_tokens: ResponseTokens = 4000

    @property
    def ask(self) -> Ask:
        """The question without what shapes the reply."""
        return Ask(
            project=self.project,
            text=self.text,
            tags=tuple(self.filters.tags),
            section_prefix=self.filters.section_prefix or "",
        )


class PaperItem(ToolOutput):
    """One passage, ready to cite."""

    render_text: str = Field(
        description="At most 1,800 characters of whole sentences: what was found and what stands "
        "around it; where that does not fit, those likeliest to answer."
    )
    score: float
    citekey: str | None = Field(description="None where no bibliography tells of the document.")
    section: str | None = Field(description="The innermost heading.")
    page_span: list[int] | None = Field(description="First and last page, of paged formats.")
    section_path: list[str] = Field(description="Headings above it, outermost first.")
    doi: str | None = Field(description="Of the record, else as the document states it.")
    title: str
    authors: list[str] = Field(default=[], description="The first eight.")
    year: int | None = None
    section_id: str
    source_uri: str
    full_text: str | None = Field(default=None, description="The whole passage, when asked for.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """What was found for a question."""

    hits: Sequence[Scored]
    excerpts: Sequence[Excerpt]
    facts: Mapping[str, Any]
    """What the tool says of itself."""
    degraded: tuple[str, ...]


class PapersReply(Listed):
    """What both replies share."""

    items: list[PaperItem]
    count: int = Field(description="Items in this reply.")


def citing(located: Located, reference: Reference | None) -> dict[str, Any]:
    """How to cite a passage: from the record of its document, as far as there is one."""
    known = reference or Reference()
    pages = located.passage.pages
    path = located.heading_path
    return {
        "citekey": known.citekey or None,
        "section": path[-1] if path else None,
        "page_span": list(pages) if pages else None,
        "section_path": path,
        "doi": known.doi or None,
        "title": known.title or located.card.title,
        "authors": list(known.authors[:_MOST_AUTHORS]),
        "year": known.year,
    }


def _row(shown: Shown, reference: Reference | None, is_whole: bool) -> dict[str, Any]:
    """All of an item but its text."""
    best = shown.excerpt.best
    return {
        "render_text": "",
        "score": round(best.score, 4),
        **citing(best.located, reference),
        "section_id": best.located.passage.id,
        "source_uri": best.located.address,
        "full_text": shown.passages() if is_whole else None,
    }


async def _shown(
    app: App, question: str, scored: Sequence[Scored], excerpts: Sequence[Excerpt], tokens: int
) -> list[Shown]:
    """What of each excerpt there is room for, were it not for the reply."""
    cap = min(UNIT_TOKENS, max(_LEAST_CAP_TOKENS, tokens // 4))
    scores = {one.located.passage.id: one.score for one in scored}
    texts = await parts_of(app, question, excerpts, scores, cap)
    cores = [core(one, parts) for one, parts in zip(excerpts, texts, strict=True)]
    runs = filled(texts, cores, MEAN_CHARS, RENDER_CHARS)
    both = zip(excerpts, texts, runs, strict=True)
    return [Shown(one, parts[first : last + 1]) for one, parts, (first, last) in both]


async def reply_with_items(
    app: App,
    call: Call,
    args: PapersArgs,
    found: Results,
    stats: Stats,
) -> Reply:
    """Pack what was found."""
    call.session.ask(args.text)
    tokens = response_tokens(app, args)
    shown = await _shown(app, args.text, found.hits, found.excerpts, tokens)
    documents = list({one.excerpt.best.located.card.id: None for one in shown})
    known = await references_of(app.store.keyvalue, args.project, documents)
    rows = [
        _row(one, known.get(one.excerpt.best.located.card.id), args.include_full_text)
        for one in shown
    ]
    bound = {"tool": found.facts.get("fusion", "dense"), **fingerprint(args)}
    continuation = Continuation(app.cursors, stats.generation, bound)
    offset = continuation.offset(args.cursor)

    def shape(items: Sequence[dict[str, Any]], tail: Tail) -> Form:
        told = {"items": list(items), "count": len(items), **found.facts}
        told |= continuation.fields(tail) | app.marks(call, found.degraded)
        return Form(_text(told), told)

    writing = Writing(
        rows=rows[offset:],
        shown=shown[offset:],
        tokens=tokens,
        cost=lambda some: cost_tokens(shape(some, _some_more(offset, len(some))), app.tokens),
    )
    page = Page(offset, max(1, len(rows)))
    reply = pack(rows[:offset] + writing.fitting(), page, budget(app, tokens), shape)
    return replace(reply, degraded=found.degraded)


def _some_more(offset: int, shown: int) -> Tail:
    """The tail of a reply that goes on, the longest there is."""
    return Tail(
        returned_count=shown,
        total_count=offset + shown + 1,
        remaining_count=1,
        truncated=True,
        has_more=True,
        limit_reason="token_cap",
        next_offset=offset + shown,
    )


def _text(told: Mapping[str, Any]) -> str:
    lines: list[str] = []
    for number, row in enumerate(told["items"], 1):
        lines += [f"{number}. {head(row)}", quotation(row.get("full_text") or row["render_text"])]
    return listing(lines, "No passage fits; try other words or fewer filters.", told, "passages")


def head(row: Mapping[str, Any]) -> str:
    """A citation on one line.

    >>> head({"citekey": "evans2003", "title": "DDD", "authors": ["Eric Evans", "A", "B"],
    ...       "year": 2003, "section_path": ["Part I"], "page_span": [45, 46], "doi": None})
    '[@evans2003, pp. 45–46] Eric Evans et al. (2003): DDD › Part I'
    """
    key = f"@{one_line(row['citekey'])}" if row["citekey"] else ""
    mark = ", ".join(filter(None, (key, _pages(row["page_span"]))))
    authors = row.get("authors") or []
    named = one_line(" and ".join(authors) if len(authors) < 3 else f"{authors[0]} et al.")
    named += f" ({row['year']})" if row.get("year") else ""
    title = " › ".join(one_line(part) for part in (row["title"], *row["section_path"]))
    doi = f" doi:{one_line(row['doi'])}" if row["doi"] else ""
    address = "" if row["citekey"] else f" — {row.get('source_uri', '')}"
    front = f"[{mark}] " if mark else ""
    return f"{front}{named.strip()}{': ' if named else ''}{title}{doi}{address}"


def _pages(span: Sequence[int] | None) -> str:
    if not span:
        return ""
    first, last = span
    return f"p. {first}" if first == last else f"pp. {first}–{last}"
