"""The research itself; this module alone knows its order.

visit the seeds → (search → judge → decide → follow links)* → neighbours → merge.

Every page gone to is a step with its reason, the score before and after, and its time.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from commonplace.answer.likelihood import Weigher
from commonplace.domain.errors import CommonplaceError, DeadlineExceeded, EmbedError
from commonplace.domain.scope import Selection
from commonplace.index.page import SEPARATOR, Page
from commonplace.research.evidence import Judgement, adjacent, everything, gather
from commonplace.research.leads import Candidate, Promise, Ranking, is_page, site_of
from commonplace.research.nouns import Finding, Phase, Question, Step
from commonplace.research.visit import Visitor
from commonplace.retrieve.recall import Reader

SURE = 0.5
"""Evidence this likely to hold the answer ends the search: of 110 questions (``eval.web``) 16 end
so, 14 of them on the page that was expected."""
_POINTS = 0.55
"""A link that promises this much names nearly all the question asks for."""
_LIKELY = 0.25
_LEAST_GAIN = 0.01
_PATIENCE = ((0.25, 2), (0.15, 3), (0.0, 5))
"""So many rounds in a row without gain are a plateau, by what was found at least: the less, the
longer it is looked for."""
_AT_ONCE = 2
"""Links followed in one round: more would be fetched before the first is known to answer."""
_LEADING = 5
_LEAST_PROMISE = 0.12
"""Weaker links are followed only on the seeds' own sites, and only while little was found."""
_FULL_SHARE = 0.6
"""When all passages take no more than this share of the reply, all are shown."""

_LATE = "time is up"

log = logging.getLogger(__name__)

Tell = Callable[[Phase, str, int | None, int | None], Awaitable[None]]
"""Progress: phase, what is done, round and most rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What a research works with."""

    visitor: Visitor
    reader: Reader
    weigher: Weigher
    max_depth: int
    max_pages: int
    most_outside: int = 3
    """Pages of sites no seed is on."""
    ends_at: float
    """By the monotonic clock: what is found until then is the answer."""


@dataclass(slots=True)
class _Work:
    """One research under way."""

    desk: Desk
    question: Question
    tell: Tell
    finding: Finding
    depths: dict[str, int] = field(default_factory=dict)
    """By address: how far from a seed."""
    tried: set[str] = field(default_factory=set)
    judgement: Judgement = field(default_factory=Judgement)
    ranking: Ranking = field(init=False)

    def __post_init__(self) -> None:
        """Nothing was ranked yet."""
        self.ranking = Ranking(self.question.text, self.desk.weigher.embedder)

    @property
    def selection(self) -> Selection:
        """The pages of this research, and nothing else of the project."""
        return Selection(project=self.question.project, documents=frozenset(self.finding.pages))

    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() >= self.desk.ends_at


async def research(desk: Desk, question: Question, tell: Tell) -> Finding:
    """Answer a question from pages and what they link to.

    Raises the first fault when no seed can be read; faults of other pages are steps.
    """
    work = _Work(desk, question, tell, Finding(question=question), tried=set(question.given_up))
    await tell("analysis", _analysed(question), None, None)
    await _seeds(work)
    await _judge(work)
    _settle(work, 0, work.judgement.score)
    stalled = 0
    while chosen := await _why_go_on(work, stalled):
        before, known = work.judgement.score, len(work.finding.steps)
        await _expand(work, chosen)
        await _judge(work)
        _settle(work, known, before)
        stalled = stalled + 1 if work.judgement.score - before < _LEAST_GAIN else 0
    await _finish(work)
    return work.finding


def _analysed(question: Question) -> str:
    count = len(question.parts)
    return f"Analyzing query — decomposed into {count} sub-{'query' if count == 1 else 'queries'}"


async def _seeds(work: _Work) -> None:
    """Visit every seed, together; raise when none can be read."""
    started = time.monotonic()
    steps = [Step(url=url, parent="", depth=0, reason="seed") for url in work.question.urls]
    faults = await _go(work, steps)
    work.finding.spend("ingestion", time.monotonic() - started)
    if faults and not work.finding.pages:
        raise faults[0]


