"""Which overload a call means, where overloads hand on to one another."""

import pytest

from commonplace.link.code.passes.calls import CALLS
from tests.unit.link.code.binding import LARGE, program_of

EXTENSIONS = """static class Observable {
  static Seq Group(this Seq source, Func<int> key) { return Group(source, key, 1); }
  static Seq Group(this Seq source, Func<int> key, int size) { return null; }
  static Seq Group(this Seq source, int size, Func<int> key) { return source.Group(key); }
}
class Seq {}
"""
UNKNOWN = """class Seq {
  void add(Seq x) { add(other()); }
  void add(String x) {}
  void add(int x) {}
}
"""


def called(path: str, text: str) -> set[tuple[int, int, bool]]:
    """Lines of caller and callee, and whether that is certain."""
    program = program_of({path: text}, LARGE)
    unit = program.units[f"d:{path}"]
    lines = {key: one.at.line for key, one in zip(unit.ids, unit.facts.symbols, strict=True)}
    edges = CALLS.run(program, [unit.document_id])[unit.document_id].edges
    return {
        (lines[one.source], lines[one.target], one.confidence >= 0.9)
        for one in edges
        if one.relation == "CALLS" and one.target in lines
    }


@pytest.mark.requirement("BIND-09")
def test_an_extension_called_as_a_function_is_given_what_it_extends() -> None:
    assert called("a.cs", EXTENSIONS) == {(2, 3, True), (4, 2, True)}


@pytest.mark.requirement("BIND-09")
def test_a_function_that_may_call_itself_or_its_overload_is_not_certain_of_either() -> None:
    assert {one for one in called("Seq.java", UNKNOWN) if one[0] == 2} == {
        (2, 2, False),
        (2, 3, False),
        (2, 4, False),
    }
