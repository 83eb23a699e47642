"""Four processes on one data folder: one indexes, three serve, for a minute."""

import asyncio
import itertools
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.library import write_corpus

MINUTE_S = 60.0
PROGRAM = str(Path(sys.executable).with_name("commonplace"))
QUIET = {
    "COMMONPLACE_UPGRADE_EMBEDDER": "",
    "COMMONPLACE_UPGRADE_WAIT_S": "0",
    "COMMONPLACE_RATE_LIMIT_PER_MINUTE": "0",
}


async def run(home: Path, *arguments: str) -> None:
    """One command of ours, which must succeed."""
    process = await asyncio.create_subprocess_exec(
        PROGRAM,
        *("--home", str(home), *arguments),
        env=QUIET,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, told = await process.communicate()
    assert process.returncode == 0, told.decode()


def server(home: Path) -> StdioServerParameters:
    return StdioServerParameters(command=PROGRAM, args=["--home", str(home), "serve"], env=QUIET)


async def titles(client: Client, query: str) -> set[str]:
    reply = await client.call_tool("kb_search", {"query": query})
    assert not reply.is_error, reply
    structured: Any = reply.structured_content
    assert "degraded" not in structured or "embedded" in str(structured["degraded"])
    return {row["title"] for row in structured["results"]}


async def keep_indexing(home: Path, folder: Path, until: float) -> int:
    """Add, change and remove files, and sync after each, until the time is up."""
    for turn in itertools.count():
        if time.monotonic() > until:
            return turn
        page = folder / f"turn{turn % 7}.md"
        page.write_text(f"# Turn {turn}\n\nThe carousel turns for the {turn}th time.\n")
        (folder / f"turn{(turn + 3) % 7}.md").unlink(missing_ok=True)
        await run(home, "sync")
    raise AssertionError("unreachable")


async def keep_asking(client: Client, until: float) -> int:
    for asked in itertools.count():
        if time.monotonic() > until:
            return asked
        assert "Orchard guide" in await titles(client, "prune apple trees in February")
        await titles(client, "carousel turns")
    raise AssertionError("unreachable")


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.requirement("E2E-01")
async def test_three_servers_answer_without_error_while_a_fourth_process_indexes(
    tmp_path: Path,
) -> None:
    home, folder = tmp_path / "home", write_corpus(tmp_path / "corpus")
    await run(home, "add", str(folder))
    async with (
        Client(server(home)) as one,
        Client(server(home)) as two,
        Client(server(home)) as three,
    ):
        clients = (one, two, three)
        until = time.monotonic() + MINUTE_S
        turns, *asked = await asyncio.gather(
            keep_indexing(home, folder, until), *(keep_asking(client, until) for client in clients)
        )
        assert turns > 1
        assert all(number > 1 for number in asked)
        (folder / "last.md").write_text("# Last word\n\nThe quokka has the last word.\n")
        (folder / "notes.md").unlink()
        await run(home, "sync")
        for client in clients:
            assert "Last word" in await titles(client, "quokka last word")
            assert "Meeting notes" not in await titles(client, "second pump committee")
