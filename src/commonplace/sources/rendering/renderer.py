"""A page as its scripts make it."""

import asyncio
import contextlib
from dataclasses import dataclass

from commonplace.domain.errors import DeadlineExceeded, SourceError
from commonplace.sources.fetching.guard import Guard
from commonplace.sources.rendering.devtools import Page
from commonplace.sources.rendering.process import Browser, start
from commonplace.sources.rendering.proxy import open_proxy

_SETTLED_S = 0.5  # what a page still writes after its last request
_LAST_S = 2.0  # of the time there is, what is left for reading the page
_AT_ONCE = 2  # browsers; each takes some hundred megabytes
# All the page became: shadow trees are written out, as they are in no markup otherwise.
_READ = """(() => {
  for (const host of document.querySelectorAll('*')) if (host.shadowRoot) {
    const shown = document.createElement('div');
    shown.innerHTML = host.shadowRoot.innerHTML;
    host.appendChild(shown);
  }
  for (const script of document.querySelectorAll('script:not([type^="math/"])')) script.remove();
  return '<!doctype html>' + document.documentElement.outerHTML;
})()"""


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a page became, and where it came to be."""

    url: str
    content: bytes
    refused: tuple[str, ...] = ()
    """What it asked for and did not get: hosts of private networks."""
    is_whole: bool = True
    """Whether it came to rest; one whose scripts never end was read as it was."""


class Renderer:
    """Renders pages, each in a browser of its own that ends with it."""

    def __init__(self, guard: Guard, browser: Browser) -> None:
        self._guard = guard
        self._browser = browser
        self._places = asyncio.Semaphore(_AT_ONCE)

    def why_not(self) -> str:
        """Why nothing can be rendered; empty when it can."""
        if self._browser.find():
            return ""
        if self._browser.path:
            return f"web_chromium names {self._browser.path!r}, which cannot be run"
        return "no Chromium is installed; install one or name it in web_chromium"

    async def render(self, url: str, max_bytes: int, timeout_s: float) -> Rendered:
        """The page at an address; raises SourceError and DeadlineExceeded."""
        missing = self.why_not()
        if missing:
            raise SourceError(missing)
        async with self._places:
            try:
                async with asyncio.timeout(timeout_s):
                    return await self._render(url, max_bytes, timeout_s)
            except TimeoutError as exc:
                raise DeadlineExceeded(
                    f"{url[:200]} was not rendered within {timeout_s:g} s; raise web_timeout_s",
                    timeout_s=timeout_s,
                ) from exc

    async def _render(self, url: str, max_bytes: int, timeout_s: float) -> Rendered:
        ends_at = asyncio.get_running_loop().time() + timeout_s
        async with (
            open_proxy(self._guard, max_bytes * 4) as proxy,
            start(self._browser, proxy.port) as pipes,
        ):
            page = Page(pipes)
            try:
                await page.open()
                await page.go(url)
                is_whole = await _rest(page, ends_at)
                markup = await page.value(_READ)
                address = await page.value("location.href")
            finally:
                await page.close()
        self._guard.check_url(address)
        content = markup.encode("utf-8", "replace")
        if len(content) > max_bytes:
            raise SourceError(f"{url[:200]} became larger than {max_bytes:,} bytes when rendered")
        return Rendered(address, content, tuple(dict.fromkeys(proxy.refused)), is_whole)


async def _rest(page: Page, ends_at: float) -> bool:
    """Wait until a page rests; one that never does is halted. Whether it came to rest."""
    loop = asyncio.get_running_loop()
    left_s = max(0.5, ends_at - loop.time() - _LAST_S)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(left_s):
            await page.is_quiet.wait()
            await asyncio.sleep(_SETTLED_S)
            await page.value("1")  # answered only once no script runs
            return True
    await page.halt()
    return False
