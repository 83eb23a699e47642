"""Getting a page: from the index while it is fresh, else from the web, changed or not."""

from dataclasses import dataclass
from datetime import datetime

from commonplace.index.page import Page
from commonplace.index.pages import get_page, index_page, keep_fresh
from commonplace.index.writer import Writer
from commonplace.parsers import reads
from commonplace.sources.fetching.fetcher import Terms
from commonplace.sources.fetching.shared import Fetching


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """What visiting pages needs."""

    writer: Writer
    fetching: Fetching
    """Nothing of it is loaded while pages come from the index."""
    timeout_s: float | None = None
    """What one page may take, where that is less than its own limit."""

    async def visit(self, project: str, url: str, max_age_s: float) -> tuple[Page, bool]:
        """The page at an address, and whether the index already had it as it is.

        Raises what fetching and indexing raise; the page that was there before stays.
        """
        known = await get_page(self.writer, project, url)
        if known is not None and self._is_fresh(known, max_age_s):
            return known, True
        validators = known.known if known else None
        fetched = await self.fetching.fetcher().fetch(url, self._terms(), validators)
        if fetched.is_unchanged and known is not None:
            return await keep_fresh(self.writer, project, known, fetched), True
        async with self.fetching.turn():
            return await index_page(self.writer, project, fetched), False

    def _is_fresh(self, page: Page, max_age_s: float) -> bool:
        return (self._now() - page.fetched_at).total_seconds() <= max_age_s

    def _now(self) -> datetime:
        return self.writer.clock()

    def _terms(self) -> Terms:
        settings = self.writer.settings
        return Terms(
            max_bytes=settings.web_max_bytes,
            timeout_s=min(settings.web_timeout_s, self.timeout_s or settings.web_timeout_s),
            accepts=reads,
            obeys_robots=settings.web_obey_robots,
        )
