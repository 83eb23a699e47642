"""Observe two packages and print the comparison; ``eval.observed`` tells what is compared."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from eval.calls import peer
from eval.entities.__main__ import wilson
from eval.observed.compare import Drawn, Names, Observed, compare, ours, read
from eval.observed.packages import PACKAGES, Package, fetch, observe, sources

LABELS = Path(__file__).with_name("labels.jsonl")
CERTAIN = 0.9
DRAWN = 0.31  # a guess by name alone is never above .3
HEAD = (
    "| {} | observed | recall | drawn | confirmed | on lines that ran | confirmed |\n"
    "|---|--:|--:|--:|--:|--:|--:|"
)


def ask_jedi(package: Package, folder: Path, files: dict[str, str]) -> list[Drawn]:
    """Jedi's edges, kept beside the archive: asking takes minutes."""
    kept = folder / f"{package.archive}.jedi.json"
    if not kept.exists():
        root = (fetch(package, folder) / package.code).parent.resolve()
        asked = peer.Jedi(root, files)
        found = [
            [edge.caller, edge.callee, path, site.line]
            for path, sites in asked.sites.items()
            for site in sites.sites
            for edge in asked.meant(path, site)
            if edge.relation == "CALLS"
        ]
        kept.write_text(json.dumps(found), "utf-8")
    edges = json.loads(kept.read_text("utf-8"))
    return [Drawn(caller, callee, 1.0, path, (line,)) for caller, callee, path, line in edges]


def report(package: Package, folder: Path, *, with_jedi: bool) -> str:
    """The table of one package."""
    seen = observe(package, folder)
    files = sources(package, folder)
    observed = read(seen, Names(files))
    edges = ours(files)
    drawn = [edge for edge in edges if edge.confidence >= DRAWN]
    lines = [HEAD.format(package.archive), compare(observed, drawn).row("all drawn")]
    certain = [edge for edge in edges if edge.confidence >= CERTAIN]
    lines.append(compare(observed, certain).row("certain"))
    first = [edge for edge in ours(files, is_first=True) if edge.confidence >= DRAWN]
    lines.append(compare(observed, first).row("when ready"))
    if with_jedi and peer.is_installed():
        lines.append(compare(observed, ask_jedi(package, folder, files)).row("jedi"))
    elif with_jedi:
        lines.append("jedi is not installed: pip install -r requirements/bench.txt")
    return "\n".join(lines)


def misses(package: Package, folder: Path) -> str:
    """What was observed and not drawn (-), drawn on lines that ran and not observed (+)."""
    files = sources(package, folder)
    observed = read(observe(package, folder), Names(files))
    drawn = [edge for edge in ours(files) if edge.confidence >= DRAWN]
    pairs = {(edge.caller, edge.callee) for edge in drawn}
    lines = [f"- {caller} -> {callee}" for caller, callee in sorted(observed.pairs - pairs)]
    lines += sorted({f"+ {_told(edge)}" for edge in drawn if _is_unconfirmed(edge, observed)})
    return "\n".join(lines)


def _told(edge: Drawn) -> str:
    where = f"{edge.path}:{edge.lines[0] if edge.lines else 0}"
    return f"{edge.caller} -> {edge.callee}  [{edge.how} {edge.confidence} {where}]"


def _is_unconfirmed(edge: Drawn, observed: Observed) -> bool:
    ran = observed.lines.get(edge.path, set())
    return (
        edge.caller in observed.ran
        and edge.callee not in observed.resumed
        and any(line in ran for line in edge.lines)
        and (edge.caller, edge.callee) not in observed.pairs
    )


def sample(package: Package, folder: Path, number: int) -> list[dict[str, object]]:
    """Certain edges drawn at random, with their line, to be judged by reading."""
    files = sources(package, folder)
    certain = sorted(
        {
            (edge.caller, edge.callee, edge.path, edge.lines[:1], edge.how)
            for edge in ours(files)
            if edge.confidence >= CERTAIN
        }
    )
    chosen = random.Random(4).sample(certain, min(number, len(certain)))
    return [
        {
            "package": package.archive,
            "caller": caller,
            "callee": callee,
            "how": how,
            "at": f"{path}:{line}",
            "text": files[path].splitlines()[line - 1].strip(),
            "verdict": None,
        }
        for caller, callee, path, (line,), how in chosen
    ]


def count_labels() -> str:
    """Precision of what was judged, with a 95 % interval."""
    labels = [json.loads(line) for line in LABELS.read_text("utf-8").splitlines()]
    right = sum(bool(label["verdict"]) for label in labels)
    low, high = wilson(right, len(labels))
    by_package = Counter(label["package"] for label in labels)
    return (
        f"{right} of {len(labels)} certain edges judged right: {right / len(labels):.3f} "
        f"({low:.3f} to {high:.3f}); {dict(by_package)}"
    )


def _chosen(names: str) -> Sequence[Package]:
    wanted = [name for name in names.split(",") if name]
    return [one for one in PACKAGES if not wanted or one.name in wanted]


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--packages", "names", default="", help="Names, with commas; empty means all.")
@click.option("--with-jedi/--without-jedi", default=True, help="Ask jedi the same.")
@click.option("--misses", "with_misses", is_flag=True, help="List what does not fit.")
@click.option("--sample", "number", default=0, help="Draw so many certain edges of each as JSON.")
@click.option("--labels", "with_labels", is_flag=True, help="Count the verdicts of labels.jsonl.")
def main(  # noqa: PLR0913 - click hands each option over as a parameter
    folder: Path | None,
    names: str,
    with_jedi: bool,
    with_misses: bool,
    number: int,
    with_labels: bool,
) -> None:
    """Recall and confirmation of call edges on calls that were observed."""
    if with_labels:
        click.echo(count_labels())
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for package in _chosen(names):
        if number:
            for one in sample(package, folder, number):
                click.echo(json.dumps(one, ensure_ascii=False))
        elif with_misses:
            click.echo(misses(package, folder))
        else:
            click.echo(report(package, folder, with_jedi=with_jedi) + "\n")


if __name__ == "__main__":
    main()
