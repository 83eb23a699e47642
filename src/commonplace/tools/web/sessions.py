"""Which pages a conversation has read (seed 001 §15)."""

from collections.abc import Iterable

from commonplace.session.sessions import Session

_PREFIX = "web:"


def remember(session: Session, urls: Iterable[str]) -> None:
    """Note pages as read in this conversation."""
    session.see(f"{_PREFIX}{url}" for url in urls)


def was_read(session: Session, url: str) -> bool:
    """Whether this conversation has read a page."""
    return session.has_seen(f"{_PREFIX}{url}")
