"""``python -m eval.frugal``: what a reply holds and costs when its weaker quotes are left out.

Every marked question is asked through the tool with its own defaults, named, so that the budget is
filled (who names none is already spared what is hardly likely). Then quotes with less than a share
of the best one's confidence are left out, share by share: how many answers are lost, and how many
tokens saved.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from commonplace import tools
from commonplace.answer.pack import minify
from commonplace.catalog import collect
from commonplace.embedders.static import StaticEmbedder
from commonplace.serve.dispatch import Caller, Dispatcher
from commonplace.tools.base import Tool
from commonplace.tools.kb.evidence import RetrieveArgs
from eval import sets, tables
from eval.corpus import application, index
from eval.evidence import COUNT, contains
from eval.sets import Question

DEFAULTS = RetrieveArgs.model_fields
NAMED = ("max_quotes", "max_quote_tokens", "include_context_tokens", "top_k", "max_response_tokens")
SHARES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)
Asked = Sequence[tuple[Question, list[dict[str, Any]]]]


async def ask(data: Path, cache: Path, name: str) -> Asked:
    """The questions of a set with the quotes each is answered with."""
    judged = sets.load(data, name)
    indexed = await index(judged, cache, (StaticEmbedder(),))
    dispatcher = Dispatcher(application(indexed), collect(tools, Tool).values())
    answered = []
    named = {field: DEFAULTS[field].default for field in NAMED}
    for question in [one for one in judged.questions if one.marks]:
        arguments = {"question": question.text[:4000], **named}
        outcome = await dispatcher.call("kb.retrieve_evidence", arguments, Caller(connection="e"))
        answered.append((question, list((outcome.structured or {}).get("quotes", []))))
    await indexed.store.close()
    return answered


def row(asked: Asked, share: float) -> tuple[float, float, float]:
    """Answers held, quotes and tokens of quotes a question, at a share."""
    held = quotes = tokens = 0
    for question, rows in asked:
        best = max((one["confidence"] for one in rows), default=0.0)
        kept = [one for one in rows if one["confidence"] >= share * best]
        held += contains(question, [one["quote"] for one in kept])
        quotes += len(kept)
        tokens += sum(COUNT(minify(one)) for one in kept)
    count = max(1, len(asked))
    return held / count, quotes / count, tokens / count


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--cache", type=click.Path(path_type=Path), default=Path(".eval"))
def main(data: Path, cache: Path) -> None:
    """Measure, and keep the figures for the page (``python -m eval --sets none --write PAGE``)."""
    found = {}
    for name in sets.names(data):
        if sets.load(data, name).is_marked:
            asked = asyncio.run(ask(data, cache / "frugal", name))
            found[name] = {f"{share:g}": row(asked, share) for share in SHARES}
            click.echo(f"{name}: {found[name]}")
    tables.keep(cache / "frugal.json", found)


if __name__ == "__main__":
    main()
