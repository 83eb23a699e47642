"""``python -m eval.papers``: questions to papers, through the rankings of the papers family."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from commonplace import tools
from commonplace.catalog import collect
from commonplace.domain.document import Card, Span
from commonplace.domain.media import MARKDOWN
from commonplace.domain.passage import Located, Passage
from commonplace.embedders.base import Embedder
from commonplace.embedders.static import StaticEmbedder
from commonplace.embedders.transformer import TransformerEmbedder
from commonplace.retrieve.search import Request, search
from commonplace.serve.dispatch import Caller, Dispatcher
from commonplace.tokens import token_counter
from commonplace.tools.base import Tool
from commonplace.tools.papers.finding import Ask, Rank, by_both, by_meaning, find, selection_of
from commonplace.tools.papers.stretches import Scored, choose, weigh
from eval import sets
from eval.corpus import PROJECT, SELECTION, Indexed, application, index
from eval.plain import PlainIndex
from eval.ranking import DEPTH, gain
from eval.sets import JudgedSet, Page, Question
from eval.vectors import RememberingEmbedder

RANKED, MARKED = "qasper-dev-evidence", "chroma-chunking-eval"
_CHUNK_CHARS = 1600
_CHUNKS = 5
_DEEP = 50
_CUT = 20
"""Passages of which stretches are shown."""
_REPLIES = ((6, 4000), (20, 4000))
_MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
_COUNT = token_counter("cl100k_base")

Shown = list[tuple[str, int, int]]
"""Page, start and end of what is given back, best first."""
Way = Callable[[Question], Awaitable[Shown]]
Make = Callable[..., Rank]


class Chunks:
    """The baseline: chunks of 1,600 characters, ranked by BM25."""

    def __init__(self, judged: JudgedSet) -> None:
        self._texts = {page.id: page.text for page in judged.pages}
        self._index = PlainIndex([one for page in judged.pages for one in _chunks(page)])

    def text(self, span: tuple[str, int, int]) -> str:
        """The characters of a span."""
        return self._texts[span[0]][span[1] : span[2]]

    def top(self, question: Question) -> Shown:
        """The five best."""
        found = [one for one, _ in self._index.top(question.text)[:_CHUNKS]]
        return [(one.card.id, one.passage.span.start, one.passage.span.end) for one in found]


def _chunks(page: Page) -> Iterator[Located]:
    card = Card(
        id=page.id,
        project=PROJECT,
        source_id="",
        uri=page.id,
        path=page.id,
        title="",
        media_type=MARKDOWN,
        content_hash="",
        modified_at=_MOMENT,
        indexed_at=_MOMENT,
    )
    for ordinal, start in enumerate(range(0, len(page.text), _CHUNK_CHARS)):
        span = Span(start, min(start + _CHUNK_CHARS, len(page.text)))
        passage = Passage(
            id=f"{page.id}/{ordinal}",
            document_id=page.id,
            ordinal=ordinal,
            text=span.of(page.text),
            span=span,
        )
        yield Located(card, passage)


def _embedders(tier: str, cache: Path) -> tuple[Embedder, ...]:
    static = StaticEmbedder()
    if tier == "static":
        return (static,)
    return (RememberingEmbedder(TransformerEmbedder(2), cache), static)


class Asked:
    """The rankings and the replies of the product over an indexed set."""

    def __init__(self, indexed: Indexed) -> None:
        self._indexed = indexed
        self._app = application(indexed)
        self._embedder = indexed.reader.embedders[0]
        self._dispatcher = Dispatcher(self._app, collect(tools, Tool).values())

    @property
    def ways(self) -> dict[str, Way]:
        """Whole passages, by ranking."""
        makers = {"papers.query": by_meaning, "papers.query_hybrid": by_both}
        return {name: self._whole(make) for name, make in makers.items()} | {"kb": self._kb}

    async def scored(self, make: Make, question: Question, top_k: int) -> list[Scored]:
        """The best passages by a ranking of the papers family."""
        ask = Ask(project=PROJECT, text=question.text)
        rank = make(self._app, self._embedder, ask, selection_of(ask))
        return (await find(self._app, ask, rank, top_k))[0]

    def _place(self, located: Located, start: int, end: int) -> tuple[str, int, int]:
        page, span = self._indexed.pages[located.card.id], located.passage.span
        begin = span.start - len(page.prefix)
        return page.id, begin + start, begin + end

    def _all(self, located: Located) -> tuple[str, int, int]:
        return self._place(located, 0, len(located.passage.span))

    def _whole(self, make: Make) -> Way:
        async def way(question: Question) -> Shown:
            return [self._all(one.located) for one in await self.scored(make, question, _DEEP)]

        return way

    async def _kb(self, question: Question) -> Shown:
        request = Request(text=question.text, selection=SELECTION, limit=_DEEP, max_per_doc=_DEEP)
        found = await search(self._indexed.reader, request)
        return [self._all(one) for one in found.located]

    async def stretches(self, make: Make, question: Question, budget: int) -> Shown:
        """What of the best passages a reply with so many tokens for text shows."""
        scored = await self.scored(make, question, _CUT)
        passages = await weigh(self._app, question.text, scored)
        runs = choose(passages, lambda _: budget)
        return [
            self._place(one.located, parts[first].start, parts[last].end)
            for one, parts, (first, last) in zip(scored, passages, runs, strict=False)
        ]

    async def told(self, question: Question, top_k: int, tokens: int) -> tuple[Shown, int]:
        """What a reply of the tool shows, and what all of it costs."""
        asked = {"project": PROJECT, "text": question.text, "top_k": top_k}
        asked["max_response_tokens"] = tokens
        outcome = await self._dispatcher.call(
            "papers.query_hybrid", asked, Caller(connection="eval")
        )
        texts = {one["section_id"]: one["render_text"] for one in outcome.structured["items"]}
        shown = []
        for one in await self._app.store.passages.get(SELECTION, list(texts)):
            start = one.passage.text.find(texts[one.passage.id])
            if start >= 0:
                shown.append(self._place(one, start, start + len(texts[one.passage.id])))
        return shown, outcome.meta["tokens"]


def _recalled(question: Question, shown: Shown) -> float:
    """The share of marked characters that is shown."""
    covered = total = 0
    for mark in question.marks:
        seen: set[int] = set()
        for page, start, end in shown:
            if page == mark.page:
                seen.update(range(max(start, mark.start), min(end, mark.end)))
        covered += len(seen)
        total += mark.end - mark.start
    return covered / max(1, total)


def _fitting(chunks: Chunks, shown: Shown, budget: int) -> Shown:
    """The best that fit a budget of tokens, none cut."""
    kept: Shown = []
    for span in shown:
        cost = _COUNT(chunks.text(span))
        if cost <= budget:
            kept.append(span)
            budget -= cost
    return kept


async def _ranked(data: Path, cache: Path, tier: str) -> None:
    indexed = await index(sets.load(data, RANKED), cache, _embedders(tier, cache))
    baseline = sets.PUBLISHED[RANKED].ndcg
    click.echo(f"| BM25 (published) | nDCG@10 {baseline:.3f} |")
    for name, way in Asked(indexed).ways.items():
        scores = []
        for question in indexed.judged.questions:
            pages = list(dict.fromkeys(page for page, _, _ in await way(question)))[:DEPTH]
            scores.append(gain(pages, question.grades))
        mean = sum(scores) / len(scores)
        click.echo(f"| {name} | nDCG@10 {mean:.3f} | {mean - baseline:+.3f} |")
    await indexed.store.close()


async def _marked(data: Path, cache: Path, tier: str) -> None:
    judged = sets.load(data, MARKED)
    indexed = await index(judged, cache, _embedders(tier, cache))
    chunks = Chunks(judged)
    tops = {question.id: chunks.top(question) for question in judged.questions}
    budgets = {
        name: sum(_COUNT(chunks.text(span)) for span in spans) for name, spans in tops.items()
    }
    baseline = [tops[question.id] for question in judged.questions]
    _tell(judged, "BM25, 5 x 1,600 characters", baseline, list(budgets.values()))
    asked = Asked(indexed)
    for name, way in asked.ways.items():
        found = [
            _fitting(chunks, await way(question), budgets[question.id])
            for question in judged.questions
        ]
        _tell(judged, name, found, [_spent(chunks, shown) for shown in found])
    for name, make in (("papers.query", by_meaning), ("papers.query_hybrid", by_both)):
        found = [
            await asked.stretches(make, question, budgets[question.id])
            for question in judged.questions
        ]
        _tell(judged, f"{name}, stretches", found, [_spent(chunks, shown) for shown in found])
    for top_k, tokens in _REPLIES:
        replies = [await asked.told(question, top_k, tokens) for question in judged.questions]
        name = f"reply with top_k {top_k}, max_response_tokens {tokens}"
        _tell(judged, name, [shown for shown, _ in replies], [spent for _, spent in replies])
    await indexed.store.close()


def _spent(chunks: Chunks, shown: Shown) -> int:
    return sum(_COUNT(chunks.text(span)) for span in shown)


def _tell(judged: JudgedSet, name: str, found: Sequence[Shown], spent: Sequence[int]) -> None:
    """One row: recall of all questions and of each document's, tokens, pieces."""
    pages: dict[str, list[float]] = {}
    for question, shown in zip(judged.questions, found, strict=True):
        pages.setdefault(question.marks[0].page, []).append(_recalled(question, shown))
    every = [one for scores in pages.values() for one in scores]
    each = ", ".join(f"{page} {sum(some) / len(some):.3f}" for page, some in sorted(pages.items()))
    pieces = sum(map(len, found)) / len(found)
    click.echo(
        f"| {name} | recall {sum(every) / len(every):.3f} | {sum(spent) / len(spent):.0f} tokens | "
        f"{pieces:.1f} pieces | {each} |"
    )


@click.command()
@click.option("--data", envvar="COMMONPLACE_EVAL_DATA", type=click.Path(path_type=Path))
@click.option("--cache", type=click.Path(path_type=Path), default=Path(".eval"))
@click.option("--tier", type=click.Choice(["static", "transformer"]), default="static")
@click.option("--sets", "chosen", default=f"{RANKED},{MARKED}")
def main(data: Path | None, cache: Path, tier: str, chosen: str) -> None:
    """Measure both sets in one tier."""
    if data is None or not data.is_dir():
        click.echo("eval skipped: name the folder of the sets with --data or COMMONPLACE_EVAL_DATA")
        return
    for name, measure in ((RANKED, _ranked), (MARKED, _marked)):
        if name in chosen.split(","):
            click.echo(f"\n{name}, {tier}")
            asyncio.run(measure(data, cache / "papers", tier))


if __name__ == "__main__":
    main()
