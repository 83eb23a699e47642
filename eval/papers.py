"""``python -m eval.papers``: questions to papers, through the rankings of the papers family."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

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
_REPLIES = (
    ("papers.query_hybrid", 5, 4000),
    ("papers.query_hybrid", 6, 4000),  # both the defaults
    ("papers.query_hybrid", 20, 2650),  # whose texts cost what those of five chunks do
    ("papers.query_hybrid", 20, 4000),
    ("papers.query", 5, 4000),
)
_MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
_COUNT = token_counter("cl100k_base")

Shown = list[tuple[str, int, int]]
"""Page, start and end of what is given back, best first."""
Way = Callable[[Question], Awaitable[list[str]]]
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
        """Pages of the best passages, by ranking."""
        makers = {"papers.query": by_meaning, "papers.query_hybrid": by_both}
        return {name: self._best(make) for name, make in makers.items()} | {"kb": self._kb}

    def _page(self, located: Located) -> str:
        return self._indexed.pages[located.card.id].id

    def _best(self, make: Make) -> Way:
        async def way(question: Question) -> list[str]:
            ask = Ask(project=PROJECT, text=question.text)
            rank = make(self._app, self._embedder, ask, selection_of(ask))
            scored, _ = await find(self._app, ask, rank, _DEEP)
            return [self._page(one.located) for one in scored]

        return way

    async def _kb(self, question: Question) -> list[str]:
        request = Request(text=question.text, selection=SELECTION, limit=_DEEP, max_per_doc=_DEEP)
        found = await search(self._indexed.reader, request)
        return [self._page(one) for one in found.located]

    async def told(
        self, tool: str, question: Question, limits: tuple[int, int]
    ) -> tuple[Shown, int]:
        """What a reply of the tool shows, and what all of it costs."""
        asked = {"project": PROJECT, "text": question.text, "top_k": limits[0]}
        asked["max_response_tokens"] = limits[1]
        outcome = await self._dispatcher.call(tool, asked, Caller(connection="eval"))
        items = outcome.structured["items"]
        return [await self._found(one) for one in items], outcome.meta["tokens"]

    async def _found(self, item: Mapping[str, Any]) -> tuple[str, int, int]:
        """Where the text of an item stands in its page: it is verbatim."""
        located = (await self._app.store.passages.get(SELECTION, [item["section_id"]]))[0]
        page, text = self._indexed.pages[located.card.id], item["render_text"]
        start = page.body.index(text, max(0, located.passage.span.start - len(text)))
        return page.id, start - len(page.prefix), start - len(page.prefix) + len(text)


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


async def _ranked(judged: JudgedSet, cache: Path, tier: str) -> None:
    indexed = await index(judged, cache, _embedders(tier, cache))
    baseline = sets.PUBLISHED[RANKED].ndcg
    click.echo(f"| BM25 (published) | nDCG@10 {baseline:.3f} |")
    for name, way in Asked(indexed).ways.items():
        scores = []
        for question in indexed.judged.questions:
            pages = list(dict.fromkeys(await way(question)))[:DEPTH]
            scores.append(gain(pages, question.grades))
        mean = sum(scores) / len(scores)
        click.echo(f"| {name} | nDCG@10 {mean:.3f} | {mean - baseline:+.3f} |")
    await indexed.store.close()


async def _marked(judged: JudgedSet, cache: Path, tier: str) -> None:
    indexed = await index(judged, cache, _embedders(tier, cache))
    chunks = Chunks(judged)
    tops = {question.id: chunks.top(question) for question in judged.questions}
    budgets = {
        name: sum(_COUNT(chunks.text(span)) for span in spans) for name, spans in tops.items()
    }
    baseline = [tops[question.id] for question in judged.questions]
    _tell(judged, "BM25, 5 x 1,600 characters", baseline, list(budgets.values()))
    asked = Asked(indexed)
    for tool, top_k, tokens in _REPLIES:
        replies = [
            await asked.told(tool, question, (top_k, tokens)) for question in judged.questions
        ]
        shown = [one for one, _ in replies]
        paid = sum(spent for _, spent in replies) / len(replies)
        name = f"{tool}, top_k {top_k}, of {tokens} tokens {paid:.0f}"
        _tell(judged, name, shown, [_spent(chunks, one) for one in shown])
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
@click.option("--every", default=1, help="Only each so manieth question.")
def main(data: Path | None, cache: Path, tier: str, chosen: str, every: int) -> None:
    """Measure both sets in one tier."""
    if data is None or not data.is_dir():
        click.echo("eval skipped: name the folder of the sets with --data or COMMONPLACE_EVAL_DATA")
        return
    for name, measure in ((RANKED, _ranked), (MARKED, _marked)):
        if name in chosen.split(","):
            click.echo(f"\n{name}, {tier}")
            judged = sets.load(data, name)
            judged = replace(judged, questions=judged.questions[::every])
            asyncio.run(measure(judged, cache / "papers", tier))


if __name__ == "__main__":
    main()
