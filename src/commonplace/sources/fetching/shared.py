"""The one fetcher of a process, made when the first page is asked for."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from commonplace.settings import Settings

if TYPE_CHECKING:  # a server lists its tools before it loads what fetches
    from commonplace.sources.fetching.fetcher import Fetcher, Finish
    from commonplace.sources.fetching.guard import Guard

_TURN_S = 2.0


class Fetching:
    """Gives the fetcher of these settings; several event loops have one each.

    ``needs_scripts`` tells of a page and its type whether it says nothing until its scripts ran.
    """

    def __init__(self, settings: Settings, needs_scripts: Callable[[bytes, str], bool]) -> None:
        self._settings = settings
        self._needs_scripts = needs_scripts
        self._fetcher: Fetcher | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._parsing = asyncio.Lock()

    def fetcher(self) -> "Fetcher":
        """The fetcher, made now if it is not yet."""
        from commonplace.sources.fetching.fetcher import Fetcher  # noqa: PLC0415 - see above
        from commonplace.sources.fetching.guard import Guard  # noqa: PLC0415
        from commonplace.sources.fetching.pace import Pace  # noqa: PLC0415

        loop = asyncio.get_running_loop()
        if self._fetcher is None or self._loop is not loop:
            settings = self._settings
            guard = Guard(settings.web_allow_hosts)
            self._fetcher = Fetcher(guard, Pace(settings.web_host_delay_s), self._finish(guard))
            self._loop = loop
        return self._fetcher

    def _finish(self, guard: "Guard") -> "Finish | None":
        """What renders pages, unless nothing is to be rendered."""
        settings = self._settings
        if settings.web_render == "never":
            return None
        from commonplace.sources.rendering.finish import Finisher  # noqa: PLC0415 - rarely needed
        from commonplace.sources.rendering.process import Browser  # noqa: PLC0415
        from commonplace.sources.rendering.renderer import Renderer  # noqa: PLC0415

        browser = Browser(
            path=settings.web_chromium,
            is_sandboxed=settings.web_sandbox,
            memory_mb=settings.web_render_mb,
        )
        return Finisher(
            renderer=Renderer(guard, browser),
            mode=settings.web_render,
            needs_scripts=self._needs_scripts,
        )

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """One page is parsed at a time: the process that waits for pages takes the next.

        Starting another takes longer than a page does, so only one that does not end is passed.
        """
        try:
            async with asyncio.timeout(_TURN_S):
                await self._parsing.acquire()
        except TimeoutError:
            yield
            return
        try:
            yield
        finally:
            self._parsing.release()

    async def close(self) -> None:
        """Close its connections."""
        if self._fetcher is not None:
            await self._fetcher.close()
            self._fetcher = None
