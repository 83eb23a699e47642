"""Any history of edits: after a sync the index holds what the folder holds."""

import asyncio
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from commonplace import engines
from commonplace.catalog import collect
from commonplace.engines.base import Engine
from commonplace.index.pipeline import sync_source
from commonplace.index.sources import add_source
from commonplace.index.writer import Writer
from commonplace.settings import Settings
from tests.unit.index.asking import texts
from tests.unit.index.conftest import EMBEDDER

NAMES = st.sampled_from(["a.md", "b.txt", "sub/c.md", "sub/deep/d.md"])
WORDS = st.text(st.sampled_from("ab #\n-é"), min_size=1, max_size=30).map(lambda text: f"x{text}")
EDITS = st.one_of(
    st.tuples(st.just("write"), NAMES, WORDS),
    st.tuples(st.just("touch"), NAMES, st.just("")),
    st.tuples(st.just("remove"), NAMES, st.just("")),
    st.tuples(st.just("rename"), NAMES, NAMES),
)


def edit(root: Path, change: tuple[str, str, str], moment: int) -> None:
    """Change one file; every change has a time of its own, as on a real disk."""
    kind, name, more = change
    path = root / name
    if kind == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(more, "utf-8")
    elif not path.exists():
        return
    elif kind == "remove":
        path.unlink()
        return
    elif kind == "rename":
        (root / more).parent.mkdir(parents=True, exist_ok=True)
        path = path.rename(root / more)
    os.utime(path, (moment, moment))


async def replay(root: Path, steps: list[list[tuple[str, str, str]]]) -> None:
    store = collect(engines, Engine)["memory"].open(f"memory://{root}")
    settings = Settings(home=root / "home")
    writer = Writer(store=store, settings=settings, embedder=EMBEDDER)
    docs = root / "docs"
    docs.mkdir()
    source = await add_source(writer, str(docs), "default")
    moment = 1_700_000_000
    for step in steps:
        for change in step:
            moment += 1
            edit(docs, change, moment)
        report = await sync_source(writer, source)
        there = {
            path.relative_to(docs).as_posix(): path.read_text("utf-8")
            for path in docs.rglob("*.*")
            if path.is_file()
        }
        assert await texts(writer, source.id) == there
        assert report.failures == ()
        assert report.documents == len(there)
        stats = await store.passages.stats("default")
        assert stats.documents == len(there)
        assert sum(one.embedded for one in stats.coverage) == stats.passages
    await store.close()


@pytest.mark.requirement("IDX-26")
@hypothesis_settings(max_examples=15)
@given(st.lists(st.lists(EDITS, min_size=1, max_size=4), min_size=1, max_size=4))
def test_after_any_edits_the_index_holds_what_is_there(
    steps: list[list[tuple[str, str, str]]],
) -> None:
    with tempfile.TemporaryDirectory() as root:
        asyncio.run(replay(Path(root), steps))
