"""Run the cases and print how well the edges fit; ``eval.calls`` tells what a case is."""

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import click

from eval.calls import cases, peer
from eval.calls.apart import apart
from eval.calls.cases import Case, Expected
from eval.calls.drawn import drawn

CERTAIN = 0.9


@dataclass(slots=True)
class Score:
    """Edges right, wrong and missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    cases: int = 0
    whole: int = 0
    """Cases with nothing wrong and nothing missed."""

    def add(self, expected: set[Expected], found: set[Expected]) -> None:
        """Count one case."""
        self.cases += 1
        self.whole += expected == found
        self.right += len(expected & found)
        self.wrong += len(found - expected)
        self.missed += len(expected - found)

    @property
    def precision(self) -> float:
        """Share of what was drawn that is right."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Share of what is expected that was drawn."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0

    @property
    def f1(self) -> float:
        """Of the two."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def row(self, name: str) -> str:
        """A line of the table."""
        return (
            f"| {name} | {self.cases} | {self.whole} | {self.precision:.3f} | {self.recall:.3f} "
            f"| {self.f1:.3f} |"
        )


@dataclass(slots=True)
class Report:
    """Scores of one language by theme."""

    themes: dict[str, Score] = field(default_factory=lambda: defaultdict(Score))
    total: Score = field(default_factory=Score)
    failures: list[str] = field(default_factory=list)

    def add(self, case: Case, found: set[Expected]) -> None:
        """Count one case; what may be drawn or not is left out."""
        found = found - case.allowed
        self.themes[case.theme].add(case.expected, found)
        self.total.add(case.expected, found)
        if found != case.expected:
            lines = [f"- {one}" for one in sorted(case.expected - found)]
            lines += [f"+ {one}" for one in sorted(found - case.expected)]
            self.failures.append("\n".join([f"{case.language}/{case.theme}: {case.title}", *lines]))

    def table(self, name: str) -> str:
        """Markdown."""
        lines = [
            f"| {name} | cases | whole | precision | recall | F1 |",
            "|---|--:|--:|--:|--:|--:|",
            *(score.row(theme) for theme, score in sorted(self.themes.items())),
            self.total.row("**all**"),
        ]
        return "\n".join(lines)


def measure(chosen: Iterable[Case], answer: Callable[[Case], set[Expected]]) -> Report:
    """Ask for every case and compare."""
    report = Report()
    for case in chosen:
        report.add(case, answer(case))
    return report


def ask_jedi(case: Case) -> set[Expected]:
    """What jedi says of a case."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for path, text in case.files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
        return peer.Jedi(folder, case.files).edges()


def _certain(chosen: Iterable[Case]) -> Score:
    score = Score()
    for case in chosen:
        edges = drawn(case.files, CERTAIN, case.numbered)
        found = {one for one, sure in edges.items() if sure >= CERTAIN}
        score.add(case.expected, found - case.allowed)
    return score


@click.command()
@click.argument("language", required=False)
@click.argument("theme", required=False)
@click.option("--failures", is_flag=True, help="List what is missing (-) and not expected (+).")
@click.option("--min-confidence", default=0.31, help="What counts as drawn.")
@click.option("--apart", "is_apart", is_flag=True, help="A type a file (Java, C#), where one can.")
@click.option("--with-jedi/--without-jedi", default=True, help="Ask jedi the same (Python).")
def main(  # noqa: PLR0913 - one for each option
    language: str | None,
    theme: str | None,
    failures: bool,
    min_confidence: float,
    is_apart: bool,
    with_jedi: bool,
) -> None:
    """Precision and recall of call edges on the small cases."""
    for name in [language] if language else cases.languages():
        chosen = cases.load(name, theme)
        if is_apart:
            chosen = list(apart(chosen))
        if not chosen:
            click.echo(f"no cases of {name}")
            continue
        report = measure(chosen, lambda case: set(drawn(case.files, min_confidence, case.numbered)))
        if failures:
            click.echo("\n\n".join(report.failures) + "\n")
        click.echo(report.table(name))
        click.echo(_certain(chosen).row("certain ones only"))
        if name == "python" and with_jedi:
            if peer.is_installed():
                click.echo("\n" + measure(chosen, ask_jedi).table("jedi"))
            else:
                click.echo("jedi is not installed: pip install -r requirements/bench.txt")
        click.echo()


if __name__ == "__main__":
    main()
