"""Which link to follow next: what it says of itself against what is still unanswered."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import numpy as np

from commonplace.answer.weights import question_stems, rarity, stems
from commonplace.embedders.base import Embedder
from commonplace.index.page import SEPARATOR, Lead
from commonplace.retrieve.recall import STATIC_TEXTS_PER_S

_WORTH = (1.0, 0.7, 0.7, 0.4, 0.3)
"""What a word of the question counts for where it stands: in the link that says most, in its
address, in other links to the same page, around it, in its heading."""
_WORDS_SHARE = 0.65
_OUTSIDE = 0.5
"""Another site is likelier to be about something else, and none of the reader's choosing."""
_DEPTH_DECAY = 0.85
_OPEN_WEIGHT = 2.0
"""A word no page has answered yet counts double."""
_COMPARED = 1000
_COMPARED_SLOWLY = 64
_NEAR_SHARE = 0.15
"""What a link in good evidence counts for beside what it says."""
_NOT_PAGES = re.compile(
    r"\.(?:png|jpe?g|gif|svg|ico|webp|css|js|mjs|zip|gz|tgz|bz2|xz|7z|exe|dmg|whl|jar|mp[34]|webm"
    r"|woff2?|ttf|pdf|epub|xml|json|rss|atom|inv|txt\.gz)$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"/(?:login|signin|signup|register|logout|cart|search|genindex|py-modindex|modindex)\b|"
    r"[?&](?:action|share|replytocom|print|sort|lang)=",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A link that might be followed."""

    lead: Lead
    parent: str
    depth: int
    is_outside: bool
    """Whether it leads to another site than any seed's."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A candidate with what it promises."""

    candidate: Candidate
    score: float
    words: tuple[str, ...]
    """Words of the question its link has."""


def site_of(url: str) -> str:
    """The site of an address: its host without ``www``, and for shared hosts its first folder.

    >>> site_of("https://www.a.example/x/y"), site_of("https://pages.github.io/team/x")
    ('a.example', 'pages.github.io/team')
    """
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    port = f":{parts.port}" if parts.port else ""
    if host.endswith((".github.io", ".gitlab.io", ".readthedocs.io")):
        return f"{host}{port}/{parts.path.lstrip('/').partition('/')[0]}".rstrip("/")
    return f"{host}{port}"


def is_page(url: str) -> bool:
    """Whether an address looks like a page one would read.

    >>> is_page("https://a.example/guide.html"), is_page("https://a.example/logo.png")
    (True, False)
    """
    parts = urlsplit(url)
    return not _NOT_PAGES.search(parts.path) and not _ASIDE.search(url)


class Ranking:
    """Ranks the links of one research; what was read or embedded of a link is kept."""

    def __init__(self, question: str, embedder: Embedder | None) -> None:
        self._question, self._embedder = question, embedder
        self._wanted = question_stems(question)
        self._said: dict[Lead, _Said] = {}
        self._near: dict[str, float] = {}

    async def promises(
        self, candidates: Sequence[Candidate], answered: frozenset[str], near: Mapping[str, float]
    ) -> list[Promise]:
        """Candidates by what they promise, best first, ties by address.

        ``answered`` are the stems of the question that the best evidence so far has, ``near`` the
        worth of evidence that links to an address. Raises EmbedError.
        """
        said_by = [self._read(candidate.lead) for candidate in candidates]
        weights = rarity(self._wanted, [one.every for one in said_by])
        open_ = {word: w * (1 if word in answered else _OPEN_WEIGHT) for word, w in weights.items()}
        whole = sum(open_.values()) or 1.0
        best = [one.best(open_) for one in said_by]
        pairs = list(zip(said_by, best, strict=True))
        said = [one.worth(open_, place) / whole for one, place in pairs]
        meant = await self._meanings(
            [{one.texts[0], one.texts[place]} for one, place in pairs], said
        )
        found = []
        for place, candidate in enumerate(candidates):
            score = _WORDS_SHARE * said[place] + (1 - _WORDS_SHARE) * meant[place]
            score += _NEAR_SHARE * near.get(candidate.lead.url, 0.0)
            score *= _DEPTH_DECAY ** (candidate.depth - 1)
            score *= _OUTSIDE if candidate.is_outside else 1.0
            words = tuple(sorted(set(self._wanted) & said_by[place].own))
            found.append(Promise(candidate, round(score, 6), words))
        return sorted(found, key=lambda one: (-one.score, one.candidate.lead.url))

    def _read(self, lead: Lead) -> "_Said":
        known = self._said.get(lead)
        if known is None:
            known = self._said[lead] = _Said.of(lead)
        return known

    async def _meanings(self, texts: Sequence[set[str]], said: Sequence[float]) -> list[float]:
        """How near links are in meaning, 0 to 1, those first whose words promise most."""
        if self._embedder is None:
            return [0.0] * len(texts)
        is_fast = self._embedder.texts_per_s >= STATIC_TEXTS_PER_S
        order = sorted(range(len(texts)), key=lambda place: -said[place])
        chosen = order[: _COMPARED if is_fast else _COMPARED_SLOWLY]
        new = sorted({text for place in chosen for text in texts[place]} - self._near.keys())
        if new:
            vectors = await self._embedder.embed([self._question, *new])
            cosines = np.clip(vectors[1:] @ vectors[0], 0.0, 1.0)
            self._near |= {text: float(near) for text, near in zip(new, cosines, strict=True)}
        return [max(self._near.get(text, 0.0) for text in one) for one in texts]


@dataclass(frozen=True, slots=True)
class _Said:
    """What a link says: the text and stems of each way it is written, and the stems around."""

    texts: tuple[str, ...]
    links: tuple[frozenset[str], ...]
    around: tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]
    """Of its address, of all its links, of their context, of their heading."""

    @classmethod
    def of(cls, lead: Lead) -> "_Said":
        """Read a lead."""
        path = re.sub(r"[\W_]+", " ", unquote(urlsplit(lead.url).path))
        texts = tuple(lead.text.split(SEPARATOR))
        links = tuple(map(stems, texts))
        every = frozenset[str]().union(*links)
        return cls(
            texts,
            links,
            (stems(path), every, stems(lead.context), stems(lead.heading)),
        )

    @property
    def own(self) -> frozenset[str]:
        """Stems of the links and the address."""
        return self.around[0] | self.around[1]

    @property
    def every(self) -> frozenset[str]:
        """All stems."""
        return frozenset[str]().union(*self.around)

    def best(self, weights: Mapping[str, float]) -> int:
        """The place of the link that says most."""
        worths = [sum(weights[word] for word in weights.keys() & one) for one in self.links]
        return worths.index(max(worths))

    def worth(self, weights: Mapping[str, float], best: int) -> float:
        """The weight of the question's words it has, each counted where it counts most."""
        total = 0.0
        for word, weight in weights.items():
            for field, worth in zip((self.links[best], *self.around), _WORTH, strict=True):
                if word in field:
                    total += weight * worth
                    break
        return total
