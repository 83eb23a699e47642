"""After an edit, binding the affected files anew gives what binding everything gives."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.domain.graph import Edge
from commonplace.link.code.affected import affected
from commonplace.link.code.base import Found
from commonplace.link.code.passes import passes
from commonplace.link.code.program import Program, Unit
from tests.unit.link.code.crossing import LANGUAGES, files_of, program_of
from tests.unit.link.code.test_apps import APPS, EXPECTED

CROSSING = ("calls", "embedded", "mappings", "routes")
Drawn = dict[str, dict[str, Found]]


def bind(program: Program, document_ids: list[str]) -> Drawn:
    found: Drawn = {one: {} for one in document_ids}
    for name in CROSSING:
        for document_id, one in passes()[name].run(program, document_ids).items():
            found[document_id][name] = one
    return found


def edges(drawn: Drawn) -> dict[tuple[str, str, str, str], Edge]:
    """What the passes across languages drew."""
    return {
        (document_id, edge.source, edge.relation, edge.target): edge
        for document_id, by_pass in drawn.items()
        for name, found in by_pass.items()
        if name != "calls"
        for edge in found.edges
    }


def edited(files: Mapping[str, str], path: str, text: str | None) -> tuple[Drawn, Drawn]:
    """Edges after an edit: by binding what it affects, and by binding everything."""
    program = program_of(files)
    drawn = bind(program, sorted(program.units))
    document_id = f"d:{path}"
    old = program.units[document_id].facts
    if text is None:
        program.remove([document_id])
        program.reads.pop(document_id, None)
        drawn.pop(document_id)
        again = affected(program, old, None, document_id, path)
    else:
        facts = LANGUAGES["." + path.rpartition(".")[2]].extract(text, path)
        program.put(Unit(document_id=document_id, source_id="s", path=path, facts=facts))
        again = affected(program, old, facts, document_id)
    drawn |= bind(program, sorted(again))
    whole = {name: value for name, value in files.items() if name != path}
    if text is not None:
        whole[path] = text
    fresh = program_of(whole)
    return drawn, bind(fresh, sorted(fresh.units))


def app(name: str) -> dict[str, str]:
    files = files_of(APPS / name)
    files.pop(EXPECTED)
    return {path: text for path, text in files.items() if not path.endswith(".md")}


EDITS = [
    ("depot", "db/tables/001_stock.sql", "Quantity", "Amount"),
    ("depot", "db/procedures/usp_MoveStock.sql", "usp_MoveStock", "usp_Shift"),
    ("depot", "src/Depot.Data/DepotContext.cs", "LeadTimeDays", "Days"),
    ("depot", "src/Depot.Data/Entities/Product.cs", '"Products"', '"Goods"'),
    ("depot", "src/Depot.Api/Controllers/StockController.cs", "api/stock", "api/levels"),
    ("lending", "db/migration/V2__overdue_view.sql", "overdue_loans", "late_loans"),
    ("lending", "src/main/java/org/example/lending/model/Member.java", '"card_no"', '"card"'),
    ("lending", "src/main/java/org/example/lending/model/Loan.java", "@Entity", ""),
    ("lending", "src/main/java/org/example/lending/web/LoanController.java", "/late", "/tardy"),
    ("clinic", "clinic/store/statements.py", "fee_cents", "price_cents"),
    ("clinic", "clinic/models.py", '"patients"', '"people"'),
    ("clinic", "clinic/api/main.py", '"/v1"', '"/v2"'),
    ("clinic", "clinic/sql/revenue.sql", "total_cents", "paid_cents"),
    ("clinic", "migrations/versions/0002_invoices.py", "add_column", "alter_column"),
]


@pytest.mark.requirement("XL-A03")
@pytest.mark.parametrize(("name", "path", "before", "after"), EDITS)
def test_an_edit_reaches_every_file_that_asked(
    name: str, path: str, before: str, after: str
) -> None:
    files = app(name)
    assert before in files[path]
    some, whole = edited(files, path, files[path].replace(before, after))
    assert edges(some) == edges(whole)


_PYTHON = {
    "db.sql": "CREATE TABLE orders (id int, state text); CREATE TABLE old_orders (id int)",
    "pieces.py": "def where():\n    return ' WHERE state = 1'\n",
    "build.py": (
        "from pieces import where\nclass Build:\n    table = 'orders'\n    def late(self):\n"
        "        return f'SELECT id FROM {self.table}' + where()\n"
    ),
    "desk.py": (
        "from build import Build\ndef late(connection):\n"
        "    return connection.execute(Build().late())\n"
    ),
}
_JAVA = {
    "Sql.java": (
        'class Sql { static String late() { return "SELECT id FROM orders WHERE state = 1"; } }'
    ),
    "Desk.java": (
        "class Desk { void late(java.sql.Connection c) { c.prepareStatement(Sql.late()); } }"
    ),
}
GIVEN = [
    (_PYTHON, "build.py", "SELECT id", "SELECT state"),
    (_PYTHON, "build.py", "'orders'", "'old_orders'"),
    (_PYTHON, "build.py", "self.table", "'old_orders'"),
    (_PYTHON, "pieces.py", "state", "id"),
    (_PYTHON, "pieces.py", "return", "yield"),
    (_JAVA, "Sql.java", "state", "total"),
    (_JAVA, "Sql.java", "return", "log"),
]


@pytest.mark.requirement("XL-A03")
@pytest.mark.parametrize(("files", "path", "before", "after"), GIVEN)
def test_an_edit_of_text_a_function_gives_reaches_who_runs_it(
    files: Mapping[str, str], path: str, before: str, after: str
) -> None:
    assert before in files[path]
    some, whole = edited(files, path, files[path].replace(before, after))
    assert edges(some) == edges(whole)
    assert edges(whole) != edges(edited(files, path, files[path] + "\n")[1])


REMOVED = [
    (name, path)
    for name in ("depot", "lending", "clinic")
    for path in app(name)
    if not path.endswith("__init__.py") and "." + path.rpartition(".")[2] in LANGUAGES
]


@pytest.mark.requirement("XL-A03")
@pytest.mark.parametrize(("name", "path"), REMOVED[::3])
def test_a_file_that_goes_takes_what_others_knew_by_it(name: str, path: str) -> None:
    some, whole = edited(app(name), path, None)
    assert edges(some) == edges(whole)


CLINIC = app("clinic")


@pytest.mark.requirement("XL-A04")
@settings(max_examples=12)
@given(
    st.sampled_from(sorted(CLINIC)), st.integers(0, 3000), st.integers(1, 60), st.text(max_size=3)
)
def test_half_written_files_never_break_the_passes(
    path: str, start: int, length: int, put: str
) -> None:
    text = CLINIC[path]
    start = start % (len(text) + 1)
    files = CLINIC | {path: text[:start] + put + text[start + length :]}
    program = program_of(files)
    drawn = bind(program, sorted(program.units))
    assert drawn.keys() == program.units.keys()
