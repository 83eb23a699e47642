"""Index throughput of the whole program: `commonplace add` on a folder of Markdown files.

``python -m bench.indexing [PASSAGES] [FOLDER]``: a made folder of about that many passages, or one
of yours. Three runs: new, unchanged, one file changed.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.corpus import Corpus

PROGRAM = str(Path(sys.executable).with_name("commonplace"))


def make_files(folder: Path, passages: int) -> None:
    """Documents of ten sections each, as Markdown files in folders of a hundred."""
    for number, text in enumerate(Corpus().documents(passages)):
        file = folder / f"{number // 100:03}" / f"{number:05}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        sections = (f"## Part {n}\n\n{p}\n" for n, p in enumerate(text.paragraphs))
        file.write_text(f"# {text.title}\n\n" + "\n".join(sections), "utf-8")


def run(home: Path, *arguments: str) -> tuple[float, float, str]:
    """Seconds of the clock, seconds of all cores, and what the command printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(
        [PROGRAM, "--home", str(home), "--json", *arguments],
        check=True,
        capture_output=True,
        text=True,
        env={"COMMONPLACE_UPGRADE_WAIT_S": "0", "PATH": ""},
    )
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, done.stdout


def main() -> None:
    """Print the table."""
    passages = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary) / "home"
        folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(temporary) / "files"
        if len(sys.argv) <= 2:
            make_files(folder, passages)
        rows = [("new folder", *run(home, "add", str(folder)))]
        rows.append(("nothing changed", *run(home, "sync")))
        if len(sys.argv) <= 2:
            changed = next(folder.rglob("*.md"))
            changed.write_text(changed.read_text("utf-8") + "\nOne more sentence.\n", "utf-8")
            rows.append(("one file changed", *run(home, "sync")))
        status = json.loads(run(home, "status")[2])
        stats = status["projects"][0]
        size = sum(file.stat().st_size for file in home.rglob("*") if file.is_file()) / 1e6
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"{stats['documents']:,} documents, {stats['passages']:,} passages, {size:.0f} MB on disk, "
        f"{memory:.0f} MB in the largest process\n"
    )
    print("| run | seconds | CPU seconds | passages per second |\n|---|--:|--:|--:|")
    for name, wall, cpu, _ in rows:
        rate = f"{stats['passages'] / wall:,.0f}" if name == "new folder" else "–"
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {rate} |")


if __name__ == "__main__":
    main()
