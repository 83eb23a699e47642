"""Of passages that say the same, the best stays; of one document, at most so many.

Two passages say the same when they stand under the same title or heading, their numbers are
equal, and their text is equal up to case and white space or nearly so in its word pairs. The
numbers matter: ``timeout = 30`` and ``timeout = 60`` are two answers, not one.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from commonplace.domain.passage import Located

_NUMBER = re.compile(r"\d+")
NEAR = 0.9
"""Least share of common word pairs. Descriptions that begin with the same four words, which must
stay apart, share .15 of their pairs in the middle and .63 at the 99th percentile, none .9
(toolsel-seal-in, 1,077 pairs)."""


class _Print:
    """What is compared of a passage; of most only the names, so the rest is looked at late."""

    def __init__(self, located: Located) -> None:
        passage = located.passage
        self._text = passage.text
        self.names = {located.card.title.casefold()}
        if passage.headings:
            self.names.add(passage.headings[-1].casefold())

    @cached_property
    def wording(self) -> tuple[str, ...]:
        return tuple(self._text.casefold().split())

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        return frozenset(self.wording)

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(_NUMBER.findall(self._text))

    def repeats(self, other: "_Print") -> bool:
        if not self.names & other.names or self.numbers != other.numbers:
            return False
        if self.wording == other.wording:
            return True
        common = len(self.vocabulary & other.vocabulary)
        if common < NEAR * max(len(self.vocabulary), len(other.vocabulary)):
            return False
        return _overlap(self.wording, other.wording) >= NEAR


def _overlap(one: Sequence[str], other: Sequence[str]) -> float:
    first = set(pairwise(one))
    second = set(pairwise(other))
    return len(first & second) / max(1, len(first | second))


@dataclass(slots=True)
class Collapse:
    """Takes passages best first and tells which to keep; counts the rest."""

    max_per_doc: int
    repeated: int = 0
    crowded: int = 0
    """Dropped because their document had its share already."""
    _kept: list[_Print] = field(default_factory=list)
    _documents: Counter[str] = field(default_factory=Counter)

    def keeps(self, located: Located) -> bool:
        """Whether this passage says something the better ones did not."""
        if self._documents[located.card.id] >= self.max_per_doc:
            self.crowded += 1
            return False
        mark = _Print(located)
        if any(mark.repeats(kept) for kept in self._kept):
            self.repeated += 1
            return False
        self._kept.append(mark)
        self._documents[located.card.id] += 1
        return True


def collapse(ranked: Iterable[Located], max_per_doc: int) -> list[Located]:
    """The passages to keep, in their order."""
    sieve = Collapse(max_per_doc)
    return [located for located in ranked if sieve.keeps(located)]
