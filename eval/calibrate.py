"""``python -m eval.calibrate``: the weights of a quote's probability.

Every unit of the best passages is an example: it holds a marked answer or not. Questions of other
sets are asked too, where no unit holds an answer, so that the probability is absolute. Printed are
weights fitted on all sets, and, leave-one-set-out, how many questions of the others' kind a floor
would refuse for one in a hundred of its own.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from commonplace.answer.evidence import UNIT_TOKENS
from commonplace.answer.likelihood import Considered, Judged, Weigher, judge
from commonplace.domain.passage import Located
from commonplace.embedders.static import StaticEmbedder
from commonplace.retrieve.search import Request, search
from eval import sets
from eval.corpus import SELECTION, Indexed, index
from eval.evidence import COUNT, contains
from eval.sets import Question

PASSAGES = 20
FOREIGN = 25
"""Questions asked of each other set."""
RELATED = frozenset({"squadshifts-newwiki", "xquad-de", "xquad-xl-de-en", "hotpotqa-200"})
"""All four from an encyclopaedia: one may answer a question of another."""
NAMES = [field.name for field in fields(Considered)]

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """The units of one question: what was considered of each, and which hold the answer."""

    home: str
    """The set asked."""
    origin: str
    """The set the question is from."""
    seen: Numbers
    holds: Numbers


def is_foreign(home: str, origin: str) -> bool:
    """Whether questions of one set are surely not answered in the other."""
    return home != origin and not {home, origin} <= RELATED


def _holds(
    indexed: Indexed, question: Question, found: Sequence[Located], judged: Judged
) -> Numbers:
    """Which units have an answer: its words, or half of it or of themselves at its place."""
    holds = np.zeros(len(judged.units))
    for place, unit in enumerate(judged.units):
        located = found[unit.candidate]
        page = indexed.by_uri[located.card.uri]
        start = located.passage.span.start + unit.piece.start - len(page.prefix)
        end = start + len(unit.text)
        for mark in question.marks:
            common = min(end, mark.end) - max(start, mark.start)
            half = 0.5 * max(1, min(end - start, mark.end - mark.start))
            if mark.page == page.id and common >= half:
                holds[place] = 1
        if contains(question, [unit.text]):
            holds[place] = 1
    return holds


async def examples(indexed: Indexed, origin: str, questions: Sequence[Question]) -> list[Example]:
    """What the units of the best passages look like for these questions."""
    weigher = Weigher(tokens=COUNT, embedder=indexed.reader.embedders[-1])
    home, made = indexed.judged.name, []
    for question in questions:
        request = Request(
            text=question.text, selection=SELECTION, limit=PASSAGES, max_per_doc=PASSAGES
        )
        found = await search(indexed.reader, request)
        scores = [hit.score for hit in found.hits]
        judged = await judge(question.text, found.located, scores, weigher, UNIT_TOKENS // 2)
        if judged.units:
            seen = np.array([astuple(one) for one in judged.seen])
            own = home == origin
            holds = _holds(indexed, question, found.located, judged) if own else seen[:, 0] * 0
            made.append(Example(home, origin, seen, holds))
    return made


def fit(made: Sequence[Example]) -> tuple[Numbers, float]:
    """Logistic regression by Newton's method; each set weighs the same, foreign ones as one."""
    groups = [one.home if one.home == one.origin else "foreign" for one in made]
    sizes = {group: groups.count(group) for group in groups}
    own = max(1, len(sizes) - 1)
    share = {group: (own if group == "foreign" else 1) / size for group, size in sizes.items()}
    seen = np.vstack([one.seen for one in made])
    holds = np.concatenate([one.holds for one in made])
    weight = np.concatenate(
        [np.full(len(one.holds), share[group]) for one, group in zip(made, groups, strict=True)]
    )
    weight *= len(weight) / weight.sum() / 4
    table = np.c_[seen, np.ones(len(seen))]
    ridge = np.diag([1.0] * seen.shape[1] + [1e-9])
    answer = np.zeros(table.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-table @ answer))
        slope = table.T @ (weight * (chance - holds)) + ridge @ answer
        bend = (table * (weight * chance * (1 - chance))[:, None]).T @ table + ridge
        answer -= np.linalg.solve(bend, slope)
    return answer[:-1], float(answer[-1])


def _best(made: Sequence[Example], weights: Numbers, start: float) -> Numbers:
    return np.array([(1 / (1 + np.exp(-(one.seen @ weights + start)))).max() for one in made])


def separation(made: Sequence[Example], names: Sequence[str]) -> dict[float, float]:
    """For shares of own questions lost to a floor: the share of foreign ones it refuses."""
    own: list[Numbers] = []
    foreign: list[Numbers] = []
    for held in names:
        rest = [one for one in made if held not in (one.home, one.origin)]
        weights, start = fit(rest)
        here = [one for one in made if one.home == held]
        own.append(_best([one for one in here if one.origin == held], weights, start))
        foreign.append(_best([one for one in here if one.origin != held], weights, start))
    good, bad = np.concatenate(own), np.concatenate(foreign)
    return {lost: float((bad < np.quantile(good, lost)).mean()) for lost in (0.005, 0.01, 0.02)}


async def gather(data: Path, cache: Path, every: int) -> tuple[list[Example], list[str]]:
    """Examples of every set with marked answers, own and foreign questions."""
    judged = [one for one in (sets.load(data, name) for name in sets.names(data)) if one.is_marked]
    made: list[Example] = []
    for home in judged:
        indexed = await index(home, cache, (StaticEmbedder(),))
        for origin in judged:
            asked = [question for question in origin.questions if question.marks]
            if origin is home:
                made += await examples(indexed, origin.name, asked[::every])
            elif is_foreign(home.name, origin.name):
                step = max(1, len(asked) // FOREIGN)
                made += await examples(indexed, origin.name, asked[::step][:FOREIGN])
        await indexed.store.close()
        click.echo(f"{home.name}: {len(made)} questions so far")
    return made, [one.name for one in judged]


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--cache", type=click.Path(path_type=Path), default=Path(".eval/calibrate"))
@click.option("--every", default=2, help="Take every n-th question with marked answers.")
def main(data: Path, cache: Path, every: int) -> None:
    """Fit the weights of ``answer/likelihood.py``."""
    made, names = asyncio.run(gather(data, cache, every))
    weights, start = fit(made)
    typical = np.vstack([one.seen for one in made]).mean(axis=0)
    told: dict[str, Any] = {
        "typical": dict(zip(NAMES, typical.round(2).tolist(), strict=True)),
        "weights": dict(zip(NAMES, weights.round(2).tolist(), strict=True)),
        "base": round(start + float(weights @ typical), 2),
        "foreign refused, by share of own lost": separation(made, names),
    }
    for name, value in told.items():
        click.echo(f"{name}: {value}")


if __name__ == "__main__":
    main()
