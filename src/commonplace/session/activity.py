"""Whether someone is being served right now, so that background work can step aside."""

import asyncio
from types import TracebackType


class Activity:
    """A count of calls under way, as a context manager around each.

    >>> activity = Activity()
    >>> with activity:
    ...     activity.is_busy.is_set()
    True
    >>> activity.is_busy.is_set()
    False
    """

    def __init__(self) -> None:
        self.is_busy = asyncio.Event()
        self._calls = 0

    def __enter__(self) -> None:
        self._calls += 1
        self.is_busy.set()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._calls -= 1
        if not self._calls:
            self.is_busy.clear()
