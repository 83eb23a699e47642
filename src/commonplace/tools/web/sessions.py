"""Which pages a conversation has read (seed 001 §15), and which are too old to trust."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from commonplace.session.sessions import Session
from commonplace.tools.app import App

_PREFIX = "web:"


def remember(session: Session, urls: Iterable[str]) -> None:
    """Note pages as read in this conversation."""
    session.see(f"{_PREFIX}{url}" for url in urls)


def was_read(session: Session, url: str) -> bool:
    """Whether this conversation has read a page."""
    return session.has_seen(f"{_PREFIX}{url}")


def pages_read(session: Session) -> list[str]:
    """The pages this conversation has read, the last first."""
    return [one.removeprefix(_PREFIX) for one in session.seen_of(_PREFIX)]


def stale_before(app: App) -> datetime:
    """Pages fetched before are fetched again before they answer."""
    return app.writer.clock() - timedelta(seconds=app.settings.web_max_age_s)
