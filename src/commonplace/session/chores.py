"""Work that outlives the call that began it: it goes on until done, or until the server ends."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


class Chores:
    """Tasks by name; who asks for one that runs joins it.

    >>> async def work() -> int:
    ...     return 3
    >>> async def main() -> int:
    ...     return await Chores().start("sync", work)
    >>> asyncio.run(main())
    3
    """

    def __init__(self) -> None:
        self._running: dict[str, asyncio.Task[Any]] = {}

    def start(self, name: str, work: Callable[[], Coroutine[Any, Any, Any]]) -> asyncio.Task[Any]:
        """The task of this name: the one that runs, or a new one."""
        known = self._running.get(name)
        if known is not None:
            return known
        task = asyncio.create_task(work())
        self._running[name] = task
        task.add_done_callback(lambda ended: self._ended(name, ended))
        return task

    def _ended(self, name: str, task: asyncio.Task[Any]) -> None:
        del self._running[name]
        if not task.cancelled():
            task.exception()  # seen here: whoever waited has it too, and its job keeps the words

    async def close(self) -> None:
        """Cancel what runs, and wait until it has noted where it stands."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
