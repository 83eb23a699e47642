"""Column edges found and invented, ours and sqllineage's, in one run.

    python -m eval.lineage [--cases blind] [--misses]

``sqllineage`` is measured where it is installed (``requirements/bench.txt``).
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from eval.lineage import ours, peer
from eval.lineage.cases import DIALECTS, FOLDERS, Case, Edge, load

Drawer = Callable[[Case], tuple[set[Edge], list[str]]]


@dataclass(slots=True)
class Score:
    """What one drawer made of some cases."""

    cases: int = 0
    exact: int = 0
    edges: int = 0
    found: int = 0
    invented: int = 0
    failed: int = 0
    seconds: float = 0.0
    misses: list[str] = field(default_factory=list)

    def add(self, case: Case, draw: Drawer) -> None:
        """Count one case."""
        begin = time.process_time()
        drawn, problems = draw(case)
        self.seconds += time.process_time() - begin
        self.cases += 1
        self.exact += drawn == case.edges
        self.edges += len(case.edges)
        self.found += len(drawn & case.edges)
        self.invented += len(drawn - case.edges)
        self.failed += bool(problems)
        if drawn != case.edges:
            lost, new = sorted(case.edges - drawn), sorted(drawn - case.edges)
            self.misses.append(f"{case.dialect}: {case.name}: lost {lost}, invented {new}")

    def plus(self, other: "Score") -> "Score":
        """Both together."""
        return Score(
            self.cases + other.cases,
            self.exact + other.exact,
            self.edges + other.edges,
            self.found + other.found,
            self.invented + other.invented,
            self.failed + other.failed,
            self.seconds + other.seconds,
            self.misses + other.misses,
        )


def blind(case: Case) -> tuple[set[Edge], list[str]]:
    """Ours, without being told the tables."""
    return ours.edges(case, is_schema_known=False)


def measure(cases: str) -> dict[str, dict[str, Score]]:
    """Every drawer on every dialect of one set of cases."""
    drawers: dict[str, Drawer] = {"commonplace": ours.edges, "commonplace, no tables": blind}
    if peer.is_there():
        drawers["sqllineage"] = peer.edges
    scores: dict[str, dict[str, Score]] = {}
    for name, draw in drawers.items():
        scores[name] = {dialect: Score() for dialect in DIALECTS}
        for dialect in DIALECTS:
            for case in load(dialect, cases):
                scores[name][dialect].add(case, draw)
        total = Score()
        for one in list(scores[name].values()):
            total = total.plus(one)
        scores[name]["all"] = total
    return scores


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", action="store_true", help="list the cases that differ")
    parser.add_argument("--cases", choices=sorted(FOLDERS), default="cases", help="which set")
    options = parser.parse_args()
    scores = measure(options.cases)
    print("| who | dialect | cases | exact | edges | found | invented | cases it refused | CPU-s |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for name, rows in scores.items():
        for dialect, one in rows.items():
            share = one.found / one.edges if one.edges else 1.0
            print(
                f"| {name} | {dialect} | {one.cases} | {one.exact} | {one.edges} | {share:.3f} "
                f"| {one.invented} | {one.failed} | {one.seconds:.1f} |"
            )
    if options.misses:
        for name, rows in scores.items():
            for miss in rows["all"].misses:
                print(f"{name}: {miss}")


if __name__ == "__main__":
    main()