async def _go(work: _Work, steps: Sequence[Step]) -> list[CommonplaceError]:
    """Take steps at once until the time is up; what those that failed raised."""
    left_s = max(0.0, work.desk.ends_at - time.monotonic())
    visits = [_visit(work, step) for step in steps]
    outcomes: list[Page | BaseException] = []
    try:
        async with asyncio.timeout(left_s):
            outcomes = await asyncio.gather(*visits, return_exceptions=True)
    except TimeoutError:
        work.finding.is_partial = True
    for outcome in outcomes:
        if isinstance(outcome, BaseException) and not isinstance(outcome, CommonplaceError):
            raise outcome
    taken = {step.url for step in work.finding.steps}
    late = [step for step in steps if step.url not in taken]
    work.finding.steps += [replace(step, failure=_LATE, is_late=True) for step in late]
    faults: list[CommonplaceError] = [DeadlineExceeded(f"{one.url}: {_LATE}") for one in late]
    return faults + [one for one in outcomes if isinstance(one, CommonplaceError)]


async def _visit(work: _Work, step: Step) -> Page:
    """Go to a page and note the step; raises what visiting raises, after noting it."""
    started = time.monotonic()
    url, question, finding = step.url, work.question, work.finding
    work.tried.add(url)
    if step.parent:
        await work.tell("expansion", f"Scraping {url}...", None, None)
    else:
        await work.tell("ingestion", f"Checking if {url} is indexed...", None, None)
    try:
        page, was_known = await work.desk.visitor.visit(question.project, url, question.max_age_s)
    except CommonplaceError as exc:
        elapsed_ms = (time.monotonic() - started) * 1000
        finding.steps.append(replace(step, failure=exc.message, elapsed_ms=elapsed_ms))
        raise
    finding.pages[page.document_id] = page
    work.tried.add(page.url)
    work.depths[page.url] = min(step.depth, work.depths.get(page.url, step.depth))
    elapsed_ms = (time.monotonic() - started) * 1000
    finding.steps.append(
        replace(step, passages=page.passages, elapsed_ms=elapsed_ms, was_known=was_known)
    )
    said = f"Indexed {url} ({page.passages} chunks, {page.tokens} tokens)"
    await work.tell("expansion" if step.parent else "ingestion", said, None, None)
    return page


async def _judge(work: _Work) -> None:
    """Search all pages there are and judge what was found."""
    finding = work.finding
    await work.tell("retrieval", f"Searching {len(finding.pages)} documents...", None, None)
    desk = work.desk
    judgement = await gather(desk.reader, desk.weigher, work.question, finding.pages)
    count = len(judgement.chunks)
    await work.tell("reranking", f"Reranking {count} chunks...", None, None)
    work.judgement = judgement
    finding.degraded = tuple(dict.fromkeys((*finding.degraded, *judgement.degraded)))
    finding.generation = judgement.generation
    for phase, seconds in judgement.times_s.items():
        finding.spend(phase, seconds)


async def _why_go_on(work: _Work, stalled: int) -> list[Promise]:
    """The links to follow next; none, and why, when the research is over."""
    finding, question, score = work.finding, work.question, work.judgement.score
    if finding.is_partial:
        finding.stop_reason = _LATE
    elif question.rounds == 0:
        finding.stop_reason = "no expansion was asked for"
    elif work.is_late:
        finding.stop_reason, finding.is_partial = _LATE, True
    elif finding.rounds >= question.rounds:
        finding.stop_reason = f"expansion budget exhausted ({question.rounds} iterations)"
    elif stalled >= next(rounds for least, rounds in _PATIENCE if score >= least):
        finding.stop_reason = f"score plateau — {stalled} iterations without gain"
    elif len(finding.steps) >= work.desk.max_pages:
        finding.stop_reason = f"page limit reached ({work.desk.max_pages})"
    else:
        return await _next(work)
    return []


async def _next(work: _Work) -> list[Promise]:
    """The links to follow; none when the evidence will do, unless one says it knows better.

    A sentence that names what is asked for because it links to it does not answer.
    """
    chosen, score = await _choose(work), work.judgement.score
    if score >= SURE:
        chosen = [promise for promise in chosen if promise.score >= _POINTS]
    if not chosen:
        found = f"evidence found — likely to answer ({score:.2f})"
        work.finding.stop_reason = found if score >= SURE else "no promising links left"
    return chosen


