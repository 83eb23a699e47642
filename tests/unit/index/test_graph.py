"""The graph the write path builds, asked through the port of each engine."""

from pathlib import Path

import pytest

from commonplace.domain.graph import Neighbour
from commonplace.domain.ids import document_id
from commonplace.index.writer import Writer
from commonplace.link.entities.gather import entity_id
from commonplace.link.structure import section_id
from tests.unit.index.asking import index

GUIDE = """# Operating the server

See [pools](pools.md#sizing-pools) and [the plan](plan.md).

## Installing the server

1. Run `depot install` as root.
2. Set `DEPOT_HOME` in the environment.
3. Restart the daemon.

## Running

For example, a small server is started like this:

```console
$ depot serve --max-size 3
depot: listening
```

The `--max-size` option limits it. A full pool raises `PoolFullError`; see the `DepotServer` class.
A write-ahead log (WAL) is kept.
"""
POOLS = """# Pools

## Sizing pools

The `MAX_SIZE` setting caps it, as the `--max-size` option does.

| Setting | Meaning |
| --- | --- |
| `max_size` | entries |
"""
KINDS = {"Command", "Configuration", "Parameter", "Procedure", "Step", "Error", "Concept"} | {
    "Example",
    "Component",
}


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    made = tmp_path / "manual"
    made.mkdir()
    (made / "guide.md").write_text(GUIDE, "utf-8")
    (made / "pools.md").write_text(POOLS, "utf-8")
    return made


def of(path: Path) -> str:
    return document_id("default", path.as_uri())


async def around(
    writer: Writer, node_id: str, *relations: str, hops: int = 1
) -> dict[tuple[str, str], Neighbour]:
    near = await writer.store.graph.neighbours("default", [node_id], relations, hops)
    return {(one.node.kind, one.node.name): one for one in near}


@pytest.mark.requirement("GRAPH-E02")
async def test_a_document_leads_to_entities_of_every_kind(writer: Writer, manual: Path) -> None:
    await index(writer, manual)
    near = await around(writer, of(manual / "guide.md"), hops=5)
    assert {kind for kind, _name in near} >= KINDS
    names = {("Command", "depot serve"), ("Parameter", "--max-size"), ("Error", "PoolFullError")}
    assert near.keys() >= names | {("Configuration", "DEPOT_HOME"), ("Component", "DepotServer")}


@pytest.mark.requirement("GRAPH-E03")
async def test_every_edge_tells_how_sure_it_is_and_what_proves_it(
    writer: Writer, manual: Path
) -> None:
    await index(writer, manual)
    for one in (await around(writer, of(manual / "guide.md"), hops=5)).values():
        edge = one.edge
        assert edge.document_id in {of(manual / "guide.md"), of(manual / "pools.md")}
        assert 0 < edge.confidence <= 1
        if edge.relation in {"MENTIONS", "DEFINES", "HAS_STEP", "HAS_PARAMETER", "SAME_AS"}:
            start, end = edge.properties["start"], edge.properties["end"]
            assert isinstance(start, int)
            assert isinstance(end, int)
            assert 0 <= start < end <= len(GUIDE)
            assert edge.properties["rule"]


@pytest.mark.requirement("GRAPH-E04")
async def test_steps_stand_in_their_order(writer: Writer, manual: Path) -> None:
    await index(writer, manual)
    near = await around(writer, of(manual / "guide.md"), hops=5)
    procedure = near["Procedure", "Installing the server"].node
    steps = await around(writer, procedure.id, "HAS_STEP")
    told = sorted(steps.values(), key=lambda one: str(one.edge.properties["order"]))
    assert [one.node.name for one in told] == [
        "Run depot install as root.",
        "Set DEPOT_HOME in the environment.",
        "Restart the daemon.",
    ]
    mentioned = await around(writer, told[0].node.id, "MENTIONS")
    assert ("Command", "depot install") in mentioned


@pytest.mark.requirement("GRAPH-E05")
async def test_spellings_of_one_name_are_tied(writer: Writer, manual: Path) -> None:
    await index(writer, manual)
    flag = entity_id("default", "Parameter", "--max-size")
    same = await around(writer, flag, "SAME_AS")
    assert same.keys() == {("Configuration", "MAX_SIZE"), ("Configuration", "max_size")}
    assert all(one.edge.confidence < 1 for one in same.values())
    users = await around(writer, flag, "HAS_PARAMETER")
    assert users.keys() == {("Command", "depot serve")}


@pytest.mark.requirement("GRAPH-E06")
async def test_an_entity_two_documents_mention_outlives_one_of_them(
    writer: Writer, manual: Path
) -> None:
    await index(writer, manual)
    flag = entity_id("default", "Parameter", "--max-size")
    command = entity_id("default", "Command", "depot serve")
    before = await around(writer, flag)
    (manual / "guide.md").unlink()
    await index(writer, manual)
    assert [node.id for node in await writer.store.graph.nodes("default", [flag, command])] == [
        flag
    ]
    (manual / "guide.md").write_text(GUIDE, "utf-8")
    await index(writer, manual)
    assert await around(writer, flag) == before
    for name in ("guide.md", "pools.md"):
        (manual / name).write_text("# Nothing\n", "utf-8")
    await index(writer, manual)
    assert await writer.store.graph.nodes("default", [flag, command]) == []


@pytest.mark.requirement("GRAPH-E07")
async def test_links_lead_to_documents_and_sections_once_they_are_there(
    writer: Writer, manual: Path
) -> None:
    await index(writer, manual)
    guide = of(manual / "guide.md")
    skeleton = ["HAS_SECTION", "HAS_PASSAGE", "PARENT_OF"]
    near = await writer.store.graph.neighbours("default", [guide], skeleton, 3)
    linking = [one.node.id for one in near if one.node.kind == "Passage"]
    targets = await writer.store.graph.neighbours("default", linking, ["LINKS_TO"], 1)
    pools = of(manual / "pools.md")
    assert {one.node.id for one in targets} == {pools, section_id(pools, "sizing-pools")}
    (manual / "plan.md").write_text("# The plan\n", "utf-8")
    await index(writer, manual)
    targets = await writer.store.graph.neighbours("default", linking, ["LINKS_TO"], 1)
    assert of(manual / "plan.md") in {one.node.id for one in targets}
