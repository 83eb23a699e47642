"""Every benchmark, one after another: ``python -m bench [--write docs/bench.md]``."""

import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

PROGRAMS = {
    "Start to tools/list": ("bench.startup", "10"),
    "Indexing": ("bench.indexing", "10000"),
    "The store alone": ("bench.store", "10000", "100000"),
    "Search, beside peers": ("bench.search", "10000", "100000"),
    "Memory": ("bench.memory", "100000"),
    "Graph": ("bench.graph", "1000000"),
    "Questions to the web": ("bench.web", "1000"),
}
ABOUT = {
    "Start to tools/list": "A bare server of the same SDK and ours, alternately.",
    "Indexing": "`commonplace add` and `sync` on made Markdown files, static vectors.",
    "The store alone": "The ports of the SQLite engine, called in a fresh process.",
    "Search, beside peers": (
        "p50 / p95 in milliseconds, warm. The same texts, static vectors and queries go to every "
        "engine in one run, top 10. `hybrid` is words and vectors together; chromadb has no "
        "ranked word search, so there it is its vector query restricted to texts that hold the "
        "query's longest word. `whole tool` is `kb_search` through a real client: analysis, both "
        "channels, section tree, previews, packing, protocol. `write` is without embedding."
    ),
    "Memory": (
        "Contexts stored and found by the tools' dispatcher, static vectors, beside a plain FTS5 "
        "table that is given the same contents and questions in the same run. Ours also embeds, "
        "looks for near duplicates, writes the graph, reads back what it wrote, follows "
        "replacements and packs the reply."
    ),
    "Questions to the web": (
        "A question to three made sites of fifty pages each, on loopback, through a real client "
        "over stdio. *cold*: pages nobody has read, fetched, parsed and indexed on the way; "
        "*warm*: pages that are indexed; *searched*: `web_search`. Phases are medians in "
        "milliseconds."
    ),
    "Graph": (
        "A made graph with hubs, walked over the port and through a real client. Starts are a "
        "fifth documents, half passages, the rest entities, the best connected most often. `CPU` "
        "is what a call costs the process on average."
    ),
}


def main() -> None:
    """Run all programs; print their tables, or write them as a page."""
    page = [
        "# Benchmarks\n",
        "Made by `make bench` (`python -m bench --write docs/bench.md`). Shared machines vary: "
        "compare rows of one table, not figures of two days.\n",
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, "
        f"{platform.machine()}, 2 cores.\n",
    ]
    for title, (module, *arguments) in PROGRAMS.items():
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments], check=True, capture_output=True, text=True
        )
        command = f"python -m {' '.join([module, *arguments])}"
        page.append(f"## {title}\n\n{ABOUT[title]}\n\n`{command}`\n\n{done.stdout}")
        print(page[-1], flush=True)
    if "--write" in sys.argv:
        Path(sys.argv[sys.argv.index("--write") + 1]).write_text("\n".join(page), "utf-8")


if __name__ == "__main__":
    main()
