"""The vector snapshot is a copy for speed: whatever becomes of it, answers stay right."""

import shutil
from dataclasses import replace
from pathlib import Path

import apsw
import numpy as np
import pytest

from commonplace.domain.query import Query
from commonplace.domain.scope import Selection
from commonplace.engines.base import Entry, Store, Vectors
from commonplace.engines.sqlite import open_store, snapshot
from commonplace.engines.sqlite.views import DELTA_LEAST
from tests.contract.engine_making import WHOLE, ids, make_entry, unit_rows

DIMENSION = 64
COUNT = DELTA_LEAST + 4500


def _clustered(count: int, seed: int = 0) -> Vectors:
    """Rows about as close to each other as those of real text."""
    space = np.random.default_rng(0)
    topics, basis = space.normal(size=(40, 12)), space.normal(size=(12, DIMENSION))
    random = np.random.default_rng(seed)
    inner = topics[random.integers(40, size=count)]
    rows = (inner + random.normal(size=inner.shape)) @ basis + 1
    units: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return units


def _entries(rows: Vectors, size: int = 100) -> list[Entry]:
    return [
        make_entry(
            f"{start}.md",
            [f"p{at} " for at in range(start, min(start + size, len(rows)))],
            tags=(f"tag{start // size % 2}",),
            vectors={"m": rows[start : start + size]},
        )
        for start in range(0, len(rows), size)
    ]


async def _assert_exact(store: Store, entries: list[Entry], selection: Selection = WHOLE) -> None:
    """Ten nearest of forty questions, compared with a plain product of matrices."""
    matrix = np.concatenate([entry.vectors["m"] for entry in entries])
    names = [passage_id for entry in entries for passage_id in ids(entry)]
    found = 0
    for row in _clustered(40, seed=3):
        best = {names[at] for at in np.argsort(-(matrix @ row))[:10]}
        hits = await store.passages.dense("m", row, selection, 10)
        found += len(best & {hit.passage_id for hit in hits})
    assert found >= 0.99 * 40 * 10


def _snapshots(folder: Path) -> list[Path]:
    return sorted(folder.glob("index.db-bits*"))


@pytest.fixture
async def filled(tmp_path: Path) -> tuple[Path, list[Entry]]:
    """A file with more rows than are compared one by one, and its snapshot."""
    entries = _entries(_clustered(COUNT))
    store = open_store(f"sqlite://{tmp_path}/index.db")
    await store.passages.write(entries)
    assert _snapshots(tmp_path) == []
    await _assert_exact(store, entries)
    assert len(_snapshots(tmp_path)) == 1
    await store.close()
    return tmp_path, entries


@pytest.mark.requirement("ENG-27")
async def test_codes_find_what_exact_comparison_finds(filled: tuple[Path, list[Entry]]) -> None:
    folder, entries = filled
    store = open_store(f"sqlite://{folder}/index.db")
    await _assert_exact(store, entries)
    narrow = Selection(project="default", tags=(frozenset({"tag1"}),))
    await _assert_exact(store, [e for e in entries if e.card.tags == ("tag1",)], narrow)
    await store.close()


