"""A script that changed draws anew whoever asked for what it says, and no one else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.domain.graph import Edge
from commonplace.link.code.affected import affected
from commonplace.link.code.passes.lineage import LINEAGE
from commonplace.link.code.program import Program, Unit
from commonplace.sql.read import read_script

_TABLES = ("a", "b", "c", "app.a")
_table = st.sampled_from(_TABLES)
_column = st.sampled_from(("x", "y"))
_statement = st.one_of(
    st.builds("CREATE TABLE {} ({} int, z int);\n".format, _table, _column),
    st.builds("ALTER TABLE {} ADD COLUMN {} int;\n".format, _table, _column),
    st.builds("ALTER TABLE {} RENAME TO {};\n".format, _table, st.sampled_from(("b", "d"))),
    st.builds("DROP TABLE {};\n".format, _table),
    st.builds("CREATE VIEW {} AS SELECT * FROM {};\n".format, st.sampled_from(("v", "c")), _table),
    st.builds(
        "INSERT INTO {} SELECT * FROM {};\n".format, _table, st.sampled_from(("v", "a", "b"))
    ),
    st.builds("INSERT INTO r (q) SELECT {} FROM {}, {};\n".format, _column, _table, _table),
    st.builds(
        "CREATE FUNCTION f() RETURNS TABLE (q int) LANGUAGE sql AS $$ SELECT {} FROM {} $$;".format,
        _column,
        _table,
    ),
    st.just("INSERT INTO r (q) SELECT q FROM f();\n"),
    st.builds(
        "CREATE FUNCTION g(k int) RETURNS int LANGUAGE sql AS 'SELECT {} + k FROM {}';".format,
        _column,
        _table,
    ),
    st.builds("INSERT INTO {} ({}) SELECT g(z) FROM c;\n".format, _table, _column),
    st.builds(
        "CREATE PROCEDURE p(k int, INOUT o int) LANGUAGE plpgsql AS $$ BEGIN "
        "INSERT INTO {} (z) VALUES (k); SELECT {} INTO o FROM b; CALL s(o, k); END $$;\n".format,
        _table,
        _column,
    ),
    st.builds(
        "CREATE PROCEDURE s(k int, INOUT o int) LANGUAGE plpgsql AS $$ BEGIN "
        "UPDATE {} SET {} = k; CALL p(k, o); END $$;\n".format,
        _table,
        _column,
    ),
    st.builds(
        "DO $$ DECLARE v int; w int; BEGIN SELECT {} INTO v FROM {}; CALL p(v, w); "
        "INSERT INTO r (q) VALUES (w); END $$;\n".format,
        _column,
        _table,
    ),
    st.builds("CREATE SYNONYM {} FOR {};\n".format, st.sampled_from(("c", "d")), _table),
    st.builds(
        "CREATE TEMP TABLE k AS SELECT * FROM {};\nCREATE TABLE d AS SELECT * FROM k;\n".format,
        _table,
    ),
    st.builds(
        "CREATE RULE u AS ON UPDATE TO {} DO ALSO INSERT INTO r VALUES (NEW.{});\n".format,
        _table,
        _column,
    ),
    st.builds(
        "CREATE FUNCTION t() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO r (q) VALUES "
        "(NEW.{}); RETURN NEW; END $$;\n".format,
        _column,
    ),
    st.builds(
        "CREATE TRIGGER tr AFTER INSERT ON {} FOR EACH ROW EXECUTE FUNCTION t();\n".format, _table
    ),
)
_text = st.lists(_statement, max_size=4).map("".join)
_path = st.sampled_from(("1.sql", "2.sql", "3.sql"))


def _put(program: Program, path: str, text: str) -> None:
    facts = read_script(text, path, "postgres")
    program.put(Unit(document_id=path, source_id="s", path=path, facts=facts))
    program.reads[path] = frozenset()


def _edges(program: Program, documents: set[str]) -> dict[str, list[Edge]]:
    for one in documents:
        program.reads[one] = frozenset()
    return {one: found.edges for one, found in LINEAGE.run(program, documents).items()}


@pytest.mark.requirement("SQL-19")
@settings(max_examples=120, deadline=None)
@given(
    files=st.dictionaries(_path, _text, min_size=2),
    edits=st.lists(st.tuples(_path, st.none() | _text), min_size=1, max_size=3),
)
def test_scripts_drawn_anew_equal_scripts_drawn_from_the_start(
    files: dict[str, str], edits: list[tuple[str, str | None]]
) -> None:
    program = Program()
    for written, content in files.items():
        _put(program, written, content)
    held = _edges(program, set(files))
    for path, text in edits:
        old = program.units[path].facts if path in program.units else None
        if text is None:
            program.remove([path])
            program.reads.pop(path, None)
            held.pop(path, None)
        else:
            _put(program, path, text)
        new = program.units[path].facts if text is not None else None
        held |= _edges(program, affected(program, old, new, path, path))
        assert held == _edges(program, set(program.units))


@pytest.mark.requirement("SQL-19")
def test_a_script_that_names_nothing_of_it_is_left_alone() -> None:
    program = Program()
    _put(program, "1.sql", "CREATE TABLE a (x int);")
    _put(program, "2.sql", "INSERT INTO r (q) SELECT x FROM a;")
    _put(program, "3.sql", "INSERT INTO r2 (q) SELECT x FROM other;")
    _edges(program, {"1.sql", "2.sql", "3.sql"})
    old = program.units["1.sql"].facts
    kept = dict(program.reads)
    _put(program, "1.sql", "CREATE TABLE a (x int, y int);")
    program.reads |= kept
    new = program.units["1.sql"].facts
    assert affected(program, old, new, "1.sql") == {"1.sql", "2.sql"}
