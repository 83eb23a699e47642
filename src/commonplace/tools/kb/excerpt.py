"""``kb.read_excerpt`` and ``kb.expand_excerpt``: a bounded stretch of a known passage."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from commonplace.answer.excerpt import (
    MAX_EXCERPT_TOKENS,
    Measure,
    backwards,
    forwards,
    trimmed,
)
from commonplace.answer.pack import Form, cost_tokens
from commonplace.answer.render import place, quotation, session_note
from commonplace.answer.spans import split_spans
from commonplace.domain.document import Span
from commonplace.domain.errors import BudgetExceeded, InvalidArgument
from commonplace.domain.evidence import Reply
from commonplace.domain.scope import Selection
from commonplace.session.scratch import Note, scratch_uri
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolArgs, ToolOutput
from commonplace.tools.kb.citing import address, citation
from commonplace.tools.paging import BudgetedArgs, ResponseTokens, response_tokens
from commonplace.tools.scope import Name, Scope, select

_REACH = 8  # passages read at a time beyond a passage; 800 tokens rarely span more
_LEAST_EXCERPT_TOKENS = 10


class ReadOptions(ToolArgs):
    """How the excerpt looks."""

    format: Literal["text", "bullets"] = "text"
    include_citation: bool = True


class ReadArgs(BudgetedArgs):
    """Arguments of kb.read_excerpt."""

    passage_id: Name = Field(description="Handle from a search or evidence reply.")
    max_tokens: int = Field(default=300, ge=_LEAST_EXCERPT_TOKENS, le=MAX_EXCERPT_TOKENS)
    start_char: int = Field(
        default=0, ge=0, description="From the passage's start; past its end reads on."
    )
    scope: Scope | None = None
    options: ReadOptions = ReadOptions()
    max_response_tokens: ResponseTokens = 1500


class ExpandArgs(BudgetedArgs):
    """Arguments of kb.expand_excerpt."""

    passage_id: Name = Field(description="Handle from a search or evidence reply.")
    before_tokens: int = Field(default=150, ge=0, le=400)
    after_tokens: int = Field(default=150, ge=0, le=400)
    scope: Scope | None = None
    max_response_tokens: ResponseTokens = 1500


class Citation(ToolOutput):
    """Where the excerpt stands."""

    section_id: str
    doc_tag: str
    title: str
    uri: str
    source_uri: str
    heading_path: list[str]
    start_char: int = Field(description="In the document.")
    end_char: int


class ExcerptReply(ToolOutput):
    """Reply of both excerpt tools."""

    passage_id: str
    excerpt: str
    truncated: bool = Field(description="More text follows.")
    next_start_char: int | None = Field(description="Go on with kb_read_excerpt from here.")
    citation: Citation | None = None
    session_id: str


READ_DESCRIPTION = """\
Use when you know a passage_id and want to read its text in order.
Do not use when a quote already answers, or to look for something: search instead.
Returns at most max_tokens tokens (and 32 KB) of whole sentences and lines.
If you need more, call again with start_char = next_start_char.
Defaults: max_tokens 300 from start_char 0, as text with citation. Max: 800 tokens."""

EXPAND_DESCRIPTION = """\
Use when a quote or preview is right but you need the sentences around it.
Do not use when you want the passage from its start: kb_read_excerpt.
Returns at most 800 tokens: the last shown stretch with whole sentences before and after it, \
across passage borders.
If you need more, call kb_read_excerpt with start_char = next_start_char.
Defaults: 150 tokens before and after. Max: 400 each."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Text of a document around a passage; ``start`` is its place in the document."""

    text: str
    start: int
    is_end: bool
    """Whether the document ends with it."""


@dataclass(frozen=True, slots=True)
class _Excerpt:
    note: Note
    text: str
    span: Span
    next_start: int | None


async def run_read(app: App, call: Call, args: ReadArgs) -> Reply:
    """Whole sentences from a place in the passage, or beyond it."""
    selection = await select(app, args.scope)
    note = app.note(call, selection, args.passage_id)
    passage = note.located.passage
    stretch = Stretch(passage.text, passage.span.start, is_end=True)
    if args.start_char >= len(passage.text):
        stretch = await _onwards(app, selection, note, passage.span.start + args.start_char)
    start = args.start_char - (stretch.start - passage.span.start)

    def cut(tokens: int) -> _Excerpt:
        end = forwards(stretch.text, start, Measure(app.tokens, tokens))
        more = end < len(stretch.text.rstrip()) or not stretch.is_end
        span = trimmed(stretch.text, Span(start, end))
        following = stretch.start + end - passage.span.start if more else None
        return _excerpt(note, stretch, span, following)

    return _reply(app, call, args, (cut, args.max_tokens))


async def run_expand(app: App, call: Call, args: ExpandArgs) -> Reply:
    """The last shown stretch of a passage, widened both ways."""
    selection = await select(app, args.scope)
    note = app.note(call, selection, args.passage_id)
    passage = note.located.passage
    stretch = await _around(app, selection, note)
    core = Span(note.window.start - stretch.start, note.window.end - stretch.start)
    wanted = args.before_tokens + args.after_tokens

    def cut(tokens: int) -> _Excerpt:
        end = forwards(stretch.text, core.start, Measure(app.tokens, tokens))
        end = min(end, core.end)
        spare = max(0, tokens - app.tokens(stretch.text[core.start : end]))
        share = min(1.0, spare / wanted) if wanted else 0.0
        before = Measure(app.tokens, int(args.before_tokens * share))
        after = Measure(app.tokens, int(args.after_tokens * share))
        first = backwards(stretch.text, core.start, before) if before.tokens else core.start
        last = _widen(stretch.text, end, after)
        more = last < len(stretch.text.rstrip()) or not stretch.is_end
        span = trimmed(stretch.text, Span(first, last))
        following = stretch.start + last - passage.span.start
        return _excerpt(note, stretch, span, following if more and following >= 0 else None)

    return _reply(app, call, args, (cut, MAX_EXCERPT_TOKENS))


