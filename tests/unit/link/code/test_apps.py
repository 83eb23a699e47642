"""Three applications: every edge that crosses from code to data or routes, and ways along them."""

from functools import lru_cache
from pathlib import Path

import pytest

from commonplace.sql.names import fold
from tests.unit.link.code.crossing import Tie, files_of, found_by, names_of, program_of

APPS = Path(__file__).parents[3] / "corpus" / "apps"
EXPECTED = "expected.txt"
CROSSING = ("embedded", "mappings", "routes")


@lru_cache
def edges(app: str, *names: str) -> frozenset[Tie]:
    """Edges these passes draw in an application, ``CONTAINS`` aside."""
    files = files_of(APPS / app)
    files.pop(EXPECTED)
    program = program_of(files)
    found = found_by(program, *names)
    called = names_of(program, found)
    return frozenset(
        (called[edge.source], edge.relation, called[edge.target])
        for one in found
        for edge in one.edges
        if edge.relation != "CONTAINS" and edge.source in called and edge.target in called
    )


def expected(app: str) -> set[str]:
    text = (APPS / app / EXPECTED).read_text("utf-8")
    return {line for line in text.splitlines() if line and not line.startswith("#")}


@pytest.mark.requirement("XL-A01")
@pytest.mark.parametrize("app", ["depot", "lending", "clinic"])
def test_the_edges_of_an_application_are_those_a_reader_finds_and_no_others(app: str) -> None:
    drawn = {" ".join(one) for one in edges(app, *CROSSING)}
    assert sorted(expected(app) - drawn) == []
    assert sorted(drawn - expected(app)) == []


WAYS = {
    "depot": [
        "dbo.StockLevels.Quantity <READS StockRepository.ForProduct <CALLS StockService.Levels"
        " <CALLS StockController.Levels <HANDLES GET /api/stock/{} <REQUESTS levels"
        " <CALLS StockPage.open",
        "dbo.StockLevels.Quantity >FLOWS_TO dbo.vw_LowStock.OnHand <READS StockRepository.Low",
        "dbo.vw_LowStock.OnHand <MAPS_TO LowStock.OnHand",
        "StockRepository.Move >CALLS dbo.usp_MoveStock >WRITES dbo.StockMoves.Quantity"
        " >FLOWS_TO dbo.MoveAudit.Quantity",
        "ProductRepository.ChangePrice >WRITES dbo.Products.UnitPrice <MAPS_TO Product.Price",
    ],
    "lending": [
        "members.email >FLOWS_TO overdue_loans.email <READS OverdueReport.all",
        "members.email <MAPS_TO Member.email",
        "FineDao.charge >CALLS charge_fines >WRITES fines.amount >FLOWS_TO fine_log.amount",
        "fines.amount <READS FineDao.open <CALLS LoanService.lend <CALLS LoanController.lend"
        " <HANDLES POST /loans <REQUESTS LendingClient.lend",
    ],
    "clinic": [
        "visits.fee_cents >FLOWS_TO invoices.total_cents <READS Reports.revenue",
        "visits.fee_cents <MAPS_TO Visit.fee_cents",
        "PatientStore.change_phone >WRITES patients.phone >FLOWS_TO reminders.phone",
        "reminders.phone <WRITES send_reminders <CALLS Reports.remind",
        "patients.full_name <READS PatientStore.by_name",
        "patients.full_name <WRITES PatientStore.add <CALLS create <HANDLES POST /patients"
        " <REQUESTS Desk.enrol",
    ],
}


def steps(way: str) -> list[Tie]:
    """The edges of a way as written; ``HANDLES`` leads from the route to the function."""
    words = way.split()
    marks = [place for place, word in enumerate(words) if word[0] in "<>"]
    ends = [*marks, len(words)]
    names = [
        " ".join(words[start:end])
        for start, end in zip([0, *(m + 1 for m in marks)], ends, strict=True)
    ]
    found = []
    for number, mark in enumerate(marks):
        before, after = names[number], names[number + 1]
        source, target = (before, after) if words[mark][0] == ">" else (after, before)
        found.append((source, words[mark][1:], target))
    return found


def plain(edge: Tie) -> Tie:
    return (fold(edge[0]), edge[1], fold(edge[2])) if " " not in edge[0] + edge[2] else edge


@pytest.mark.requirement("XL-A02")
@pytest.mark.parametrize(("app", "way"), [(app, way) for app, ways in WAYS.items() for way in ways])
def test_lineage_runs_from_a_column_to_the_method_that_uses_it_and_back(app: str, way: str) -> None:
    drawn = {plain(one) for one in edges(app, *CROSSING, "lineage", "calls")}
    assert [one for one in steps(way) if plain(one) not in drawn] == []
