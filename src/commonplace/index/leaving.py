"""Leaving a project: its sources, and all that is kept beside their documents."""

from commonplace.engines.base import Store
from commonplace.index.code.later import forget_containers
from commonplace.index.code.owed import code_space
from commonplace.index.code.shelf import bound_space, facts_space
from commonplace.index.code.stage import code_name, forget_code
from commonplace.index.lease import held
from commonplace.index.projects import forget_project
from commonplace.index.sources import list_sources, remove_source
from commonplace.index.writer import Writer


async def leave_project(writer: Writer, project: str) -> int:
    """Forget a project and all indexed in it; how many documents went.

    Raises InvalidProject listing the known ones.
    """
    removed = 0
    for source in await list_sources(writer.store.keyvalue, project):
        removed += await remove_source(writer, source)
        await forget_code(writer, source)
    async with held(writer.store.keyvalue, code_name(project)):
        await forget_containers(writer, project)
        await _empty(writer.store, project)
    writer.shelf.held = None
    await forget_project(writer.store, project)
    return removed


async def _empty(store: Store, project: str) -> None:
    """Remove what binding keeps of a project: a new one of its name would be told of old code."""
    async with store.transaction():
        for space in (code_space(project), facts_space(project), bound_space(project)):
            for key in await store.keyvalue.keys(space):
                await store.keyvalue.expire(space, key)
