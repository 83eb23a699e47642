"""Indexing code, beside peers: ``python -m bench.code FOLDER... [--peers WORK] [--updates N]``.

``--ready`` ends when symbols are ready and edits nothing: to compare two trees in turns.

Every folder is copied, indexed, and edited in one file so many times (by default 3; of ours the
first edit, which loads what the others keep, is not counted). *Ready* is the moment symbols,
bindings and lineage are stored; text for search follows. CPU and memory are those of all processes
together. Our bytecode is written first, as it is where the package is installed. The peers are npm
packages, installed into the work folder on first use; each is asked to index the same copy and to
take up the same edits.
"""

import argparse
import asyncio
import compileall
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import psutil

import commonplace
from commonplace.domain.scope import Source
from commonplace.index.pipeline import sync_source
from commonplace.index.plan import Wish
from commonplace.index.sources import add_source
from commonplace.serve.build import build
from commonplace.serve.cli.running import writer_of
from commonplace.settings import Settings
from commonplace.tools.app import App

PEERS = {
    "optave": ("@optave/codegraph", ("build", "."), ".codegraph"),
    "colbymchenry": ("@colbymchenry/codegraph", ("init", "-i"), ".codegraph"),
}
MODES = ("watch", "scan", "cold")
"""Told which file changed; the folder walked; the folder walked and nothing loaded."""
STAGES = {"ready": "symbols, bindings, lineage", "text": "and text to search"}
SAMPLE_S = 0.1
ADDED = {
    ".py": "\n\ndef added_{0}(value):\n    return value\n",
    ".ts": "\nexport function added_{0}(value: string) {{ return value; }}\n",
    ".tsx": "\nexport function added_{0}(value: string) {{ return value; }}\n",
    ".js": "\nfunction added_{0}(value) {{ return value; }}\n",
    ".java": "\nclass Added{0} {{ int added(int value) {{ return value; }} }}\n",
    ".cs": "\nclass Added{0} {{ int Added(int value) {{ return value; }} }}\n",
    ".go": "\nfunc added{0}(value int) int {{ return value }}\n",
}
"""One more function, in the language of the file."""


@dataclass
class Meter:
    """CPU and memory of a process and all it started, sampled while it runs."""

    pid: int
    cpu_s: float = 0.0
    most_mb: float = 0.0
    _seen: dict[int, float] = field(default_factory=dict)

    def look(self) -> None:
        """Take one sample; processes that ended keep what they had used."""
        total_mb = 0.0
        try:
            root = psutil.Process(self.pid)
            for one in (root, *root.children(recursive=True)):
                try:
                    times, memory = one.cpu_times(), one.memory_info()
                except psutil.Error:
                    continue
                self._seen[one.pid] = times.user + times.system
                total_mb += memory.rss / 1e6
        except psutil.Error:
            return
        self.cpu_s = sum(self._seen.values())
        self.most_mb = max(self.most_mb, total_mb)


@contextmanager
def metered(pid: int) -> Iterator[Meter]:
    """A meter that looks by itself."""
    meter, ended = Meter(pid), threading.Event()

    def run() -> None:
        while not ended.wait(SAMPLE_S):
            meter.look()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield meter
    finally:
        ended.set()
        thread.join()
        meter.look()


def size_mb(folder: Path) -> float:
    """What files of a folder take on disk."""
    return sum(one.stat().st_size for one in folder.rglob("*") if one.is_file()) / 1e6


