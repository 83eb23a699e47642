"""The same work by a peer, in its own environment: read the corpus, index it, answer queries.

Run by ``bench/search.py`` as ``python peers.py PEER FOLDER``; the folder holds ``texts.jsonl``,
``vectors.npy``, ``queries.json`` and ``query_vectors.npy``. Prints one JSON object.
"""

import json
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

TOP = 10
Answer = Callable[[str, Any], Any]


def written(folder: Path, peer: str) -> Path:
    """Tells how long writing took, once it is done: a kept folder is only asked."""
    return folder / f"{peer}.json"


def lancedb_answers(folder: Path, texts: list[str], vectors: Any) -> dict[str, Answer]:  # noqa: ANN401
    import lancedb  # noqa: PLC0415 - only in the bench environment
    import pyarrow as pa  # noqa: PLC0415

    database = lancedb.connect(folder / "lance")
    if written(folder, "lancedb").exists():
        table = database.open_table("passages")
    else:
        table = database.create_table(
            "passages",
            pa.table(
                {
                    "id": pa.array([str(number) for number in range(len(texts))]),
                    "text": pa.array(texts),
                    "vector": pa.FixedSizeListArray.from_arrays(
                        pa.array(vectors.reshape(-1)), vectors.shape[1]
                    ),
                }
            ),
        )
        table.create_index(metric="cosine")
        table.create_fts_index("text")
    return {
        "dense": lambda _text, vector: table.search(vector).limit(TOP).to_list(),
        "lexical": lambda text, _vector: table.search(text, query_type="fts").limit(TOP).to_list(),
        "hybrid": lambda text, vector: (
            table.search(query_type="hybrid").vector(vector).text(text).limit(TOP).to_list()
        ),
    }


def chromadb_answers(folder: Path, texts: list[str], vectors: Any) -> dict[str, Answer]:  # noqa: ANN401
    import chromadb  # noqa: PLC0415
    from chromadb.config import Settings  # noqa: PLC0415

    client = chromadb.PersistentClient(
        str(folder / "chroma"), settings=Settings(anonymized_telemetry=False)
    )
    collection = client.get_or_create_collection("passages", metadata={"hnsw:space": "cosine"})
    step = 2000
    missing = 0 if written(folder, "chromadb").exists() else len(texts)
    for start in range(0, missing, step):
        stop = min(start + step, len(texts))
        collection.add(
            ids=[str(number) for number in range(start, stop)],
            documents=texts[start:stop],
            embeddings=vectors[start:stop],
        )

    def rarest(text: str) -> str:
        return max(text.split(), key=len)

    return {
        "dense": lambda _text, vector: collection.query(query_embeddings=[vector], n_results=TOP),
        "hybrid": lambda text, vector: collection.query(
            query_embeddings=[vector],
            n_results=TOP,
            where_document={"$contains": rarest(text)},
        ),
    }


PEERS = {"lancedb": lancedb_answers, "chromadb": chromadb_answers}


def main() -> None:
    peer, folder = sys.argv[1], Path(sys.argv[2])
    texts = [json.loads(line) for line in (folder / "texts.jsonl").open(encoding="utf-8")]
    vectors = np.load(folder / "vectors.npy")
    queries = json.loads((folder / "queries.json").read_text("utf-8"))
    query_vectors = np.load(folder / "query_vectors.npy")
    started = time.perf_counter()
    answers = PEERS[peer](folder, texts, vectors)
    done = written(folder, peer)
    if not done.exists():
        done.write_text(json.dumps({"index_s": time.perf_counter() - started}))
    figures: dict[str, Any] = json.loads(done.read_text())
    for name, answer in answers.items():
        times = []
        for text, vector in zip(queries, query_vectors, strict=True):
            began = time.perf_counter()
            answer(text, vector)
            times.append((time.perf_counter() - began) * 1000)
        warm = sorted(times[len(times) // 10 :])
        figures[name] = {
            "p50_ms": statistics.median(warm),
            "p95_ms": warm[int(len(warm) * 0.95)],
        }
    figures["rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    store = folder / ("lance" if peer == "lancedb" else "chroma")
    figures["disk_mb"] = (
        sum(file.stat().st_size for file in store.rglob("*") if file.is_file()) / 1e6
    )
    sys.stdout.write(json.dumps(figures))


if __name__ == "__main__":
    main()
