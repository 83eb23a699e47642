"""Another process on the same store, steered by its standard input.

    python -m tests.contract.engine_worker ADDRESS VERB

It says ``ready`` when it has begun and waits for a line where the test must act in between.
"""

import asyncio
import sys
from itertools import count

from commonplace.engines.base import Store
from commonplace.engines.sqlite import open_store
from tests.contract.engine_making import make_entry, unit_rows

PARTS = 40


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


async def hold(store: Store) -> None:
    """Write inside a transaction that stays open until told to end."""
    async with store.transaction():
        await store.passages.write([make_entry("held.md", ["held "], vectors={"m": unit_rows(1)})])
        _say("ready")
        await asyncio.to_thread(sys.stdin.readline)
    _say("done")


async def write(store: Store) -> None:
    """Write one document."""
    _say("ready")
    await store.passages.write([make_entry("other.md", ["other "], vectors={"m": unit_rows(1)})])
    _say("done")


async def claim(store: Store) -> None:
    """Try for a lease when told to."""
    _say("ready")
    await asyncio.to_thread(sys.stdin.readline)
    mine = await store.keyvalue.claim("jobs", "lease", sys.argv[3].encode(), 600)
    _say("won" if mine else "lost")


async def pour(store: Store) -> None:
    """Rewrite documents for ever, saying each as soon as it is acknowledged."""
    for turn in count():
        name = f"{turn % 7}.md"
        texts = [f"turn{turn} part{part} " for part in range(PARTS)]
        vectors = {"m": unit_rows(PARTS, seed=turn)}
        await store.passages.write([make_entry(name, texts, vectors=vectors)])
        _say(f"{name} {turn}")


VERBS = {verb.__name__: verb for verb in (hold, write, claim, pour)}


async def main() -> None:
    """Open the store and do what the arguments say."""
    store = open_store(sys.argv[1])
    await VERBS[sys.argv[2]](store)
    await store.close()


if __name__ == "__main__":
    asyncio.run(main())
