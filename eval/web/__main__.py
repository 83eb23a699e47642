"""The program; see the package."""

import argparse
import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from commonplace.serve.build import build
from commonplace.settings import Settings
from commonplace.tools.app import App
from eval.web.site import Case, Distances, read_cases, serve
from eval.web.ways import Run, Walker, breadth_first, by_anchor

HEAD = (
    "| questions | way | page reached | links until then | pages fetched | reached with as many "
    "pages as ours | answer shown |\n|---|---|--:|--:|--:|--:|--:|"
)
PLAIN = {"breadth first": breadth_first, "best anchor first": by_anchor}
_FIRST_PORT = 18_600
_Runs = dict[str, list[Run]]


@contextlib.asynccontextmanager
async def opened(home: Path) -> AsyncIterator[App]:
    """An application that may read loopback."""
    settings = Settings(
        home=home,
        upgrade_embedder="",
        web_allow_hosts=("127.0.0.1",),
        web_host_delay_s=0.0,
        web_obey_robots=False,
    )
    app = build(settings)
    try:
        yield app
    finally:
        await app.close()


async def measure(folder: Path, cases: Sequence[Case], most: int, home: tuple[Path, int]) -> _Runs:
    """What every way comes to on every question."""
    server = serve(folder, home[1])
    try:
        async with opened(home[0]) as app:
            walker = Walker(app, f"http://127.0.0.1:{server.server_port}/", most)
            runs = {"ours": [await walker.research(case) for case in cases]}
            for name, pick in PLAIN.items():
                runs[name] = [await walker.crawl(case, pick) for case in cases]
    finally:
        server.shutdown()
    return runs


def row(label: str, name: str, runs: _Runs, chosen: Sequence[int]) -> str:
    """A line of the table: one way on the chosen questions."""
    ours, own = runs["ours"], [runs[name][place] for place in chosen]
    hits = [run.reached_after for run in own if run.reached_after is not None]
    until = sum(hits) / max(1, len(hits))
    fetched = sum(run.fetched for run in own) / len(own)
    equal = [(runs[name][place].reached_after or 10**9) <= ours[place].fetched for place in chosen]
    quoted = f"{sum(run.is_quoted for run in own) / len(own):.2f}" if name == "ours" else "–"
    return (
        f"| {label} | {name} | {len(hits) / len(own):.2f} | {until:.1f} | {fetched:.1f} | "
        f"{sum(equal) / len(equal):.2f} | {quoted} |"
    )


def table(site: str, far: Sequence[int], runs: _Runs) -> list[str]:
    """All lines of a site: every question, then those one and two links away."""
    lines = []
    every = range(len(far))
    for label, chosen in (
        (f"{site}, all {len(far)}", list(every)),
        ("1 link away", [place for place in every if far[place] == 1]),
        ("2 or more", [place for place in every if far[place] > 1]),
    ):
        shown = label if label.startswith(site) else f"{label}: {len(chosen)}"
        lines += [row(shown, name, runs, chosen) for name in (*PLAIN, "ours")] if chosen else []
    return lines


def tell_each(cases: Sequence[Case], far: Sequence[int], runs: _Runs) -> None:
    """Print what became of every question: ours, then best anchor first."""
    for place, case in enumerate(cases):
        run, plain = runs["ours"][place], runs["best anchor first"][place]
        reached = f"{far[place]} {run.reached_after!s:>4} of {run.fetched:>2}"
        shown = "shown" if run.is_quoted else "     "
        told = f"{reached} {shown} {plain.reached_after!s:>4}"
        print(f"{told} {case.page} | {case.ask} | {run.why}")


async def evaluate(sites: Sequence[str], most: int, home: Path, is_each: bool) -> None:
    """Print the table."""
    lines = [HEAD]
    for number, site in enumerate(sites):
        name, _, path = site.partition("=")
        cases, folder = read_cases(name), Path(path)
        kept = (home / name, _FIRST_PORT + number)  # the same address again, so pages are known
        runs = await measure(folder, cases, most, kept)
        distances = Distances(folder)
        far = [distances.between(case.seed, case.page) for case in cases]
        if is_each:
            tell_each(cases, far, runs)
        lines += table(name, far, runs)
    print("\n".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description="See the package's docstring.")
    parser.add_argument("sites", nargs="+", metavar="SITE=FOLDER")
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("--home", type=Path, help="Keep the indexed pages here for another run.")
    parser.add_argument("--each", action="store_true", help="Tell every question too.")
    chosen = parser.parse_args()
    with contextlib.ExitStack() as stack:
        home = chosen.home or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        asyncio.run(evaluate(chosen.sites, chosen.most, home, chosen.each))


if __name__ == "__main__":
    main()
