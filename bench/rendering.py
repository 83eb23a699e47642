"""What rendering a page costs: ``python -m bench.rendering [PAGES]``; needs an installed Chromium.

The page is small and its script writes one line, so this is what the browser itself takes.
"""

import asyncio
import os
import statistics
import sys
import time

import psutil

from commonplace.sources.fetching.guard import Guard
from commonplace.sources.rendering import process as chromium
from commonplace.sources.rendering.renderer import Renderer
from tests.site import open_site

PAGE = "<body><p id=a></p><script>document.getElementById('a').textContent = 'made'</script>"


def spent(leader: int) -> tuple[float, float]:
    """CPU-seconds and megabytes of what the browser started, as far as it still runs."""
    cpu_s = megabytes = 0.0
    for one in psutil.process_iter(["cpu_times", "memory_info"]):
        try:
            if os.getsid(one.pid) != leader:
                continue
        except OSError:
            continue
        cpu_s += one.info["cpu_times"].user + one.info["cpu_times"].system
        memory = one.info["memory_info"]
        megabytes += (memory.rss - memory.shared) / 1e6
    return cpu_s, megabytes


async def measure(pages: int) -> list[tuple[float, float, float]]:
    """Seconds, CPU-seconds and megabytes of each page."""
    ended = chromium._end
    costs: list[tuple[float, float]] = []

    async def end(process: asyncio.subprocess.Process) -> None:
        costs.append(spent(process.pid))
        await ended(process)

    chromium._end = end
    rows = []
    async with open_site() as site:
        site.serve("/", PAGE)
        renderer = Renderer(Guard(["127.0.0.1"]), chromium.Browser())
        for _ in range(pages):
            started = time.perf_counter()
            await renderer.render(site.url("/"), 10**6, 60.0)
            rows.append((time.perf_counter() - started, *costs[-1]))
    return rows


def main() -> None:
    rows = asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
    print("| pages | seconds, median | CPU-seconds, median | private MB, most |")
    print("|--:|--:|--:|--:|")
    seconds, cpu_s, megabytes = zip(*rows, strict=True)
    middle = f"{statistics.median(seconds):.1f} | {statistics.median(cpu_s):.1f}"
    print(f"| {len(rows)} | {middle} | {max(megabytes):.0f} |")


if __name__ == "__main__":
    main()
