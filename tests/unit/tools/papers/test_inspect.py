"""Inspecting and listing projects of papers."""

from pathlib import Path

import pytest

from tests.library import Library
from tests.unit.tools.papers.asking import PROJECT, put_in


@pytest.mark.requirement("PAP-17")
async def test_inspecting_tells_what_is_there(lab: Library, papers: Path) -> None:
    await put_in(lab, papers)
    told = await lab.call("papers.inspect_collection", project=PROJECT, sample=5)
    stats = await lab.app.store.passages.stats(PROJECT)
    assert told["collection"] == "proj-lab-papers"
    assert (told["size"], told["documents"], told["cited_documents"]) == (stats.passages, 2, 1)
    assert told["dense_model"] == lab.app.writer.embedder.model
    assert told["named_vectors"] == ["dense", "sparse"]
    assert told["coverage"][0]["embedded"] == stats.passages
    assert told["storage"]["on_disk_vectors"] is True
    assert len(told["sample_payloads"]) == min(5, stats.passages)
    assert len({one["section_id"] for one in told["sample_payloads"]}) == min(5, stats.passages)
    assert len({one["doc_id"] for one in told["sample_payloads"][:2]}) == 2
    for payload in told["sample_payloads"]:
        assert list(payload) == told["payload_keys"]
    plain = await lab.call("inspect_collection", project=PROJECT)
    assert plain["sample_payloads"] == []
    assert await lab.error("inspect_collection", project=PROJECT, sample=6) == "INVALID_ARGUMENT"


@pytest.mark.requirement("PAP-18")
async def test_projects_are_listed_with_their_models(lab: Library) -> None:
    told = await lab.call("list_projects")
    assert [one["id"] for one in told["projects"]] == ["default", PROJECT]
    assert told["count"] == 2
    assert all(one["hybrid_enabled"] for one in told["projects"])
    assert told["projects"][1]["collection"] == "proj-lab-papers"
