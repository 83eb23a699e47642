"""When a fetched page is rendered, and what is told when it should be and cannot."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urldefrag

from commonplace.domain.errors import CommonplaceError
from commonplace.sources.fetching.fetcher import Terms
from commonplace.sources.fetching.page import Fetched, Known
from commonplace.sources.rendering.renderer import Rendered, Renderer

Mode = Literal["never", "auto", "always"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finisher:
    """Completes pages whose text only scripts write."""

    renderer: Renderer
    mode: Mode
    needs_scripts: Callable[[bytes, str], bool]
    """Whether a page of this content and type says nearly nothing by itself."""

    async def __call__(self, fetched: Fetched, terms: Terms) -> Fetched:
        """The page rendered where it has to be; else as it came, with what is missing told."""
        if fetched.is_unchanged or "html" not in (fetched.content_type or "html"):
            return fetched
        if self.mode == "auto" and not await asyncio.to_thread(
            self.needs_scripts, fetched.content, fetched.content_type
        ):
            return fetched
        missing = self.renderer.why_not()
        if missing:
            return replace(fetched, warnings=(f"rendering is off: {missing}",))
        try:
            rendered = await self.renderer.render(fetched.url, terms.max_bytes, terms.timeout_s)
        except CommonplaceError as exc:
            return replace(fetched, warnings=(f"not rendered: {exc.message}",))
        return _merge(fetched, rendered)


def _merge(fetched: Fetched, rendered: Rendered) -> Fetched:
    """What the server said of the page, with what the scripts made of it.

    Its tags are dropped: they are those of the frame, which stays while what fills it changes.
    """
    url = urldefrag(rendered.url).url
    told = [f"the page asked for {one}, which it may not reach" for one in rendered.refused[:3]]
    if not rendered.is_whole:
        told.append("its scripts did not come to rest; the page was read as it was then")
    return replace(
        fetched,
        url=url,
        hops=fetched.hops if url == fetched.url else (*fetched.hops, fetched.url),
        content=rendered.content,
        content_type="text/html; charset=utf-8",
        known=Known(),
        warnings=tuple(told),
    )
