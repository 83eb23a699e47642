"""A damaged, foreign, newer, unwritable or full store tells the fix and changes nothing."""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import anyio
import apsw
import pytest

from commonplace.domain.errors import IndexUnavailable, InvalidArgument, StoreError
from commonplace.engines.sqlite import open_store
from tests.contract.engine_making import WHOLE, ask, make_entry, unit_rows


async def _make(path: Path) -> None:
    store = open_store(f"sqlite://{path}")
    texts = [f"passage {at} " * 20 for at in range(200)]
    await store.passages.write([make_entry("a.md", texts)])
    await store.close()


@pytest.mark.requirement("ENG-25")
async def test_an_index_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    await _make(path)
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA user_version=999")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(IndexUnavailable, match=r"newer commonplace.*upgrade"):
        open_store(f"sqlite://{path}")
    assert path.read_bytes() == before


@pytest.mark.requirement("ENG-25")
async def test_a_file_that_is_no_database_is_told_with_the_fix(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    path.write_bytes(b"not a database, " * 1000)
    with pytest.raises(IndexUnavailable, match="move it away and add your sources again"):
        open_store(f"sqlite://{path}")
    assert path.read_bytes().startswith(b"not a database")


@pytest.mark.requirement("ENG-25")
async def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(IndexUnavailable, match="another program"):
        open_store(f"sqlite://{path}")


@pytest.mark.requirement("ENG-25")
async def test_a_damaged_page_is_told_with_the_fix(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    await _make(path)
    content = bytearray(path.read_bytes())
    content[8192:] = b"\xa5" * (len(content) - 8192)
    path.write_bytes(content)
    with pytest.raises(IndexUnavailable, match="move it away and add your sources again"):
        await _read_everything(path)


async def _read_everything(path: Path) -> None:
    store = open_store(f"sqlite://{path}")
    try:
        await store.passages.lexical(ask("passage"), WHOLE, 10)
        await store.passages.pending("default", "m", 1000)
    finally:
        await store.close()


@pytest.mark.requirement("ENG-26")
async def test_a_folder_that_cannot_be_is_told_with_the_fix(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"cannot make the folder.*set `home`"):
        open_store(f"sqlite://{tmp_path}/file/deeper/index.db")
    (tmp_path / "index.db").mkdir()
    with pytest.raises(StoreError, match=r"cannot open.*set `home`"):
        open_store(f"sqlite://{tmp_path}/index.db")


@pytest.mark.requirement("ENG-26")
@pytest.mark.parametrize("address", ["sqlite://", "sqlite:///x.db?wait_s=soon"])
def test_an_address_that_names_no_file_is_told_with_the_form(address: str) -> None:
    with pytest.raises(InvalidArgument, match="sqlite:///folder"):
        open_store(address)


def _mount(folder: Path, *options: str) -> None:
    """A small file system of our own; skips where the machine does not let us."""
    folder.mkdir(exist_ok=True)
    command = shutil.which("mount")
    done = subprocess.run(
        [command or "mount", "-t", "tmpfs", *options, "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"this machine lets no test mount a small disk: {done.stderr.decode().strip()}")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    _mount(folder, "-o", "size=3m")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.requirement("ENG-26")
async def test_a_full_disk_is_told_with_the_fix_and_nothing_is_half_written(
    small_disk: Path,
) -> None:
    store = open_store(f"sqlite://{small_disk}/index.db")
    kept = make_entry("kept.md", ["kept "], vectors={"m": unit_rows(1)})
    await store.passages.write([kept])
    big = make_entry("big.md", [f"word{at} more{at * 7} " * 60 for at in range(3000)])
    with pytest.raises(StoreError, match="free space"):
        await store.passages.write([big])
    assert (await store.passages.stats("default")).documents == 1
    assert len(await store.passages.lexical(ask("kept"), WHOLE, 5)) == 1
    assert await store.passages.lexical(ask("word7"), WHOLE, 5) == []
    await store.passages.remove("default", [kept.card.id])
    await store.close()


@pytest.mark.requirement("ENG-26")
@pytest.mark.parametrize("free_bytes", [0, 24_576, 131_072])  # no file, no log, no tables
async def test_a_disk_too_full_for_a_new_index_is_told_with_the_fix(
    small_disk: Path, free_bytes: int
) -> None:
    filler = small_disk / "filler"
    with suppress(OSError):
        filler.write_bytes(bytes(4_000_000))
    with filler.open("r+b") as file:
        file.truncate(filler.stat().st_size - free_bytes)
    for _ in range(2):  # what the first attempt left behind does not change the second
        with pytest.raises(StoreError, match="free space"):
            open_store(f"sqlite://{small_disk}/index.db")
    filler.unlink()
    await _make(small_disk / "index.db")


@pytest.mark.requirement("ENG-26")
async def test_a_read_only_disk_is_told_with_the_fix(small_disk: Path) -> None:
    path = small_disk / "index.db"
    await _make(path)
    command = ["mount", "-o", "remount,ro", str(small_disk)]
    await asyncio.to_thread(subprocess.run, command, check=True)
    with pytest.raises(StoreError, match="make its folder writable"):
        open_store(f"sqlite://{path}")
    with pytest.raises(StoreError, match="make its folder writable"):
        open_store(f"sqlite://{small_disk}/new.db")


@pytest.mark.requirement("ENG-22")
async def test_a_cancelled_read_stops_in_the_engine(tmp_path: Path) -> None:
    store = open_store(f"sqlite://{tmp_path}/index.db")
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
    reading = asyncio.Event()
    loop = asyncio.get_running_loop()

    def work(connection: apsw.Connection) -> None:
        loop.call_soon_threadsafe(reading.set)
        connection.execute(endless).fetchall()

    task = asyncio.create_task(store._connections.read(work))  # type: ignore[attr-defined]
    await reading.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await store.close()  # waits for the thread: it would hang if the query still ran


@pytest.mark.requirement("ENG-22")
async def test_a_cancelled_write_leaves_nothing(tmp_path: Path) -> None:
    store = open_store(f"sqlite://{tmp_path}/index.db")
    entered = asyncio.Event()

    async def write() -> None:
        async with store.transaction():
            await store.passages.write([make_entry("a.md", ["apple "])])
            entered.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write())
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await store.passages.projects() == []
    await store.passages.write([make_entry("b.md", ["pear "])])
    assert await store.passages.projects() == ["default"]
    await store.close()


@pytest.mark.requirement("ENG-22")
@pytest.mark.parametrize("turns", range(12))
async def test_a_write_cancelled_at_any_turn_of_the_loop_lets_the_next_one_begin(
    tmp_path: Path, turns: int
) -> None:
    store = open_store(f"sqlite://{tmp_path}/index.db")
    async with anyio.create_task_group() as group:  # cancels at every await, as servers do
        group.start_soon(store.passages.write, [make_entry("a.md", ["apple "])])
        for _ in range(turns):
            await asyncio.sleep(0)
        group.cancel_scope.cancel()
    await store.passages.write([make_entry("b.md", ["pear "])])
    assert await store.passages.projects() == ["default"]
    await store.close()


@pytest.mark.requirement("ENG-28")
def test_listing_the_engines_imports_neither_numpy_nor_sqlite() -> None:
    program = (
        "import sys; from commonplace import engines; from commonplace.catalog import collect; "
        "from commonplace.engines.base import Engine; print(*collect(engines, Engine)); "
        "print({'numpy', 'apsw', 'sqlite3'} & set(sys.modules))"
    )
    output = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert output.split("\n")[:2] == ["memory sqlite", "set()"]
