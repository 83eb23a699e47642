"""Sources, projects, jobs and leases: what is kept beside the documents."""

import os
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from commonplace.domain.course import Naming
from commonplace.domain.errors import InvalidArgument, InvalidProject, NotFound, SourceError
from commonplace.domain.scope import Selection
from commonplace.index.jobs import list_jobs, tracked
from commonplace.index.lease import held, make_owner, take
from commonplace.index.leaving import leave_project
from commonplace.index.pipeline import leave_source, sync_source
from commonplace.index.projects import create_project, forget_project, list_projects
from commonplace.index.sources import (
    SourceOptions,
    add_source,
    get_source,
    list_sources,
    open_source,
    remove_source,
)
from commonplace.index.writer import Writer
from tests.unit.index.asking import found, index


@pytest.mark.requirement("IDX-24")
async def test_sources_are_listed_found_and_updated(writer: Writer, folder: Path) -> None:
    keyvalue = writer.store.keyvalue
    first = await add_source(writer, str(folder), "org/name", SourceOptions(tags=("a", "b")))
    second = await add_source(writer, str(folder / "boat.txt"), "org/name")
    assert [source.id for source in await list_sources(keyvalue, "org/name")] == [
        first.id,
        second.id,
    ]
    assert await list_sources(keyvalue, "default") == []
    assert second.tags == ("boat.txt",)
    again = await add_source(writer, str(folder), "org/name")
    assert (again.id, again.tags, again.added_at) == (first.id, ("a", "b"), first.added_at)
    for name in (first.id, str(folder), f"{folder}/", folder.name, f"{folder.name}/"):
        assert (await get_source(keyvalue, "org/name", name)).id == first.id
    with pytest.raises(NotFound, match=str(folder)):
        await get_source(keyvalue, "org/name", "nothing")


@pytest.mark.requirement("IDX-24")
async def test_the_end_of_several_sources_is_told_as_that(writer: Writer, folder: Path) -> None:
    for name in ("a/docs", "b/docs"):
        (folder / name).mkdir(parents=True)
        await add_source(writer, str(folder / name), "default")
    with pytest.raises(NotFound, match="the end of 2 sources"):
        await get_source(writer.store.keyvalue, "default", "docs")
    found = await get_source(writer.store.keyvalue, "default", "b/docs")
    assert found.location == str(folder / "b/docs")


@pytest.mark.requirement("IDX-33")
async def test_a_project_that_is_left_leaves_nothing(writer: Writer, folder: Path) -> None:
    (folder / "code.py").write_text('def zephyr():\n    """Blows."""\n    return 1\n')
    source = await add_source(writer, str(folder), "org/name")
    report = await sync_source(writer, source)
    assert report.symbols
    assert await leave_project(writer, "org/name") == report.documents
    store = writer.store
    assert "org/name" not in await list_projects(store)
    for space in ("code", "facts", "bound", "snapshots", "mentions", "works", "sources"):
        assert await store.keyvalue.keys(f"{space}/org/name") == []
    for name in ("zephyr", folder.name):  # the function, and the node of its source
        sought = Naming(text=name)
        assert not (await store.graph.find(Selection(project="org/name"), sought, 5)).found
    with pytest.raises(InvalidProject, match="org/name"):
        await leave_project(writer, "org/name")


@pytest.mark.requirement("IDX-33")
async def test_of_a_source_that_is_left_no_summary_is_left(writer: Writer, folder: Path) -> None:
    (folder / "code.py").write_text("def zephyr():\n    return 1\n")
    source = await add_source(writer, str(folder), "default")
    await sync_source(writer, source)
    selection, named = Selection(project="default"), Naming(text=folder.name)
    assert (await writer.store.graph.find(selection, named, 5)).found
    await leave_source(writer, source)
    assert not (await writer.store.graph.find(selection, named, 5)).found


@pytest.mark.requirement("IDX-24")
async def test_a_removed_source_takes_its_documents_along(writer: Writer, folder: Path) -> None:
    await index(writer, folder / "sub")
    await index(writer, folder)
    source = await get_source(writer.store.keyvalue, "default", str(folder))
    assert await remove_source(writer, source) == 2
    assert await found(writer, "orchard") == []
    assert await found(writer, "twelve") == ["clock.md"]
    assert len(await list_sources(writer.store.keyvalue, "default")) == 1
    assert (await index(writer, folder)).added == 2


@pytest.mark.requirement("IDX-24")
async def test_impossible_sources_are_refused_with_the_fix(writer: Writer, folder: Path) -> None:
    with pytest.raises(InvalidArgument, match="cannot name a project"):
        await add_source(writer, str(folder), "../etc")
    with pytest.raises(SourceError, match="check the spelling"):
        await add_source(writer, str(folder / "absent"), "default")
    with pytest.raises(SourceError, match="folder or a file"):
        await add_source(writer, "", "default")
    assert await list_projects(writer.store) == []
    source = await add_source(writer, str(folder), "default")
    with pytest.raises(SourceError, match="upgrade commonplace"):
        open_source(replace(source, kind="telepathy"), writer)


