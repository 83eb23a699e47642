"""``python -m eval.sweep``: what each constant of ranking and quoting is worth, and who chose it.

A constant is tried at a few values on every set, the rest as it is. Then, leave-one-set-out, the
value that is best on all other sets is taken for a set: if that does as well as the product's own
value, the product's figure owes nothing to having been chosen on the same sets.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import click

from commonplace.answer import choose, repeats, weights
from commonplace.embedders.static import StaticEmbedder
from commonplace.retrieve import analyse, recall, search
from eval import evidence, ranking, sets, tables
from eval.corpus import Indexed, index

Figure = Callable[[Indexed, int], Awaitable[float]]
Found = dict[str, dict[str, dict[str, float]]]
"""By constant, set and value."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A number someone chose, and what was tried beside it."""

    name: str
    module: ModuleType
    attribute: str
    tried: tuple[float, ...]

    @property
    def present(self) -> float:
        """What it is."""
        return float(getattr(self.module, self.attribute))

    @contextmanager
    def at(self, value: float) -> Iterator[None]:
        """The product with another value."""
        present = getattr(self.module, self.attribute)
        setattr(self.module, self.attribute, value)
        analyse.analyse.cache_clear()  # it remembers questions, and with them the value
        try:
            yield
        finally:
            setattr(self.module, self.attribute, present)
            analyse.analyse.cache_clear()


RANKING = (
    Constant("weight of static vectors", recall, "STATIC_WEIGHT", (0.25, 0.35, 0.45)),
    Constant("power of repeated words", analyse, "REPEATED", (0.5, 0.75, 1.0)),
    Constant("weight of reading order", recall, "GRAPH_WEIGHT", (0.0, 0.2, 0.4, 0.6)),
    Constant("weight of parts", search, "PART_WEIGHT", (0.5, 0.7, 0.9)),
)
QUOTING = (
    Constant("price of opening a quote", evidence, "MARK_TOKENS", (0, 8, 16)),
    Constant("share below which it is context", choose, "CONTEXT_SHARE", (0.25, 0.5, 0.75)),
    Constant("share of words of headings", weights, "CONTEXT_SHARE", (0.25, 0.5, 0.75)),
    Constant("likeness of repeats", repeats, "NEAR", (0.6, 0.75, 0.9)),
)


async def ranked(indexed: Indexed, every: int) -> float:
    """The mean nDCG@10 of every n-th question."""
    variant = ranking.variants(indexed.reader)[0]
    questions = indexed.judged.questions[::every]
    gains = [
        ranking.gain(await ranking.rank(indexed, variant, question), question.grades)
        for question in questions
    ]
    return sum(gains) / len(gains)


async def quoted(indexed: Indexed, every: int) -> float:
    """The mean share of answers in the quotes at 200, 400 and 800 tokens."""
    questions = [question for question in indexed.judged.questions if question.marks][::every]
    ours = [("ours", evidence.FLOORED, evidence.weigher(indexed))]
    [(_, ask)] = evidence.our_ways(indexed, ours)
    scores = await evidence.means(indexed, questions, ask, tables.FEW_BUDGETS)
    return sum(score.has_any for score in scores) / len(scores)


async def measure(
    indexed: Indexed, constants: Sequence[Constant], figure: Figure, every: int
) -> Found:
    """One set with each constant at each value."""
    name, found = indexed.judged.name, Found()
    present = await figure(indexed, every)
    for constant in constants:
        figures = {str(constant.present): present}
        for value in constant.tried:
            if value != constant.present:
                with constant.at(value):
                    figures[str(float(value))] = await figure(indexed, every)
        found[constant.name] = {name: figures}
        click.echo(f"{name}, {constant.name}: {figures}")
    return found


async def run(data: Path, names: Sequence[str], cache: Path, every: int) -> None:
    """Measure sets one after another, and remember."""
    kept = cache / "sweep.json"
    for judged in (sets.load(data, name) for name in names):
        indexed = await index(judged, cache / "sweep", (StaticEmbedder(),))
        found = Found()
        if judged.is_ranked:
            found |= await measure(indexed, RANKING, ranked, every)
        if judged.is_marked:
            found |= await measure(indexed, QUOTING, quoted, every)
        known = tables.read(kept)
        tables.keep(kept, known | {name: known.get(name, {}) | found[name] for name in found})
        await indexed.store.close()


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--cache", type=click.Path(path_type=Path), default=Path(".eval"))
@click.option("--sets", "chosen", default="", help="Names, with commas; empty means all.")
@click.option("--every", default=2, help="Take every n-th question.")
def main(data: Path, cache: Path, chosen: str, every: int) -> None:
    """Measure, and keep the figures for the page (``python -m eval --sets none --write PAGE``)."""
    names = [name for name in chosen.split(",") if name] or sets.names(data)
    asyncio.run(run(data, names, cache, every))


if __name__ == "__main__":
    main()
