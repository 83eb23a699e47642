"""``python -m bench.cypher --edges 1000000``: typical graph queries, each many times, in one run.

The graph is ``bench.made_graph``: a quarter structure, a tenth links, the rest mentions, with one
entity that a tenth of all edges touch. ``--store`` keeps the file for another run.
"""

import argparse
import asyncio
import resource
import tempfile
import time
from itertools import islice
from pathlib import Path

from bench.made_graph import MadeGraph
from commonplace.cypher.guard import Limits
from commonplace.cypher.reading import Inquiry
from commonplace.domain.errors import CommonplaceError
from commonplace.domain.scope import Selection
from commonplace.engines.base import Store
from commonplace.engines.sqlite.store import SqliteStore

_BATCH = 200
QUERIES: dict[str, str] = {
    "node by id": "MATCH (n {id: $document}) RETURN n",
    "node by name": "MATCH (n:Concept {name: 'entity 500'}) RETURN n.id",
    "passages of a document": "MATCH (d {id: $document})-[:HAS_PASSAGE]->(p) RETURN p.id, p.name",
    "two hops, ranked": "MATCH (d {id: $document})-[:HAS_PASSAGE]->(p)-[r:MENTIONS]->(e) "
    "RETURN e.name, count(*) AS c, max(r.confidence) AS sure ORDER BY c DESC, sure DESC LIMIT 10",
    "related documents": "MATCH (d {id: $document})-[:HAS_PASSAGE]->()-[:MENTIONS]->(e:Command) "
    "MATCH (e)<-[:MENTIONS]-()<-[:HAS_PASSAGE]-(o) WHERE o <> d "
    "RETURN o.name, count(DISTINCT e) AS shared ORDER BY shared DESC LIMIT 10",
    "links, up to 3 hops": "MATCH (d {id: $document})-[:LINKS_TO*1..3]->(o) "
    "RETURN count(DISTINCT o)",
    "shortest path": "MATCH (a {id: $document}), (b {id: $other}), "
    "p = shortestPath((a)-[:LINKS_TO*..6]->(b)) RETURN length(p)",
    "exists": "MATCH (d {id: $document})-[:HAS_PASSAGE]->(p) "
    "WHERE NOT EXISTS { (p)-[:NEXT]->() } RETURN p.id",
    "kinds, counted": "MATCH (n) RETURN labels(n), count(*)",
    "relations, counted": "MATCH ()-[r]->() RETURN type(r), count(*)",
    "one label, counted": "MATCH (p:Passage) RETURN count(p)",
    "a hub's 100,000 edges": "MATCH (e {id: $hub})<-[:MENTIONS]-(p) RETURN count(p)",
    "first of all passages": "MATCH (p:Passage)-[:MENTIONS]->(e:Command) "
    "RETURN p.id, e.name LIMIT 20",
}


async def fill(store: Store, graph: MadeGraph) -> None:
    mentions = graph.mentions()
    await store.graph.merge(graph.entities(mentions), [])
    entries = graph.entries(mentions)
    while batch := list(islice(entries, _BATCH)):
        nodes = [node for entry in batch for node in entry.nodes]
        await store.graph.merge(nodes, [edge for entry in batch for edge in entry.edges])


async def measure(store: Store, graph: MadeGraph, name: str, runs: int) -> str:
    """p50 and p95 in milliseconds, p50 of processor time, rows, or how it ended."""
    taken: list[float] = []
    worked: list[float] = []
    rows = 0
    for run in range(runs):
        parameters = {
            "document": graph.document_id(run * 37 % graph.documents),
            "other": graph.document_id((run * 101 + 7) % graph.documents),
            "hub": graph.entity_id(0),
        }
        limits = Limits(timeout_s=30.0)
        inquiry = Inquiry(text=QUERIES[name], parameters=parameters, limits=limits)
        started, working = time.perf_counter(), time.process_time()
        try:
            answer = await store.graph.query(Selection(project="default"), inquiry)
        except CommonplaceError as exc:
            return f"| {name} | {(time.perf_counter() - started) * 1000:,.1f} | | | {exc.code} |"
        taken.append((time.perf_counter() - started) * 1000)
        worked.append((time.process_time() - working) * 1000)
        rows = len(answer.rows)
        if sum(taken) > 20_000:
            break
    taken.sort()
    cpu = sorted(worked)[len(worked) // 2]
    p95 = taken[min(len(taken) - 1, int(len(taken) * 0.95))]
    return f"| {name} | {taken[len(taken) // 2]:,.1f} | {p95:,.1f} | {cpu:,.1f} | {rows} rows |"


async def run(edges: int, folder: Path, runs: int) -> None:
    graph = MadeGraph(edges)
    file = folder / f"cypher-{edges}.db"
    is_new = not file.exists()
    store = SqliteStore.open(f"sqlite://{file}")
    started = time.perf_counter()
    if is_new:
        await fill(store, graph)
    print(f"{edges:,} edges, {file.stat().st_size / 1e6:.0f} MB", end="; ")
    print(f"filled in {time.perf_counter() - started:.0f} s; {runs} runs each, new connection each")
    print("| query | p50 ms | p95 ms | CPU p50 ms | |\n|---|--:|--:|--:|---|")
    for name in QUERIES:
        print(await measure(store, graph, name, runs), flush=True)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    await store.close()


def main() -> None:
    """Read the arguments, run."""
    parser = argparse.ArgumentParser(prog="python -m bench.cypher", description=__doc__)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--store", type=Path, help="folder to keep the graph in")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(given.edges, given.store or Path(folder), given.runs))


if __name__ == "__main__":
    main()
