"""``python -m eval.calibrate``: the weights of a quote's probability.

Every unit of the best passages is an example: it holds a marked answer or not. Questions of other
sets are asked too, where no unit holds an answer, so that the probability is absolute. From the
same units a second curve learns whether a question is answered at all, on every set, marked or
not. Printed are weights fitted on all sets, and, leave-one-set-out, how many questions of the
others' kind a floor would refuse for a given share of its own lost.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from commonplace.answer.evidence import UNIT_TOKENS
from commonplace.answer.likelihood import TOGETHER, Considered, Judged, Weigher, judge
from commonplace.answer.weights import shares_language
from commonplace.domain.passage import Located
from commonplace.embedders.static import StaticEmbedder
from commonplace.retrieve.search import Request, search
from eval import sets
from eval.corpus import SELECTION, Indexed, index
from eval.evidence import COUNT, contains
from eval.sets import JudgedSet, Question

PASSAGES = 20
FOREIGN = 25
"""Questions asked of each other set."""
SAID = 60
"""Own questions asked of each set that marks no answers."""
LEAST_SETS = 3
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
    said: float
    """How much of the question one passage says."""
    is_marked: bool
    """Whether it is known which units hold the answer."""
    is_judged: bool
    """Whether question and documents share a language."""

    def row(self) -> dict[str, Any]:
        """As it is kept."""
        return asdict(self) | {"seen": self.seen.round(4).tolist(), "holds": self.holds.tolist()}

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Example":
        """As it was kept."""
        return cls(**{**row, "seen": np.array(row["seen"]), "holds": np.array(row["holds"])})

    @property
    def is_own(self) -> bool:
        """Whether the documents answer it."""
        return self.home == self.origin


def some(questions: Sequence[Question], most: int) -> Sequence[Question]:
    """At most so many of them, spread over all."""
    return questions[:: max(1, len(questions) // most)][:most]


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
            text = " ".join(located.passage.text for located in found.located[:3])
            is_judged = shares_language(question.text, text)
            is_marked = bool(question.marks) or not own
            made.append(Example(home, origin, seen, holds, judged.said, is_marked, is_judged))
    return made


def fit(made: Sequence[Example]) -> tuple[Numbers, float]:
    """Weights of a unit's chance; each set weighs the same, foreign ones as one."""
    made = [one for one in made if one.is_marked]
    groups = [one.home if one.home == one.origin else "foreign" for one in made]
    sizes = {group: groups.count(group) for group in groups}
    own = max(1, len(sizes) - 1)
    share = {group: (own if group == "foreign" else 1) / size for group, size in sizes.items()}
    seen = np.vstack([one.seen for one in made])
    holds = np.concatenate([one.holds for one in made])
    weight = np.concatenate(
        [np.full(len(one.holds), share[group]) for one, group in zip(made, groups, strict=True)]
    )
    return _logistic(seen, holds, weight * len(weight) / weight.sum() / 4)


def _logistic(seen: Numbers, holds: Numbers, weight: Numbers) -> tuple[Numbers, float]:
    """Logistic regression by Newton's method."""
    table = np.c_[seen, np.ones(len(seen))]
    ridge = np.diag([1.0] * seen.shape[1] + [1e-9])
    answer = np.zeros(table.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-table @ answer))
        slope = table.T @ (weight * (chance - holds)) + ridge @ answer
        bend = (table * (weight * chance * (1 - chance))[:, None]).T @ table + ridge
        answer -= np.linalg.solve(bend, slope)
    return answer[:-1], float(answer[-1])


def signs(made: Sequence[Example], weights: Numbers, start: float) -> Numbers:
    """What tells of each question whether it is answered: see ``Outlook``."""
    rows = []
    for one in made:
        chances = 1 / (1 + np.exp(-(one.seen @ weights + start)))
        likely = np.log(np.sort(chances)[-TOGETHER:].sum())
        rows.append((likely, one.said, one.seen[:, NAMES.index("meaning")].max()))
    return np.array(rows)


def fit_outlook(made: Sequence[Example], seen: Numbers) -> tuple[Numbers, float]:
    """Weights of a question's chance; of every set own and foreign questions weigh the same."""
    groups = [(one.home, one.is_own) for one in made]
    weight = np.array([100 / groups.count(group) for group in groups])
    return _logistic(seen, np.array([float(one.is_own) for one in made]), weight)


def _best(made: Sequence[Example], weights: Numbers, start: float) -> Numbers:
    return np.array([(one.seen @ weights + start).max() for one in made])


