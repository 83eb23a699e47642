"""The language without a graph: what expressions come to, and where faults stand."""

from typing import Any

import pytest

from commonplace.cypher.faults import CompileFault, RunFault
from commonplace.cypher.guard import Guard, Limits
from commonplace.cypher.reading import Inquiry
from commonplace.cypher.run import answer, prepare
from commonplace.domain.errors import BudgetExceeded, DeadlineExceeded, ForbiddenOperation
from commonplace.domain.scope import Selection
from commonplace.engines.memory.cypher import MemoryReading
from commonplace.engines.memory.held import Project

EMPTY = MemoryReading(Project(), Selection(project="default"), frozenset())


def ask(text: str, limits: Limits | None = None, **parameters: Any) -> list[Any]:  # noqa: ANN401
    limits = limits or Limits()
    inquiry = Inquiry(text=text, parameters=parameters, limits=limits)
    found = answer(prepare(text), inquiry, EMPTY, Guard(limits))
    return [row[0] if len(row) == 1 else row for row in found.rows]


VALUES: list[tuple[str, Any]] = [
    ("1 + 2 * 3 ^ 2", 19.0),
    ("-3 ^ 2", 9.0),
    ("7 / 2", 3),
    ("-7 / 2", -3),
    ("-7 % 3", -1),
    ("7.0 / 2", 3.5),
    ("1.0 / 0", float("inf")),
    ("0x1F + 0o17", 46),
    ("'a' + 1 + 2.5", "a12.5"),
    ("[1, 2] + 3", [1, 2, 3]),
    ("1 < 2 < 3", True),
    ("1 < 3 < 2", False),
    ("null = null", None),
    ("null IN [1, null]", None),
    ("2 IN [1, 2, null]", True),
    ("true XOR null", None),
    ("false AND null", False),
    ("[1, null] = [1, null]", None),
    ("[1, 2, 3][-1]", 3),
    ("[1, 2, 3, 4][1..-1]", [2, 3]),
    ("{a: {b: 2}}.a.b", 2),
    ("{a: 1}['a']", 1),
    ("[x IN range(1, 5) WHERE x % 2 = 1 | x * x]", [1, 9, 25]),
    ("reduce(t = '', x IN ['a', 'b'] | t + x)", "ab"),
    ("all(x IN [] WHERE false)", True),
    ("any(x IN [1, null] WHERE x = 2)", None),
    ("single(x IN [1, 2] WHERE x = 1)", True),
    ("CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'b' END", "b"),
    ("CASE WHEN false THEN 1 END", None),
    ("'Hello' STARTS WITH 'He' AND 'Hello' ENDS WITH 'lo'", True),
    ("'Hello' =~ 'H.*'", True),
    ("'Hello' =~ 'H'", False),
    ("split('a,b', ',')", ["a", "b"]),
    ("substring('hello', 1, 3)", "ell"),
    ("toInteger('0x10')", None),
    ("toInteger('12.7')", 12),
    ("toString(1.0)", "1.0"),
    ("coalesce(null, 3)", 3),
    ("size('äé')", 2),
    ("head([]) IS NULL", True),
    ("'\\u00e4\\n\\''", "ä\n'"),
    ("toString(date('2024-02-29') + duration('P1Y'))", "2025-02-28"),
    ("toString(duration.between(date('2024-01-31'), date('2024-03-01')))", "P1M1D"),
    ("datetime('2024-03-31T01:30+01:00[Europe/Berlin]').epochSeconds", 1711845000),
    ("toString(datetime.truncate('hour', datetime('2024-01-01T10:59Z')))", "2024-01-01T10:00Z"),
    ("date({year: 2024, week: 9, dayOfWeek: 4}).ordinalDay", 60),
    ("toString(duration({months: 0.75}))", "P22DT19H51M49.5S"),
    ("localtime('12:31:14.645').millisecond", 645),
    ("keys({a: 1, b: 2})", ["a", "b"]),
    ("count(*)", 1),
]


@pytest.mark.requirement("CYP-01")
@pytest.mark.parametrize(("text", "expected"), VALUES, ids=[text for text, _ in VALUES])
def test_an_expression_has_this_value(text: str, expected: object) -> None:
    assert ask(f"RETURN {text} AS x") == [expected]


ROWS: list[tuple[str, list[Any]]] = [
    ("UNWIND [3, 1, null, 2] AS x RETURN x ORDER BY x DESC", [None, 3, 2, 1]),
    ("UNWIND [1, 1.0, '1', true] AS x RETURN count(DISTINCT x)", [3]),
    ("UNWIND [1, 2, 3] AS x RETURN sum(x), avg(x), min(x), max(x), collect(x)",
     [(6, 2.0, 1, 3, [1, 2, 3])]),
    ("UNWIND [10, 20, 30] AS x RETURN percentileCont(x, 0.4), percentileDisc(x, 0.4), stDevP(x)",
     [(18.0, 20, pytest.approx(8.16496580927726))]),
    ("UNWIND [1, 2, 3, 4] AS x WITH x % 2 AS odd, count(*) AS c RETURN odd, c ORDER BY odd",
     [(0, 2), (1, 2)]),
    ("UNWIND [] AS x RETURN count(x)", [0]),
    ("UNWIND [] AS x RETURN x, count(*)", []),
    ("WITH 1 AS a WITH a, a + 1 AS b WHERE b = 2 RETURN *", [(1, 2)]),
    ("RETURN 1 AS x UNION ALL RETURN 1 AS x", [1, 1]),
    ("RETURN 1 AS x UNION RETURN 1 AS x", [1]),
    ("UNWIND range(1, 9) AS x RETURN x ORDER BY x % 3, x SKIP 2 LIMIT 2", [9, 1]),
    ("OPTIONAL MATCH (n) RETURN n", [None]),
    ("MATCH (n) RETURN n", []),
    ("WITH {name: 'x', n: 1} AS m RETURN m {.name, .none, extra: 2}",
     [{"name": "x", "none": None, "extra": 2}]),
]  # fmt: skip


