"""``python -m eval``: ranking and answer-in-quotes on every open set."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from commonplace.embedders.base import Embedder
from commonplace.embedders.static import StaticEmbedder
from commonplace.embedders.transformer import TransformerEmbedder
from eval import evidence, ranking, sets, tables
from eval.corpus import Indexed, index
from eval.vectors import RememberingEmbedder

PARTS = ("ranking", "evidence", "ablations")


@dataclass(frozen=True, slots=True)
class Run:
    """What one run measures."""

    data: Path
    names: Sequence[str]
    tier: str
    cache: Path
    every: int
    parts: frozenset[str] = frozenset(PARTS)
    """What is measured; what is not keeps its last figures."""

    @property
    def kept(self) -> Path:
        """Where its figures are remembered."""
        return self.cache / f"results-{self.tier}.json"

    def embedders(self) -> tuple[Embedder, ...]:
        """The preferred model first."""
        static = StaticEmbedder()
        if self.tier == "static":
            return (static,)
        return (RememberingEmbedder(TransformerEmbedder(2), self.cache), static)


async def _rank(indexed: Indexed) -> dict[str, dict[str, float]]:
    found = {}
    for variant in ranking.variants(indexed.reader):
        figures = await ranking.judge(indexed, variant)
        found[variant.name] = asdict(figures)
        click.echo(f"  {variant.name:24} nDCG@10 {figures.ndcg:.3f}  R@10 {figures.r10:.3f}")
    return found


async def _quote(indexed: Indexed, run: Run) -> dict[str, list[tuple[float, float]]]:
    questions = [question for question in indexed.judged.questions if question.marks][:: run.every]
    with_parts = "ablations" in run.parts
    found = {}
    async for name, scores in evidence.judge(indexed, questions, with_parts=with_parts):
        found[name] = [(score.has_any, score.share) for score in scores]
        shown = "  ".join(f"{score.has_any:.3f}/{score.share:.3f}" for score in scores)
        click.echo(f"  {name:34} {shown}")
    return found


async def measure(run: Run) -> None:
    """Measure every set and remember the figures."""
    embedders = run.embedders()
    for name in run.names:
        judged = sets.load(run.data, name)
        click.echo(f"{name}: {len(judged.pages)} documents, {len(judged.questions)} questions")
        indexed = await index(judged, run.cache, embedders)
        results = tables.read(run.kept)
        entry: dict[str, Any] = results.get(name, {})
        if judged.is_ranked and "ranking" in run.parts:
            entry["ranking"] = await _rank(indexed)
        if judged.is_marked and "evidence" in run.parts:
            entry["evidence"] = await _quote(indexed, run)
            entry["every"] = run.every
        results[name] = entry
        tables.keep(run.kept, results)
        await indexed.store.close()


@click.command()
@click.option(
    "--data",
    envvar="COMMONPLACE_EVAL_DATA",
    type=click.Path(path_type=Path),
    help="Folder of the open sets; also COMMONPLACE_EVAL_DATA.",
)
@click.option("--sets", "chosen", default="", help="Names, with commas; empty means all.")
@click.option("--tier", type=click.Choice(["static", "transformer"]), default="static")
@click.option("--cache", type=click.Path(path_type=Path), default=Path(".eval"))
@click.option("--every", default=1, help="Take every n-th question with marked answers.")
@click.option("--parts", default=",".join(PARTS), help="What to measure, with commas.")
@click.option("--write", "target", type=click.Path(path_type=Path), help="Page to write.")
def main(  # noqa: PLR0913 - click hands each option over as a parameter
    data: Path | None,
    chosen: str,
    tier: str,
    cache: Path,
    every: int,
    parts: str,
    target: Path | None,
) -> None:
    """Measure ranking and evidence on the open sets."""
    if data is None or not data.is_dir():
        click.echo("eval skipped: name the folder of the sets with --data or COMMONPLACE_EVAL_DATA")
        return
    names = [name for name in chosen.split(",") if name] or sets.names(data)
    if chosen != "none":
        run = Run(data, names, tier, cache, every, frozenset(parts.split(",")))
        asyncio.run(measure(run))
    if target is not None:
        kept = {one: tables.read(cache / f"results-{one}.json") for one in tables.TIERS}
        told = {name: tables.read(cache / f"{name}.json") for name in tables.PROGRAMS}
        target.write_text(tables.page(kept, told), "utf-8")
        click.echo(f"wrote {target}")


if __name__ == "__main__":
    main()
