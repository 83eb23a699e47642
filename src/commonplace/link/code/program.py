"""All facts of a project together: what passes look names up in.

A program is filled from the store, changed file by file, and asked by passes. It holds facts and
indexes over them, and nothing that was concluded from them.
"""

import re
import zlib
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from commonplace.domain.code import Facts, Problem, Symbol
from commonplace.domain.ids import stable_id
from commonplace.link.code.shared import SQL, shared_symbol_id

if TYPE_CHECKING:  # workers that read facts load this module, and know of no prose
    from commonplace.link.code.mentions import Mention

Member = TypeVar("Member")
_WORD = re.compile(r"[^\W\d]\w*")
_SPACED = bytes(one if one > 127 or re.match(rb"\w", bytes([one])) else 32 for one in range(256))
_NINE = ord("9")
WORDS = "I"
"""How the words of a file are kept: sorted numbers of four bytes."""


def words_in(text: str) -> "array[int]":
    """The words of a text as numbers, to ask later whether one may be among them.

    >>> set(words_in("1abc = a_2")) < set(words_in("é 1abc = a_2"))
    True
    """
    source = text.encode("utf-8", "surrogatepass")
    words = set(source.translate(_SPACED).split())  # half the time of the pattern
    if not text.isascii():  # signs beyond ASCII may be of words, or stand between them
        odd = [word for word in words if not word.isascii()]
        words.difference_update(odd)
        found = _WORD.findall(b" ".join(odd).decode("utf-8", "surrogatepass"))
        words.update(word.encode("utf-8", "surrogatepass") for word in found)
    digits = {word for word in words if word[0] <= _NINE}
    words = words - digits | {word.lstrip(b"0123456789") for word in digits}
    return array(WORDS, sorted(set(map(zlib.crc32, words - {b""}))))


def word_number(word: str) -> int:
    """The number of a word."""
    return zlib.crc32(word.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """From what size on a program is worked on otherwise."""

    calls_at_once: int = 3000
    """Calls up to which values are followed as a whole at once: a tenth of a second."""
    few: int = 50
    """So many changed files, or this part of all, and binding all others costs less than finding
    out which."""
    few_part: int = 5
    behind_part: int = 50
    """This part of the files may change before values are followed anew."""


class Abandoned(Exception):
    """Nobody waits for the answer any more."""


class Place(NamedTuple):
    """One symbol of one file."""

    document_id: str
    number: int


@dataclass(frozen=True, kw_only=True)
class Unit:
    """One file of a program."""

    document_id: str
    source_id: str
    path: str
    """Within its source, with forward slashes."""
    facts: Facts
    project: str = "default"
    words: "array[int] | None" = field(default=None, compare=False, repr=False)
    """Of its text (``words_in``); None when they are not known."""
    notes: dict[str, object] = field(default_factory=dict, compare=False, repr=False)
    """What a pass worked out from this file alone, by the pass's own key: kept with the file."""

    def may_say(self, numbers: Iterable[int]) -> bool:
        """Whether one of these words (``word_number``) may be in its text: a no is sure."""
        words = self.words
        if words is None:
            return True
        for number in numbers:
            at = bisect_left(words, number)
            if at < len(words) and words[at] == number:
                return True
        return False

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The node id of each symbol: the file's is its document's, so that the two are one.

        Made from names, not from places: it survives edits above it. Two definitions of one name
        in a file are told apart by their order. Those of SQL are shared: ``link/code/shared.py``.
        """
        if self.facts.language == SQL:
            shared = (shared_symbol_id(self.project, one) for one in self.facts.symbols[1:])
            return (self.document_id, *shared)
        counts: Counter[str] = Counter()
        ids = [self.document_id]
        for symbol in self.facts.symbols[1:]:
            ids.append(stable_id("s", self.document_id, symbol.path, str(counts[symbol.path])))
            counts[symbol.path] += 1
        return tuple(ids)

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """Numbers of the symbols directly below each symbol."""
        found: dict[int, list[int]] = defaultdict(list)
        for number, symbol in enumerate(self.facts.symbols[1:], 1):
            found[symbol.parent].append(number)
        return dict(found)


@dataclass(slots=True)
class Program:
    """Every file of a project, by document id."""

    units: dict[str, Unit] = field(default_factory=dict)
    named: dict[str, set[Place]] = field(default_factory=lambda: defaultdict(set))
    """Where each bare name is defined."""
    paths: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Documents by path within their source."""
    reads: dict[str, frozenset[str]] = field(default_factory=dict)
    """What binding each document looked at: document ids, and keys of names it looked for. Filled
    by the pass ``calls``, kept with the facts, asked by ``affected``."""
    unparsed: dict[str, tuple[Problem, ...]] = field(default_factory=dict)
    """SQL in strings that could not be read, of documents that have some. Filled by the pass
    ``embedded``, because strings are put together from other files too; kept with the facts."""
    mentions: dict[str, tuple["Mention", ...]] = field(default_factory=dict)
    """Names that prose sets as code, by the id of the document; asked by the pass ``documents``."""
    memo: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """What passes found out and may ask again while the program stands; every change empties it."""
    scale: Scale = field(default_factory=Scale, compare=False)
    is_abandoned: bool = field(default=False, compare=False)
    """Whether who asked has gone: whoever works on the program then stops at the next step."""

    def put(self, unit: Unit) -> None:
        """Add a file, or replace what it said before."""
        self.remove([unit.document_id])
        self.memo.clear()
        self.units[unit.document_id] = unit
        self.paths[unit.path].add(unit.document_id)
        for number, symbol in enumerate(unit.facts.symbols[1:], 1):
            self.named[symbol.name].add(Place(unit.document_id, number))

    def remove(self, document_ids: Iterable[str]) -> None:
        """Forget files; unknown ones are ignored."""
        for document_id in document_ids:
            unit = self.units.pop(document_id, None)
            if unit is None:
                continue
            self.memo.clear()
            _discard(self.paths, unit.path, document_id)
            for number, symbol in enumerate(unit.facts.symbols[1:], 1):
                _discard(self.named, symbol.name, Place(document_id, number))

    def problems(self, unit: Unit) -> tuple[Problem, ...]:
        """All that was not understood of a file: its own text, and SQL in its strings."""
        return unit.facts.problems + self.unparsed.get(unit.document_id, ())

    def symbol(self, place: Place) -> Symbol:
        """The definition at a place."""
        return self.units[place.document_id].facts.symbols[place.number]

    def node_id(self, place: Place) -> str:
        """The id of its node."""
        return self.units[place.document_id].ids[place.number]

    def chosen(self, document_ids: Collection[str]) -> Iterator[Unit]:
        """These files as far as they are there, by path; raises Abandoned."""
        found = (self.units[one] for one in document_ids if one in self.units)
        for unit in sorted(found, key=lambda unit: (unit.source_id, unit.path)):
            self.check()
            yield unit

    def check(self) -> None:
        """Raise Abandoned when nobody waits any more."""
        if self.is_abandoned:
            raise Abandoned


def _discard(index: dict[str, set[Member]], key: str, one: Member) -> None:
    index[key].discard(one)
    if not index[key]:
        del index[key]
