"""The README says what the tables say."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIGURE = re.compile(r"(?<![\d.,])\d+\.\d(?!\d)")


def _measured() -> str:
    readme = (ROOT / "README.md").read_text("utf-8")
    return readme.partition("## Measured\n")[2].partition("\n## ")[0]


def _cells(page: str, heading: str) -> set[str]:
    """All figures of the tables under a heading."""
    section = page.partition(f"{heading}\n")[2]
    section = re.split(r"^#{1,3} ", section, maxsplit=1, flags=re.MULTILINE)[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    return set(FIGURE.findall("\n".join(rows)))


@pytest.mark.requirement("DOC-11")
def test_speeds_of_the_readme_stand_in_the_tables_of_the_benchmarks() -> None:
    bench = (ROOT / "docs/bench.md").read_text("utf-8")
    told, _, million = _measured().partition("at a\nmillion")
    assert set(FIGURE.findall(told)) <= _cells(bench, "### 100,000 passages")
    assert set(FIGURE.findall(million)) <= _cells(bench, "### A million passages")
    assert len(FIGURE.findall(million)) == 2


@pytest.mark.requirement("DOC-11")
def test_gains_of_the_readme_are_the_means_of_the_evaluation() -> None:
    page = (ROOT / "docs/evaluation.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| **mean** |")]
    gains = [re.findall(r"[+-]\d\.\d{3}", row)[0] for row in rows[:2]]
    told = re.findall(r"\bby (\.\d\d)\b", _measured())
    assert told == [f"{float(gain):.2f}".removeprefix("0") for gain in gains]
