from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.domain.code import Facts
from commonplace.sql.dialects import DIALECTS
from commonplace.sql.parse import Unparsed, parse
from commonplace.sql.read import read_script
from commonplace.sql.scan import HOLE

WORDS = (
    *("SELECT", "FROM", "WHERE", "WITH", "AS", "(", ")", "INSERT INTO t", "VALUES", "UPDATE t SET"),
    *(
        "a",
        "b.c",
        "=",
        ",",
        ";",
        "'",
        '"',
        "[",
        "]",
        "`",
        "$$",
        "--",
        "/*",
        "*/",
        "\n",
        "GO",
        "\r\n",
    ),
    *("CREATE PROCEDURE p AS", "BEGIN", "END", "IF", "ELSE", "CASE", "WHEN", "THEN", "LOOP", "FOR"),
    *("DECLARE @t TABLE (a int)", "DECLARE c CURSOR FOR", "FETCH c INTO @x", "EXEC (@s)", "MERGE"),
    *("USING", "ON", "MATCHED", "OUTPUT inserted.a INTO #t", "RETURNING", "CREATE TABLE", "ALTER"),
    *("DROP", "CREATE VIEW v AS", "UNION", "PIVOT", "DELIMITER //", "//", HOLE, "\x00", "é", "🎉"),
)


def is_inside(facts: Facts, text: str) -> bool:
    lines = text.split("\n")
    places = [*(one.at for one in facts.queries), *(one.at for one in facts.problems)]
    places += [one.at for one in facts.symbols]
    return all(
        1 <= at.line <= at.end_line <= len(lines)
        and 0 <= at.column <= len(lines[at.line - 1])
        and 0 <= at.end_column <= len(lines[at.end_line - 1]) + 1
        for at in places
    )


@pytest.mark.requirement("SQL-12")
@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=40), st.sampled_from((*DIALECTS, "")))
def test_any_words_of_sql_give_facts_inside_the_text(words: list[str], dialect: str) -> None:
    text = " ".join(words)
    assert is_inside(read_script(text, "a.sql", dialect), text)


@pytest.mark.requirement("SQL-12")
@settings(max_examples=80, deadline=None)
@given(st.text(max_size=300), st.sampled_from((*DIALECTS, "")))
def test_any_text_gives_facts_inside_the_text(text: str, dialect: str) -> None:
    assert is_inside(read_script(text, "a.sql", dialect), text)


DEEP: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "SELECT " + "(" * n + "1" + ")" * n,
    "queries": lambda n: "SELECT a FROM " + "(SELECT a FROM " * n + "t" + ") x" * n,
    "scalars": lambda n: "SELECT " + "(SELECT " * n + "1" + ")" * n,
    "cases": lambda n: "SELECT " + "CASE WHEN a THEN " * n + "1" + " END" * n,
    "nots": lambda n: "SELECT " + "NOT " * n + "a",
    "subscripts": lambda n: "SELECT a" + "[1]" * n,
    "blocks": lambda n: "BEGIN " * n + "END " * n,
    "quotes": lambda n: "[" * n,
    "dollars": lambda n: " ".join(f"$a{one}$" for one in range(n)),
}


@pytest.mark.requirement("SQL-12")
@pytest.mark.parametrize("make", DEEP.values(), ids=list(DEEP))
@pytest.mark.parametrize("depth", [90, 3000])
@pytest.mark.parametrize("dialect", ["tsql", "postgres"])
def test_depth_is_read_or_refused(make: Callable[[int], str], depth: int, dialect: str) -> None:
    text = make(depth)
    assert is_inside(read_script(text, "a.sql", dialect), text)


@pytest.mark.requirement("SQL-12")
def test_long_chains_are_read() -> None:
    union = " UNION ALL ".join(f"SELECT a FROM t{number}" for number in range(300))
    total = " + ".join(f"a{number}" for number in range(2000))
    ctes = ", ".join(f"c{n} AS (SELECT a FROM c{n - 1})" for n in range(1, 300))
    for text in (
        f"INSERT INTO r (a) {union}",
        f"INSERT INTO r (a) SELECT {total} FROM t",
        f"WITH c0 AS (SELECT a FROM t), {ctes} INSERT INTO r (a) SELECT a FROM c299",
    ):
        facts = read_script(text, "a.sql", "postgres")
        assert facts.problems == ()
        assert facts.queries[0].derived


@pytest.mark.requirement("SQL-12")
@pytest.mark.parametrize("opened", ["'", '"', "/*", "[", "$$", "`"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_never_ends_is_told(opened: str, dialect: str) -> None:
    facts = read_script(f"SELECT 1;\nSELECT a {opened} b FROM t", "a.sql", dialect)
    assert facts.queries
    assert facts.problems or dialect in {"mysql", "postgres", "sqlite"}


@pytest.mark.requirement("SQL-13")
def test_a_script_that_fills_tables_is_a_handful_of_statements() -> None:
    one = "INSERT INTO t (a, b) VALUES ({0}, now());\n"
    rows = ",\n".join(f"({number}, 'x')" for number in range(2000))
    text = "".join(one.format(number) for number in range(400))
    facts = read_script(f"{text}INSERT INTO u (a, b) VALUES {rows};", "a.sql", "postgres")
    assert facts.problems == ()
    assert len(facts.queries) < 30
    assert {query.target for query in facts.queries} == {"t", "u"}


@pytest.mark.requirement("BAD-10")
@pytest.mark.parametrize("text", ["SELECT a FROM (", "SELECT a FROM (, b", "INSERT INTO , (a"])
def test_reasons_are_words_and_no_tokens_of_the_parser(text: str) -> None:
    with pytest.raises(Unparsed) as refused:
        parse(text, "tsql")
    assert str(refused.value) in (
        "Expected table name but got the end",
        "Expected table name but got ','",
    )
