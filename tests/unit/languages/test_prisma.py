"""Schemas of Prisma as facts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.languages.prisma import extract

SCHEMA = """
generator client { provider = "prisma-client-js" }

/// An order.
model Order {
  id    Int    @id @default(autoincrement())
  note  String? @map("remark {x}") // a brace } in a comment
  state State
  lines Line[]

  @@map("orders")
}

enum State {
  NEW
  CLOSED
}
"""


@pytest.mark.requirement("XL-M12")
def test_models_fields_and_enums_are_symbols_with_their_places() -> None:
    facts = extract(SCHEMA, "prisma/schema.prisma")
    assert [(one.kind, one.path) for one in facts.symbols] == [
        ("File", ""),
        ("Class", "Order"),
        ("Field", "Order.id"),
        ("Field", "Order.note"),
        ("Field", "Order.state"),
        ("Field", "Order.lines"),
        ("Enum", "State"),
        ("Constant", "State.NEW"),
        ("Constant", "State.CLOSED"),
    ]
    note = facts.symbols[3]
    assert SCHEMA.split("\n")[note.at.line - 1][note.at.column :].startswith("note")
    assert facts.problems == ()


@pytest.mark.requirement("XL-M12")
def test_a_block_that_is_not_closed_is_a_problem() -> None:
    facts = extract("model Order {\n  id Int\n", "schema.prisma")
    assert [one.what for one in facts.problems] == ["a block is not closed"]
    assert [one.path for one in facts.symbols[1:]] == ["Order", "Order.id"]


@pytest.mark.requirement("XL-M12")
@given(st.text(alphabet='model enum{}@"()[]/?\n aB1', max_size=200))
def test_any_text_is_read_and_places_are_inside_it(text: str) -> None:
    facts = extract(text, "schema.prisma")
    lines = text.split("\n")
    for symbol in facts.symbols:
        assert 1 <= symbol.at.line <= symbol.at.end_line <= len(lines)
        assert symbol.at.end_column <= len(lines[symbol.at.end_line - 1])
