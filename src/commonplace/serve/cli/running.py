"""Running a command on the assembled application, closed whatever happens."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from commonplace.domain import errors
from commonplace.domain.errors import CommonplaceError, UserError
from commonplace.index.writer import Writer
from commonplace.serve.build import build
from commonplace.serve.cli.choices import Choices
from commonplace.serve.dispatch import Caller, Dispatcher, Outcome, no_progress
from commonplace.serve.listing import offers
from commonplace.serve.logs import start_logging
from commonplace.settings import Settings
from commonplace.tools.app import App, Progress

T = TypeVar("T")


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[App]:
    """The application, its store closed at the end."""
    app = build(settings)
    try:
        yield app
    finally:
        await app.close()


def run_with(choices: Choices, work: Callable[[App], Awaitable[T]], **flags: Any) -> T:  # noqa: ANN401 - any setting's value
    """Do ``work`` on the application these choices come to."""
    settings = choices.settings(**flags)
    if choices.is_verbose:
        start_logging(settings)
    else:  # without any handler Python writes warnings to the terminal itself
        logging.getLogger().addHandler(logging.NullHandler())

    async def go() -> T:
        async with opened(settings) as app:
            return await work(app)

    return asyncio.run(go())


async def call_tool(
    app: App, name: str, arguments: Mapping[str, Any], progress: Progress = no_progress
) -> Outcome:
    """One call through the dispatcher every transport uses."""
    dispatcher = Dispatcher(app, offers().values())
    return await dispatcher.call(name, arguments, Caller(connection="cli", progress=progress))


def fail_on_error(outcome: Outcome) -> None:
    """Raise the error an outcome carries, so that the command fails with its message."""
    if not outcome.is_error or outcome.structured is None:
        return
    envelope = outcome.structured["error"]
    if envelope["code"] == CommonplaceError.code:
        raise CommonplaceError(
            "something went wrong inside; run again with --verbose and report what it shows"
        )
    raise _kind(envelope["code"])(envelope["message"], **envelope["details"])


def _kind(code: str) -> type[CommonplaceError]:
    """The error a code of the wire stands for."""
    kinds = (kind for kind in vars(errors).values() if isinstance(kind, type))
    known = (kind for kind in kinds if issubclass(kind, CommonplaceError) and kind.code == code)
    return next(known, CommonplaceError)


async def require_documents(app: App) -> None:
    """Raise UserError where nothing could be found because nothing is indexed."""
    project = app.settings.default_project
    stats = await app.store.passages.stats(project)
    if stats.documents:
        return
    others = [name for name in await app.store.passages.projects() if name != project]
    known = f"; projects with documents: {', '.join(others)}" if others else ""
    raise UserError(
        f"project {project!r} holds no documents yet; run `commonplace add FOLDER`{known}"
    )


def writer_of(app: App) -> Writer:
    """What the write path needs of the application."""
    return Writer(
        store=app.store, settings=app.settings, embedder=app.embedders[app.settings.embedder]
    )
