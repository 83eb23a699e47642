"""``python -m eval.papers``: questions to papers, through the rankings of the papers family."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from commonplace.domain.document import Card, Span
from commonplace.domain.media import MARKDOWN
from commonplace.domain.passage import Located, Passage
from commonplace.embedders.base import Embedder
from commonplace.embedders.static import StaticEmbedder
from commonplace.embedders.transformer import TransformerEmbedder
from commonplace.retrieve.search import Request, search
from commonplace.tokens import token_counter
from commonplace.tools.app import App
from commonplace.tools.papers.finding import Ask, Scored, by_both, by_meaning, find, selections
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
_MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
_COUNT = token_counter("cl100k_base")

Shown = list[tuple[str, int, int]]
"""Page, start and end of what is given back, best first."""
Way = Callable[[Question], Awaitable[Shown]]


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


def _ways(indexed: Indexed) -> dict[str, Way]:
    app = application(indexed)
    embedder = indexed.reader.embedders[0]

    def place(scored: Scored) -> tuple[str, int, int]:
        page, span = indexed.pages[scored.located.card.id], scored.located.passage.span
        return page.id, span.start - len(page.prefix), span.end - len(page.prefix)

    def papers(make: Callable[..., object]) -> Way:
        async def way(question: Question) -> Shown:
            return [place(one) for one in await _asked(app, embedder, make, question)]

        return way

    async def kb(question: Question) -> Shown:
        request = Request(text=question.text, selection=SELECTION, limit=_DEEP, max_per_doc=_DEEP)
        found = await search(indexed.reader, request)
        return [place(Scored(one, 0.0)) for one in found.located]

    return {"papers.query": papers(by_meaning), "papers.query_hybrid": papers(by_both), "kb": kb}


async def _asked(
    app: App, embedder: Embedder, make: Callable[..., object], question: Question
) -> Sequence[Scored]:
    ask = Ask(project=PROJECT, text=question.text)
    rank = make(app, embedder, ask, await selections(app, ask))
    found, _ = await find(app, ask, rank, _DEEP)  # type: ignore[arg-type]  # one of two makers
    return found


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
    for name, way in _ways(indexed).items():
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
    plain = [_recalled(question, tops[question.id]) for question in judged.questions]
    cost = sum(budgets.values()) / len(budgets)
    click.echo(
        f"| BM25, 5 x 1,600 characters | recall {sum(plain) / len(plain):.3f} | {cost:.0f} |"
    )
    for name, way in _ways(indexed).items():
        found, spent = [], []
        for question in judged.questions:
            shown = _fitting(chunks, await way(question), budgets[question.id])
            found.append(_recalled(question, shown))
            spent.append(sum(_COUNT(chunks.text(span)) for span in shown))
        mean = sum(found) / len(found)
        click.echo(f"| {name} | recall {mean:.3f} | {sum(spent) / len(spent):.0f} tokens |")
    await indexed.store.close()


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
