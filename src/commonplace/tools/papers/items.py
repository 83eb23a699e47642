"""Passages of papers as a reply shows them: trimmed, with what is needed to cite them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from commonplace.answer.evidence import UNIT_TOKENS
from commonplace.answer.pack import Form, Page, Tail, cost_tokens, pack
from commonplace.answer.render import listing, one_line, quotation
from commonplace.domain.evidence import Reply
from commonplace.domain.passage import Located
from commonplace.domain.reference import Reference
from commonplace.engines.base import Stats
from commonplace.index.references.keep import cited
from commonplace.split.sentences import sentence_ends
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
from commonplace.tools.papers.finding import Ask, section_path
from commonplace.tools.papers.stretches import Part, Run, Scored, choose, narrowed, weigh
from commonplace.tools.scope import Name, NullIsDefault, NullIsNone, Question

RENDER_CHARS = 1800  # 002
_LEAST_CAP_TOKENS = 30
_TRIES = 3  # what escapes and quotation marks cost is known only when a reply is written
_MOST_AUTHORS = 8


class PaperFilters(ToolArgs):
    """Which passages to look at. A project named here means nothing: the argument decides."""

    tags: Annotated[list[Name], NullIsNone] = Field(
        default=[], max_length=50, description="All of them."
    )
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
    filters: Annotated[PaperFilters, NullIsDefault] = Field(default=PaperFilters())
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
        description="At most 1,800 characters of whole sentences; of a passage that does not fit, "
        "those likeliest to answer."
    )
    score: float
    citekey: str | None = Field(description="None where no bibliography tells of the document.")
    section: str | None = Field(description="The innermost heading.")
    page_span: list[int] | None = Field(description="First and last page, of paged formats.")
    section_path: list[str] = Field(description="Headings above it, outermost first.")
    doi: str | None
    title: str
    authors: list[str] = Field(default=[], description="The first eight.")
    year: int | None = None
    section_id: str
    source_uri: str
    full_text: str | None = Field(default=None, description="The whole passage, when asked for.")


class PapersReply(Listed):
    """What both replies share."""

    items: list[PaperItem]
    count: int = Field(description="Items in this reply.")


def trimmed(text: str, most: int) -> str:
    """The text, or as many whole sentences of it as fit; of one too long, its whole words.

    >>> trimmed("One is here. Two is there. Three is gone.", 30)
    'One is here. Two is there.'
    >>> trimmed("abcdef ghijkl mnopqr", 15)
    'abcdef ghijkl …'
    """
    text = text.strip()
    if len(text) <= most:
        return text
    ends = [end for end in sentence_ends(text) if len(text[:end].rstrip()) <= most]
    if ends:
        return text[: ends[-1]].rstrip()
    words = text[: most - 1].rpartition(" ")[0] or text[: most - 2]
    return f"{words.rstrip()} …"


def citing(located: Located, reference: Reference | None) -> dict[str, Any]:
    """How to cite a passage: from the bibliography's record, as far as there is one."""
    known = reference or Reference()
    pages = located.passage.pages
    path = section_path(located)
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


def _row(one: Scored, reference: Reference | None, is_whole: bool) -> dict[str, Any]:
    """All of an item but its text."""
    passage = one.located.passage
    return {
        "render_text": "",
        "score": round(one.score, 4),
        **citing(one.located, reference),
        "section_id": passage.id,
        "source_uri": one.located.address,
        "full_text": passage.text if is_whole else None,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Writing:
    """The rows of a reply whose texts are to be written, and what they may cost."""

    rows: Sequence[dict[str, Any]]
    texts: Sequence[str]
    tokens: int
    cost: Callable[[Sequence[dict[str, Any]]], int]
    """Of a reply with these rows."""

    def whole(self) -> list[dict[str, Any]] | None:
        """With every passage whole; None when that is too much."""
        if any(len(text.strip()) > RENDER_CHARS for text in self.texts):
            return None
        both = zip(self.rows, self.texts, strict=True)
        rows = [row | {"render_text": text.strip()} for row, text in both]
        return rows if self.cost(rows) <= self.tokens else None

    def cut(self, passages: Sequence[Sequence[Part]]) -> list[dict[str, Any]]:
        """With what of the passages likely answers; those that find no room stay whole."""
        empty = self.cost([])
        each = (self.cost(self.rows) - empty) / len(self.rows)
        left = self.tokens - empty
        written: list[dict[str, Any]] = []
        for _ in range(_TRIES):
            runs = choose(passages, lambda shown, left=left: int(left - shown * each))  # type: ignore[misc]
            written = self._written(passages, runs)
            over = self.cost(written) - self.tokens
            if over <= 0:
                break
            left -= over
        others = [(0, len(parts) - 1) for parts in passages]
        return written + self._written(passages, others)[len(written) :]

    def _written(
        self, passages: Sequence[Sequence[Part]], runs: Sequence[Run]
    ) -> list[dict[str, Any]]:
        shown = zip(self.rows, self.texts, passages, runs, strict=False)
        return [
            row | {"render_text": _stretch(text, parts, run)} for row, text, parts, run in shown
        ]


def _stretch(text: str, parts: Sequence[Part], run: Run) -> str:
    first, last = narrowed(parts, run, RENDER_CHARS)
    return trimmed(text[parts[first].start : parts[last].end], RENDER_CHARS)


async def _written(
    app: App, question: str, scored: Sequence[Scored], writing: _Writing
) -> list[dict[str, Any]]:
    rows = writing.whole() if scored else []
    if rows is not None:
        return rows
    cap = min(UNIT_TOKENS, max(_LEAST_CAP_TOKENS, writing.tokens // 4))
    return writing.cut(await weigh(app, question, scored, cap))


async def reply_with_items(
    app: App,
    call: Call,
    args: PapersArgs,
    found: tuple[Sequence[Scored], Mapping[str, Any], tuple[str, ...]],
    stats: Stats,
) -> Reply:
    """Pack what was found; ``found`` holds passages, the facts of the tool, what did not run."""
    scored, facts, degraded = found
    call.session.ask(args.text)
    documents = (one.located.card.id for one in scored)
    cards = await cited(app.store.keyvalue, args.project, documents)
    tokens = response_tokens(app, args)
    known = {name: one.reference for name, one in cards.items()}
    rows = [_row(one, known.get(one.located.card.id), args.include_full_text) for one in scored]
    bound = {"tool": facts.get("fusion", "dense"), **fingerprint(args)}
    continuation = Continuation(app.cursors, stats.generation, bound)
    offset = continuation.offset(args.cursor)

    def shape(items: Sequence[dict[str, Any]], tail: Tail) -> Form:
        told = {"items": list(items), "count": len(items), **facts, **continuation.fields(tail)}
        told |= app.marks(call, degraded)
        return Form(_text(told), told)

    writing = _Writing(
        rows=rows[offset:],
        texts=[one.located.passage.text for one in scored[offset:]],
        tokens=tokens,
        cost=lambda some: cost_tokens(shape(some, _some_more(offset, len(some))), app.tokens),
    )
    written = await _written(app, args.text, scored[offset:], writing)
    page = Page(offset, max(1, len(rows)))
    reply = pack(rows[:offset] + written, page, budget(app, tokens), shape)
    return replace(reply, degraded=degraded)


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