@pytest.mark.requirement("IDX-24")
async def test_projects_are_created_listed_and_forgotten(writer: Writer, folder: Path) -> None:
    await create_project(writer, "empty")
    await index(writer, folder)
    assert await list_projects(writer.store) == ["default", "empty"]
    with pytest.raises(InvalidArgument, match="remove its sources first"):
        await forget_project(writer.store, "default")
    with pytest.raises(InvalidProject, match="default, empty"):
        await forget_project(writer.store, "other")
    with pytest.raises(InvalidArgument, match="letters"):
        await create_project(writer, "no spaces")
    await forget_project(writer.store, "empty")
    assert await list_projects(writer.store) == ["default"]


@pytest.mark.requirement("IDX-24")
async def test_syncing_notes_the_moment(writer: Writer, folder: Path) -> None:
    source = await add_source(writer, str(folder), "default")
    assert source.synced_at is None
    await sync_source(writer, source)
    (stored,) = await list_sources(writer.store.keyvalue, "default")
    assert stored.synced_at is not None


def dead_owner() -> str:
    """The owner string of a process of this machine that has ended."""
    told = "from commonplace.index.lease import make_owner; print(make_owner())"
    command = [sys.executable, "-c", told]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.requirement("IDX-20")
async def test_a_job_tells_how_it_ended(writer: Writer, folder: Path) -> None:
    await index(writer, folder)
    (done,) = await list_jobs(writer.store.keyvalue, "default")
    assert (done.state, done.done, done.total, done.title) == ("done", 3, 3, str(folder))
    with pytest.raises(SourceError):
        async with tracked(writer, "sync/x", "other", "x"):
            raise SourceError("the disk is gone")
    (failed,) = await list_jobs(writer.store.keyvalue, "other")
    assert (failed.state, failed.message) == ("failed", "the disk is gone")
    with pytest.raises(KeyboardInterrupt):
        async with tracked(writer, "sync/x", "other", "x"):
            raise KeyboardInterrupt
    (stopped,) = await list_jobs(writer.store.keyvalue, "other")
    assert stopped.state == "interrupted"


@pytest.mark.requirement("IDX-20")
async def test_a_job_whose_process_died_reads_interrupted(writer: Writer) -> None:
    async with tracked(writer, "sync/x", "default", "x") as tracker:
        (running,) = await list_jobs(writer.store.keyvalue)
        assert running.state == "running"
        tracker.job = replace(tracker.job, owner=dead_owner())
        await tracker.save()
        (dead,) = await list_jobs(writer.store.keyvalue)
        assert dead.state == "interrupted"


@pytest.mark.requirement("IDX-22")
async def test_a_lease_has_one_holder_until_it_is_given_back(writer: Writer) -> None:
    keyvalue = writer.store.keyvalue
    async with held(keyvalue, "work") as lease:
        assert await take(keyvalue, "work") is None
        assert await take(keyvalue, "other work") is not None
        assert await lease.renew()
    assert await take(keyvalue, "work") is not None


@pytest.mark.requirement("IDX-22")
async def test_a_lease_renewed_just_now_is_not_written_again(
    writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyvalue = writer.store.keyvalue
    async with held(keyvalue, "work") as lease:
        await keyvalue.expire("leases", "work")
        assert await lease.renew()
        assert await keyvalue.get("leases", "work") is None
        monkeypatch.setattr("commonplace.index.lease._RENEW_S", 0.0)
        assert await lease.renew()
        assert await keyvalue.get("leases", "work") == lease.owner.encode()
        await keyvalue.expire("leases", "work")
        assert await keyvalue.claim("leases", "work", b"another", 60)
        assert not await lease.renew()


@pytest.mark.requirement("IDX-22")
async def test_the_lease_of_a_dead_process_is_taken_over(writer: Writer) -> None:
    keyvalue = writer.store.keyvalue
    for alive in (f"{socket.gethostname()}/{os.getpid()}/0", make_owner()):
        assert await keyvalue.claim("leases", "work", alive.encode(), 60)
        assert await take(keyvalue, "work") is None
        await keyvalue.expire("leases", "work")
    assert await keyvalue.claim("leases", "work", dead_owner().encode(), 60)
    assert await take(keyvalue, "work") is not None


@pytest.mark.requirement("IDX-22")
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc tells when one started")
async def test_a_process_with_the_number_of_the_dead_one_does_not_hold_its_lease(
    writer: Writer,
) -> None:
    keyvalue = writer.store.keyvalue
    earlier = f"{make_owner()}0"  # our number, and another start
    assert await keyvalue.claim("leases", "work", earlier.encode(), 60)
    assert await take(keyvalue, "work") is not None
