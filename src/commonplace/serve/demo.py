"""The demo: index the bundled sample, ask the real server through a real MCP client.

``python -m commonplace.serve.demo``; ``--picture FILE`` also draws what `commonplace ask` shows.
"""

import asyncio
import io
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from mcp import Client, StdioServerParameters
from rich.console import Console
from rich.text import Text

from commonplace import sample
from commonplace.domain.errors import CommonplaceError
from commonplace.index.pipeline import sync_source
from commonplace.index.sources import SourceOptions, add_source
from commonplace.index.upgrade import Pace, upgrade
from commonplace.index.writer import Report
from commonplace.serve.cli.output import count
from commonplace.serve.cli.progress import bar
from commonplace.serve.cli.running import opened, writer_of
from commonplace.serve.cli.showing import show_quotes, show_tail
from commonplace.serve.install import program
from commonplace.settings import load

QUESTION = "What happens to the index if indexing is killed?"
TOOL = "kb_retrieve_evidence"
_COLUMNS = 88  # of the picture: what fits beside a README's text


async def index_sample(home: Path, console: Console) -> Report:
    """Index the sample into a fresh home, with the better vectors too."""
    settings = load({"home": home})
    async with opened(settings) as app:
        writer, project = writer_of(app), settings.default_project
        options = SourceOptions(tags=("sample",))
        source = await add_source(writer, str(sample.folder()), project, options)
        with bar(console, "indexing the sample") as progress:
            report = await sync_source(writer, source, progress)
        if settings.upgrade_embedder:
            embedder = app.embedders[settings.upgrade_embedder]
            with bar(console, "better vectors") as progress:
                pace = Pace(seconds=settings.upgrade_wait_s)
                await upgrade(writer, project, embedder, pace, progress)
    return report


Answer = tuple[int, Mapping[str, Any], Mapping[str, Any]]


async def ask_server(home: Path, question: str, times: int = 1) -> Answer:
    """Start the server as clients do and ask it: tools listed, structured reply, its ``_meta``.

    The first answer also takes the time the models need to load; a later one does not.
    """
    command, *arguments = program()
    arguments += ["serve", "--home", str(home), "--quiet"]
    async with Client(StdioServerParameters(command=command, args=arguments)) as client:
        listed = (await client.list_tools()).tools
        for _ in range(times):
            reply = await client.call_tool(TOOL, {"question": question, "max_quotes": 3})
    if reply.is_error or reply.structured_content is None:
        raise CommonplaceError(f"the server answered with an error: {reply.content}")
    return len(listed), reply.structured_content, reply.meta or {}


def make_fresh(home: Path) -> None:
    """Remove what an earlier demo left; nothing else is ever removed."""
    if (home / "index.db").exists():
        shutil.rmtree(home)


def draw(question: str, structured: Mapping[str, Any], meta: Mapping[str, Any]) -> str:
    """What `commonplace ask` shows for this reply, as SVG with nothing loaded from elsewhere."""
    console = Console(
        record=True, width=_COLUMNS, file=io.StringIO(), force_terminal=True, highlight=False
    )
    console.print(Text.assemble(("$ ", "green"), f'commonplace ask "{question}"'))
    console.print()
    show_quotes(console, question, structured)
    show_tail(console, structured, meta)
    svg = console.export_svg(title="commonplace", unique_id="answer")
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code", "ui-monospace, Menlo, Consolas, DejaVu Sans Mono")


async def show_demo(home: Path, console: Console) -> None:
    """Index, ask, show, and say what to do next."""
    report = await index_sample(home, console)
    amount = f"{count(report.documents, 'document')}, {count(report.passages, 'passage')}"
    _step(console, 1, f"Indexed Commonplace's own documentation: {amount}.")
    listed, structured, meta = await ask_server(home, QUESTION)
    _step(console, 2, f"Started `commonplace serve` and connected to it: {listed} tools.")
    _step(console, 3, f"Called {TOOL}: {QUESTION}")
    console.print()
    show_quotes(console, QUESTION, structured)
    show_tail(console, structured, meta)
    console.print()
    console.print("Now with yours:", style="bold")
    for line in (
        "commonplace add FOLDER",
        'commonplace ask "your question"',
        "commonplace install claude-code --yes",
    ):
        console.print(Text(f"  {line}", style="cyan"))
    console.print("The program is .venv/bin/commonplace; README.md shows the other clients.")


def _step(console: Console, number: int, text: str) -> None:
    console.print(Text.assemble((f"{number}  ", "bold green"), text))


@click.command()
@click.option("--home", type=click.Path(path_type=Path), default=Path(".demo"))
@click.option("--picture", type=click.Path(path_type=Path), help="Also draw the answer as SVG.")
def main(home: Path, picture: Path | None) -> None:
    """Index the bundled sample, ask it through a real MCP client, print the cited answer."""
    make_fresh(home)
    console = Console(highlight=False, markup=False)
    try:
        asyncio.run(show_demo(home.absolute(), console))
        if picture:
            _, structured, meta = asyncio.run(ask_server(home.absolute(), QUESTION, times=2))
            picture.write_text(draw(QUESTION, structured, meta), "utf-8")
    except CommonplaceError as exc:
        raise click.ClickException(exc.message) from exc


if __name__ == "__main__":
    main()
