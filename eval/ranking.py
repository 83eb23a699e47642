"""How well documents are ranked: nDCG@10 and recall, each channel on and off."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from commonplace.engines.memory.store import MemoryStore
from commonplace.retrieve.search import Mode, Reader, Request, search
from eval.corpus import SELECTION, Indexed
from eval.sets import Published, Question

DEPTH = 10


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to search, by the name of its column."""

    name: str
    reader: Reader
    mode: Mode = "auto"


def variants(reader: Reader) -> list[Variant]:
    """Everything on, then one channel less at a time."""
    found = [
        Variant("all", reader),
        Variant("whole graph", reader, "hybrid_local"),
        Variant("no graph", replace(reader, graph=MemoryStore().graph)),
        Variant("dense only", reader, "vector_only"),
        Variant("lexical only", replace(reader, embedders=())),
    ]
    if len(reader.embedders) > 1:
        static = replace(reader, embedders=reader.embedders[1:])
        found.append(Variant("static + lexical", static))
    return found


def gain(ranked: Sequence[str], grades: Mapping[str, int], depth: int = DEPTH) -> float:
    """Normalised discounted cumulative gain.

    >>> gain(["b", "a"], {"a": 1}) == 1 / math.log2(3)
    True
    """
    found = sum(
        (2 ** grades.get(page, 0) - 1) / math.log2(rank + 2)
        for rank, page in enumerate(ranked[:depth])
    )
    best = sorted(grades.values(), reverse=True)[:depth]
    ideal = sum((2**grade - 1) / math.log2(rank + 2) for rank, grade in enumerate(best))
    return found / ideal if ideal else 0.0


def recall(ranked: Sequence[str], grades: Mapping[str, int], depth: int) -> float:
    """The share of relevant documents among the first ``depth``.

    >>> recall(["b", "a"], {"a": 1, "c": 1}, 2)
    0.5
    """
    relevant = {page for page, grade in grades.items() if grade > 0}
    return len(relevant & set(ranked[:depth])) / max(1, len(relevant))


async def rank(indexed: Indexed, variant: Variant, question: Question) -> list[str]:
    """Ids of the best pages for a question."""
    request = Request(
        text=question.text, selection=SELECTION, limit=DEPTH, max_per_doc=1, mode=variant.mode
    )
    found = await search(variant.reader, request)
    return [indexed.pages[located.card.id].id for located in found.located]


async def judge(indexed: Indexed, variant: Variant) -> Published:
    """The four figures of one variant on one set."""
    rows = []
    for question in indexed.judged.questions:
        ranked = await rank(indexed, variant, question)
        rows.append(
            (
                gain(ranked, question.grades),
                *(recall(ranked, question.grades, depth) for depth in (1, 5, 10)),
            )
        )
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return Published(*means)
