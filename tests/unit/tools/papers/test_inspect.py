"""Inspecting and listing projects of papers."""

from pathlib import Path

import apsw
import pytest

from commonplace.domain.scope import Selection
from commonplace.retrieve.analyse import analyse
from tests.library import Library, open_library
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


def used(connection: apsw.Connection, query: str) -> str:
    """How SQLite looks it up."""
    return " ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}"))


@pytest.mark.requirement("PAP-17")
async def test_indexes_that_are_told_are_those_of_the_store(
    lab: Library, papers: Path, tmp_path: Path
) -> None:
    await put_in(lab, papers)
    told = (await lab.call("papers.inspect_collection", project=PROJECT))["indexes"]
    connection = apsw.Connection(str(tmp_path / "home" / "index.db"))
    lookups = {
        "project_id": "SELECT * FROM documents WHERE project = 1",
        "doc_id": "SELECT * FROM documents WHERE project = 1 AND id = 'd'",
        "section_id": "SELECT * FROM passages WHERE project = 1 AND id = 'p'",
        "tags": "SELECT document FROM tags WHERE tag = 't'",
        "source_path": "SELECT * FROM documents WHERE substr(path, 1, 3) = 'abc'",
    }
    plans = {name: used(connection, query) for name, query in lookups.items()}
    connection.close()
    assert told["keyword"] == [name for name, plan in plans.items() if "SEARCH" in plan]
    words = {"title": "practice", "section_path": "Repositories", "chunk_text": "customer"}
    assert told["fulltext"] == list(words)
    for word in words.values():
        query = analyse(word)
        assert await lab.app.store.passages.lexical(query, Selection(project=PROJECT), 1), word


@pytest.mark.requirement("PAP-17")
async def test_samples_say_what_the_store_holds(lab: Library, papers: Path) -> None:
    await put_in(lab, papers)
    told = await lab.call("papers.inspect_collection", project=PROJECT, sample=5)
    for payload in told["sample_payloads"]:
        selection = Selection(project=payload["project_id"])
        (place,) = await lab.app.store.passages.get(selection, [payload["section_id"]])
        card, passage = place.card, place.passage
        assert (payload["doc_id"], payload["source_path"]) == (card.id, card.path)
        assert payload["heading_chain"] == list(passage.headings)
        assert payload["version"] == card.content_hash
        assert passage.text.startswith(payload["chunk_text"].removesuffix("…").strip())
        assert set(card.tags) <= set(payload["tags"])


@pytest.mark.requirement("PAP-25")
@pytest.mark.parametrize("tool", ["query", "query_hybrid", "inspect_collection"])
async def test_vectors_that_are_counted_and_gone_are_told(
    lab: Library, papers: Path, tmp_path: Path, tool: str
) -> None:
    await put_in(lab, papers)
    await lab.app.store.close()
    for file in (tmp_path / "home").rglob("*"):
        if file.is_file() and not file.name.startswith("index.db"):
            file.unlink()
    connection = apsw.Connection(str(tmp_path / "home" / "index.db"))
    connection.execute(
        "DELETE FROM vectors WHERE key >> 40 IN (SELECT number FROM models WHERE dimension > 0)"
    )
    connection.close()
    async with open_library(tmp_path, add=False) as other:
        asked = {} if tool == "inspect_collection" else {"text": "entities"}
        assert await other.error(tool, project=PROJECT, **asked) == "INDEX_UNAVAILABLE"
