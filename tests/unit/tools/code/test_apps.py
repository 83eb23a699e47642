"""The tools over three small applications, indexed as users index them."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonplace.tools.code.sharing import spread
from tests.library import Library, open_library

APPS = Path(__file__).parents[3] / "corpus" / "apps"


@pytest.fixture
async def apps(tmp_path: Path) -> AsyncIterator[Library]:
    async with open_library(tmp_path, add=False) as library:
        for name in ("clinic", "depot"):
            shutil.copytree(APPS / name, tmp_path / name)
            await library.add(tmp_path / name)
        yield library


@pytest.mark.requirement("CODE-T04")
async def test_a_source_added_later_leaves_the_parts_of_the_first(apps: Library) -> None:
    reply = await apps.call("code.get_symbol_details", symbol="clinic.models.Visit")
    assert "fee_cents" in [one["name"] for one in reply["parts"]]
    assert reply["within"] == "clinic.models"


@pytest.mark.requirement("CODE-T06")
async def test_lineage_leads_from_a_column_to_its_class_and_back(apps: Library) -> None:
    there = spread(await apps.call("code.trace_lineage", symbol="visits.fee_cents"))
    reached = {one["fqn"]: one for one in there["steps"]}
    field = reached["clinic.models.Visit.fee_cents"]
    back = spread(
        await apps.call("code.trace_lineage", symbol_id=field["id"], direction="outbound")
    )
    assert "visits.fee_cents" in {one["fqn"] for one in back["steps"]}


@pytest.mark.requirement("CODE-T13")
async def test_an_edit_is_a_snapshot_whose_signature_change_is_told(apps: Library) -> None:
    folder = apps.folder.parent / "clinic"
    file = folder / "clinic" / "store" / "visits.py"
    text = file.read_text("utf-8")
    assert "def visits_of(patient_id: int)" in text
    file.write_text(
        text.replace("visits_of(patient_id: int", "visits_of(patient_id: int, most: int")
    )
    await apps.add(folder)
    reply = await apps.call("code.compare_snapshots", change_types=["signature"])
    (group,) = reply["groups"]
    (changed,) = group["changes"]
    assert changed["fqn"] == "clinic.store.visits.visits_of"
    assert "most: int" in changed["signature"]
    assert "most" not in changed["old_signature"]
    reached = await apps.call("code.compare_snapshots", include_impact=True)
    assert "clinic.api.visits.of_patient" in reached["impact"]["names"]


@pytest.mark.requirement("CODE-T01")
async def test_a_question_finds_what_its_words_do_not_name(apps: Library) -> None:
    asked = {"query": "money earned in each month", "search_mode": "semantic", "limit": 20}
    reply = spread(await apps.call("code.search_symbols", **asked))
    assert reply["results"]
    assert {"clinic.store.reports.Reports.revenue", "clinic/sql/revenue.sql"} & {
        one["fqn"] for one in reply["results"]
    }
    narrow = {"query": "money earned", "search_mode": "semantic", "kinds": ["METHOD"]}
    only = spread(await apps.call("code.search_symbols", **narrow))
    assert {one["kind"] for one in only["results"]} == {"METHOD"}
