"""Overloads are asked about together, and replies say so."""

import pytest

from tests.unit.tools.code.repository import Repository

JAVA = """package p;
class Shop {
  int count = start();
  static int start() { return 1; }
  void place(int n) { place(n, 1); }
  void place(int n, int m) { log(); }
  void log() {}
  void use() { place(1); }
}
"""


@pytest.mark.requirement("CODE-T43")
@pytest.mark.parametrize(
    "tool", ["get_dependencies", "find_usages", "analyze_impact", "trace_lineage"]
)
async def test_traversals_tell_how_many_definitions_they_begin_at(
    repository: Repository, tool: str
) -> None:
    await repository.index({"Shop.java": JAVA})
    outcome = await repository.library.outcome(f"code.{tool}", symbol="Shop.place")
    assert outcome.structured["symbol"]["overloads"] == 2
    assert "and 1 more of this name" in outcome.text
    one = await repository.library.call(
        f"code.{tool}", symbol_id=outcome.structured["symbol"]["id"]
    )
    assert "overloads" not in one["symbol"]


@pytest.mark.requirement("CODE-T34")
async def test_calls_of_fields_are_not_told_as_those_of_a_class(repository: Repository) -> None:
    await repository.index({"Shop.java": JAVA})
    card = await repository.library.call(
        "code.get_symbol_details", symbol="p.Shop", verbosity="summary"
    )
    assert card["symbol"]["counts"]["methods"] == 5
    assert "calls" not in card["symbol"]["counts"]
