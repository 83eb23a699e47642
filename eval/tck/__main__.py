"""``python -m eval.tck --data FOLDER``: the share of reading scenarios each area passes.

FOLDER holds ``opencypher-tck/features``. With ``--engine sqlite`` (the default) every scenario is
a project of its own in one store; ``memory`` runs the reference engine. ``--failures`` tells why.
"""

import argparse
import asyncio
import tempfile
from collections import Counter
from pathlib import Path

from commonplace import engines
from commonplace.catalog import collect
from commonplace.engines.base import Engine
from eval.tck.features import Scenario, read_features
from eval.tck.score import judge
from eval.tck.trees import TREES


async def run(scenarios: list[Scenario], engine: str) -> dict[int, str]:
    """What became of each scenario, by its place in the list; empty means passed."""
    found: dict[int, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        store = collect(engines, Engine)[engine].open(f"{engine}://{folder}/tck.db")
        for place, scenario in enumerate(scenarios):
            try:
                found[place] = await judge(store, f"tck/{place}", scenario, TREES)
            except Exception as exc:  # noqa: BLE001 - whatever it is, the scenario failed
                found[place] = f"crash: {type(exc).__name__}: {exc}"
        await store.close()
    return found


def table(scenarios: list[Scenario], found: dict[int, str]) -> str:
    """Passed and all, by area."""
    total = Counter(one.area for one in scenarios)
    passed = Counter(one.area for at, one in enumerate(scenarios) if not found[at])
    lines = ["| area | scenarios | passed | share |", "|---|--:|--:|--:|"]
    lines += [
        f"| {area} | {count} | {passed[area]} | {passed[area] / count:.3f} |"
        for area, count in sorted(total.items())
    ]
    share = passed.total() / max(1, total.total())
    lines.append(f"| **all** | {total.total()} | {passed.total()} | **{share:.3f}** |")
    return "\n".join(lines)


def main() -> None:
    """Read, run, print."""
    parser = argparse.ArgumentParser(prog="python -m eval.tck", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--engine", default="sqlite")
    parser.add_argument("--failures", action="store_true", help="tell why each one failed")
    parser.add_argument("--only", default="", help="scenarios whose feature starts so")
    given = parser.parse_args()
    every = list(read_features(given.data / "opencypher-tck" / "features"))
    reading = [one for one in every if one.reads and one.feature.startswith(given.only)]
    print(f"{len(every)} scenarios, {len(reading)} of them only read; engine {given.engine}")
    found = asyncio.run(run(reading, given.engine))
    if given.failures:
        for at, why in found.items():
            if why:
                print(f"{reading[at].feature} {reading[at].name}: {why[:500]}")
    print(table(reading, found))


if __name__ == "__main__":
    main()