def pages_mb(database: Path) -> float:
    """What a database takes, with what still stands in its log only.

    Asked with the library that has it open: another one lifts its locks when it closes the file.
    """
    with closing(apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        count, size = (connection.execute(f"PRAGMA page_{one}").get for one in ("count", "size"))
    return float(count * size) / 1e6


def edited(folder: Path) -> Path:
    """The file that is edited: larger than three in four, so neither empty nor a giant."""
    files = [one for one in sorted(folder.rglob("*")) if one.suffix in ADDED and one.is_file()]
    return sorted(files, key=lambda one: one.stat().st_size)[len(files) * 3 // 4]


def edit(file: Path, number: int) -> None:
    """One more function."""
    text = file.read_text("utf-8")
    file.write_text(text + ADDED[file.suffix].format(number), "utf-8")


def cpu_s() -> float:
    """Of this process and all it started, those that ended included."""
    used = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        found = resource.getrusage(who)
        used += found.ru_utime + found.ru_stime
    for child in psutil.Process().children():
        times = child.cpu_times()
        used += times.user + times.system
    return used


class Enough(Exception):
    """Symbols are ready, and no more was asked for."""


async def own(folder: Path, home: Path, updates: int) -> dict[str, Any]:
    """Our figures; run in a process of its own, whose memory the one that started it watches."""
    app = build(Settings(home=home, upgrade_embedder="", upgrade_wait_s=0))
    figures: dict[str, Any] = {}
    began = time.perf_counter()

    async def progress(_done: float, _total: float | None, message: str) -> None:
        if message == "symbols ready" and "ready_s" not in figures:
            figures.update(ready_s=time.perf_counter() - began, ready_cpu_s=cpu_s())
            figures["ready_disk_mb"] = pages_mb(home / "index.db")
            figures["ready_with_log_mb"] = await app.store.size_bytes() / 1e6
            print("ready", flush=True)
            if updates < 0:
                raise Enough

    source = await add_source(writer_of(app), str(folder), "default")
    try:
        report = await sync_source(writer_of(app), source, progress)
    except Enough:
        await app.close()
        return figures
    figures |= {"text_s": time.perf_counter() - began, "text_cpu_s": cpu_s()}
    figures |= {"text_disk_mb": await app.store.size_bytes() / 1e6}
    figures |= {"files": report.documents, "symbols": report.symbols}
    print("text", flush=True)
    for mode in MODES:
        figures[mode] = await _updates(app, folder, source, (mode, updates))
    await app.close()
    return figures


def run_own(folder: Path, home: Path, updates: int) -> dict[str, Any]:
    """Our figures with the most memory all processes took until each stage was done."""
    command = [sys.executable, "-m", "bench.code", "--own", str(folder), str(home), str(updates)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    most: dict[str, float] = {}
    last = ""
    with metered(process.pid) as meter:
        for line in process.stdout or ():
            last = line.strip()
            most[last] = meter.most_mb
    if process.wait():
        raise SystemExit("indexing failed")
    figures: dict[str, Any] = json.loads(last)
    return figures | {f"{stage}_mb": most[stage] for stage in STAGES if stage in most}


async def _updates(
    app: App, folder: Path, source: Source, how: tuple[str, int]
) -> list[list[float]]:
    """Milliseconds to ready, and to text, of an edit after another."""
    mode, updates = how
    writer = writer_of(app)
    writer.shelf.keeps = mode != "cold"
    file, times = edited(folder), []
    wish = Wish(paths=[str(file)] if mode == "watch" else None)
    for number in range(updates + 1):
        edit(file, number + 100 * MODES.index(mode))
        began = time.perf_counter()
        ready: list[float] = []

        async def progress(
            _done: float,
            _total: float | None,
            message: str,
            began: float = began,
            ready: list[float] = ready,
        ) -> None:
            if message == "symbols ready":
                ready.append((time.perf_counter() - began) * 1000)

        await sync_source(writer, source, progress, wish)
        times.append([ready[0], (time.perf_counter() - began) * 1000])
    return times[1:]  # the first loads what the others keep


def peer(name: str, folder: Path, work: Path, updates: int) -> dict[str, Any]:
    """A peer's figures on a copy; empty when it does not install or run."""
    package, command, kept = PEERS[name]
    place = work / name
    place.mkdir(parents=True, exist_ok=True)
    program = place / "node_modules" / ".bin" / "codegraph"
    if not program.exists():
        subprocess.run(
            [shutil.which("npm") or "npm", "install", "--no-audit", "--no-fund", package],
            cwd=place,
            check=False,
            capture_output=True,
        )
    if not program.exists():
        return {}
    figures = _timed([str(program), *command], folder)
    if not figures:
        return {}
    figures["disk_mb"] = size_mb(folder / kept)
    file, times = edited(folder), []
    for number in range(updates):
        edit(file, number)
        again = ("sync",) if name == "colbymchenry" else command
        times.append(_timed([str(program), *again], folder).get("seconds", 0.0) * 1000)
    figures["update_ms"] = statistics.median(times)
    return figures


def _timed(command: list[str], folder: Path) -> dict[str, float]:
    began = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
    )
    with metered(process.pid) as meter:
        code = process.wait()
    if code:
        return {}
    return {"seconds": time.perf_counter() - began, "cpu_s": meter.cpu_s, "most_mb": meter.most_mb}


def _cells(ours: dict[str, Any], stage: str, at: int) -> str:
    """The figures of one stage."""
    edits = " / ".join(
        f"{statistics.median(row[at] for row in ours[mode]):.0f} {mode}"
        for mode in MODES
        if mode in ours
    )
    row = [ours[f"{stage}{end}"] for end in ("_s", "_cpu_s", "_mb", "_disk_mb")]
    return f"{row[0]:.1f} | {row[1]:.1f} | {row[2]:.0f} | {row[3]:.0f} | {edits}"


def measure(folder: Path, work: Path | None, updates: int) -> None:
    """Print the tables of one folder."""
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / folder.name
        shutil.copytree(folder, copy)
        ours = run_own(copy, Path(temporary) / "home", updates)
        told = f": {ours['files']:,} files, {ours['symbols']:,} symbols" if "files" in ours else ""
        print(f"### {folder.name}{told}\n")
        print("| | seconds | CPU s | MB of memory | MB on disk | update, ms |")
        print("|---|--:|--:|--:|--:|--:|")
        for at, (stage, told) in enumerate(STAGES.items()):
            if f"{stage}_mb" in ours:
                print(f"| commonplace: {told} | {_cells(ours, stage, at)} |")
        for name in PEERS if work else ():
            shutil.rmtree(copy)
            shutil.copytree(folder, copy)
            assert work is not None
            row_of = peer(name, copy, work, max(1, updates))
            told = PEERS[name][0]
            if row_of:
                print(
                    f"| {told} | {row_of['seconds']:.1f} | {row_of['cpu_s']:.1f} | "
                    f"{row_of['most_mb']:.0f} | {row_of['disk_mb']:.0f} | "
                    f"{row_of['update_ms']:.0f} |"
                )
            else:
                print(f"| {told} | does not install or run here | | | | |")
        print()


def main() -> None:
    """Measure every folder given."""
    if sys.argv[1:2] == ["--own"]:
        print(json.dumps(asyncio.run(own(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])))))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--peers", type=Path, help="a folder to install the peers into")
    parser.add_argument("--updates", type=int, default=3, help="edits that are counted")
    parser.add_argument("--ready", action="store_true", help="end when symbols are ready")
    chosen = parser.parse_args()
    # As pip does: where no bytecode is written, every process would compile what was edited last.
    compileall.compile_dir(Path(commonplace.__file__).parent, quiet=1)
    for folder in chosen.folders:
        measure(folder.resolve(), chosen.peers, -1 if chosen.ready else chosen.updates)


if __name__ == "__main__":
    main()
