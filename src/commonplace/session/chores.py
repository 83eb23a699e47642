"""Work that outlives the call that began it: it goes on until done, or until the server ends."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

Ear = Callable[[float, float | None, str], Awaitable[None]]
"""Who hears how far a task is: done, of how many, in words."""


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
        self._ears: dict[str, list[Ear]] = {}
        self._said: dict[str, str] = {}

    def start(self, name: str, work: Callable[[], Coroutine[Any, Any, Any]]) -> asyncio.Task[Any]:
        """The task of this name: the one that runs, or a new one."""
        known = self._running.get(name)
        if known is not None:
            return known
        task = asyncio.create_task(work())
        self._running[name] = task
        task.add_done_callback(lambda ended: self._ended(name, ended))
        return task

    @contextmanager
    def hearing(self, name: str, ear: Ear) -> Iterator[None]:
        """Hear how far the task of this name is, whoever began it."""
        ears = self._ears.setdefault(name, [])
        ears.append(ear)
        try:
            yield
        finally:
            ears.remove(ear)
            if not ears:
                self._ears.pop(name, None)

    async def tell(self, name: str, done: float, total: float | None, message: str) -> None:
        """Say how far a task is, to all who hear it now and to who asks later."""
        self._said[name] = message
        for ear in tuple(self._ears.get(name, ())):
            await ear(done, total, message)

    def said(self, name: str) -> str:
        """The last that was told of a task that runs."""
        return self._said.get(name, "")

    def _ended(self, name: str, task: asyncio.Task[Any]) -> None:
        del self._running[name]
        self._said.pop(name, None)
        if not task.cancelled():
            task.exception()  # seen here: whoever waited has it too, and its job keeps the words

    async def close(self) -> None:
        """Cancel what runs, and wait until it has noted where it stands."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
