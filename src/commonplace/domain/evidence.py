"""What goes back: quotes that can be checked, and the reply that carries them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from commonplace.domain.document import Span
from commonplace.domain.passage import Located


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A verbatim slice of a passage a reader can check.

    ``span`` counts characters of the document's text, so that
    ``document.text[span.start:span.end] == text``.
    """

    text: str
    span: Span
    located: Located
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceLink:
    """A handle to a large text that stays out of the reply."""

    uri: str
    name: str
    size_bytes: int
    modified_at: str
    priority: float = 0.1

    @property
    def facts(self) -> dict[str, Any]:
        """Its fields by name."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a tool gives back: the same facts as text and as data, both inside the budget."""

    text: str
    structured: Mapping[str, Any]
    links: tuple[ResourceLink, ...] = ()
    tokens: int = 0
    """The larger of the two forms, counted."""
    degraded: tuple[str, ...] = field(default=())
    """Channels that did not run, each with its reason; empty when all did."""
    collapsed: int = 0
    """Hits left out as duplicates or over ``max_per_doc``, for the ledger."""
