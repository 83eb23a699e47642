"""``python -m eval.heldout``: what quotes are worth on a set that nothing was fitted on.

Of each set with marked answers, both curves of ``answer/likelihood.py`` are fitted on all other
sets (what ``python -m eval.calibrate`` has gathered), and the set is asked with them and with the
product's own. The difference is what the product's figures owe to having seen the set.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from commonplace.answer.likelihood import TYPICAL, Blend, Outlook
from commonplace.embedders.static import StaticEmbedder
from commonplace.tools.kb.evidence import FLOOR
from eval import evidence, sets, tables
from eval.calibrate import NAMES, Example, fit, fit_outlook, remembered, signs
from eval.corpus import index
from eval.sets import JudgedSet


def curves(made: Sequence[Example], held: str) -> tuple[Blend, Outlook]:
    """Both curves as fitted without a set: neither its documents nor its questions."""
    rest = [one for one in made if held not in (one.home, one.origin)]
    weights, start = fit(rest)
    known = [one for one in rest if one.is_judged]
    told, base = fit_outlook(known, signs(known, weights, start))
    typical = np.array(astuple(TYPICAL))
    blend = Blend(base=start + float(weights @ typical), **dict(zip(NAMES, weights, strict=True)))
    return blend, Outlook(likely=told[0], said=told[1], meaning=told[2], base=base)


def refusals(made: Sequence[Example], home: str, ours: tuple[Blend, Outlook]) -> dict[str, float]:
    """The share of a set's own questions and of foreign ones that the floor refuses."""
    blend, outlook = ours
    weights = np.array([getattr(blend, name) for name in NAMES])
    start = blend.base - float(weights @ np.array(astuple(TYPICAL)))
    here = [one for one in made if one.home == home and one.is_judged]
    odds = signs(here, weights, start) @ np.array([outlook.likely, outlook.said, outlook.meaning])
    refused = 1 / (1 + np.exp(-(odds + outlook.base))) < FLOOR
    is_own = np.array([one.is_own for one in here])
    return {"lost": float(refused[is_own].mean()), "refused": float(refused[~is_own].mean())}


async def measure(
    judged: JudgedSet, made: Sequence[Example], cache: Path, every: int
) -> dict[str, Any]:
    """Answers in the quotes with the product's curves and with those fitted without the set."""
    indexed = await index(judged, cache, (StaticEmbedder(),))
    questions = [question for question in judged.questions if question.marks][::every]
    own = evidence.weigher(indexed)
    without = curves(made, judged.name)
    ways = {"present": (own.blend, own.outlook), "held out": without}
    asked = [
        (name, evidence.LIMITS, replace(own, blend=blend, outlook=outlook))
        for name, (blend, outlook) in ways.items()
    ]
    found: dict[str, Any] = {}
    for name, ask in evidence.our_ways(indexed, asked):
        scores = await evidence.means(indexed, questions, ask, tables.FEW_BUDGETS)
        found[name] = refusals(made, judged.name, ways[name])
        found[name]["answers"] = [score.has_any for score in scores]
        click.echo(f"{judged.name} {name}: {found[name]}")
    await indexed.store.close()
    return found


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--cache", type=click.Path(path_type=Path), default=Path(".eval"))
@click.option("--sets", "chosen", default="", help="Names, with commas; empty means all.")
@click.option("--every", default=2, help="Take every n-th question with marked answers.")
def main(data: Path, cache: Path, chosen: str, every: int) -> None:
    """Measure, and keep the figures for the page (``python -m eval --sets none --write PAGE``)."""
    folder = cache / "calibrate"
    made = remembered(folder, sets.names(data))
    names = [name for name in chosen.split(",") if name] or sets.names(data)
    for judged in (sets.load(data, name) for name in names):
        if judged.is_marked:
            found = asyncio.run(measure(judged, made, folder, every))
            kept = cache / "heldout.json"
            tables.keep(kept, tables.read(kept) | {judged.name: found})


if __name__ == "__main__":
    main()
