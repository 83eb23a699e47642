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

_FIRST_LOOK_S = 0.5  # a client that has just connected lists tools first, and may want no more
_READY_MOST = 200_000  # passages; what is known of more is read when it is asked for
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
    await make_ready(app, dispatcher)
    gc.freeze()
    gc.enable()
    async with asyncio.TaskGroup() as group:
        group.create_task(_tidy(app))
        group.create_task(_improve(app))


async def make_ready(app: App, dispatcher: Dispatcher) -> None:
    """Load what a first call would wait for, the dearest first: models, words and vectors, tools.

    In threads: on the event loop the tools alone would hold up whoever asks meanwhile for .2 s.
    """
    # A server lists its tools before it loads what it does later.
    from commonplace.tools.scope import default_project  # noqa: PLC0415

    project = default_project(app)
    try:
        await asyncio.to_thread(app.tokens, "")
        await app.embedders[app.settings.embedder].embed([""], is_query=True)
        if (await app.store.passages.stats(project)).passages <= _READY_MOST:
            await app.store.passages.prepare(project)
    except CommonplaceError as exc:
        log.warning("the first call will take longer, or fail: %s", exc.message)
    await asyncio.to_thread(dispatcher.load)


async def _tidy(app: App) -> None:
    """Sweep what has expired: agents' entries, and contexts whose retention is over."""
    from commonplace.memory.keep import sweep  # noqa: PLC0415 - see above
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
