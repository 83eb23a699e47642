"""``python -m eval.entities``: precision per kind from the labels, with Wilson intervals.

``python -m eval.entities sample FOLDER`` draws entities of a folder to be labelled, as JSON lines
with the place each was found at. A label says whether a reader of the passage would call the
thing so: a Command of that name, a Concept of that name.
"""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from eval.entities.extracted import extract, sample

LABELS = Path(__file__).with_name("labels.jsonl")
_Z = 1.96  # 95 %

Label = dict[str, Any]


def wilson(right: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share, sound for few and for one-sided samples.

    >>> [round(bound, 2) for bound in wilson(19, 20)]
    [0.76, 0.99]
    """
    if not total:
        return 0.0, 1.0
    share = right / total
    middle = share + _Z**2 / (2 * total)
    reach = _Z * math.sqrt(share * (1 - share) / total + _Z**2 / (4 * total**2))
    scale = 1 + _Z**2 / total
    return (middle - reach) / scale, (middle + reach) / scale


def read(path: Path = LABELS) -> list[Label]:
    """Every label, in the order they were given."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def row(name: str, labels: Sequence[Label]) -> str:
    """One line of the table."""
    right = sum(label["verdict"] for label in labels)
    low, high = wilson(right, len(labels))
    return (
        f"| {name} | {right} of {len(labels)} | {right / len(labels):.2f} | {low:.2f}-{high:.2f} |"
    )


def table(labels: Iterable[Label]) -> str:
    """Precision per kind and of all."""
    labels = list(labels)
    lines = ["| kind | right | precision | 95 % interval |", "|---|--:|--:|--:|"]
    lines += [
        row(kind, [label for label in labels if label["kind"] == kind])
        for kind in sorted({label["kind"] for label in labels})
    ]
    return "\n".join([*lines, row("all", labels)])


@click.group(invoke_without_command=True)
@click.pass_context
def main(context: click.Context) -> None:
    """Print precision of the last round, then of each round as a whole."""
    if context.invoked_subcommand:
        return
    labels = read()
    rounds = sorted({label["round"] for label in labels})
    last = [label for label in labels if label["round"] == rounds[-1]]
    click.echo(table(last))
    click.echo("\n| round | sets | right | precision | 95 % interval |\n|---|---|--:|--:|--:|")
    for number in rounds:
        drawn = [label for label in labels if label["round"] == number]
        sets = ", ".join(sorted({f"{one['package']} {one['version']}" for one in drawn}))
        click.echo(row(f"{number} | {sets}", drawn))


@main.command("sample")
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@click.option("--per-kind", default=20, show_default=True)
@click.option("--seed", default=1, show_default=True)
def draw(folder: Path, per_kind: int, seed: int) -> None:
    """Draw entities to label, each with a place that names it."""
    for entity in sample(extract(folder), per_kind, seed):
        click.echo(json.dumps(asdict(entity), ensure_ascii=False))


if __name__ == "__main__":
    main()
