"""What comes after the graph is ready: values followed from file to file, summaries."""

import asyncio
import threading
from pathlib import Path

import pytest

from commonplace.domain.code import Facts
from commonplace.engines.base import Fingerprint
from commonplace.index.code.late import behind, files_behind
from commonplace.index.code.later import follow_values
from commonplace.index.code.settle import aside
from commonplace.index.code.snapshots import compare
from commonplace.index.code.stage import rest
from commonplace.index.code.status import code_status
from commonplace.index.pipeline import sync_source
from commonplace.index.plan import Wish
from commonplace.index.sources import add_source
from commonplace.index.writer import Writer
from commonplace.link.code.program import Abandoned, Program, Scale, Unit
from commonplace.link.code.values.solving import whole
from tests.unit.index.asking import index


@pytest.fixture
def code(tmp_path: Path, writer: Writer) -> Path:
    """A function handed to another file, which calls it; nothing is small enough to be at once."""
    writer.shelf.scale = Scale(calls_at_once=-1)
    made = tmp_path / "repository"
    made.mkdir()
    (made / "engine.py").write_text("def run(task):\n    return task()\n", "utf-8")
    (made / "jobs.py").write_text(
        "from engine import run\n\n\ndef sweep():\n    return 1\n\n\ndef start():\n"
        "    return run(sweep)\n",
        "utf-8",
    )
    return made


async def late(writer: Writer, source_id: str) -> set[tuple[str, str]]:
    known = await writer.store.passages.fingerprints("default", source_id)
    ids = [one.document_id for one in known.values()]
    entries = await writer.store.passages.entries("default", ids)
    names = {node.id: node.name for entry in entries for node in entry.nodes}
    return {
        (names[edge.source], names[edge.target])
        for entry in entries
        for edge in entry.edges
        if edge.properties.get("late")
    }


@pytest.mark.requirement("CIX-14")
async def test_values_are_followed_after_the_graph_is_ready_and_no_change_is_told(
    writer: Writer, code: Path
) -> None:
    report = await index(writer, code)
    assert ("run", "sweep") in await late(writer, report.source_id)
    (code / "engine.py").write_text("def run(task):\n    return task()\n\n\nDONE = 1\n", "utf-8")
    await index(writer, code)
    assert ("run", "sweep") in await late(writer, report.source_id)
    found = await compare(writer.store.keyvalue, "default")
    assert [one.link for one in found.edges] == []
    (code / "jobs.py").write_text("def sweep():\n    return 1\n", "utf-8")
    await index(writer, code)
    assert ("run", "sweep") not in await late(writer, report.source_id)


@pytest.mark.requirement("CIX-14")
async def test_who_watches_follows_values_when_edits_have_come_to_rest(
    writer: Writer, code: Path
) -> None:
    writer.shelf.keeps = True
    await index(writer, code)
    source = await add_source(writer, str(code), "default")
    engine = code / "engine.py"
    engine.write_text("def run(task):\n    return task()\n\n\nDONE = 1\n", "utf-8")
    await sync_source(writer, source, wish=Wish(paths=[str(engine)]))
    assert writer.shelf.held is not None
    assert behind(writer.shelf.held)
    await rest(writer, "default")
    assert not behind(writer.shelf.held)
    assert ("run", "sweep") in await late(writer, source.id)


@pytest.mark.requirement("CIX-16")
async def test_after_a_small_change_values_wait_for_a_sync_with_nothing_else_to_do(
    writer: Writer, code: Path
) -> None:
    report = await index(writer, code)
    writer.shelf.scale = Scale(calls_at_once=-1, behind_part=1)
    engine = code / "engine.py"
    engine.write_text("DONE = 1\n\n\ndef run(task):\n    return task()\n", "utf-8")
    await index(writer, code)
    assert ("run", "sweep") in await late(writer, report.source_id)  # its text is the same
    assert (await code_status(writer.store.keyvalue, "default"))["files_behind"] == 1
    places = {
        edge.properties["at"]
        for entry in await writer.store.passages.entries(
            "default", [one.document_id for one in (await _known(writer, report.source_id))]
        )
        for edge in entry.edges
        if edge.properties.get("late")
    }
    assert places == {"5:11-15"}
    engine.write_text("DONE = 1\n\n\ndef run(task):\n    return task\n", "utf-8")
    await index(writer, code)
    assert ("run", "sweep") not in await late(writer, report.source_id)
    engine.write_text("DONE = 1\n\n\ndef run(task):\n    return task()\n", "utf-8")
    await index(writer, code)
    assert ("run", "sweep") not in await late(writer, report.source_id)
    await index(writer, code)
    assert ("run", "sweep") in await late(writer, report.source_id)
    assert (await code_status(writer.store.keyvalue, "default"))["files_behind"] == 0


