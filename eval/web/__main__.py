"""The program; see the package."""

import argparse
import asyncio
import tempfile
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import yaml

from commonplace.answer.weights import question_stems, stems
from commonplace.domain.errors import CommonplaceError
from commonplace.index.pages import Lead, Page
from commonplace.research.asking import infer_intent, sub_questions
from commonplace.research.engine import Desk, research
from commonplace.research.leads import is_page
from commonplace.research.nouns import Question
from commonplace.research.visit import Visitor
from commonplace.serve.build import build
from commonplace.settings import Settings
from commonplace.tools.app import App

DAY_S = 86_400.0


class Case(NamedTuple):
    """One question and where its answer stands."""

    seed: str
    page: str
    ask: str
    answer: str


class Run(NamedTuple):
    """What one way came to on one question."""

    reached_after: int | None
    """Pages fetched until the page that answers, itself included; None when it never was."""
    fetched: int
    is_quoted: bool = False
    """Whether the words of the answer stand in the evidence."""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


def serve(folder: Path) -> ThreadingHTTPServer:
    """The folder on a free port of loopback, until the process ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


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


async def crawl(
    visitor: Visitor, base: str, case: Case, pick: Pick, limits: tuple[int, int]
) -> Run:
    """Follow links one at a time until the page is reached or the limit of pages."""
    most, depth_most = limits
    target, seen = base + case.page, {base + case.seed}
    page, _ = await visitor.visit("default", base + case.seed, DAY_S)
    fetched = 1
    leads = _fresh(page, 1, seen, base)
    while leads and fetched <= most:
        lead, depth = leads.pop(pick(case.ask, leads))
        try:
            page, _ = await visitor.visit("default", lead.url, DAY_S)
        except CommonplaceError:
            continue
        fetched += 1
        if page.url == target:
            return Run(fetched - 1, fetched - 1)
        if depth < depth_most:
            leads += _fresh(page, depth + 1, seen, base)
    return Run(None, fetched - 1)


def _fresh(page: Page, depth: int, seen: set[str], base: str) -> list[tuple[Lead, int]]:
    own = [lead for lead in page.leads if lead.url.startswith(base)]
    new = [lead for lead in own if lead.url not in seen and is_page(lead.url)]
    seen |= {lead.url for lead in new}
    return [(lead, depth) for lead in new]


async def ours(app: App, visitor: Visitor, base: str, case: Case, most: int) -> Run:
    """The research users run, within the same number of pages."""
    desk = Desk(
        visitor=visitor,
        reader=app.reader,
        weigher=app.weigher,
        max_depth=app.settings.web_max_depth,
        max_pages=most + 1,
        most_outside=0,
        ends_at=float("inf"),
    )
    question = Question(
        project="default",
        urls=(base + case.seed,),
        text=case.ask,
        intent=infer_intent(case.ask),
        parts=sub_questions(case.ask),
        rounds=most,
        max_age_s=DAY_S,
        most_tokens=4000,
    )

    async def silent(*_: object) -> None:
        """Nobody watches."""

    finding = await research(desk, question, silent)
    followed = [step.url for step in finding.steps if step.parent and not step.failure]
    target = base + case.page
    after = followed.index(target) + 1 if target in followed else None
    shown = finding.chunks[:8]
    is_quoted = any(
        chunk.located.card.uri == target and case.answer in chunk.located.passage.text
        for chunk in shown
    )
    return Run(after, len(followed), is_quoted)


def row(name: str, runs: list[Run]) -> str:
    """A line of the table."""
    hits = [run for run in runs if run.reached_after is not None]
    share = len(hits) / len(runs)
    until = sum(run.reached_after or 0 for run in hits) / max(1, len(hits))
    fetched = sum(run.fetched for run in runs) / len(runs)
    quoted = f"{sum(run.is_quoted for run in runs) / len(runs):.2f}" if name == "ours" else "–"
    return f"| {name} | {share:.2f} | {until:.1f} | {fetched:.1f} | {quoted} |"


async def evaluate(folder: Path, cases: list[Case], most: int) -> list[str]:
    """The table, line by line."""
    server = serve(folder)
    base = f"http://127.0.0.1:{server.server_port}/"
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(
            home=Path(home),
            upgrade_embedder="",
            web_allow_hosts=("127.0.0.1",),
            web_host_delay_s=0.0,
            web_obey_robots=False,
        )
        app = build(settings)
        try:
            visitor = Visitor(writer=app.writer, fetcher=app.fetching.fetcher)
            limits = (most, settings.web_max_depth)
            ways: dict[str, Callable[[Case], Awaitable[Run]]] = {
                "breadth first": lambda case: crawl(visitor, base, case, breadth_first, limits),
                "best anchor first": lambda case: crawl(visitor, base, case, by_anchor, limits),
                "ours": lambda case: ours(app, visitor, base, case, most),
            }
            lines = [
                "| way | page reached | pages until then | pages fetched | answer shown |",
                "|---|--:|--:|--:|--:|",
            ]
            for name, way in ways.items():
                runs = [await way(case) for case in cases]
                if name == "ours":
                    for case, run in zip(cases, runs, strict=True):
                        print(f"{run.reached_after!s:>5} {run.fetched:>3} {case.ask}")
                lines.append(row(name, runs))
        finally:
            await app.close()
            server.shutdown()
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--questions", type=Path, default=Path(__file__).with_name("questions.yaml")
    )
    parser.add_argument("--most", type=int, default=20)
    chosen = parser.parse_args()
    cases = [Case(**one) for one in yaml.safe_load(chosen.questions.read_text("utf-8"))]
    lines = asyncio.run(evaluate(chosen.folder, cases, chosen.most))
    print("\n".join([f"{len(cases)} questions, at most {chosen.most} links", "", *lines]))


if __name__ == "__main__":
    main()
