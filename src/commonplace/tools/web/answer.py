"""``web.answer``: pages and what they link to, searched for the answer, told as a cited brief."""

import time
from typing import Annotated

from pydantic import BeforeValidator, Field

from commonplace.answer.pack import Page
from commonplace.domain.evidence import Reply
from commonplace.research.asking import infer_intent, sub_questions
from commonplace.research.engine import Desk, Tell, research
from commonplace.research.nouns import Intent, Phase, Question
from commonplace.research.visit import Visitor
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.paging import (
    BudgetedArgs,
    CursorText,
    ResponseTokens,
    fingerprint,
    response_tokens,
)
from commonplace.tools.scope import Question as QuestionText
from commonplace.tools.scope import Scope, select
from commonplace.tools.web.briefing import BriefReply, reply_with_brief
from commonplace.tools.web.errors import error_text
from commonplace.tools.web.legs import Leg, Legs
from commonplace.tools.web.sessions import remember

MOST_URLS = 20
MOST_ROUNDS = 20
AUTO_ROUNDS = 6
_MOST_CHUNKS = 50
_SPARE_S = 2.0
"""Left of the time limit for choosing quotes and writing the brief."""
_PAGE_SHARE = 0.5
"""Of the time for a question, what one page may take of it."""

Url = Annotated[str, Field(min_length=1, max_length=4000)]
Urls = Annotated[
    list[Url],
    BeforeValidator(lambda value: [value] if isinstance(value, str) else value),
    Field(min_length=1, max_length=MOST_URLS),
]


class AnswerArgs(BudgetedArgs):
    """Arguments of web.answer."""

    url: Urls
    query: QuestionText
    intent: Intent | None = None
    known_context: str | None = Field(default=None, max_length=20_000, description="Not repeated.")
    constraints: list[str] = Field(
        default=[],
        max_length=20,
        description='"must include code", "focus on speed", "exclude beta".',
    )
    expansion_budget: int | None = Field(
        default=None, ge=0, le=MOST_ROUNDS, description="Rounds of links; 0: none."
    )
    max_age: float | None = Field(
        default=None, ge=0, description="Seconds; fetch again what is older."
    )
    scope: Scope | None = None
    cursor: CursorText | None = None
    max_response_tokens: ResponseTokens = 4000


DESCRIPTION = """\
Use when you need facts from given web pages or what they link to: fetches, searches and follows \
promising links.
Do not use when the pages were read before: web_search is faster.
Returns a brief of cited evidence, the way to it and stats, inside max_response_tokens.
If you need more, send next_cursor back.
Defaults: up to 6 rounds of links. Max: 20 URLs, 20 rounds."""


async def run_answer(app: App, call: Call, args: AnswerArgs) -> Reply:
    """Research, then brief."""
    started = time.monotonic()
    selection = await select(app, args.scope)
    # Pages come in while it is answered, so the list is told by what was asked alone.
    legs = Legs(app, selection.project, {"tool": "web.answer", **fingerprint(args)})
    leg = await legs.read(args.cursor)
    analysing = time.monotonic()
    question = _question(app, args, selection.project, leg)
    analysed_s = time.monotonic() - analysing
    finding = await research(_desk(app, started), question, _teller(call))
    finding.spend("analysis", analysed_s)
    finding.chunks = [one for one in finding.chunks if one.located.passage.id not in leg.shown]
    going_on = legs.going_on(leg, finding, is_anew=args.max_age is not None)
    reply = await reply_with_brief(app, call, finding, going_on, Page(leg.offset, _MOST_CHUNKS))
    if going_on.begins_next and reply.structured["next_cursor"]:
        await legs.keep(leg, finding, reply.structured["returned_count"])
    remember(call.session, [page.url for page in finding.pages.values()])
    return reply


def _question(app: App, args: AnswerArgs, project: str, leg: Leg) -> Question:
    """What is asked, taken apart; a page fetched since the research began is not fetched again."""
    budgeted = args.expansion_budget
    max_age_s = app.settings.web_max_age_s if args.max_age is None else args.max_age
    since_s = (app.writer.clock() - leg.begun_at).total_seconds() if leg.number else 0.0
    return Question(
        project=project,
        urls=tuple(dict.fromkeys(args.url)),
        text=args.query,
        intent=args.intent or infer_intent(args.query),
        parts=sub_questions(args.query),
        known_context=args.known_context or "",
        constraints=tuple(args.constraints),
        rounds=AUTO_ROUNDS if budgeted is None else budgeted,
        max_age_s=max(max_age_s, since_s),
        most_tokens=response_tokens(app, args),
        given_up=leg.given_up,
    )


def _desk(app: App, started: float) -> Desk:
    settings = app.settings
    limit_s = max(0.5, settings.web_answer_s - _SPARE_S)
    # A page that never comes must leave time for the others, and for the brief.
    page_s = min(settings.web_timeout_s, limit_s * _PAGE_SHARE)
    return Desk(
        visitor=Visitor(writer=app.writer, fetching=app.fetching, timeout_s=page_s),
        reader=app.reader,
        weigher=app.weigher,
        max_depth=settings.web_max_depth,
        max_pages=settings.web_max_pages,
        ends_at=started + limit_s,
    )


def _teller(call: Call) -> Tell:
    done = 0

    async def tell(_phase: Phase, said: str, _round: int | None, _rounds: int | None) -> None:
        nonlocal done
        done += 1
        await call.progress(done, None, said)

    return tell


ANSWER = Tool(
    name="web.answer",
    description=DESCRIPTION,
    args=AnswerArgs,
    output=BriefReply,
    run=run_answer,
    bare="answer",
    writes=True,
    open_world=True,
    timeout_s=120.0,
    error_text=error_text,
)
