"""What a Zotero library costs: read whole, and looked at when nothing changed.

``python -m bench.zotero [ITEMS]`` makes a library of so many works (10,000), each with a note and
an attachment that is not on this machine, in Zotero's tables, and the same behind its local API on
loopback. Told is CPU time of this process, server and client together for the API. Beside it what
is the least there is: copying the database, and asking the server for the same pages as text.
"""

import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx2

from commonplace.settings import Settings
from commonplace.sources.zotero.places import parse
from commonplace.sources.zotero.source import Zotero
from tests.zotero.api import open_zotero
from tests.zotero.shelf import Shelf


def library(folder: Path, works: int) -> Shelf:
    """A library with three items a work."""
    shelf = Shelf(folder)
    shelf.collect("COLL0001", "All")
    for number in range(works):
        key = f"{number:07}"
        shelf.put(
            f"W{key}",
            "journalArticle",
            title=f"On the measurement of thing number {number}",
            creators=[{"creatorType": "author", "firstName": "Ada", "lastName": f"Author{number}"}],
            date="2020-05-01",
            DOI=f"10.1000/{number}",
            publicationTitle="Journal of Things",
            citationKey=f"author{number}",
            tags=[{"tag": f"tag{number % 50}"}],
            collections=["COLL0001"],
        )
        shelf.attach(f"A{key}", f"W{key}", "paper.pdf", None)
        shelf.put(f"N{key}", "note", parentItem=f"W{key}", note=f"<p>A note on {number}.</p>")
        for item in shelf.items[-3:]:
            item["dateModified"] = "2024-03-01T10:00:00Z"
    return shelf


async def timed(name: str, work: Callable[[], Awaitable[int]]) -> None:
    """Run and tell."""
    before, wall = time.process_time(), time.perf_counter()
    count = await work()
    cpu, seconds = time.process_time() - before, time.perf_counter() - wall
    print(f"{name:44} {cpu:8.3f} CPU-s {seconds:8.3f} s  {count:,}")


async def measure(works: int) -> None:
    """All figures of one library."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        shelf = library(folder / "Zotero", works)
        connection = shelf.write()
        nowhere = {"zotero_url": "http://127.0.0.1:9", "zotero_folder": str(shelf.folder)}
        offline = Settings.model_validate({"home": folder / "a", **nowhere})

        async def listed(settings: Settings) -> int:
            opened = Zotero(parse("zotero:"), settings)
            return len([one async for one in opened.list()])

        async def copied() -> int:
            for name in ("zotero.sqlite", "zotero.sqlite-wal"):
                shutil.copyfile(shelf.folder / name, folder / name)
            return (folder / "zotero.sqlite").stat().st_size

        print(f"{works:,} works, {len(shelf.items):,} items")
        await timed("database: copied only", copied)
        await timed("database: read and listed", lambda: listed(offline))
        await timed("database: unchanged, listed", lambda: listed(offline))
        async with open_zotero(shelf) as site:
            url = site.url().rstrip("/")
            online = offline.model_copy(update={"home": folder / "b", "zotero_url": url})

            async def asked() -> int:
                size = 0
                async with httpx2.AsyncClient(trust_env=False) as client:
                    for start in range(0, len(shelf.items), 500):
                        query = {"start": str(start), "limit": "500", "sort": "dateAdded"}
                        reply = await client.get(f"{url}/api/users/0/items", params=query)
                        size += len(reply.content)
                return size

            await timed("API: pages fetched only", asked)
            await timed("API: read and listed", lambda: listed(online))
            await timed("API: unchanged, listed", lambda: listed(online))
        connection.close()


if __name__ == "__main__":
    asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