def separation(made: Sequence[Example], names: Sequence[str]) -> dict[str, dict[float, float]]:
    """For shares of own questions lost to a floor: the share of foreign ones it refuses.

    By the outlook, and by the best unit alone.
    """
    odds: list[Numbers] = []
    alone: list[Numbers] = []
    tested: list[Example] = []
    for held in names:
        rest = [one for one in made if held not in (one.home, one.origin)]
        blend = fit(rest)
        known = [one for one in rest if one.is_judged]
        weights, start = fit_outlook(known, signs(known, *blend))
        here = [one for one in made if one.home == held and one.is_judged]
        if here:
            tested += here
            odds.append(signs(here, *blend) @ weights + start)
            alone.append(_best(here, *blend))
    is_own = np.array([one.is_own for one in tested])
    return {
        name: {
            lost: round(float((found[~is_own] < np.quantile(found[is_own], lost)).mean()), 3)
            for lost in (0.005, 0.01, 0.02)
        }
        for name, found in (
            ("outlook", np.concatenate(odds)),
            ("best unit", np.concatenate(alone)),
        )
    }


async def gather(
    home: JudgedSet, judged: Sequence[JudgedSet], cache: Path, per_set: tuple[int, int]
) -> None:
    """Ask one set its own and foreign questions, and keep the examples."""
    every, foreign = per_set
    made: list[Example] = []
    indexed = await index(home, cache, (StaticEmbedder(),))
    for origin in judged:
        marked = [question for question in origin.questions if question.marks]
        if origin.name == home.name:
            asked = marked[::every] or some(origin.questions, SAID)
            made += await examples(indexed, origin.name, asked)
        elif is_foreign(home.name, origin.name):
            asked = some(marked or origin.questions, foreign)
            made += await examples(indexed, origin.name, asked)
    await indexed.store.close()
    rows = [one.row() for one in made]
    _kept(cache, home.name).write_text(json.dumps(rows), "utf-8")
    click.echo(f"{home.name}: {len(made)} questions")


def _kept(cache: Path, home: str) -> Path:
    return cache / f"examples-{home}.json"


def remembered(cache: Path, names: Sequence[str]) -> list[Example]:
    """The examples of these sets, as far as they were gathered."""
    files = [_kept(cache, name) for name in names]
    texts = [file.read_text("utf-8") for file in files if file.exists()]
    return [Example.of(row) for text in texts for row in json.loads(text)]


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--cache", type=click.Path(path_type=Path), default=Path(".eval/calibrate"))
@click.option("--sets", "chosen", default="", help="Names, with commas; empty means all.")
@click.option("--every", default=2, help="Take every n-th question with marked answers.")
@click.option("--foreign", default=FOREIGN, help="Questions asked of each other set.")
@click.option("--homes", default="", help="Sets to ask in this run, or none; empty means all.")
def main(  # noqa: PLR0913 - click hands each option over as a parameter
    data: Path, cache: Path, chosen: str, every: int, foreign: int, homes: str
) -> None:
    """Fit the weights of ``answer/likelihood.py`` on what was asked in this run or before."""
    names = [name for name in chosen.split(",") if name] or sets.names(data)
    judged = [sets.load(data, name) for name in names]
    for home in judged:
        if not homes or home.name in homes.split(","):
            asyncio.run(gather(home, judged, cache, (every, foreign)))
    made = remembered(cache, names)
    if len({one.home for one in made}) < LEAST_SETS:
        click.echo(f"to fit, ask {LEAST_SETS} sets or more")
        return
    weights, start = fit(made)
    known = [one for one in made if one.is_judged]
    outlook, base = fit_outlook(known, signs(known, weights, start))
    typical = np.vstack([one.seen for one in made if one.is_marked]).mean(axis=0)
    told: dict[str, Any] = {
        "typical": dict(zip(NAMES, typical.round(2).tolist(), strict=True)),
        "weights": dict(zip(NAMES, weights.round(2).tolist(), strict=True)),
        "base": round(start + float(weights @ typical), 2),
        "outlook (likely, said, meaning, base)": [*outlook.round(2).tolist(), round(base, 2)],
        "questions, own and foreign, of a shared language": (
            sum(one.is_own for one in known),
            sum(not one.is_own for one in known),
        ),
        "foreign refused, by share of own lost": separation(made, names),
    }
    for name, value in told.items():
        click.echo(f"{name}: {value}")


if __name__ == "__main__":
    main()
