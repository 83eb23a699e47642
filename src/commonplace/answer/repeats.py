"""Of sentences that say the same, the likeliest is quoted: reference pages repeat their rows.

Whole passages that do are left out before (``retrieve/collapse.py``).
"""

from collections.abc import Sequence

from commonplace.answer.weights import question_stems, stems
from commonplace.answer.windows import Unit

NEAR = 0.75
"""Least share of common words. Two rows of a reference that differ in the field's name share so
many; *apple trees in February* and *pear trees in March* half."""
_LOOKED_AT = 64  # the likeliest units: no reply quotes more


def without_repeats(
    question: str, units: Sequence[Unit], chances: Sequence[float], least: float
) -> list[float]:
    """The chances, where what repeats a likelier unit has none.

    A unit with a number of its own, or a word of the question that the likelier one lacks, says
    something else.
    """
    asked = frozenset(question_stems(question))
    kept: list[frozenset[str]] = []
    distinct = list(chances)
    likeliest = sorted(range(len(units)), key=lambda place: (-chances[place], place))
    for place in likeliest[:_LOOKED_AT]:
        if chances[place] < least:
            break
        said = stems(units[place].text)
        if any(_repeats(said, likelier, asked) for likelier in kept):
            distinct[place] = 0.0
        else:
            kept.append(said)
    return distinct


def _repeats(said: frozenset[str], likelier: frozenset[str], asked: frozenset[str]) -> bool:
    """Whether words tell nothing beside those of a likelier unit.

    >>> one, other = frozenset({"id", "of", "the", "node"}), frozenset({"of", "the", "node"})
    >>> _repeats(other, one, frozenset()), _repeats(one, other, frozenset({"id"}))
    (True, False)
    """
    if len(said & likelier) < NEAR * len(said | likelier) or not said & asked <= likelier:
        return False
    return not any(word.isdigit() for word in said ^ likelier)
