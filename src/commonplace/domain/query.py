"""What is asked and what is found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Channel = Literal["bm25", "vector", "hybrid", "graph_expanded", "rrf_fusion", "reranked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question, analysed. Engines see only ``terms`` and ``phrases``."""

    text: str
    terms: tuple[str, ...] = ()
    """Lower-case words worth matching, without stop words, each once."""
    weights: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Of terms that count for more than one: those the question repeats."""
    phrases: tuple[tuple[str, ...], ...] = ()
    """Word sequences the user put in quotation marks: they must occur."""
    identifiers: tuple[str, ...] = ()
    """Words that look like code: ``max_pool_size``, ``HttpClient``, ``--verbose``."""
    parts: tuple[str, ...] = ()
    """Sub-questions of a compound question; empty when it is one question."""


class Hit(NamedTuple):
    """A passage found, by its stable id, with the score of one channel or of the fusion.

    A tuple: a search makes two hundred of them, and a frozen dataclass takes three times as long.
    """

    passage_id: str
    score: float
    channel: Channel = "hybrid"
    parts: tuple[tuple[str, float], ...] = ()
    """What each channel gave, for debug replies."""
