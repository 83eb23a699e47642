"""Draw certain edges to be read, or count the verdicts; ``eval.certain`` tells what is judged."""

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from commonplace.link.code.names.modules import qualified
from commonplace.link.code.program import Program
from eval.calls.drawn import edges_of, places_of, program_of
from eval.entities.__main__ import wilson

LABELS = Path(__file__).with_name("labels.jsonl")
CERTAIN = 0.9
_LANGUAGES = {
    "py": "Python",
    "ts": "TypeScript",
    "js": "JavaScript",
    "java": "Java",
    "go": "Go",
    "cs": "C#",
}


def read_folder(folder: Path) -> dict[str, str]:
    """The code of a folder by path; tests of a package are no part of it."""
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8", "replace")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix.removeprefix(".") in _LANGUAGES
    }


def certain(files: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Every certain call between functions of these files, with the lines at both ends."""
    program = program_of(files)
    places = places_of(program)
    for edge in edges_of(program):
        source, target = places.get(edge.source), places.get(edge.target)
        is_own = edge.relation == "CALLS" and source is not None and target is not None
        if not is_own or edge.confidence < CERTAIN or source is None or target is None:
            continue
        path = program.units[source.document_id].path
        line = int(str(edge.properties["at"]).partition(":")[0])
        yield {
            "caller": qualified(program, source),
            "callee": qualified(program, target),
            "how": edge.properties.get("how", ""),
            "at": f"{path}:{line}",
            "text": files[path].split("\n")[line - 1].strip()[:200],
            "to": _defined(program, target.document_id, target.number),
        }


def _defined(program: Program, document_id: str, number: int) -> str:
    unit = program.units[document_id]
    return f"{unit.path}:{unit.facts.symbols[number].at.line}"


def count(labels: Iterable[Mapping[str, Any]]) -> str:
    """Precision of what was judged by language and package, with a 95 % interval."""
    rows: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for one in labels:
        language = _LANGUAGES[one["at"].rpartition(":")[0].rpartition(".")[2]]
        rows[language, one["package"]].append(bool(one["verdict"]))
        rows[language, "all"].append(bool(one["verdict"]))
    lines = [
        "| language | package | read | right | share | 95 % interval |",
        "|---|---|--:|--:|--:|---|",
    ]
    for (language, package), verdicts in sorted(rows.items()):
        right, total = sum(verdicts), len(verdicts)
        low, high = wilson(right, total)
        share = f"{right / total:.3f} | {low:.3f} to {high:.3f}"
        lines.append(f"| {language} | {package} | {total} | {right} | {share} |")
    return "\n".join(lines)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True), required=False)
@click.option("--package", default="", help="What the sample is called.")
@click.option("--number", default=50, help="How many edges are drawn.")
@click.option("--seed", default=4, help="Another number draws others.")
def main(folder: Path | None, package: str, number: int, seed: int) -> None:
    """Draw certain edges of a folder as JSON, or count the verdicts."""
    if folder is None:
        click.echo(count(json.loads(line) for line in LABELS.read_text("utf-8").splitlines()))
        return
    found = sorted(certain(read_folder(folder)), key=lambda one: json.dumps(one, sort_keys=True))
    for one in random.Random(seed).sample(found, min(number, len(found))):
        kept = {"package": package or folder.name, **one, "verdict": None, "why": ""}
        click.echo(json.dumps(kept, ensure_ascii=False))


if __name__ == "__main__":
    main()
