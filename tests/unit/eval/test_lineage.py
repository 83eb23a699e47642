import pytest

from eval.lineage.__main__ import Score
from eval.lineage.cases import Case, Edge


def draw(*edges: Edge) -> tuple[set[Edge], list[str]]:
    return set(edges), []


@pytest.mark.requirement("SQL-17")
def test_edges_are_found_lost_or_invented() -> None:
    case = Case("tsql", "one", (), "SELECT 1", frozenset({("a.x", "b.x"), ("a.y", "b.y")}))
    score = Score()
    score.add(case, lambda _case: draw(("a.x", "b.x"), ("a.z", "b.z")))
    score.add(case, lambda _case: draw(("a.x", "b.x"), ("a.y", "b.y")))
    assert (score.cases, score.exact, score.edges, score.found, score.invented) == (2, 1, 4, 3, 1)
    assert score.misses == [
        "tsql: one: lost [('a.y', 'b.y')], invented [('a.z', 'b.z')]",
    ]
