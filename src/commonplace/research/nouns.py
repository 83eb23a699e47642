"""What a research is asked, what it did, and what it found."""

from dataclasses import dataclass, field
from typing import Literal

from commonplace.domain.passage import Located
from commonplace.index.page import Page

Intent = Literal["factual", "comparison", "how_to", "exploratory"]
Phase = Literal["analysis", "ingestion", "retrieval", "reranking", "expansion", "locality", "merge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of pages."""

    project: str
    urls: tuple[str, ...]
    text: str
    intent: Intent
    parts: tuple[str, ...]
    """The questions it is made of; itself when it is one."""
    known_context: str = ""
    constraints: tuple[str, ...] = ()
    rounds: int
    """How often it may go on to linked pages."""
    max_age_s: float
    most_tokens: int
    """What the reply may cost: when all there is fits, all is shown."""
    given_up: frozenset[str] = frozenset()
    """Addresses that could not be read before, and are not tried again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One page gone to, and what it brought."""

    url: str
    parent: str
    """The page whose link was followed; empty for a seed."""
    depth: int
    passages: int = 0
    before: float = 0.0
    after: float = 0.0
    elapsed_ms: float = 0.0
    reason: str = ""
    """Why it was chosen."""
    failure: str = ""
    is_late: bool = False
    """Whether it only failed because the time for the whole was up."""
    was_known: bool = False


@dataclass(slots=True, kw_only=True)
class Chunk:
    """A passage that was found, and how good it is."""

    located: Located
    score: float
    part: str = ""
    """The sub-question that found it; empty when there is one only."""
    is_adjacent: bool = False
    chance: float = 0.0
    """Estimated probability that it holds the answer."""


@dataclass(slots=True, kw_only=True)
class Finding:
    """All a research came to."""

    question: Question
    chunks: list[Chunk] = field(default_factory=list)
    """Best first."""
    pages: dict[str, Page] = field(default_factory=dict)
    """By document id: seeds and pages gone to."""
    steps: list[Step] = field(default_factory=list)
    rounds: int = 0
    stop_reason: str = ""
    mode: Literal["chunk", "full_context"] = "chunk"
    looked_at: int = 0
    """Passages of the pages altogether."""
    known: int = 0
    """Passages left out because the asker knows what they say."""
    excluded: int = 0
    """Passages left out by constraints."""
    is_partial: bool = False
    times_ms: dict[Phase, float] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()
    generation: int = 0

    def spend(self, phase: Phase, seconds: float) -> None:
        """Count time to a phase."""
        self.times_ms[phase] = self.times_ms.get(phase, 0.0) + seconds * 1000
