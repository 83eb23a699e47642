"""How far a long document is: parsers tell their pages, who limits their time may listen."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """A page that is read, of so many, and what it may take of the time of its document."""

    page: int
    pages: int
    grant_s: float = 0.0

    def __str__(self) -> str:
        return f"page {self.page} of {self.pages}"


_LISTENER: ContextVar[Callable[[Pace], None] | None] = ContextVar("listener", default=None)


@contextmanager
def heard_by(listener: Callable[[Pace], None]) -> Iterator[None]:
    """Let a listener hear of the pages that are read meanwhile.

    >>> with heard_by(lambda pace: print(pace)):
    ...     tell(Pace(1, 2))
    page 1 of 2
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def tell(pace: Pace) -> None:
    """Tell of a page; where nobody listens, nothing happens."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(pace)
