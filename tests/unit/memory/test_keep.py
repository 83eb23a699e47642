"""What is kept and for how long: audit, forget, retention, and that syncing leaves it alone."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from commonplace.domain.context import Context, Relationship
from commonplace.domain.errors import NotFound, SourceError
from commonplace.index.pipeline import sync_all, sync_source
from commonplace.index.sources import list_sources, synced_sources
from commonplace.memory import keep
from commonplace.memory.record import context_id
from commonplace.memory.write import store_all
from tests.library import Library, open_library

NOW = datetime.now(UTC)


def aged(days: int, kind: str = "log", **chosen: Any) -> Context:  # noqa: ANN401 - any field
    content = {"text": f"A {kind} entry of {days} days ago about the pump."}
    return Context(
        id=context_id("default", kind, content),
        project="default",
        type=kind,
        content=content,
        created_at=NOW - timedelta(days=days),
        **({"agent": "a"} | chosen),
    )


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    chosen = {"log": 30, "trace": 7}
    async with open_library(tmp_path, memory_retention_days=chosen) as opened:
        yield opened


async def kept(library: Library) -> list[str]:
    return [one.id async for one in keep.list_contexts(library.app.store, "default")]


@pytest.mark.requirement("MEM-21")
async def test_retention_sweeps_what_is_due_and_tells(library: Library) -> None:
    old, new = aged(31), aged(29)
    trace, decision = aged(8, "trace"), aged(400, "decision")
    writer = library.app.writer
    await store_all(writer, "default", [old, new, trace, decision])
    before = await keep.audit(writer, "default")
    assert sorted(before["due"]) == sorted([old.id, trace.id])
    swept = await keep.sweep(writer, "default")
    assert {(one.type, one.count, one.days) for one in swept} == {("log", 1, 30), ("trace", 1, 7)}
    assert await kept(library) == [decision.id, new.id]
    after = await keep.audit(writer, "default")
    assert after["due"] == []
    assert sorted(one for row in after["sweeps"] for one in row["ids"]) == sorted(before["due"])
    assert await keep.sweep(writer, "default") == []
    reply = await library.call("memory.retrieve_context", query="log entry of 31 days pump")
    assert old.id not in [row["id"] for row in reply["results"]]


@pytest.mark.requirement("MEM-21")
async def test_without_retention_nothing_is_swept(tmp_path: Path) -> None:
    async with open_library(tmp_path) as library:
        await store_all(library.app.writer, "default", [aged(4000)])
        assert await keep.sweep(library.app.writer, "default") == []
        assert len(await kept(library)) == 1


@pytest.mark.requirement("MEM-19")
async def test_an_audit_tells_what_is_repeated_superseded_and_dangling(library: Library) -> None:
    content = {"text": "The pump is mended every spring by the two gardeners of the house."}
    stored = await library.call("memory.store_context", type="design", content=content)
    await library.call("memory.store_context", type="design", content=content)
    nearly = {"text": content["text"].replace("two", "three")}
    newer = await library.call(
        "memory.store_context",
        type="design",
        content=nearly,
        agent_id="maria",
        relationships=[
            {"type": "supersedes", "target": stored["id"]},
            {"type": "implements", "target": "req-7"},
        ],
    )
    facts = await keep.audit(library.app.writer, "default")
    assert facts["contexts"] == 2
    assert facts["types"]["design"]["contexts"] == 2
    assert facts["agents"] == {"local": 1, "maria": 1}
    assert [(one["id"], one["times"]) for one in facts["repeated"]] == [(stored["id"], 2)]
    assert [(one["id"], one["of"]) for one in facts["near_duplicates"]] == [
        (newer["id"], stored["id"])
    ]
    assert [(one["id"], one["by"]) for one in facts["superseded"]] == [(stored["id"], newer["id"])]
    assert facts["dangling"] == [{"id": newer["id"], "type": "implements", "target": "req-7"}]


@pytest.mark.requirement("MEM-20")
@pytest.mark.parametrize(
    ("wanted", "left"),
    [
        ({"ids": ("ID",)}, 3),
        ({"type": "log"}, 2),
        ({"agent": "b"}, 3),
        ({"before": NOW - timedelta(days=5)}, 2),
        ({"type": "log", "before": NOW - timedelta(days=5)}, 3),
        ({"superseded": True}, 3),
    ],
)
async def test_forget_removes_what_is_meant_and_nothing_else(
    library: Library, wanted: dict[str, Any], left: int
) -> None:
    first = aged(6)
    contexts = [
        first,
        aged(1, relationships=(Relationship("supersedes", first.id),)),
        aged(9, "design"),
        aged(2, "design", agent="b"),
    ]
    writer = library.app.writer
    documents = (await library.app.store.passages.stats("default")).documents
    await store_all(writer, "default", contexts)
    if "ids" in wanted:
        wanted = {"ids": (first.id,)}
    chosen = await keep.choose(library.app.store, "default", keep.Filter(**wanted))
    await keep.forget(writer, "default", [one.id for one in chosen])
    assert len(await kept(library)) == left
    assert (await library.app.store.passages.stats("default")).documents == documents + left
    with pytest.raises(NotFound, match="ctx_none"):
        await keep.choose(library.app.store, "default", keep.Filter(ids=("ctx_none",)))


@pytest.mark.requirement("MEM-22")
async def test_syncing_leaves_what_agents_stored_alone(library: Library) -> None:
    await store_all(library.app.writer, "default", [aged(1)])
    keyvalue = library.app.store.keyvalue
    every = await list_sources(keyvalue, "default")
    [memory] = [one for one in every if one.kind == "memory"]
    assert memory not in await synced_sources(keyvalue, "default")
    await sync_all(library.app.writer, "default")
    with pytest.raises(SourceError, match="nothing to sync"):
        await sync_source(library.app.writer, memory)
    assert len(await kept(library)) == 1
