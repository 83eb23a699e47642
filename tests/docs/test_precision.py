"""What the page on the graph says of precision is what the labels say."""

import re

import pytest

from eval.entities.__main__ import read, table
from tests.docs.pages import ROOT

GOAL = 0.85
LEAST_LABELS = 300
FIGURE = re.compile(r"(?<![\d.])0(?=\.\d)")  # the page writes .95


@pytest.mark.requirement("GRAPH-E12")
def test_the_page_gives_the_figures_of_the_last_round() -> None:
    labels = read()
    last = [label for label in labels if label["round"] == max(one["round"] for one in labels)]
    page = (ROOT / "docs" / "graph.md").read_text("utf-8")
    for line in table(last).splitlines()[2:]:
        assert FIGURE.sub("", line) in page
    assert f"{len(labels):,} entities of {len({one['package'] for one in labels})}" in page


@pytest.mark.requirement("GRAPH-E12")
def test_every_kind_reaches_the_goal_on_sets_not_seen_before() -> None:
    labels = read()
    newest = max(label["round"] for label in labels)
    last = [label for label in labels if label["round"] == newest]
    assert len(last) >= LEAST_LABELS
    for kind in {label["kind"] for label in labels}:
        verdicts = [label["verdict"] for label in last if label["kind"] == kind]
        assert sum(verdicts) / len(verdicts) >= GOAL
    seen = {label["package"] for label in labels if label["round"] < newest}
    assert seen.isdisjoint(label["package"] for label in last)
    assert all(label["verdict"] or label["reason"] for label in labels)
