"""``kb.extract_evidence`` and ``kb.retrieve_evidence``: only the quotes that answer, each cited."""

from collections.abc import Sequence

from pydantic import AliasChoices, Field

from commonplace.answer.weights import languages_differ
from commonplace.domain.evidence import Reply
from commonplace.domain.passage import Located
from commonplace.retrieve.search import Mode
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolArgs
from commonplace.tools.kb.citing import look_up
from commonplace.tools.kb.quoting import (
    Evidence,
    EvidenceReply,
    QuoteArgs,
    follows_budget,
    reply_with_quotes,
)
from commonplace.tools.kb.search import MAX_TOP_K
from commonplace.tools.paging import response_tokens
from commonplace.tools.scope import Filters, Name, Question, select

FLOOR = 0.015
"""When it is less likely than this that anything found answers the question, nothing is quoted:
docs/evaluation.md has the share of foreign questions refused so, and of good ones lost."""
FLOOR_OF_FEW = 0.001
"""The same where there are fewer passages than were looked for: of so few, even the nearest is far,
so only questions without a common word or meaning are refused."""
LEAST_CHANCE = 0.01
"""Beside a good quote, weaker ones are welcome while the budget holds: .03 instead loses .01 of
the answers at 800 tokens."""
_TOKENS_PER_PASSAGE = 40
"""How far to look when the budget decides: 20 passages at 800 tokens, 40 at most."""
_MOST_PASSAGES = 40
_SAMPLED = 3  # the best passages tell the language of all
OTHER_LANGUAGE = (
    "question and documents are in different languages: words do not match, and the built-in "
    "models know English only; ask in the documents' language"
)


class ExtractArgs(QuoteArgs):
    """Arguments of kb.extract_evidence."""

    question: Question
    passage_ids: list[Name] = Field(
        min_length=1, max_length=50, description="Handles from kb_search."
    )


class EvidenceOptions(ToolArgs):
    """How to search before quoting."""

    max_per_doc: int = Field(default=10, ge=1, le=50, description="Most passages per document.")
    mode: Mode = "auto"
    include_scores: bool = False
    include_debug: bool = False
    max_snippet_chars: int | None = Field(
        default=None, ge=40, le=1000, description="Most characters of a quote."
    )


class RetrieveArgs(QuoteArgs):
    """Arguments of kb.retrieve_evidence."""

    question: Question = Field(
        validation_alias=AliasChoices("question", "query"),
        description="A question in plain words; `query` is accepted too.",
    )
    top_k: int = Field(default=10, ge=1, le=MAX_TOP_K, description="Passages to look into.")
    filters: Filters | None = None
    options: EvidenceOptions = EvidenceOptions()


EXTRACT_DESCRIPTION = """\
Use when you hold passage_ids from kb_search and want only the sentences that answer a question.
Do not use when you have not searched yet: kb_retrieve_evidence does both in one call.
Returns at most max_quotes verbatim quotes with offsets, inside max_response_tokens.
If you need more, call kb_expand_excerpt with a quote's passage_id, or send next_cursor back.
Defaults: 6 quotes of 80 tokens, 800 tokens in all; if you name max_response_tokens, it alone \
decides. Max: 20 quotes of 400 tokens, 50 passages."""

RETRIEVE_DESCRIPTION = """\
Use when you have a question about the indexed documents: searches, then returns only the quotes \
that answer, each with its source. The default tool; start here.
Do not use when you want to browse candidates (kb_search) or read on (kb_expand_excerpt).
Returns at most max_quotes verbatim quotes with offsets, inside max_response_tokens; none when \
nothing indexed is likely to answer.
If you need more, call kb_expand_excerpt with a quote's passage_id, or send next_cursor back with \
the same arguments.
Defaults: 6 quotes of 80 tokens from the 10 best passages, 800 tokens in all; if you name \
max_response_tokens, it alone decides. Max: 20 quotes of 400 tokens, top_k 100."""


async def run_extract(app: App, call: Call, args: ExtractArgs) -> Reply:
    """Quotes from passages the session already knows."""
    selection = await select(app, args.scope)
    notes = [app.note(call, selection, handle) for handle in dict.fromkeys(args.passage_ids)]
    candidates = [note.located for note in notes]
    evidence = Evidence(
        question=args.question,
        candidates=candidates,
        scores=[1.0] * len(candidates),
        generation=0,
    )
    return await reply_with_quotes(app, call, args, evidence)


async def run_retrieve(app: App, call: Call, args: RetrieveArgs) -> Reply:
    """Search, then quote."""
    limit, options = _passages(app, args), args.options
    is_named = "max_per_doc" in options.model_fields_set
    per_doc = options.max_per_doc if is_named else max(options.max_per_doc, limit)
    found = await look_up(app, call, args, args.question, (limit, per_doc, options.mode))
    evidence = Evidence(
        question=args.question,
        candidates=found.located,
        scores=[hit.score for hit in found.hits],
        generation=found.generation,
        degraded=(*found.degraded, *_languages(args.question, found.located)),
        collapsed=found.collapsed,
        debug={"mode": found.mode} if options.include_debug else None,
        shows_scores=options.include_scores,
        most_chars=options.max_snippet_chars,
        least_answered=FLOOR if len(found.located) >= limit else FLOOR_OF_FEW,
        least_chance=LEAST_CHANCE,
    )
    return await reply_with_quotes(app, call, args, evidence)


def _languages(question: str, located: Sequence[Located]) -> tuple[str, ...]:
    """What to know where the best passages are in another language than the question."""
    text = " ".join(one.passage.text for one in located[:_SAMPLED])
    return (OTHER_LANGUAGE,) if languages_differ(question, text) else ()


def _passages(app: App, args: RetrieveArgs) -> int:
    """How many passages to look into: what is named, else what the named budget can show."""
    if "top_k" in args.model_fields_set or not follows_budget(app, args):
        return args.top_k
    affordable = response_tokens(app, args) // _TOKENS_PER_PASSAGE
    return max(args.top_k, min(_MOST_PASSAGES, affordable))


EXTRACT_EVIDENCE = Tool(
    name="kb.extract_evidence",
    description=EXTRACT_DESCRIPTION,
    args=ExtractArgs,
    output=EvidenceReply,
    run=run_extract,
)
RETRIEVE_EVIDENCE = Tool(
    name="kb.retrieve_evidence",
    description=RETRIEVE_DESCRIPTION,
    args=RetrieveArgs,
    output=EvidenceReply,
    run=run_retrieve,
)
