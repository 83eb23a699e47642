"""What a rule finds: a thing under a name at a place, or a tie between two things."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from commonplace.domain.document import Span
from commonplace.link.entities.page import Page

COMMAND = "Command"
CONFIGURATION = "Configuration"
PARAMETER = "Parameter"
PROCEDURE = "Procedure"
STEP = "Step"
ERROR = "Error"
CONCEPT = "Concept"
EXAMPLE = "Example"
COMPONENT = "Component"

MENTIONS = "MENTIONS"
DEFINES = "DEFINES"
HAS_STEP = "HAS_STEP"
HAS_PARAMETER = "HAS_PARAMETER"
SAME_AS = "SAME_AS"

SURE = 0.5
"""From this confidence on a document states the entity; below, it only speaks of it if another
document states it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An entity at one place of a document."""

    kind: str
    name: str
    span: Span
    """Where the document names it; of a step, procedure or example, all of it."""
    confidence: float
    is_defined: bool = False
    """Whether the place says what it is, instead of only naming it."""
    is_own: bool = False
    """Whether it is this document's alone, like a step; others of the name are other things."""

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells entities of a document apart."""
        return (self.kind, self.name, self.span.start if self.is_own else -1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """A relation between two entities that one place of a document shows."""

    relation: str
    source: Found
    target: Found
    span: Span
    confidence: float
    order: int | None = None
    """The place of a step in its procedure, from 1."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A catalog record: one signal, and what it shows."""

    name: str
    """In the provenance of every edge it makes."""
    find: Callable[[Page], Iterable[Found | Tie]]
