import pytest

from commonplace.sql.dialects import detect
from commonplace.sql.pieces import Piece
from commonplace.sql.scan import scan
from commonplace.sql.split import split


def told(text: str, dialect: str) -> list[str]:
    """Statements as text, bodies of routines in their place."""
    found: list[str] = []

    def add(pieces: list[Piece]) -> None:
        for piece in pieces:
            if piece.kind in {"routine", "block"}:
                found.append(piece.routine or "block")
                add(piece.body)
            else:
                found.append(" ".join(piece.text.split()))

    add(split(scan(text, dialect), dialect))
    return found


@pytest.mark.requirement("SQL-02")
def test_tsql_needs_no_semicolons() -> None:
    text = """
    SELECT a FROM t WITH (NOLOCK) ORDER BY a OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY
    INSERT INTO u (a) SELECT a FROM t UNION ALL SELECT b FROM t
    UPDATE u SET a = CASE WHEN a = 1 THEN 2 END FROM u JOIN t ON t.a = u.a
    DELETE FROM t
    ;WITH c AS (SELECT 1 AS x) MERGE u USING c ON 1 = 1 WHEN MATCHED THEN UPDATE SET a = 1;
    ALTER TABLE t ADD z int ALTER TABLE t ALTER COLUMN z bigint DROP TABLE IF EXISTS y
    GRANT SELECT, UPDATE ON t TO someone
    """
    assert [one.split()[0] for one in told(text, "tsql")] == [
        *("SELECT", "INSERT", "UPDATE", "DELETE", "WITH"),
        *("ALTER", "ALTER", "DROP", "GRANT"),
    ]


@pytest.mark.requirement("SQL-02")
def test_batches_end_at_go_alone_on_its_line() -> None:
    text = "CREATE PROCEDURE p AS SELECT 1\nGO -- next\nSELECT go FROM t\r\ngo 5\r\nSELECT 2"
    assert told(text, "tsql") == ["Procedure", "SELECT 1", "SELECT go FROM t", "SELECT 2"]


@pytest.mark.requirement("SQL-02")
def test_control_flow_is_taken_apart() -> None:
    text = """CREATE OR ALTER PROCEDURE dbo.p @a AS int = 1, @b nvarchar(9) OUTPUT WITH RECOMPILE AS
    BEGIN
      IF EXISTS (SELECT 1 FROM z) UPDATE t SET a = 1 ELSE IF @a = 2 DELETE FROM t
      WHILE @a < 3 BEGIN SET @a = @a + 1 EXEC dbo.q @a END
      BEGIN TRY BEGIN TRAN INSERT INTO t EXEC dbo.q COMMIT END TRY
      BEGIN CATCH ROLLBACK; THROW END CATCH
    END"""
    assert told(text, "tsql") == [
        *("Procedure", "EXISTS (SELECT 1 FROM z)", "UPDATE t SET a = 1", "@a = 2", "DELETE FROM t"),
        *("@a < 3", "SET @a = @a + 1", "EXEC dbo.q @a", "INSERT INTO t EXEC dbo.q", "COMMIT"),
        *("ROLLBACK", "THROW"),
    ]


@pytest.mark.requirement("SQL-02")
def test_a_statement_may_begin_with_a_bracket() -> None:
    assert told("(SELECT a FROM t) UNION (SELECT b FROM u) SELECT 2", "tsql") == [
        "(SELECT a FROM t) UNION (SELECT b FROM u)",
        "SELECT 2",
    ]


@pytest.mark.requirement("SQL-02")
def test_labels_are_no_part_of_statements() -> None:
    text = "IF @@ERROR <> 0 GOTO fail\nRETURN 0\nfail:\nSELECT 1"
    assert told(text, "tsql") == ["@@ERROR <> 0", "GOTO fail", "RETURN 0", "SELECT 1"]


@pytest.mark.requirement("SQL-02")
def test_dollar_quotes_hold_plpgsql() -> None:
    text = """SELECT ';' ; CREATE FUNCTION delete(a int) RETURNS int LANGUAGE plpgsql AS $b$
    DECLARE v int := 1;
    BEGIN
      <<outer>>
      FOR r IN SELECT * FROM t LOOP
        IF r.a > CASE WHEN true THEN 2 ELSE 3 END THEN v := 2; ELSIF v = 3 THEN PERFORM g(); END IF;
      END LOOP outer;
      RETURN v;
    EXCEPTION WHEN others THEN RAISE NOTICE 'x; %', v;
    END $b$; SELECT $$a;b$$;"""
    assert told(text, "postgres") == [
        *("SELECT ';'", "Function", "v int := 1", "r IN SELECT * FROM t"),
        *("r.a > CASE WHEN true THEN 2 ELSE 3 END", "v := 2", "v = 3", "PERFORM g()"),
        *("RETURN v", "RAISE NOTICE 'x; %', v", "SELECT $$a;b$$"),
    ]


