"""Ways to go from a page to its links: two plain ones, and ours."""

from collections.abc import Callable
from typing import NamedTuple

from commonplace.answer.weights import question_stems, stems
from commonplace.domain.errors import CommonplaceError
from commonplace.index.page import Lead, Page
from commonplace.research.asking import infer_intent, sub_questions
from commonplace.research.engine import Desk, research
from commonplace.research.leads import is_page
from commonplace.research.nouns import Question
from commonplace.research.visit import Visitor
from commonplace.tools.app import App
from eval.web.site import Case

DAY_S = 86_400.0
_SHOWN = 8


class Run(NamedTuple):
    """What one way came to on one question."""

    reached_after: int | None
    """Links followed until the page that answers, its own included; None when it never was."""
    fetched: int
    is_quoted: bool = False
    """Whether the words of the answer stand in the evidence."""
    why: str = ""
    """Why it stopped."""


Pick = Callable[[str, list[tuple[Lead, int]]], int]
"""Of the links found so far, in order, with their depth: the place of the next to follow."""


def breadth_first(_question: str, _leads: list[tuple[Lead, int]]) -> int:
    """The link that was found first."""
    return 0


def by_anchor(question: str, leads: list[tuple[Lead, int]]) -> int:
    """The link whose text shares most words with the question; the first of several."""
    wanted = frozenset(question_stems(question))
    scores = [len(wanted & stems(lead.text)) for lead, _ in leads]
    return scores.index(max(scores))


class Walker:
    """Follows links of one site for one question after another."""

    def __init__(self, app: App, base: str, most: int) -> None:
        self._app, self._base, self._most = app, base, most
        self._visitor = Visitor(writer=app.writer, fetching=app.fetching)

    async def crawl(self, case: Case, pick: Pick) -> Run:
        """Follow links one at a time until the page is reached or the limit of links."""
        base, depth_most = self._base, self._app.settings.web_max_depth
        target, seen = base + case.page, {base + case.seed}
        page, _ = await self._visitor.visit("default", base + case.seed, DAY_S)
        fetched = 0
        leads = self._fresh(page, 1, seen)
        while leads and fetched < self._most:
            lead, depth = leads.pop(pick(case.ask, leads))
            try:
                page, _ = await self._visitor.visit("default", lead.url, DAY_S)
            except CommonplaceError:
                continue
            fetched += 1
            if page.url == target:
                return Run(fetched, fetched)
            if depth < depth_most:
                leads += self._fresh(page, depth + 1, seen)
        return Run(None, fetched)

    def _fresh(self, page: Page, depth: int, seen: set[str]) -> list[tuple[Lead, int]]:
        own = [lead for lead in page.leads if lead.url.startswith(self._base)]
        new = [lead for lead in own if lead.url not in seen and is_page(lead.url)]
        seen |= {lead.url for lead in new}
        return [(lead, depth) for lead in new]

    async def research(self, case: Case) -> Run:
        """The research users run, within the same number of links."""
        app, base = self._app, self._base
        desk = Desk(
            visitor=self._visitor,
            reader=app.reader,
            weigher=app.weigher,
            max_depth=app.settings.web_max_depth,
            max_pages=self._most + 1,
            most_outside=0,
            ends_at=float("inf"),
        )
        question = Question(
            project="default",
            urls=(base + case.seed,),
            text=case.ask,
            intent=infer_intent(case.ask),
            parts=sub_questions(case.ask),
            rounds=self._most,
            max_age_s=DAY_S,
            most_tokens=4000,
        )
        finding = await research(desk, question, _silent)
        followed = [step.url for step in finding.steps if step.parent and not step.failure]
        target = base + case.page
        after = followed.index(target) + 1 if target in followed else None
        is_quoted = any(
            chunk.located.card.uri == target and case.answer in chunk.located.passage.text
            for chunk in finding.chunks[:_SHOWN]
        )
        return Run(after, len(followed), is_quoted, finding.stop_reason)


async def _silent(*_: object) -> None:
    """Nobody watches."""
