"""Words of passages and queries, cut by the tokeniser FTS5 itself uses."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import apsw

from commonplace.domain.passage import Located
from commonplace.engines.analysis import TOKENIZER, Sequence, Wanted, identifiers, spread
from commonplace.engines.bm25 import Columns


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """The stemmed tokens of a text.

    >>> tokens("Running Wölfe, max_size")
    ('run', 'wolf', 'max', 'size')
    """
    name, *arguments = TOKENIZER
    tokenizer = apsw.Connection(":memory:").fts5_tokenizer(name, arguments)
    found = tokenizer(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False)
    return tuple(str(word) for group in found for word in group)


def words(places: Iterable[Located]) -> list[Columns]:
    """The tokens of each passage, column by column."""
    found: list[Columns] = []
    for place in places:
        headings = " ".join(place.passage.headings)
        text = place.passage.text
        code = identifiers(f"{headings} {text}")
        columns = (spread(place.card.title), spread(headings), spread(text), code)
        found.append(tuple(tokens(column) for column in columns))
    return found


def tokenised(want: Wanted) -> Wanted:
    """What is wanted, in tokens; sequences without any are left out."""

    def cut(sequences: tuple[Sequence, ...]) -> tuple[Sequence, ...]:
        found = (replace(s, words=tokens(" ".join(s.words))) for s in sequences)
        return tuple(s for s in found if s.words)

    return Wanted(cut(want.required), cut(want.optional))
