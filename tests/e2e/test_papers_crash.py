"""Papers and their bibliography, ingested by processes that are killed twenty times."""

import asyncio
import random
import signal
from pathlib import Path
from typing import Any

import apsw
import pytest

from commonplace.domain.scope import Selection
from commonplace.engines.sqlite.store import SqliteStore
from commonplace.index.jobs import list_jobs
from commonplace.index.references.keep import all_cited
from commonplace.index.sources import list_sources
from tests.e2e.indexing import has_stopped, lines, start
from tests.unit.parsers.paper import Sheet, make_pdf

PAPERS = 12
KILLS = 20
BATCH = 4  # documents of one transaction: few, so that kills fall between them
WAIT_S = 180
WHOLE = Selection(project="default")


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """Papers that cite the one before them, and a bibliography of all."""
    folder = tmp_path / "papers"
    folder.mkdir()
    records = []
    for number in range(PAPERS):
        title = f"On Walruses of Kind {number}"
        sheet = Sheet().line(72, 740, title, 18, "bold").line(72, 700, f"doi:10.1000/w.{number}")
        sheet.lines(72, 680, [f"Walruses of kind {number} weep for oysters." for _ in range(20)])
        sheet.line(72, 400, "References", 13, "bold")
        before = f"[1] A. Author. On Walruses of Kind {number - 1}. doi:10.1000/w.{number - 1}"
        sheet.lines(72, 380, [before, f"[2] B. Other. Alone with number {number}. 2002."])
        (folder / f"{number:02}.pdf").write_bytes(make_pdf([sheet]))
        records.append(f"@article{{w{number}, title = {{{title}}}, doi = {{10.1000/w.{number}}}}}")
    (folder / "library.bib").write_text("\n".join(records))
    return folder


async def _held(home: Path) -> dict[str, Any]:
    """Everything that may be lost or doubled: ids, words, vectors, citations, works, jobs."""
    store = SqliteStore.open(f"sqlite://{home}/index.db")
    try:
        sources = await list_sources(store.keyvalue, "default")
        known = await store.passages.fingerprints("default", sources[0].id) if sources else {}
        documents = {uri: one.document_id for uri, one in known.items()}
        passages = [
            [one.passage.id, one.passage.text]
            for document in sorted(documents.values())
            for one in await store.passages.read(WHOLE, document, range(100))
        ]
        stats = await store.passages.stats("default")
        cited = await all_cited(store.keyvalue, "default")
        return {
            "documents": documents,
            "passages": passages,
            "counts": (stats.documents, stats.passages, [one.embedded for one in stats.coverage]),
            "cited": {key: str(one) for key, one in cited.items()},
            "running": [
                one.id for one in await list_jobs(store.keyvalue) if one.state == "running"
            ],
        }
    finally:
        await store.close()


def _edges(home: Path) -> list[tuple[str, int]]:
    connection = apsw.Connection(str(home / "index.db"))
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    kinds = connection.execute(
        "SELECT r.name, count(*) FROM edges AS e JOIN relations AS r ON r.number = e.relation "
        "GROUP BY 1 ORDER BY 1"
    ).fetchall()
    connection.close()
    return [(str(name), int(str(count))) for name, count in kinds]


def _as_if_never_killed(home: Path, whole: Path) -> None:
    after, never = asyncio.run(_held(home)), asyncio.run(_held(whole))
    assert after == never
    assert len(after["cited"]) == PAPERS
    assert after["running"] == []
    assert _edges(home) == _edges(whole)
    assert dict(_edges(home))["CITES"] >= 2 * PAPERS


def _kill(home: Path, papers: Path, **at: int) -> tuple[bool, int]:
    """Whether it was killed before it ended, and how many documents are held, all sound."""
    process = start(home, papers, batch=BATCH, **at)
    is_killed = has_stopped(process)
    if is_killed:
        process.kill()
    _, errors = process.communicate(timeout=WAIT_S)
    assert process.returncode == (-signal.SIGKILL if is_killed else 0), errors
    held = asyncio.run(_held(home))
    _edges(home)
    assert held["counts"][:2] == (len(held["documents"]), len(held["passages"]))
    return is_killed, len(held["documents"])


@pytest.mark.timeout(1200)
@pytest.mark.requirement("PAP-27")
def test_ingesting_killed_twenty_times_ends_as_if_never_killed(
    papers: Path, tmp_path: Path
) -> None:
    whole = tmp_path / "whole"
    output, errors = start(whole, papers, batch=BATCH).communicate(timeout=WAIT_S)
    assert {"documents": PAPERS, "added": PAPERS} in lines(output), errors
    commits = max(line["commits"] for line in lines(output) if "commits" in line)
    chance = random.Random(9)
    kills = homes = least = 0
    home = tmp_path / "home0"
    for most in range(BATCH, PAPERS, BATCH):  # in the middle of the work, whatever the machine does
        assert _kill(home, papers, documents=most) == (True, most)
        kills, least = kills + 1, most
    while kills < KILLS:
        is_killed, held = _kill(home, papers, commit=chance.randrange(1, commits + 1))
        assert held >= least, "a kill lost what was kept"
        kills, least = kills + is_killed, held
        if not is_killed:
            _as_if_never_killed(home, whole)
            homes += 1
            home, least = tmp_path / f"home{homes}", 0
    assert _kill(home, papers) == (False, PAPERS)
    _as_if_never_killed(home, whole)
