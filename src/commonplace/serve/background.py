"""What a server does while nobody asks: it settles, sweeps, and improves vectors (DESIGN D9)."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from commonplace.domain.errors import CommonplaceError
from commonplace.serve.dispatch import Dispatcher
from commonplace.tools.app import App

log = logging.getLogger(__name__)

_FIRST_LOOK_S = 2.0  # a client that has just connected lists tools and asks first
_TIDY_S = 3600.0  # what has expired is not shown anyway
_MOST_RECENT = 256  # passages shown lately that get better vectors first: some ten seconds' work
_LOOK_S = 60.0  # another process may have added documents meanwhile


@asynccontextmanager
async def improving(app: App, dispatcher: Dispatcher) -> AsyncIterator[None]:
    """Settle, then improve vectors in the background for as long as the block runs.

    Until it has settled nothing is collected: what starting makes is kept anyway, and looking
    through it took a fifth of the way to tools/list (``python -m bench.startup``).
    """
    gc.disable()
    task = asyncio.create_task(_work(app, dispatcher))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        gc.enable()


async def _work(app: App, dispatcher: Dispatcher) -> None:
    await asyncio.sleep(_FIRST_LOOK_S)
    dispatcher.load()
    gc.freeze()
    gc.enable()
    try:
        await asyncio.to_thread(app.tokens, "")
        await app.embedders[app.settings.embedder].embed([""], is_query=True)
    except CommonplaceError as exc:
        log.warning("a model cannot be loaded: %s", exc.message)
    async with asyncio.TaskGroup() as group:
        group.create_task(_tidy(app))
        group.create_task(_improve(app))


async def _tidy(app: App) -> None:
    """Sweep what has expired: agents' entries, and contexts whose retention is over."""
    # A server lists its tools before it loads what it does later.
    from commonplace.memory.keep import sweep  # noqa: PLC0415
    from commonplace.memory.state import sweep_pairs  # noqa: PLC0415
    from commonplace.tools.scope import served_projects  # noqa: PLC0415

    while True:
        try:
            await sweep_pairs(app.store.keyvalue)
            for project in await served_projects(app):
                for done in await sweep(app.writer, project):
                    facts = {"project": project, "type": done.type, "contexts": done.count}
                    log.info("retention swept contexts", extra=facts)
        except CommonplaceError as exc:
            log.warning("expired entries cannot be swept now: %s", exc.message)
        await asyncio.sleep(_TIDY_S)


async def _improve(app: App) -> None:
    from commonplace.index.upgrade import Pace, upgrade  # noqa: PLC0415 - see above
    from commonplace.tools.scope import served_projects  # noqa: PLC0415

    name = app.settings.upgrade_embedder
    if not name or name == app.settings.embedder:
        return
    pace = Pace(
        is_busy=app.activity.is_busy,
        recent=lambda project: app.scratch.recent(project, _MOST_RECENT),
    )
    while True:
        try:
            for project in await served_projects(app):
                done = await upgrade(app.writer, project, app.embedders[name], pace)
                if done.embedded:
                    facts = {"project": project, "model": done.model, "embedded": done.embedded}
                    log.info("vectors improved", extra=facts)
        except CommonplaceError as exc:
            log.warning("vectors cannot be improved now: %s", exc.message)
        await asyncio.sleep(_LOOK_S)
