"""``python -m eval.memory``: chat sessions stored as contexts and found again, by the tools."""

import asyncio
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from commonplace import tools
from commonplace.catalog import collect
from commonplace.serve.build import build
from commonplace.serve.dispatch import Caller, Dispatcher
from commonplace.settings import Settings
from commonplace.tools.base import Tool
from eval.ranking import gain, recall
from eval.sets import PUBLISHED, JudgedSet, Published, load

NAME = "lihua-world"
MODES = ("hybrid", "vector", "graph")
DEPTH = 10


async def call(dispatcher: Dispatcher, name: str, **arguments: Any) -> Mapping[str, Any]:  # noqa: ANN401 - JSON
    outcome = await dispatcher.call(name, arguments, Caller(connection="eval"))
    assert not outcome.is_error, outcome.text
    return outcome.structured


async def fill(dispatcher: Dispatcher, judged: JudgedSet) -> dict[str, str]:
    """Store every session; its page by context."""
    pages = {}
    for page in judged.pages:
        content = {"title": page.title, "text": page.text}
        stored = await call(dispatcher, "memory.store_context", type="log", content=content)
        pages[str(stored["id"])] = page.id
    assert len(pages) == len(judged.pages)
    return pages


async def ranked(dispatcher: Dispatcher, mode: str, query: str) -> list[str]:
    """The contexts found, best first, all pages of the reply."""
    found: list[str] = []
    asked: dict[str, Any] = {"query": query, "search_mode": mode, "limit": DEPTH}
    asked |= {"sort_by": "relevance", "max_response_tokens": 10_000}
    reply = await call(dispatcher, "memory.retrieve_context", **asked)
    found += [row["id"] for row in reply["results"]]
    while reply["next_cursor"]:
        reply = await call(
            dispatcher, "memory.retrieve_context", cursor=reply["next_cursor"], **asked
        )
        found += [row["id"] for row in reply["results"]]
    return found


async def judge(
    dispatcher: Dispatcher, judged: JudgedSet, mode: str, pages: Mapping[str, str]
) -> Published:
    rows = []
    for question in judged.questions:
        best = [pages[one] for one in await ranked(dispatcher, mode, question.text)]
        grades = question.grades
        rows.append((gain(best, grades), *(recall(best, grades, depth) for depth in (1, 5, 10))))
    return Published(*(sum(column) / len(rows) for column in zip(*rows, strict=True)))


async def measure(data: Path) -> None:
    judged = load(data, NAME)
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(
            home=Path(home), upgrade_embedder="", rate_limit_per_minute=0, tool_timeout_s=600
        )
        app = build(settings)
        dispatcher = Dispatcher(app, collect(tools, Tool).values())
        pages = await fill(dispatcher, judged)
        click.echo(f"{NAME}: {len(pages)} contexts, {len(judged.questions)} questions\n")
        click.echo("| search_mode | nDCG@10 | R@1 | R@5 | R@10 |\n|---|--:|--:|--:|--:|")
        click.echo(row("BM25 (published)", PUBLISHED[NAME]))
        for mode in MODES:
            click.echo(row(mode, await judge(dispatcher, judged, mode, pages)))
        await app.store.close()


def row(name: str, figures: Published) -> str:
    cells = (figures.ndcg, figures.r1, figures.r5, figures.r10)
    return f"| {name} | {' | '.join(f'{cell:.3f}'.lstrip('0') for cell in cells)} |"


@click.command()
@click.option(
    "--data",
    envvar="COMMONPLACE_EVAL_DATA",
    type=click.Path(path_type=Path),
    help="Folder of the open sets; also COMMONPLACE_EVAL_DATA.",
)
def main(data: Path | None) -> None:
    """Measure how well what was stored as contexts is found again."""
    if data is None or not (data / NAME).is_dir():
        click.echo("eval skipped: name the folder of the sets with --data or COMMONPLACE_EVAL_DATA")
        return
    asyncio.run(measure(data))


if __name__ == "__main__":
    main()
