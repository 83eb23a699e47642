"""Passages of papers as a reply shows them: trimmed, with what is needed to cite them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from commonplace.answer.pack import Form, Page, Tail, pack
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
from commonplace.tools.papers.finding import Ask, Scored, section_path
from commonplace.tools.scope import Name, NullIsDefault, NullIsNone, Question

RENDER_CHARS = 1800  # 002
_LEAST_RENDER_CHARS = 120
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

    render_text: str = Field(description="At most 1,800 characters, ends with a sentence.")
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


def _row(one: Scored, reference: Reference | None, most: int, is_whole: bool) -> dict[str, Any]:
    passage = one.located.passage
    return {
        "render_text": trimmed(passage.text, most),
        "score": round(one.score, 4),
        **citing(one.located, reference),
        "section_id": passage.id,
        "source_uri": one.located.address,
        "full_text": passage.text if is_whole else None,
    }


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
    # A character is a quarter of a token: under a small budget no item takes much more than that.
    most = min(RENDER_CHARS, max(_LEAST_RENDER_CHARS, tokens))
    known = {name: one.reference for name, one in cards.items()}
    rows = [
        _row(one, known.get(one.located.card.id), most, args.include_full_text) for one in scored
    ]
    bound = {"tool": facts.get("fusion", "dense"), **fingerprint(args)}
    continuation = Continuation(app.cursors, stats.generation, bound)

    def shape(items: Sequence[dict[str, Any]], tail: Tail) -> Form:
        told = {"items": list(items), "count": len(items), **facts, **continuation.fields(tail)}
        told |= app.marks(call, degraded)
        return Form(_text(told), told)

    page = Page(continuation.offset(args.cursor), max(1, len(rows)))
    reply = pack(rows, page, budget(app, tokens), shape)
    return replace(reply, degraded=degraded)


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