@pytest.mark.requirement("SQL-02")
def test_mysql_has_other_delimiters_and_code_in_comments() -> None:
    text = """/*!40101 SET NAMES utf8 */; # a; comment
    DELIMITER //
    CREATE DEFINER=`a`@`%` PROCEDURE p(IN x INT) BEGIN
      l: LOOP FETCH c INTO x; IF x THEN LEAVE l; END IF; END LOOP;
      CASE x WHEN 1 THEN SELECT 'it\\'s; 1'; ELSE SELECT 2; END CASE;
    END//
    DELIMITER ;
    CREATE TRIGGER t BEFORE INSERT ON u FOR EACH ROW BEGIN SET NEW.a = 1; END;
    SELECT 3"""
    assert told(text, "mysql") == [
        *("SET NAMES utf8", "Procedure", "FETCH c INTO x", "x", "LEAVE l"),
        *("CASE x WHEN 1", "SELECT 'it\\'s; 1'", "SELECT 2", "Trigger", "SET NEW.a = 1"),
        "SELECT 3",
    ]


@pytest.mark.requirement("SQL-02")
def test_sqlite_triggers_keep_their_semicolons() -> None:
    text = """CREATE TRIGGER t AFTER UPDATE ON u WHEN new.a > CASE 1 WHEN 1 THEN 2 END BEGIN
      UPDATE v SET a = CASE WHEN new.a THEN 1 END; DELETE FROM w;
    END; SELECT 1;"""
    assert told(text, "sqlite") == [
        "Trigger",
        "UPDATE v SET a = CASE WHEN new.a THEN 1 END",
        "DELETE FROM w",
        "SELECT 1",
    ]


@pytest.mark.requirement("SQL-02")
@pytest.mark.parametrize("dialect", ["tsql", "postgres", "mysql", "sqlite"])
def test_comments_and_strings_with_semicolons_end_nothing(dialect: str) -> None:
    text = "SELECT 'a;''b' -- c; d\r\n, \"e;f\" /* g; */ FROM t;\r\nSELECT 2"
    assert len(told(text, dialect)) == 2


@pytest.mark.requirement("SQL-02")
def test_rows_after_copy_are_no_statements() -> None:
    text = "COPY t (a, b) FROM stdin;\n1\tSELECT; x\n\\.\nSELECT 2;\n\\echo done; again\nSELECT 3"
    assert told(text, "postgres") == ["COPY t (a, b) FROM stdin", "SELECT 2", "SELECT 3"]


@pytest.mark.requirement("SQL-13")
@pytest.mark.parametrize("dialect", ["tsql", "postgres", "mysql", "sqlite"])
def test_rows_after_the_first_are_passed_over(dialect: str) -> None:
    rows = ",\n".join(f"({number}, 'it''s; {number}', NULL)" for number in range(5000))
    found = scan(f"INSERT INTO t (a, b, c) VALUES {rows}; SELECT 1", dialect)
    assert len(found.tokens) < 40
    assert found.tokens[-2].word == "SELECT"


@pytest.mark.requirement("SQL-13")
def test_inserts_of_literals_are_read_once_a_table() -> None:
    lines = [f"INSERT [dbo].[t] ([a], [b]) VALUES ({number}, N'x; y')" for number in range(500)]
    found = scan("\nGO\n".join(lines), "tsql")
    assert found.filled == 499
    assert told("\nGO\n".join(lines), "tsql") == ["INSERT [dbo].[t] ([a], [b]) VALUES (0, N'x; y')"]


@pytest.mark.requirement("SQL-15")
@pytest.mark.parametrize(
    ("text", "path", "dialect"),
    [
        ("CREATE TABLE [dbo].[a] ([x] nvarchar(5))\nGO", "a.sql", "tsql"),
        ("CREATE TABLE a (x serial, j jsonb)", "a.sql", "postgres"),
        ("CREATE TABLE `a` (x int unsigned) ENGINE=InnoDB", "a.sql", "mysql"),
        ("CREATE TABLE a (x INTEGER PRIMARY KEY AUTOINCREMENT)", "a.sql", "sqlite"),
        ("SELECT a FROM b", "db/mysql/a.sql", "mysql"),
        ("SELECT a FROM b", "sqlserver/a.sql", "tsql"),
        ("SELECT a FROM b", "a.sql", "postgres"),
    ],
)
def test_the_dialect_is_told_by_words_then_by_path(text: str, path: str, dialect: str) -> None:
    assert detect(text, path) == dialect
