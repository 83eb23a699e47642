"""The command ``watch``: sources stay in sync, and better vectors follow, until stopped."""

import asyncio
import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

import click
from rich.text import Text

from commonplace.answer.render import neutral
from commonplace.domain.errors import CommonplaceError, EmbedError
from commonplace.domain.scope import Source
from commonplace.index.sources import synced_sources
from commonplace.index.upgrade import Pace, upgrade
from commonplace.index.watch import watch
from commonplace.index.writer import Report
from commonplace.serve.cli.choices import Choices, Command
from commonplace.serve.cli.indexing import show_failures, told
from commonplace.serve.cli.output import count, remarks, results, short_path
from commonplace.serve.cli.running import run_with, writer_of
from commonplace.serve.signals import stopping
from commonplace.tools.app import App


@click.command("watch", cls=Command)
@click.pass_obj
def watch_command(choices: Choices) -> None:
    """Keep sources in sync until stopped.

    Every change on disk is indexed within a second or two, and better vectors follow. With
    --json each sync is one line. Stop it with Ctrl-C.
    """
    run_with(choices, lambda app: _Watching(choices, app).run())


class _Watching:
    """One run of the command."""

    def __init__(self, choices: Choices, app: App) -> None:
        self._choices = choices
        self._app = app
        self._stop = asyncio.Event()
        self._changed = asyncio.Event()
        self._seen: set[str] = set()

    async def run(self) -> None:
        """Watch until a signal asks to stop."""
        project = self._app.settings.default_project
        sources = await synced_sources(self._app.store.keyvalue, project)
        remarks(self._choices).print(
            f"Watching {count(len(sources), 'source')} of {project}; Ctrl-C stops.", style="dim"
        )
        improving = asyncio.create_task(self._improve())
        with stopping(lambda _: self._end()):
            await watch(writer_of(self._app), project, self._tell, self._stop)
        self._end()
        await improving

    def _end(self) -> None:
        self._stop.set()
        self._changed.set()

    async def _tell(self, source: Source, outcome: Report | CommonplaceError) -> None:
        """Say what a sync did; one that found nothing new is told only the first time."""
        is_first = source.id not in self._seen
        self._seen.add(source.id)
        if isinstance(outcome, Report):
            self._changed.set()
            is_news = outcome.added or outcome.changed or outcome.removed or outcome.failures
            if not is_news and not is_first:
                return
        if self._choices.as_json:
            click.echo(json.dumps(_facts(source, outcome), ensure_ascii=False))
        else:
            self._show(source, outcome)

    def _show(self, source: Source, outcome: Report | CommonplaceError) -> None:
        name = short_path(Path(source.location), Path.cwd(), Path.home())
        clock = f"{datetime.now().astimezone():%H:%M:%S}  "
        console = results()
        if isinstance(outcome, CommonplaceError):
            console.print(Text.assemble((clock, "dim"), (neutral(outcome.message), "red")))
            return
        if not self._choices.is_quiet:
            console.print(Text.assemble((clock, "dim"), (f"{name}  ", "bold"), told(outcome)))
        show_failures(console, outcome)

    async def _improve(self) -> None:
        """Embed what syncs leave behind, whenever they did something."""
        settings = self._app.settings
        tiers = dict.fromkeys(filter(None, (settings.embedder, settings.upgrade_embedder)))
        pace = Pace(stop=self._stop)
        while not self._stop.is_set():
            await self._changed.wait()
            self._changed.clear()
            for tier in tiers:
                embedder = self._app.embedders[tier]
                try:
                    await upgrade(writer_of(self._app), settings.default_project, embedder, pace)
                except EmbedError as exc:  # a remote model may come back; the lexicon works on
                    remarks(self._choices).print(neutral(exc.message), style="yellow")


def _facts(source: Source, outcome: Report | CommonplaceError) -> dict[str, object]:
    if isinstance(outcome, CommonplaceError):
        return {"location": source.location, "error": outcome.message}
    return {"location": source.location, **asdict(outcome)}
