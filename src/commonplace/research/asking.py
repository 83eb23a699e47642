"""A question before anything is fetched: its parts, what kind of answer it wants, its conditions.

Deterministic throughout: the same words always mean the same.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from commonplace.answer.weights import question_stems, stems
from commonplace.domain.passage import Located
from commonplace.research.nouns import Intent
from commonplace.retrieve.analyse import analyse

_COMPARISON = re.compile(
    r"\b(?:compar\w+|versus|vs\.?|differences?|differ|better|unlike|vergleich\w*|unterschied\w*)\b",
    re.IGNORECASE,
)
_HOW_TO = re.compile(
    r"^\s*(?:how (?:do|can|should|to|would)\b|steps?\b|guide\b|wie (?:kann|mache|geht|installier))"
    r"|\b(?:install|configure|set up|enable|migrate|upgrade|tutorial)\b",
    re.IGNORECASE,
)
_FACTUAL = re.compile(
    r"^\s*(?:what is|who|when|where|which|how (?:many|much|long|old|often)"
    r"|does|is|are|was|wer|wann|wo)\b",
    re.IGNORECASE,
)
_KNOWN_SHARE = 0.85
_LEAST_STEMS = 4

_EXCLUDES = re.compile(r"^\s*(?:exclude|excluding|without|not|no|ignore|ohne|nicht)\b\s*(.*)", re.I)
_REQUIRES = re.compile(
    r"^\s*(?:must (?:include|contain|have|mention)|require[sd]?|only|include|has to have|muss)\b"
    r"\s*(.*)",
    re.IGNORECASE,
)
_DOTTED = r"((?:[a-z0-9-]+\.)+[a-z]{2,})"
_HOST = re.compile(
    rf"(?:\b(?:from|site|domain|host|von)\b|^\s*(?:on|at|auf)\b):?\s*{_DOTTED}\b|^\s*{_DOTTED}\s*$",
    re.IGNORECASE,
)
"""A dotted word is a host where it is said to be one, or nothing else is said."""
_FILE = re.compile(r"([\w%./-]+\.(?:html?|php|pdf|md|txt))\b", re.IGNORECASE)
_WORDED = re.compile(r"^\s*must (?:mention|contain|include|have)\b", re.IGNORECASE)
"""What must be said is words, dotted or not."""
_SHAPES = (
    (
        re.compile(r"\b(?:code|snippets?|examples? of code|beispielcode)\b", re.I),
        re.compile(r"^ *(?:```|~~~)|^(?: {4}|\t)\S", re.M),
    ),
    (re.compile(r"\btables?\b|\btabelle", re.I), re.compile(r"^ *\|.*\|", re.M)),
    (
        re.compile(r"\b(?:numbers?|figures|benchmarks?|measurements?|zahlen)\b", re.I),
        re.compile(r"\d"),
    ),
    (re.compile(r"\b(?:formulas?|equations?|math)\b", re.I), re.compile(r"\$[^$\n]+\$")),
    (re.compile(r"\b(?:lists?|steps?)\b", re.I), re.compile(r"^ *(?:[-*+]|\d+\.) ", re.M)),
)


def infer_intent(text: str) -> Intent:
    """What kind of answer a question wants.

    >>> [infer_intent(one) for one in ("How do I install it?", "A vs B", "What is A?", "gears")]
    ['how_to', 'comparison', 'factual', 'exploratory']
    """
    if _COMPARISON.search(text):
        return "comparison"
    if _HOW_TO.search(text):
        return "how_to"
    return "factual" if _FACTUAL.search(text) else "exploratory"


def sub_questions(text: str) -> tuple[str, ...]:
    """The questions a question is made of; itself when it is one."""
    return analyse(text).parts or (" ".join(text.split()),)


class Memory:
    """What the asker says they know already."""

    def __init__(self, text: str, question: str) -> None:
        self._said = stems(text)
        self._asked = frozenset(question_stems(question))

    def holds(self, passage: str) -> bool:
        """Whether a passage says hardly anything that is not said there."""
        told = stems(passage) - self._asked
        if not self._said or len(told) < _LEAST_STEMS:
            return False
        return len(told & self._said) / len(told) >= _KNOWN_SHARE


@dataclass(frozen=True, slots=True)
class Constraint:
    """One condition: it leaves passages out, or lifts those that meet it."""

    text: str
    is_needed: bool
    is_excluded: bool
    words: frozenset[str]
    shape: re.Pattern[str] | None
    host: str
    file: str = ""
    """How the address of a page ends."""

    @property
    def is_idle(self) -> bool:
        """Whether it says nothing that could be looked for."""
        return not (self.words or self.shape or self.host or self.file)

    def met_by(self, located: Located) -> float:
        """How far a passage meets it, 0 to 1."""
        passage = located.passage
        if self.host:
            found = urlsplit(located.card.uri).hostname or ""
            return float(found == self.host or found.endswith(f".{self.host}"))
        if self.file:
            return float(urlsplit(located.card.uri).path.lower().endswith(self.file))
        met = [] if self.shape is None else [float(bool(self.shape.search(passage.text)))]
        if self.words:
            said = stems(" ".join((*passage.headings, passage.text)))
            met.append(len(self.words & said) / len(self.words))
        return sum(met) / len(met) if met else 1.0


def read_constraint(text: str) -> Constraint:
    """A constraint as someone writes it.

    >>> read_constraint("must include code examples").is_needed
    True
    >>> sorted(read_constraint("focus on latency benchmarks").words)
    ['latenci']
    >>> read_constraint("only from docs.python.org").host, read_constraint("exclude old.html").file
    ('docs.python.org', 'old.html')
    >>> sorted(read_constraint("must mention asyncio.gather").words)
    ['asyncio', 'gath']
    """
    excluded, required = _EXCLUDES.match(text), _REQUIRES.match(text)
    found = excluded or required
    rest = found[1] if found else text
    form = next((one for one in _SHAPES if one[0].search(rest)), None)
    is_worded = _WORDED.match(text) is not None
    page = _FILE.search(rest) if found and not is_worded else None
    host = None if page or is_worded else _HOST.search(rest)
    stems_said = frozenset(question_stems(form[0].sub(" ", rest) if form else rest))
    words = stems_said - _PLAIN_WORDS or (stems_said if found else frozenset())
    is_bare = bool(page or host) or (form is not None and found is not None)
    return Constraint(
        text=text,
        is_needed=required is not None,
        is_excluded=excluded is not None,
        words=frozenset() if is_bare else words,
        shape=form[1] if form else None,
        host=(host[1] or host[2]).lower() if host else "",
        file=page[1].lower() if page else "",
    )


_PLAIN_WORDS = frozenset(
    question_stems("focus prefer emphasize official documentation docs include mention about from")
)


_WISHES: Mapping[Intent, tuple[str, ...]] = {
    "how_to": ("prefer steps", "prefer code"),
    "comparison": ("prefer tables",),
}
"""What an intent asks of the form of passages; the others ask for none."""


def read_constraints(texts: Sequence[str], intent: Intent) -> list[Constraint]:
    """The constraints someone wrote, and what the intent prefers.

    >>> [one.text for one in read_constraints(["exclude beta"], "comparison")]
    ['exclude beta', 'prefer tables']
    """
    read = [read_constraint(text) for text in (*texts, *_WISHES.get(intent, ()))]
    return [one for one in read if not one.is_idle]


def idle_constraints(texts: Sequence[str]) -> list[str]:
    """Those that say nothing that could be looked for.

    >>> idle_constraints(["exclude beta", "not"])
    ['not']
    """
    return [text for text in texts if read_constraint(text).is_idle]


class Sieve:
    """Leaves out what the asker does not want, or knows; and remembers what it left out."""

    def __init__(self, constraints: Sequence[Constraint], memory: Memory) -> None:
        self.constraints = constraints
        self._memory = memory
        self.known: set[str] = set()
        self.excluded: set[str] = set()

    def keeps(self, located: Located) -> bool:
        """Whether a passage may be shown."""
        if not allowed(self.constraints, located):
            self.excluded.add(located.passage.id)
            return False
        if self._memory.holds(located.passage.text):
            self.known.add(located.passage.id)
            return False
        return True


def allowed(constraints: Sequence[Constraint], located: Located) -> bool:
    """Whether no constraint leaves a passage out."""
    for one in constraints:
        met = one.met_by(located)
        if one.is_excluded and met >= 1.0:
            return False
        if one.is_needed and met == 0.0:
            return False
    return True


def lift(constraints: Sequence[Constraint], located: Located) -> float:
    """How much more a passage counts for what it meets: 1 for none, at most 1.5."""
    wanted = [one for one in constraints if not one.is_excluded]
    if not wanted:
        return 1.0
    return 1.0 + 0.5 * sum(one.met_by(located) for one in wanted) / len(wanted)
