"""``python -m eval.trust``: what a confidence is worth, and when the tool says nothing.

Questions of each set are asked of its own index and of the others', through the tool itself. Own
questions should be answered, foreign ones not; and of quotes with confidence .7, seven in ten
should hold the answer.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from commonplace import tools
from commonplace.catalog import collect
from commonplace.embedders.static import StaticEmbedder
from commonplace.serve.dispatch import Caller, Dispatcher
from commonplace.tools.base import Tool
from eval import sets, tables
from eval.calibrate import FOREIGN, SAID, is_foreign, some
from eval.corpus import application, index
from eval.evidence import contains
from eval.sets import JudgedSet, Question

BUDGET = 800
BUCKETS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
Rows = Sequence[dict[str, Any]]


async def _ask(dispatcher: Dispatcher, question: Question) -> Rows:
    arguments = {"question": question.text[:4000], "max_response_tokens": BUDGET}
    outcome = await dispatcher.call("kb.retrieve_evidence", arguments, Caller(connection="eval"))
    return list((outcome.structured or {}).get("quotes", []))


async def measure(
    judged: Sequence[JudgedSet], homes: Sequence[str], cache: Path, every: int
) -> dict[str, Any]:
    """Per set asked: how many questions get nothing, and its quotes by confidence."""
    silent: dict[str, dict[str, float]] = {}
    quoted: dict[str, dict[str, list[int]]] = {}
    for home in [one for one in judged if one.name in homes]:
        buckets: defaultdict[float, list[int]] = defaultdict(lambda: [0, 0])
        indexed = await index(home, cache, (StaticEmbedder(),))
        dispatcher = Dispatcher(application(indexed), collect(tools, Tool).values())
        own = home.questions[::every] if home.is_marked else some(home.questions, SAID)
        empty = 0
        for question in own:
            rows = await _ask(dispatcher, question)
            empty += not rows
            for row in rows if question.marks else ():
                floor = max(edge for edge in BUCKETS if edge <= row["confidence"])
                buckets[floor][0] += 1
                buckets[floor][1] += contains(question, [row["quote"]])
        others = [
            question
            for origin in judged
            if is_foreign(home.name, origin.name)
            for question in some(origin.questions, FOREIGN)
        ]
        refused = [not await _ask(dispatcher, question) for question in others]
        silent[home.name] = {
            "own": len(own),
            "own_empty": empty / len(own),
            "foreign": len(others),
            "foreign_empty": sum(refused) / max(1, len(refused)),
        }
        quoted[home.name] = {str(floor): counts for floor, counts in sorted(buckets.items())}
        click.echo(f"{home.name}: {silent[home.name]}")
        await indexed.store.close()
    return {"silent": silent, "quoted": quoted}


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--cache", type=click.Path(path_type=Path), default=Path(".eval"))
@click.option("--sets", "chosen", default="", help="Names, with commas; empty means all.")
@click.option("--homes", default="", help="Of these, the sets asked in this run; empty means all.")
@click.option("--every", default=2, help="Take every n-th question with marked answers.")
def main(data: Path, cache: Path, chosen: str, homes: str, every: int) -> None:
    """Measure, and keep the figures for the page (``python -m eval --sets none --write PAGE``)."""
    names = [name for name in chosen.split(",") if name] or sets.names(data)
    judged = [sets.load(data, name) for name in names]
    asked = homes.split(",") if homes else names
    found = asyncio.run(measure(judged, asked, cache / "trust", every))
    kept = cache / "trust.json"
    known = tables.read(kept)
    tables.keep(kept, {part: known.get(part, {}) | found[part] for part in found})
    click.echo(json.dumps(found["quoted"]))


if __name__ == "__main__":
    main()
