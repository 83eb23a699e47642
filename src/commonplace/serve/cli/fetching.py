"""What commands do with addresses of the web: index a page, ask pages and their links."""

import time
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

import click

from commonplace.answer.render import neutral
from commonplace.index.pages import get_page, list_pages, source_id
from commonplace.index.writer import Report
from commonplace.research.visit import Visitor
from commonplace.serve.cli.choices import Choices
from commonplace.serve.cli.output import remarks, write_json
from commonplace.serve.cli.progress import bar
from commonplace.serve.cli.running import call_tool, fail_on_error, run_with
from commonplace.serve.dispatch import Outcome
from commonplace.tools.app import App, Progress
from commonplace.tools.web.sessions import stale_before

_HOSTS = 5


def is_address(location: str) -> bool:
    """Whether someone means a page of the web.

    >>> is_address("https://docs.example/"), is_address("docs")
    (True, False)
    """
    return location.lower().startswith(("http://", "https://"))


async def add_page(app: App, url: str) -> Report:
    """Index the page at an address, or make sure it has not changed."""
    started = time.monotonic()
    writer, project = app.writer, app.settings.default_project
    known = await get_page(writer, project, url)
    visitor = Visitor(writer=writer, fetching=app.fetching)
    page, is_same = await visitor.visit(project, url, 0.0)
    return Report(
        source_id=source_id(project),
        added=int(known is None),
        changed=int(known is not None and not is_same),
        unchanged=int(is_same),
        passages=0 if is_same else page.passages,
        elapsed_s=time.monotonic() - started,
    )


async def web_facts(app: App, project: str) -> dict[str, Any]:
    """What ``status`` tells of a project's pages; nothing when there is none."""
    pages = await list_pages(app.writer, project)
    if not pages:
        return {}
    stale = stale_before(app)
    return {
        "pages": len(pages),
        "stale": sum(page.fetched_at < stale for page in pages),
        "first_fetched_at": min(page.fetched_at for page in pages),
        "last_fetched_at": max(page.fetched_at for page in pages),
        "hosts": dict(Counter(urlsplit(page.url).netloc for page in pages).most_common(_HOSTS)),
    }


def ask_pages(choices: Choices, urls: tuple[str, ...], question: str, tokens: int) -> None:
    """Print the brief of a question to pages and what they link to."""
    arguments = {"url": list(urls), "query": question, "max_response_tokens": tokens}

    async def work(app: App) -> Outcome:
        scope = {"scope": {"project_id": app.settings.default_project}}
        with bar(remarks(choices), question) as progress:
            return await call_tool(app, "web.answer", arguments | scope, _loud(choices, progress))

    outcome = run_with(choices, work, structured_output_enabled=True)
    fail_on_error(outcome)
    if choices.as_json:
        write_json({**outcome.structured, "_meta": dict(outcome.meta)})
    else:
        click.echo(neutral(outcome.text))


def _loud(choices: Choices, progress: Progress) -> Progress:
    """Progress that also says what is done, line by line, where somebody watches."""
    console = remarks(choices)

    async def tell(done: float, total: float | None, message: str) -> None:
        await progress(done, total, message)
        if console.is_terminal and not console.quiet:
            console.print(neutral(message), style="dim", markup=False)

    return tell
