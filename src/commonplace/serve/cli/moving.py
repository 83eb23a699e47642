"""Commands that carry a project from one home to another: export, import."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import click

from commonplace.domain.errors import InvalidProject, UserError
from commonplace.index.projects import list_projects
from commonplace.serve.cli.choices import Choices, Command
from commonplace.serve.cli.output import count, remarks, write_json
from commonplace.serve.cli.running import run_with, writer_of
from commonplace.serve.transfer import export_project, import_project
from commonplace.tools.app import App


@click.command("export", cls=Command)
@click.argument("name", metavar="PROJECT")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True, dir_okay=False))
@click.pass_obj
def export(choices: Choices, name: str, file: Path) -> None:
    """Write a project to a file, or to standard output with -.

    The file holds its sources, documents and passages as lines of JSON; vectors are not in it.
    """

    async def work(app: App) -> int:
        known = await list_projects(app.store)
        if name not in known:
            raise InvalidProject(f"no project {name!r}; known: {', '.join(known) or 'none yet'}")
        written = 0
        with opened_file(file, "w") as stream:
            async for line in export_project(app.store, name):
                stream.write(line)
                written += line.startswith('{"document"')
        return written

    documents = run_with(choices, work)
    if choices.as_json and str(file) != "-":
        write_json({"project": name, "file": str(file), "documents": documents})
    else:
        remarks(choices).print(f"Wrote {count(documents, 'document')} of {name} to {file}.")


@click.command("import", cls=Command)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True, dir_okay=False))
@click.pass_obj
def import_command(choices: Choices, file: Path) -> None:
    """Read a project from a file, or from standard input with -.

    Documents of the same address are replaced, others stay. `commonplace embed` then makes the
    better vectors.
    """
    console = remarks(choices)

    async def work(app: App) -> tuple[str, int]:
        with opened_file(file, "r") as stream, console.status("reading") as status:

            def tell(done: int, total: int) -> None:
                status.update(f"{done:,} of {total:,} documents")

            return await import_project(writer_of(app), stream, tell, choices.project)

    project, documents = run_with(choices, work)
    if choices.as_json:
        write_json({"project": project, "documents": documents})
    else:
        click.echo(f"Read {count(documents, 'document')} into {project}.")


@contextlib.contextmanager
def opened_file(file: Path, mode: str) -> Iterator[TextIO]:
    """The file as text, or the standard stream for ``-``; raises UserError naming the file."""
    if str(file) == "-":
        yield sys.stdout if mode == "w" else sys.stdin
        return
    try:
        with file.open(mode, encoding="utf-8", newline="\n") as stream:
            yield stream  # type: ignore[misc]
    except (OSError, UnicodeDecodeError) as exc:
        raise UserError(f"cannot use {file}: {exc}; name another file") from exc
