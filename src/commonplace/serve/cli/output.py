"""Where results go: standard output for them, standard error for everything said meanwhile."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from commonplace.answer.render import neutral
from commonplace.domain.encoding import REPLACEMENT
from commonplace.serve.cli.choices import Choices

_ENDS = re.compile(r"[\r\n]")
_PIPE_COLUMNS = 120  # where output is not a terminal nobody resizes it


def results() -> Console:
    """The console results are written to."""
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, width=_PIPE_COLUMNS)
    return console


def remarks(choices: Choices) -> Console:
    """The console for progress and hints; silent with ``--quiet``."""
    return Console(stderr=True, highlight=False, markup=False, quiet=choices.is_quiet)


def write_json(payload: Mapping[str, Any] | Sequence[Any]) -> None:
    """One JSON value on standard output; characters stay as they are."""
    click.echo(json.dumps(payload, ensure_ascii=False, indent=2, default=str))


def plain_table(*columns: str) -> Table:
    """A table without frames: columns that line up, nothing else."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in columns:
        name, is_number = column.removesuffix(":"), column.endswith(":")
        table.add_column(
            name, justify="right" if is_number else "left", overflow="fold", no_wrap=is_number
        )
    return table


def local_path(uri: str) -> Path | None:
    """The file a ``file:`` address names; None for other addresses.

    >>> local_path("file:///a%20b.md").as_posix(), local_path("https://example.com/")
    ('/a b.md', None)
    """
    parts = urlsplit(uri)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None


def short_path(path: Path, folder: Path, home: Path) -> str:
    """A path as people write it: relative to where they are, or from their home.

    >>> short_path(Path("/h/w/a.md"), Path("/h/w"), Path("/h"))
    'a.md'
    >>> short_path(Path("/h/x/a.md"), Path("/h/w"), Path("/h"))
    '~/x/a.md'
    """
    shown = str(path)
    if path.is_relative_to(folder):
        shown = str(path.relative_to(folder))
    elif path.is_relative_to(home):
        shown = f"~/{path.relative_to(home)}"
    return _ENDS.sub(REPLACEMENT, neutral(shown))  # a name may hold the end of a line


def place_of(uri: str, line: int | None = None) -> Text:
    """A source as a link a terminal can open: a short path with line or page, or the address."""
    path = local_path(uri)
    if path is None:
        return Text(neutral(uri), style="cyan")
    shown = short_path(path, Path.cwd(), Path.home())
    page = urlsplit(uri).fragment.partition("page=")[2]
    if page:
        shown = f"{shown} p. {page}"
    return Text(f"{shown}:{line}" if line else shown, style=f"cyan link {uri}")


def size(size_bytes: float) -> str:
    """A size people can read.

    >>> size(900), size(12_345_678)
    ('900 B', '12.3 MB')
    """
    for unit in ("B", "kB", "MB"):
        if size_bytes < 1000:
            return f"{size_bytes:.0f} B" if unit == "B" else f"{size_bytes:.1f} {unit}"
        size_bytes /= 1000
    return f"{size_bytes:.1f} GB"


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "passage"), count(12345, "passage")
    ('1 passage', '12,345 passages')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
