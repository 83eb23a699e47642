"""The root of the command line: finds commands, turns errors into one line and an exit code."""

import gc
import importlib
import json
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import click

from commonplace import __version__
from commonplace.answer.render import neutral
from commonplace.domain.errors import CommonplaceError
from commonplace.serve.cli.choices import Choices, Group

EXIT_FAILED, EXIT_USAGE, EXIT_PARTIAL, EXIT_INTERRUPTED = 1, 2, 3, 130


class Entry(NamedTuple):
    """Where a command lives and what it is for, told without importing it."""

    module: str
    purpose: str


# In the order people meet them; `--help` shows this table without loading one command.
COMMANDS: Mapping[str, Entry] = {
    "add": Entry(
        "indexing",
        "Index folders, files, git working trees, bibliographies, web pages or Zotero.",
    ),
    "sync": Entry("indexing", "Bring sources up to date with what is on disk."),
    "watch": Entry("watching", "Keep sources in sync until stopped."),
    "embed": Entry("indexing", "Finish the better vectors of a project now."),
    "remove": Entry("indexing", "Forget a source and all indexed from it."),
    "ask": Entry("asking", "Answer a question with quotes you can check."),
    "search": Entry("asking", "List the passages that fit a query."),
    "symbols": Entry("code", "Find definitions in code and SQL."),
    "deps": Entry("code", "Show what a symbol uses and what uses it."),
    "lineage": Entry("code", "Show where a column's or field's data comes from and goes to."),
    "impact": Entry("code", "Show what a change of a symbol would break."),
    "diff": Entry("code", "Show what changed in the code between two index runs."),
    "cite": Entry("citing", "Write references in a citation style."),
    "get": Entry("reading", "Show the text of a passage or document."),
    "call": Entry("asking", "Call any tool with JSON arguments."),
    "status": Entry("state", "Show what is indexed and how complete it is."),
    "doctor": Entry("state", "Check the installation and name the fix."),
    "projects": Entry("projects", "List, create, inspect or remove projects."),
    "export": Entry("moving", "Write a project to a file."),
    "import": Entry("moving", "Read a project from a file."),
    "memory": Entry("memory", "Audit, export, import or forget what agents stored."),
    "serve": Entry("serving", "Serve the tools over MCP."),
    "install": Entry("serving", "Set up an MCP client to use this server."),
}


class Root(Group):
    """The group of all commands; a command's module is imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order people meet them."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, its module imported now."""
        del ctx
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        gc.disable()  # modules are kept anyway: collecting among them only delays the start
        try:
            module = importlib.import_module(f"{__package__}.{entry.module}")
        finally:
            gc.freeze()
            gc.enable()
        found = (c for c in vars(module).values() if isinstance(c, click.Command))
        return next(command for command in found if command.name == cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with their purposes, from the table alone."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.purpose) for name, entry in COMMANDS.items()])


@click.group(cls=Root, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="commonplace")
def cli() -> None:
    """Answers from your own documentation, with quotes you can check.

    Start with: commonplace add FOLDER, then commonplace ask "your question".
    """


def _report(error: CommonplaceError, choices: Choices) -> int:
    if choices.is_verbose:
        traceback.print_exception(error)
    if choices.as_json:
        envelope = {"code": error.code, "message": error.message, "details": dict(error.details)}
        click.echo(json.dumps({"error": envelope}, ensure_ascii=False, default=str))
    click.echo(click.style("error: ", fg="red", bold=True) + neutral(error.message), err=True)
    return EXIT_FAILED


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code."""
    choices = Choices()
    try:
        code = cli.main(
            args=None if arguments is None else list(arguments),
            prog_name="commonplace",
            standalone_mode=False,
            obj=choices,
        )
    except click.ClickException as exc:
        exc.show()
        return exc.exit_code
    except CommonplaceError as exc:
        return _report(exc, choices)
    except (KeyboardInterrupt, click.Abort):
        click.secho(
            "interrupted: what was done is kept; run it again to go on", fg="yellow", err=True
        )
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader (a pager, `head`) has left; Python must not complain again while flushing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILED
    return code if isinstance(code, int) else 0


def main() -> None:
    """The program ``commonplace``."""
    sys.exit(run())
