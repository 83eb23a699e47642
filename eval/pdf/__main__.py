"""``python -m eval.pdf``: papers with known words, read by us and by pypdf and pdfminer.six."""

import time
from collections import defaultdict
from dataclasses import fields
from pathlib import Path

import click

from eval.pdf.papers import make_papers
from eval.pdf.readers import READERS
from eval.pdf.score import Score, mean, score
from eval.pdf.typeset import LAYOUTS, is_available, typeset

ENGLISH, GERMAN = 66, 8


def _cells(one: Score) -> list[str]:
    values = [getattr(one, each.name) for each in fields(Score)]
    return ["–" if value is None else f"{value:.3f}".removeprefix("0") for value in values]


@click.command()
@click.option("--data", envvar="COMMONPLACE_EVAL_DATA", type=click.Path(path_type=Path))
@click.option("--readers", default=",".join(READERS), help="Names, with commas.")
@click.option("--every", default=1, help="Take every n-th paper.")
@click.option("--worst", default=0, help="Show so many papers that we read worst.")
def main(data: Path | None, readers: str, every: int, worst: int) -> None:
    """Typeset the papers, read them, and print the table of means."""
    if data is None or not data.is_dir():
        click.echo("eval skipped: name the folder of the sets with --data or COMMONPLACE_EVAL_DATA")
        return
    layouts = [one for one in LAYOUTS.values() if is_available(one)]
    missing = sorted({one.engine for one in LAYOUTS.values()} - {one.engine for one in layouts})
    if missing:
        click.echo(f"not installed, so left out: {', '.join(missing)}")
    scores: dict[tuple[str, str], list[Score]] = defaultdict(list)
    spent: dict[str, float] = defaultdict(float)
    pages = 0
    ranked = []
    for number, paper in list(enumerate(make_papers(data, ENGLISH, GERMAN)))[::every]:
        layout = layouts[number % len(layouts)]
        printed, content = typeset(paper, layout)
        pages += max(last for _, last in printed.pages.values())
        for name in readers.split(","):
            started = time.process_time()
            extract = READERS[name](content)
            spent[name] += time.process_time() - started
            found = score(printed, extract)
            scores[name, layout.name].append(found)
            if name == "commonplace":
                ranked.append((found.pairs, found.order, found.headings, paper.name, layout.name))
    _show(scores, spent, pages)
    for row in sorted(ranked)[:worst]:
        click.echo(row)


def _show(scores: dict[tuple[str, str], list[Score]], spent: dict[str, float], pages: int) -> None:
    head = ["reader", *(each.name.replace("_", " ") for each in fields(Score)), "pages/CPU-s"]
    click.echo(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for name, seconds in spent.items():
        every = [one for (reader, _), some in scores.items() if reader == name for one in some]
        cells = [name, *_cells(mean(every)), f"{pages / seconds:.0f}"]
        click.echo(f"| {' | '.join(cells)} |")
    click.echo()
    for (reader, layout), some in scores.items():
        if reader == "commonplace":
            click.echo(f"| {layout} ({len(some)}) | {' | '.join(_cells(mean(some)))} |")


if __name__ == "__main__":
    main()