@pytest.mark.requirement("CYP-01")
@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[text for text, _ in ROWS])
def test_a_query_gives_these_rows(text: str, expected: list[Any]) -> None:
    assert ask(text) == expected


FAULTS = [
    ("RETURN 1 +", "UnexpectedSyntax", 1, 11),
    ("RETURN\n  x", "UndefinedVariable", 2, 3),
    ("RETURN foo(1)", "UnknownFunction", 1, 8),
    ("RETURN size()", "InvalidNumberOfArguments", 1, 8),
    ("RETURN 'open", "UnexpectedSyntax", 1, 8),
    ("RETURN 1 /* open", "UnexpectedSyntax", 1, 10),
    ("RETURN '\\q'", "UnexpectedSyntax", 1, 9),
    ("RETURN 12abc", "InvalidNumberLiteral", 1, 8),
    ("RETURN 9223372036854775808", "IntegerOverflow", 1, 8),
    ("RETURN 1 AS a, 2 AS a", "ColumnNameConflict", 1, 1),
    ("WITH 1 + 1 RETURN 1", "NoExpressionAlias", 1, 8),
    ("MATCH (n)", "InvalidClauseComposition", 1, 10),
    ("RETURN *", "NoVariablesInScope", 1, 1),
    ("MATCH (n) WHERE count(n) > 1 RETURN n", "InvalidAggregation", 1, 25),
    ("RETURN count(count(*))", "NestedAggregation", 1, 14),
    ("RETURN NOT 1", "InvalidArgumentType", 1, 12),
    ("RETURN 1 LIMIT -1", "NegativeIntegerArgument", 1, 16),
    ("MATCH (n)-[n]->() RETURN n", "VariableTypeConflict", 1, 10),
    ("MATCH (n $map) RETURN n", "InvalidParameterUse", 1, 7),
    ("RETURN 1 AS a UNION RETURN 2 AS b", "DifferentColumnsInUnion", 1, 21),
    ("RETURN 1 UNION RETURN 1 UNION ALL RETURN 1", "InvalidClauseComposition", 1, 25),
    ("MATCH (n) RETURN (n)-->()", "UnexpectedSyntax", 1, 18),
    ("", "UnexpectedSyntax", 1, 1),
]


@pytest.mark.requirement("CYP-02")
@pytest.mark.parametrize(("text", "kind", "line", "column"), FAULTS, ids=[f[0] for f in FAULTS])
def test_a_fault_names_its_place(text: str, kind: str, line: int, column: int) -> None:
    with pytest.raises(CompileFault) as caught:
        prepare(text)
    found = caught.value
    assert (found.code, found.kind) == ("INVALID_ARGUMENT", kind)
    assert found.details["line"] == line
    assert found.details["kind"] == kind
    assert f"line {line}, column {found.details['column']}" in found.message
    assert abs(int(found.details["column"]) - column) <= 8


@pytest.mark.requirement("CYP-02")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("UNWIND [1, 'a'] AS x RETURN -x", "InvalidArgumentType"),
        ("WITH 1 AS x RETURN x / 0", "NumberOutOfRange"),
        ("RETURN 9223372036854775807 + 1", "NumberOutOfRange"),
        ("RETURN date('2024-02-30')", "InvalidArgumentValue"),
        ("RETURN date('hello')", "InvalidArgumentValue"),
        ("RETURN 'a' =~ '('", "InvalidArgumentValue"),
        ("RETURN range(1, 5, 0)", "NumberOutOfRange"),
        ("RETURN $nothing", "MissingParameter"),
        ("RETURN 1 LIMIT $n", "NegativeIntegerArgument"),
    ],
)
def test_a_fault_of_a_value_is_told_while_running(text: str, kind: str) -> None:
    with pytest.raises(RunFault) as caught:
        ask(text, n=-1)
    assert (caught.value.code, caught.value.kind) == ("INVALID_ARGUMENT", kind)


@pytest.mark.requirement("CYP-03")
def test_the_refused_clause_is_named_with_its_place() -> None:
    with pytest.raises(ForbiddenOperation, match="SET is not allowed") as caught:
        prepare("MATCH (n)\nSET n.x = 1")
    assert caught.value.details == {"clause": "SET", "line": 2, "column": 1}


@pytest.mark.requirement("CYP-07")
def test_time_work_and_memory_each_have_their_error() -> None:
    long = "UNWIND range(1, 1000) AS a UNWIND range(1, 1000) AS b RETURN count(*)"
    with pytest.raises(DeadlineExceeded, match="query_timeout_s"):
        ask(long, Limits(timeout_s=0.01))
    with pytest.raises(BudgetExceeded, match="touches too many"):
        ask(long, Limits(steps=1000))
    with pytest.raises(BudgetExceeded, match="too many values in memory"):
        ask("RETURN range(1, 1000)", Limits(held=100))