@pytest.mark.requirement("ENG-24")
@pytest.mark.parametrize("harm", ["missing", "empty", "torn", "flipped", "foreign"])
async def test_a_harmed_snapshot_is_made_anew(filled: tuple[Path, list[Entry]], harm: str) -> None:
    folder, entries = filled
    (path,) = _snapshots(folder)
    whole = path.read_bytes()
    if harm == "missing":
        path.unlink()
    elif harm == "empty":
        path.write_bytes(b"")
    elif harm == "torn":
        path.write_bytes(whole[: len(whole) // 2])
    elif harm == "flipped":
        path.write_bytes(whole[:5000] + bytes([whole[5000] ^ 255]) + whole[5001:])
    else:
        await _write_foreign(folder)
    store = open_store(f"sqlite://{folder}/index.db")
    await _assert_exact(store, entries)
    await store.close()
    assert path.read_bytes()[72:] == whole[72:], "the same rows give the same codes"


@pytest.mark.requirement("ENG-34")
async def test_a_snapshot_from_before_ids_is_used_and_its_hits_are_named(
    filled: tuple[Path, list[Entry]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, entries = filled
    (path,) = _snapshots(folder)
    token = str(apsw.Connection(f"{folder}/index.db").execute("SELECT token FROM store").get)
    loaded = snapshot.load(path, token)
    assert loaded is not None
    arrays, seq = loaded
    with monkeypatch.context() as older:
        older.setattr(snapshot, "FORMAT", 2)
        kept = {name: np.array(part) for name, part in arrays.items() if name != "ids"}
        snapshot.save(path, kept, (token, seq))
    old = path.read_bytes()
    store = open_store(f"sqlite://{folder}/index.db")
    await _assert_exact(store, entries)
    assert path.read_bytes() == old
    fresh = make_entry("fresh.md", ["fresh "], vectors={"m": unit_rows(1, DIMENSION, seed=77)})
    await store.passages.write([fresh])
    await _assert_exact(store, [*entries, fresh])
    await store.close()


@pytest.mark.requirement("ENG-34")
@pytest.mark.parametrize("is_mapped", [True, False])
async def test_passages_are_found_by_ids_of_any_letters_and_length(
    tmp_path: Path, is_mapped: bool
) -> None:
    odd = ["x" * 33, "x" * 500, "größe", "界" * 11, "界" * 10, "a b", "p1 "]
    rows = _clustered(len(odd) + (COUNT if is_mapped else 0))
    entries = _entries(rows)
    passages = list(entries[0].passages)
    for at, name in enumerate(odd):
        passages[at] = replace(passages[at], id=name)
    entries[0] = replace(entries[0], passages=passages, nodes=(), edges=())
    store = open_store(f"sqlite://{tmp_path}/index.db")
    await store.passages.write(entries)
    for at, name in enumerate(odd):
        (near,) = await store.passages.dense("m", rows[at], WHOLE, 1)
        (held,) = await store.passages.lexical(Query(text="", terms=(f"p{at}",)), WHOLE, 1)
        assert near.passage_id == held.passage_id == name
    await store.close()


async def _write_foreign(folder: Path) -> None:
    """Put the snapshot of another database, of the same shape, in the place of ours."""
    away = folder / "away"
    other = open_store(f"sqlite://{away}/index.db")
    await other.passages.write(_entries(_clustered(COUNT, seed=8)))
    await other.passages.dense("m", unit_rows(1, DIMENSION)[0], WHOLE, 1)
    await other.close()
    (theirs,) = _snapshots(away)
    shutil.copy(theirs, _snapshots(folder)[0])


@pytest.mark.requirement("ENG-24")
async def test_changes_since_the_snapshot_are_seen_at_once(
    filled: tuple[Path, list[Entry]],
) -> None:
    folder, entries = filled
    store = open_store(f"sqlite://{folder}/index.db")
    reader = open_store(f"sqlite://{folder}/index.db")
    await _assert_exact(reader, entries)
    row = unit_rows(1, DIMENSION, seed=77)
    fresh = make_entry("fresh.md", ["fresh "], vectors={"m": row})
    await store.passages.write([fresh])
    await store.passages.remove("default", [entries[0].card.id])
    changed = make_entry("100.md", ["new "], tags=("tag1",), vectors={"m": row * -1})
    await store.passages.write([changed])
    now = [changed, *entries[2:], fresh]
    for asked in (store, reader):
        await _assert_exact(asked, now)
        hits = await asked.passages.dense("m", row[0], WHOLE, 1)
        assert [hit.passage_id for hit in hits] == ids(fresh)
        hits = await asked.passages.dense("m", -row[0], WHOLE, 1)
        assert [hit.passage_id for hit in hits] == ids(changed)
    await store.close()
    await reader.close()


@pytest.mark.requirement("ENG-24")
async def test_a_snapshot_far_behind_is_renewed(filled: tuple[Path, list[Entry]]) -> None:
    folder, entries = filled
    (snapshot,) = _snapshots(folder)
    before = snapshot.read_bytes()
    store = open_store(f"sqlite://{folder}/index.db")
    more = [
        make_entry(f"more/{e.card.path}", [p.text for p in e.passages], vectors=e.vectors)
        for e in _entries(_clustered(COUNT, seed=21))
    ]
    await store.passages.write(more)
    await _assert_exact(store, [*entries, *more])
    await store.passages.remove("default", [entry.card.id for entry in entries])
    await _assert_exact(store, more)
    assert snapshot.read_bytes() != before
    await store.close()


@pytest.mark.requirement("ENG-24")
async def test_a_restored_copy_does_not_believe_the_snapshot_of_what_came_after(
    filled: tuple[Path, list[Entry]],
) -> None:
    folder, entries = filled
    copy = folder / "copy.db"
    shutil.copy(folder / "index.db", copy)
    store = open_store(f"sqlite://{folder}/index.db")
    await store.passages.write(_entries(_clustered(COUNT, seed=30)))
    await store.passages.dense("m", unit_rows(1, DIMENSION)[0], WHOLE, 1)
    await store.close()
    shutil.copy(copy, folder / "index.db")
    store = open_store(f"sqlite://{folder}/index.db")
    last = make_entry("last.md", ["last "], vectors={"m": unit_rows(1, DIMENSION)})
    await store.passages.write([last])
    await _assert_exact(store, [*entries, last])
    await store.close()


@pytest.mark.requirement("ENG-24")
async def test_a_folder_that_takes_no_snapshot_costs_speed_not_answers(
    filled: tuple[Path, list[Entry]], caplog: pytest.LogCaptureFixture
) -> None:
    folder, entries = filled
    (snapshot,) = _snapshots(folder)
    snapshot.unlink()
    (snapshot / "in the way").mkdir(parents=True)
    store = open_store(f"sqlite://{folder}/index.db")
    await _assert_exact(store, entries)
    await store.close()
    assert "not written" in caplog.text
    assert not list(folder.glob("*.part"))


@pytest.mark.requirement("ENG-04")
async def test_vectors_of_a_transaction_that_failed_are_forgotten(
    filled: tuple[Path, list[Entry]],
) -> None:
    folder, entries = filled
    store = open_store(f"sqlite://{folder}/index.db")
    row = unit_rows(1, DIMENSION, seed=77)

    async def fail() -> None:
        async with store.transaction():
            await store.passages.write([make_entry("x.md", ["x "], vectors={"m": row})])
            hits = await store.passages.dense("m", row[0], WHOLE, 1)
            assert hits[0].score == pytest.approx(1, abs=1e-3)
            raise RuntimeError("half-way")

    with pytest.raises(RuntimeError, match="half-way"):
        await fail()
    await _assert_exact(store, entries)
    hits = await store.passages.dense("m", row[0], WHOLE, 1)
    assert hits[0].score < 0.99
    await store.close()