def _widen(text: str, end: int, measure: Measure) -> int:
    """The furthest whole sentence after ``end`` that fits, or ``end`` if none does."""
    ends = [piece.end for piece in split_spans(text) if piece.end > end]
    fitting = [last for last in ends[:64] if measure.holds(text[end:last])]
    return fitting[-1] if fitting else end


def _excerpt(note: Note, stretch: Stretch, span: Span, following: int | None) -> _Excerpt:
    place_in_document = Span(stretch.start + span.start, stretch.start + span.end)
    return _Excerpt(note, span.of(stretch.text), place_in_document, following)


async def _around(app: App, selection: Selection, note: Note) -> Stretch:
    """The passage with its neighbours on both sides."""
    passage = note.located.passage
    ordinals = range(max(0, passage.ordinal - _REACH), passage.ordinal + _REACH + 1)
    near = await app.store.passages.read(selection, passage.document_id, ordinals)
    near = [one for one in near if one.card.content_hash == note.located.card.content_hash]
    if passage.id not in {one.passage.id for one in near}:
        # The document has changed since: only what the session holds is still true.
        return Stretch(passage.text, passage.span.start, is_end=True)
    text = "".join(one.passage.text for one in near)
    is_end = near[-1].passage.ordinal < ordinals[-1]
    return Stretch(text, near[0].passage.span.start, is_end)


async def _onwards(app: App, selection: Selection, note: Note, start: int) -> Stretch:
    """The text from a place in the document behind the passage."""
    passage = note.located.passage
    first = passage.ordinal
    while True:
        ordinals = range(first, first + _REACH)
        near = await app.store.passages.read(selection, passage.document_id, ordinals)
        if not near or near[0].card.content_hash != note.located.card.content_hash:
            raise InvalidArgument(
                "start_char is past the end of the document, or the document has changed since; "
                "search again, or use the next_start_char of the last reply",
                field="start_char",
            )
        if near[-1].passage.span.end > start:
            text = "".join(one.passage.text for one in near)
            is_end = near[-1].passage.ordinal < ordinals[-1]
            return Stretch(text, near[0].passage.span.start, is_end)
        first += _REACH


def _reply(
    app: App,
    call: Call,
    args: ReadArgs | ExpandArgs,
    cutting: tuple[Callable[[int], _Excerpt], int],
) -> Reply:
    """The longest excerpt whose whole reply fits the budget."""
    cut, tokens = cutting
    allowed = response_tokens(app, args)
    while tokens >= _LEAST_EXCERPT_TOKENS:
        excerpt = cut(tokens)
        form = _form(call, args, excerpt)
        cost = cost_tokens(form, app.tokens)
        if cost <= allowed:
            app.scratch.put(call.session.id, excerpt.note.located, excerpt.note.window)
            return Reply(text=form.text, structured=form.structured, tokens=cost)
        tokens -= max(8, cost - allowed)
    raise BudgetExceeded(
        f"no excerpt fits {allowed} tokens beside its citation; ask again with "
        f"max_response_tokens of at least {allowed + 100}",
        budget_tokens=allowed,
        needed_tokens=allowed + 100,
    )


def _form(call: Call, args: ReadArgs | ExpandArgs, excerpt: _Excerpt) -> Form:
    options = args.options if isinstance(args, ReadArgs) else ReadOptions()
    card, passage = excerpt.note.located.card, excerpt.note.located.passage
    shown = excerpt.text
    if options.format == "bullets":
        shown = "\n".join(f"- {shown[piece.start : piece.end]}" for piece in split_spans(shown))
    structured: dict[str, Any] = {
        "passage_id": excerpt.note.passage_id,
        "excerpt": shown,
        "truncated": excerpt.next_start is not None,
        "next_start_char": excerpt.next_start,
        "session_id": call.session.id,
    }
    lines = [quotation(shown)]
    if options.include_citation:
        structured["citation"] = {
            **citation(excerpt.note.located, excerpt.span),
            "doc_tag": card.doc_tag,
            "uri": scratch_uri(call.session.id, excerpt.note.passage_id),
        }
        where = place(card.title, passage.headings)
        lines.append(f"{where} · {address(structured['citation'])}")
    more = "" if excerpt.next_start is None else f"; more with start_char={excerpt.next_start}"
    lines.append(f"passage_id {excerpt.note.passage_id}{more}{session_note(call.session.id)}")
    return Form("\n".join(lines), structured)


READ_EXCERPT = Tool(
    name="kb.read_excerpt",
    description=READ_DESCRIPTION,
    args=ReadArgs,
    output=ExcerptReply,
    run=run_read,
)
EXPAND_EXCERPT = Tool(
    name="kb.expand_excerpt",
    description=EXPAND_DESCRIPTION,
    args=ExpandArgs,
    output=ExcerptReply,
    run=run_expand,
)
