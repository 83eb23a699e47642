"""Which record tells of which document: by address, DOI, arXiv, title, file name, main title."""

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from commonplace.domain.document import Card
from commonplace.domain.fields import dois, folded
from commonplace.domain.reference import Account, Reference

_LEAST_TITLE_CHARS = 12  # a shorter title at the end of a file name may be chance


_SUBTITLE = re.compile(r"\s*[:;–—?!]\s|\s-\s|\.\s")
_LEAST_TITLE_WORDS = 3


def _main(title: str) -> str:
    """The title without its subtitle.

    >>> _main("Pruning old trees: a guide"), _main("Pruning old trees")
    ('Pruning old trees', 'Pruning old trees')
    """
    return _SUBTITLE.split(title, maxsplit=1)[0]


def _is_telling(title: str) -> bool:
    return len(title) >= _LEAST_TITLE_CHARS and len(title.split()) >= _LEAST_TITLE_WORDS


def _mains(references: Iterable[Reference]) -> dict[str, Reference]:
    """Records by their titles without subtitles, of those only one has and that tell something."""
    found: dict[str, list[Reference]] = {}
    for one in references:
        main = folded(_main(one.title))
        if main != folded(one.title) and _is_telling(main):
            found.setdefault(main, []).append(one)
    return {main: some[0] for main, some in found.items() if len(some) == 1}


class Matcher:
    """The records of a bibliography, ready to be looked up; of equal ones the first counts."""

    def __init__(self, references: Iterable[Reference]) -> None:
        self._uris: dict[str, Reference] = {}
        self._dois: dict[str, Reference] = {}
        self._arxiv: dict[str, Reference] = {}
        self._titles: dict[str, Reference] = {}
        self._files: dict[str, Reference] = {}
        self._keys: dict[str, Reference] = {}
        for one in references:
            for uri in one.uris:
                self._uris.setdefault(uri, one)
            self._arxiv.setdefault(one.arxiv, one)
            self._dois.setdefault(one.doi, one)
            self._titles.setdefault(folded(one.title), one)
            self._files.setdefault(one.file.casefold(), one)
            self._keys.setdefault(one.citekey.casefold(), one)
        self._mains = _mains(self._titles.values())
        for known in (self._dois, self._arxiv, self._titles, self._files, self._keys):
            known.pop("", None)

    def match(self, card: Card, opening: str, account: Account | None = None) -> Reference | None:
        """The record of a document; ``opening`` is how its text begins.

        ``account`` is what its parser found it to say of itself: a DOI in the metadata counts
        before those in the text.
        """
        if known := self._uris.get(card.uri):
            return known
        own = [account.doi] if account and account.doi else []
        stated = (self._dois[doi] for doi in (*own, *dois(opening)) if doi in self._dois)
        return (
            next(stated, None)
            or (self._arxiv.get(account.arxiv) if account else None)
            or self._titles.get(folded(card.title))
            or self._by_name(card)
            or self._by_main(card.title)
        )

    def again(self, before: Reference) -> Reference | None:
        """The record as it is now of a work that was matched before."""
        return (
            self._keys.get(before.citekey.casefold())
            or self._dois.get(before.doi)
            or self._titles.get(folded(before.title))
        )

    def _by_name(self, card: Card) -> Reference | None:
        path = PurePosixPath(card.path)
        stem = folded(path.stem)
        return (
            self._files.get(path.name.casefold())
            or self._keys.get(path.stem.casefold())
            or self._titles.get(stem)
            or self._by_end(stem.split())
        )

    def _by_main(self, title: str) -> Reference | None:
        """One of both has the subtitle: not two that have different ones."""
        whole, main = folded(title), folded(_main(title))
        shorter = self._titles.get(main) if _is_telling(main) else None
        return self._mains.get(whole) or shorter

    def _by_end(self, words: Sequence[str]) -> Reference | None:
        """Zotero names files ``Author - Year - Title``: a title may end a name."""
        for start in range(1, len(words)):
            end = " ".join(words[start:])
            if len(end) < _LEAST_TITLE_CHARS:
                return None
            if end in self._titles:
                return self._titles[end]
        return None
