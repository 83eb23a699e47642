"""Progress on standard error while long work runs."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from commonplace.index.writer import Progress as Report
from commonplace.index.writer import silent

_LABEL_COLUMNS = 28  # leaves the bar and its numbers room in 80 columns


@contextmanager
def bar(console: Console, label: str) -> Iterator[Report]:
    """A bar that goes away when the work is done; nothing where nobody watches."""
    if console.quiet or not console.is_terminal:
        yield silent
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(shorten(label, _LABEL_COLUMNS), total=None)

        async def report(done: float, total: float | None, _: str) -> None:
            progress.update(task, completed=done, total=total)

        yield report


def shorten(label: str, columns: int) -> str:
    """A label that fits: its end tells more than its beginning.

    >>> shorten("/very/long/path/to/handbook", 16)
    '…th/to/handbook'
    """
    text = Text(label)
    return label if text.cell_len <= columns else f"…{label[-(columns - 2) :]}"
