"""Which names may be one thing in several spellings: ``--max-size``, ``max_size``, ``MAX_SIZE``."""

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from commonplace.domain.document import Span
from commonplace.link.entities.found import (
    COMMAND,
    COMPONENT,
    CONCEPT,
    CONFIGURATION,
    PARAMETER,
    SURE,
    Found,
)
from commonplace.link.entities.naming import words_of

_SPELLED = frozenset({PARAMETER, CONFIGURATION})
_NAMED = frozenset({COMMAND, COMPONENT, CONCEPT})
_SHORT, _LONG = 0.6, 0.8  # two words in common may be chance, three hardly
_ACROSS = 0.6  # a name of another kind


@dataclass(frozen=True, slots=True)
class Same:
    """Two names of a document that may be one thing."""

    one: tuple[str, str]
    other: tuple[str, str]
    span: Span
    confidence: float


def spellings(name: str) -> list[tuple[str, str]]:
    """The usual spellings of a name of several words, with the kind each is of.

    >>> spellings("--max-size")
    [('Parameter', '--max-size'), ('Configuration', 'max_size'), ('Configuration', 'MAX_SIZE')]
    """
    words = words_of(name)
    snake = "_".join(words)
    return [
        (PARAMETER, "--" + "-".join(words)),
        (CONFIGURATION, snake),
        (CONFIGURATION, snake.upper()),
    ]


def same_things(found: Sequence[Found]) -> Iterator[Same]:
    """Pairs of one document, and from each spelling it defines to the others, if they come."""
    stated = {(one.kind, one.name): one for one in reversed(found) if one.confidence >= SURE}
    defined = {(one.kind, one.name) for one in found if one.is_defined}
    by_words: defaultdict[tuple[str, ...], list[Found]] = defaultdict(list)
    by_name: defaultdict[str, list[Found]] = defaultdict(list)
    for one in stated.values():
        if one.kind in _SPELLED and "." not in one.name:
            by_words[words_of(one.name)].append(one)
        elif one.kind in _NAMED:
            by_name[one.name.casefold()].append(one)
    for words, group in by_words.items():
        if len(words) > 1:
            yield from _spelled(group, defined, _SHORT if len(words) == 2 else _LONG)
    for group in by_name.values():
        for left, right in pairwise(group):
            yield Same((left.kind, left.name), (right.kind, right.name), right.span, _ACROSS)


def _spelled(
    group: Sequence[Found], defined: Set[tuple[str, str]], confidence: float
) -> Iterator[Same]:
    drawn: set[frozenset[tuple[str, str]]] = set()
    here = [(one.kind, one.name) for one in group]
    for one, mine in zip(group, here, strict=True):
        across = spellings(one.name) if mine in defined else []
        for other in dict.fromkeys([*here, *across]):
            pair = frozenset({mine, other})
            if other != mine and pair not in drawn:
                drawn.add(pair)
                yield Same(mine, other, one.span, confidence)
