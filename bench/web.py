"""``python -m bench.web``: a question to three sites of fifty pages each, without network latency.

The pages are served on loopback by a process of its own and read by a real server over stdio, as
a client would ask. *cold* is a question to sites nobody has read: fetching, parsing and indexing
are in it. *warm* asks what is indexed. *searched* is ``web_search``, over twenty pages by name and
over all that were read. Then the same server is asked a thousand more questions, and its memory is
looked at every hundred.
"""

import argparse
import asyncio
import multiprocessing
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from functools import partial
from http.server import ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import psutil
from mcp import Client, StdioServerParameters

from bench.corpus import Corpus, Text
from eval.web.site import Quiet

SITES, PAGES, CHILDREN = 3, 50, 7
COLD_ROUNDS = 20
WARM, SEARCHES = 100, 100
PHASES = ("analysis", "retrieval", "reranking", "expansion", "locality", "merge")


class Fact(NamedTuple):
    """A question and what its answer says."""

    ask: str
    answer: str


def titled(texts: list[Text]) -> list[Text]:
    """The texts as a tree: a page has a word of its title from the page above it."""
    made: list[Text] = []
    for number, text in enumerate(texts):
        above = made[(number - 1) // CHILDREN].title.split()[-1] if number else "Index"
        made.append(Text(f"{above} {' '.join(text.title.lower().split()[:2])}", text.paragraphs))
    return made


def pages(texts: list[Text], site: int) -> Iterator[tuple[str, str, Fact]]:
    """The pages of a site, every one with a fact of its own and links to those below it."""
    for number, text in enumerate(texts):
        below = range(number * CHILDREN + 1, min(PAGES, number * CHILDREN + CHILDREN + 1))
        links = "".join(
            f'<li><a href="page{one}.html">{texts[one].title}</a></li>' for one in below
        )
        fact = f"The depth of the {text.title.lower()} is {site}{number}7 fathoms."
        body = "".join(f"<h2>{one[:30]}</h2><p>{one}</p>" for one in text.paragraphs)
        page = (
            f"<html><head><title>{text.title}</title></head><body><main><h1>{text.title}</h1>{body}"
            f"<h2>Measures</h2><p>{fact}</p><h2>See also</h2><ul>{links}</ul></main></body></html>"
        )
        ask = f"What is the depth of the {text.title.lower()}?"
        yield f"page{number}.html", page, Fact(ask, f"{site}{number}7 fathoms")


def serve(folder: str, told: Connection) -> None:
    """Serve a folder on a free port, and tell it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    told.send(server.server_port)
    server.serve_forever()


class Bench:
    """A client of one server, and what its calls took."""

    def __init__(self, client: Client, process: psutil.Process) -> None:
        self._client, self._process = client, process

    async def call(self, tool: str, **arguments: Any) -> tuple[float, Mapping[str, Any]]:  # noqa: ANN401 - JSON
        """Milliseconds and the reply; raises when it is an error."""
        began = time.perf_counter()
        reply = await self._client.call_tool(tool, arguments)
        elapsed_ms = (time.perf_counter() - began) * 1000
        if reply.is_error:
            raise SystemExit(f"{tool} failed: {reply.content}")
        return elapsed_ms, reply.structured_content or {}

    @property
    def rss_mb(self) -> float:
        """Of the server and its workers."""
        every = [self._process, *self._process.children(recursive=True)]
        return float(sum(one.memory_info().rss for one in every)) / 1e6

    @property
    def cpu_s(self) -> float:
        """Of the server and its workers, those that have ended included."""
        own = sum(self._process.cpu_times()[:4])
        return float(own + sum(sum(one.cpu_times()[:2]) for one in self._process.children()))


def row(name: str, walls: list[float], cpu_s: float, told: list[Mapping[str, Any]]) -> str:
    """A line of the table: wall time, CPU, the median of each phase."""
    stats = [one["stats"] for one in told]
    phases = [statistics.median(one["phases_ms"][phase] for one in stats) for phase in PHASES]
    ingestion = statistics.median(one["ingestion_ms"] for one in stats)
    pages_read = statistics.mean(one["documents_searched"] for one in stats)
    ranked = sorted(walls)
    cells = [
        f"{ranked[len(ranked) // 2]:.0f}",
        f"{ranked[int(len(ranked) * 0.95)]:.0f}",
        f"{cpu_s / len(walls) * 1000:.0f}",
        f"{pages_read:.1f}",
        f"{ingestion:.0f}",
        *(f"{one:.1f}" for one in phases),
    ]
    return f"| {name} | {' | '.join(cells)} |"


def make_sites(folder: Path, rounds: int) -> list[list[Fact]]:
    """Write the sites, new ones for every cold question; the facts of each."""
    corpus = Corpus()
    facts: list[list[Fact]] = []
    for site in range(rounds * SITES):
        texts = titled(list(corpus.documents(PAGES * 10)))
        place = folder / f"site{site}"
        place.mkdir()
        facts.append([])
        for name, page, fact in pages(texts, site):
            (place / name).write_text(page, "utf-8")
            facts[-1].append(fact)
    return facts


Asked = tuple[Fact, dict[str, Any]]


class Questions:
    """Questions to the sites, the same every time."""

    def __init__(self, bench: Bench, base: str, facts: list[list[Fact]]) -> None:
        self._bench, self._base, self._facts = bench, base, facts
        self._dice = random.Random(1)

    def page(self, site: int, number: int) -> str:
        """The address of a page."""
        return f"{self._base}/site{site}/page{number}.html"

    def asked(self, group: int) -> Asked:
        """A question to the first pages of three sites."""
        sites = range(group * SITES, group * SITES + SITES)
        fact = self._dice.choice(self._facts[self._dice.choice(sites)])
        return fact, {"url": [self.page(site, 0) for site in sites]}

    def searched(self, group: int) -> Asked:
        """A question to twenty pages of one site."""
        site = group * SITES
        fact = self._dice.choice(self._facts[site][:20])
        return fact, {"source_urls": [self.page(site, number) for number in range(20)]}

    async def time(self, name: str, tool: str, asked: list[Asked]) -> None:
        """Ask all, and print their row."""
        walls, told, before = [], [], self._bench.cpu_s
        for fact, arguments in asked:
            wall, reply = await self._bench.call(tool, query=fact.ask, **arguments)
            walls.append(wall)
            told.append(reply)
        shown = sum(
            any(fact.answer in chunk["text"] for chunk in reply["evidence"])
            for (fact, _), reply in zip(asked, told, strict=True)
        )
        label = f"{name} ({shown} of {len(asked)} answered)"
        print(row(label, walls, self._bench.cpu_s - before, told), flush=True)

    async def read_all(self, group: int) -> None:
        """Index every page of three sites."""
        for site in range(group * SITES, group * SITES + SITES):
            for start in range(0, PAGES, 10):
                urls = [self.page(site, number) for number in range(start, start + 10)]
                await self._bench.call("web_ingest", url=urls)


async def measure(bench: Bench, base: str, facts: list[list[Fact]], calls: int) -> None:
    """Ask, and print what it took."""
    questions, last = Questions(bench, base, facts), COLD_ROUNDS
    print("| question | p50 ms | p95 ms | CPU ms | pages | ingestion |", " | ".join(PHASES), "|")
    print("|---|" + "--:|" * (5 + len(PHASES)))
    await questions.time("cold", "web_answer", [questions.asked(one) for one in range(last)])
    await questions.read_all(last)
    await questions.time("warm", "web_answer", [questions.asked(last) for _ in range(WARM)])
    searched = [questions.searched(last) for _ in range(SEARCHES)]
    await questions.time("searched, 20 pages", "web_search", searched)
    everywhere: list[Asked] = [(questions.asked(last)[0], {}) for _ in range(SEARCHES)]
    await questions.time("searched, all pages", "web_search", everywhere)
    memory = [f"{bench.rss_mb:.0f}"]
    for number in range(1, calls + 1):
        fact, arguments = questions.asked(last)
        await bench.call("web_answer", query=fact.ask, **arguments)
        if number % 100 == 0:
            memory.append(f"{bench.rss_mb:.0f}")
    print(f"\nMB in server and workers, every 100 of {calls} more calls: {', '.join(memory)}.")


async def run(calls: int) -> None:
    """Start the site and the server, and measure."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "www").mkdir()
        facts = make_sites(root / "www", COLD_ROUNDS + 1)
        ours, theirs = multiprocessing.Pipe()
        site = multiprocessing.Process(target=serve, args=(str(root / "www"), theirs), daemon=True)
        site.start()
        base = f"http://127.0.0.1:{await asyncio.to_thread(ours.recv)}"
        settings = {
            "COMMONPLACE_HOME": str(root / "home"),
            "COMMONPLACE_WEB_ALLOW_HOSTS": "127.0.0.1",
            "COMMONPLACE_WEB_HOST_DELAY_S": "0",
            "COMMONPLACE_WEB_OBEY_ROBOTS": "false",
            "COMMONPLACE_UPGRADE_EMBEDDER": "",
            "COMMONPLACE_RATE_LIMIT_PER_MINUTE": "0",
            "COMMONPLACE_LOG_LEVEL": "ERROR",
        }
        command = ["-m", "commonplace.serve.cli", "serve", "--toolsets", "all"]
        server = StdioServerParameters(command=sys.executable, args=command, env=settings)
        known = {one.pid for one in psutil.Process().children()}
        async with Client(server) as client:
            (process,) = [one for one in psutil.Process().children() if one.pid not in known]
            await measure(Bench(client, process), base, facts, calls)
        site.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("calls", nargs="?", type=int, default=1000)
    asyncio.run(run(parser.parse_args().calls))


if __name__ == "__main__":
    main()
