"""What a tool gets to work with: the application and the call."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from commonplace.embedders.base import Embedder
from commonplace.engines.base import Store
from commonplace.session.cursors import Cursors
from commonplace.session.scratch import Scratch
from commonplace.session.sessions import Session
from commonplace.settings import Settings
from commonplace.tokens import TokenCounter

Progress = Callable[[float, float | None, str], Awaitable[None]]
"""Report (done, total, message)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """The assembled application; made once in ``serve/build.py``."""

    settings: Settings
    store: Store
    embedders: Mapping[str, Embedder]
    """By tier: ``static`` and, when set, the upgrade tier."""
    tokens: TokenCounter
    scratch: Scratch
    cursors: Cursors


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of one tool."""

    session: Session
    correlation_id: str
    progress: Progress