@pytest.mark.requirement("CIX-14")
async def test_a_guess_becomes_sure_when_values_are_followed_and_is_a_guess_to_snapshots(
    writer: Writer, code: Path
) -> None:
    (code / "engine.py").write_text("def run(task):\n    return task.sweep()\n", "utf-8")
    jobs = "from engine import run\n\n\nclass Job:\n    def sweep(self):\n        return 1\n"
    (code / "jobs.py").write_text(f"{jobs}\n\ndef start():\n    return run(Job())\n", "utf-8")
    report = await index(writer, code)
    assert await _ways(writer, report.source_id, "run", "sweep") == ["flow"]
    (code / "engine.py").write_text("def run(task):\n    return task.sweep()\n\n\nA = 1\n", "utf-8")
    source = await add_source(writer, str(code), "default")
    writer.shelf.keeps = True
    await sync_source(writer, source, wish=Wish(paths=[str(code / "engine.py")]))
    assert await _ways(writer, report.source_id, "run", "sweep") == ["flow"]
    found = await compare(writer.store.keyvalue, "default")
    assert [one.link for one in found.edges] == []
    (code / "jobs.py").write_text(jobs, "utf-8")
    await index(writer, code)
    assert await _ways(writer, report.source_id, "run", "sweep") == ["name"]


async def _ways(writer: Writer, source_id: str, source: str, target: str) -> list[object]:
    """How the calls from one to the other are known."""
    ids = [one.document_id for one in await _known(writer, source_id)]
    entries = await writer.store.passages.entries("default", ids)
    names = {node.id: node.name for entry in entries for node in entry.nodes}
    return [
        edge.properties["how"]
        for entry in entries
        for edge in entry.edges
        if (names.get(edge.source), edge.relation, names.get(edge.target))
        == (source, "CALLS", target)
    ]


async def _known(writer: Writer, source_id: str) -> list[Fingerprint]:
    return list((await writer.store.passages.fingerprints("default", source_id)).values())


@pytest.mark.requirement("CIX-16")
async def test_a_late_edge_goes_with_the_function_it_leads_to(writer: Writer, code: Path) -> None:
    report = await index(writer, code)
    writer.shelf.scale = Scale(calls_at_once=-1, behind_part=1)
    (code / "jobs.py").write_text("from engine import run\n\n\ndef start():\n    run(1)\n", "utf-8")
    await index(writer, code)
    assert await late(writer, report.source_id) == set()


@pytest.mark.requirement("CIX-14")
async def test_a_source_is_summed_up(writer: Writer, code: Path) -> None:
    await index(writer, code)
    found = await writer.store.graph.matching("default", "Source", ["repository"], 5)
    assert [one.name for one in found] == ["repository"]
    assert found[0].properties["summary"]


@pytest.mark.requirement("CIX-21")
async def test_following_values_ends_when_nobody_waits_and_is_done_by_the_next(
    writer: Writer, code: Path
) -> None:
    writer.shelf.keeps = True
    report = await index(writer, code)
    source = await add_source(writer, str(code), "default")
    engine = code / "engine.py"
    engine.write_text("def run(task):\n    task()\n    return task()\n", "utf-8")
    await sync_source(writer, source, wish=Wish(paths=[str(engine)]))

    async def renew() -> None:
        return None

    begun = asyncio.create_task(follow_values(writer, "default", renew))
    await asyncio.sleep(0)
    begun.cancel()
    with pytest.raises(asyncio.CancelledError):
        await begun
    assert await files_behind(writer.store.keyvalue, "default")
    assert await follow_values(writer, "default", renew)
    assert ("run", "sweep") in await late(writer, report.source_id)
    assert not await files_behind(writer.store.keyvalue, "default")


@pytest.mark.requirement("CIX-21")
async def test_a_thread_at_work_on_a_program_stops_when_its_caller_is_cancelled() -> None:
    unit = Unit(
        document_id="d1", source_id="s1", path="a.py", facts=Facts(language="python", symbols=())
    )
    program, begun = Program({"d1": unit}), threading.Event()

    async def renew() -> None:
        return None

    def run() -> None:
        while True:
            begun.set()
            list(program.chosen(["d1"]))

    work = asyncio.create_task(aside(renew, run, program))
    await asyncio.to_thread(begun.wait)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    with pytest.raises(Abandoned):
        run()
    with pytest.raises(Abandoned):
        await aside(renew, lambda: whole(program).start([("V", "d1", 0, "x")]))
