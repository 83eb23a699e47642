"""Projects: isolated scopes, registered when made and listed with those that hold documents."""

import json

from commonplace.domain.errors import InvalidArgument, InvalidProject
from commonplace.domain.scope import is_project_id
from commonplace.engines.base import Store
from commonplace.index.writer import Writer

_NAMESPACE = "projects"


async def list_projects(store: Store) -> list[str]:
    """Every project registered or holding documents, sorted."""
    return sorted({*await store.keyvalue.keys(_NAMESPACE), *await store.passages.projects()})


async def create_project(writer: Writer, project: str) -> None:
    """Register a project; one that exists stays as it is."""
    if not is_project_id(project):
        raise InvalidArgument(f"{project!r} cannot name a project; use letters, digits, . _ - /")
    keyvalue = writer.store.keyvalue
    if await keyvalue.get(_NAMESPACE, project) is None:
        record = json.dumps({"created_at": writer.clock().isoformat()}).encode()
        await keyvalue.put(_NAMESPACE, project, record)


async def bind_model(writer: Writer, project: str, model: str) -> None:
    """Let one model answer for a project, whatever is set."""
    await create_project(writer, project)
    keyvalue = writer.store.keyvalue
    record = json.loads(await keyvalue.get(_NAMESPACE, project) or b"{}")
    await keyvalue.put(_NAMESPACE, project, json.dumps({**record, "model": model}).encode())


async def bound_model(store: Store, project: str) -> str | None:
    """The model a project is bound to; None when whatever is set answers."""
    record = json.loads(await store.keyvalue.get(_NAMESPACE, project) or b"{}")
    model = record.get("model")
    return str(model) if model else None


async def forget_project(store: Store, project: str) -> None:
    """Take a project out of the register; its sources must be removed before.

    Raises InvalidProject listing the known ones, InvalidArgument while it holds documents.
    """
    known = await list_projects(store)
    if project not in known:
        raise InvalidProject(f"no project {project!r}; known: {', '.join(known) or 'none yet'}")
    if project in await store.passages.projects():
        raise InvalidArgument(
            f"project {project!r} still holds documents; remove its sources first"
        )
    await store.keyvalue.expire(_NAMESPACE, project)
