"""Figures kept between runs, and the page made from them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eval.sets import PUBLISHED

BUDGETS = (200, 400, 800, 1600)
TIERS = {
    "static": "Static tier (the index as it is the moment it is made)",
    "transformer": "Transformer tier (vectors upgraded in the background)",
}

Results = dict[str, dict[str, Any]]


def read(path: Path) -> Results:
    """What earlier runs found, by set."""
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


def keep(path: Path, results: Results) -> None:
    """Remember for later runs and for the page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(results, indent=1), "utf-8")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _figure(value: float) -> str:
    """A share without its leading nothing.

    >>> _figure(0.8712), _figure(1.0)
    ('.871', '1.000')
    """
    return f"{value:.3f}".removeprefix("0")


def ranking_table(results: Results) -> str:
    """nDCG@10 of every variant beside the published BM25; recall of the whole."""
    ranked = {
        name: found["ranking"] for name, found in sorted(results.items()) if "ranking" in found
    }
    if not ranked:
        return ""
    variants = list(next(iter(ranked.values())))
    head = ["set", "BM25 (published)", *variants, "gain", "R@1", "R@5", "R@10"]
    lines = [_row(head), _row(["---"] * len(head))]
    sums = [0.0] * (len(variants) + 1)
    for name, figures in ranked.items():
        bm25 = PUBLISHED[name].ndcg
        values = [bm25, *(figures[variant]["ndcg"] for variant in variants)]
        sums = [total + value for total, value in zip(sums, values, strict=True)]
        whole = figures[variants[0]]
        recalls = [_figure(whole[key]) for key in ("r1", "r5", "r10")]
        lines.append(_row([name, *map(_figure, values), f"{values[1] - bm25:+.3f}", *recalls]))
    means = [total / len(ranked) for total in sums]
    lines.append(
        _row(["**mean**", *map(_figure, means), f"{means[1] - means[0]:+.3f}", "", "", ""])
    )
    return "\n".join(lines)


def evidence_table(name: str, ways: Mapping[str, Sequence[Sequence[float]]]) -> str:
    """One set: every way to quote at every budget."""
    head = ["quotes by", *(f"answer @{budget}" for budget in BUDGETS)]
    head += [f"shown @{budget}" for budget in BUDGETS]
    lines = [f"**{name}**", "", _row(head), _row(["---"] * len(head))]
    for way, scores in ways.items():
        figures = [_figure(score[0]) for score in scores] + [_figure(score[1]) for score in scores]
        lines.append(_row([way, *figures]))
    return "\n".join(lines)


HEAD = """\
# Evaluation

How good ranking and evidence are on the open sets, measured through the product itself: its
parsers, splitter, embedders, SQLite store, `search()` and `kb.retrieve_evidence`. The sets are not
part of this repository; name their folder. This page is written by

    python -m eval --data FOLDER --tier static --write docs/evaluation.md
    python -m eval --data FOLDER --tier transformer --write docs/evaluation.md

**Ranking** is nDCG@10 over documents (the best passage stands for its document). *BM25* is the
figure published with the sets (bm25s, k1 1.5, b .75, Snowball stems, English stop words); *gain* is
*all* minus BM25. Standard errors are .01 to .03: a smaller difference is noise.

**Evidence** asks whether a gold answer stands, whole, in one of the quotes (*answer*), and which
share of the marked characters is shown at the marked place (*shown*), within N tokens. The plain
baselines are BM25 top 10 with seed 000's word overlap, and with IDF weights plus the passage's
score; they and *ours* count the tokens of the quotes only. The last row is the tool itself, where
ids, titles, addresses and offsets of every quote are paid from the same budget
(`max_response_tokens`).
"""


def page(kept: Mapping[str, Results]) -> str:
    """The whole page from what all runs found."""
    parts = [HEAD]
    for tier, title in TIERS.items():
        results = kept.get(tier, {})
        if not results:
            continue
        parts.append(f"## {title}\n")
        table = ranking_table(results)
        if table:
            parts.append(f"### Ranking\n\n{table}\n")
        quoted = {
            name: found["evidence"]
            for name, found in sorted(results.items())
            if "evidence" in found
        }
        if quoted:
            parts.append("### Evidence\n")
            parts += [f"{evidence_table(name, ways)}\n" for name, ways in quoted.items()]
    return "\n".join(parts)