async def _choose(work: _Work) -> list[Promise]:
    """The most promising links that were not tried."""
    started = time.monotonic()
    own = {site_of(seed) for seed in work.question.urls}
    candidates: dict[str, Candidate] = {}
    for page in work.finding.pages.values():
        depth = work.depths.get(page.url, 0) + 1
        if depth > work.desk.max_depth:
            continue
        for lead in page.leads:
            known = candidates.get(lead.url)
            is_better = known is None or len(lead.text) > len(known.lead.text)
            if lead.url not in work.tried and is_page(lead.url) and is_better:
                is_outside = site_of(lead.url) not in own
                candidates[lead.url] = Candidate(
                    lead=lead, parent=page.url, depth=depth, is_outside=is_outside
                )
    ranked = await _promises(work, list(candidates.values()))
    work.finding.spend("expansion", time.monotonic() - started)
    gone_outside = sum(site_of(url) not in own for url in work.tried)
    room = min(_AT_ONCE, work.desk.max_pages - len(work.finding.steps))
    chosen: list[Promise] = []
    for promise in ranked:
        if len(chosen) >= room:
            break
        is_outside = promise.candidate.is_outside
        if promise.score < _LEAST_PROMISE and (is_outside or work.judgement.score >= _LIKELY):
            continue
        gone_outside += is_outside
        if not is_outside or gone_outside <= work.desk.most_outside:
            chosen.append(promise)
    return chosen


async def _promises(work: _Work, candidates: Sequence[Candidate]) -> list[Promise]:
    answered, near = work.judgement.answered, _near(work)
    try:
        return await work.ranking.promises(candidates, answered, near)
    except EmbedError as exc:
        told = f"links are judged by words alone: {exc.message}"
        work.finding.degraded = (*work.finding.degraded, told)
        work.ranking = Ranking(work.question.text, None)
        return await work.ranking.promises(candidates, answered, near)


def _near(work: _Work) -> dict[str, float]:
    """By address: the score of the best of the leading passages that links to it."""
    near: dict[str, float] = {}
    for chunk in work.judgement.chunks[:_LEADING]:
        text = chunk.located.passage.text
        for lead in work.finding.pages[chunk.located.card.id].leads:
            if any(one and one in text for one in lead.text.split(SEPARATOR)):
                near[lead.url] = max(near.get(lead.url, 0.0), chunk.score)
    return near


async def _expand(work: _Work, chosen: Sequence[Promise]) -> None:
    started = time.monotonic()
    finding, question = work.finding, work.question
    finding.rounds += 1
    said = f"Expanding to linked pages (iteration {finding.rounds}/{question.rounds})..."
    await work.tell("expansion", said, finding.rounds, question.rounds)
    await _go(work, [_step(promise) for promise in chosen])
    finding.spend("expansion", time.monotonic() - started)


def _step(promise: Promise) -> Step:
    candidate = promise.candidate
    return Step(
        url=candidate.lead.url,
        parent=candidate.parent,
        depth=candidate.depth,
        reason=_reason(promise),
    )


def _reason(promise: Promise) -> str:
    named = f" ({', '.join(promise.words)})" if promise.words else ""
    return f"link promises {promise.score:.2f}{named}"


def _settle(work: _Work, first: int, before: float) -> None:
    """Write the score before and after into the steps of the round."""
    steps, after = work.finding.steps, work.judgement.score
    steps[first:] = [replace(step, before=before, after=after) for step in steps[first:]]
    for step in steps[first:]:
        # Without the query of the address, which may hold what is nobody's business.
        url = step.url.partition("?")[0]
        names = ("reason", "failure", "before", "after", "elapsed_ms")
        log.info("step", extra={"url": url, **{name: getattr(step, name) for name in names}})


async def _finish(work: _Work) -> None:
    """Add what stands beside the best passages, and put all in order."""
    finding, question, desk = work.finding, work.question, work.desk
    finding.looked_at = sum(page.passages for page in finding.pages.values())
    started = time.monotonic()
    tokens = sum(page.tokens for page in finding.pages.values())
    if 0 < tokens <= _FULL_SHARE * question.most_tokens:
        finding.mode = "full_context"
        passages = desk.reader.passages
        pages = finding.pages.values()
        chunks = await everything(passages, work.selection, pages, work.judgement)
    else:
        await work.tell("locality", "Grabbing adjacent context...", None, None)
        chunks = await adjacent(desk.reader.passages, work.selection, work.judgement)
    finding.spend("locality", time.monotonic() - started)
    finding.chunks = chunks
    sieve = work.judgement.sieve
    finding.known, finding.excluded = len(sieve.known), len(sieve.excluded)
    total = sum(chunk.located.passage.tokens for chunk in chunks)
    said = f"Assembling results ({len(chunks)} chunks, {total} tokens)..."
    await work.tell("merge", said, None, None)
