"""Which project a call is about, and which models answer for it."""

from commonplace.domain.errors import InvalidProject
from commonplace.embedders.base import Embedder
from commonplace.engines.base import Stats
from commonplace.retrieve.recall import plan
from commonplace.tools.app import App
from commonplace.tools.scope import served_projects

SPARSE_MODEL = "bm25"
"""Words are always indexed: every project has it."""


async def check_project(app: App, project: str) -> None:
    """Raises InvalidProject, listing the served ones."""
    served = await served_projects(app)
    if project not in served:
        raise InvalidProject(
            f"Project {project[:128]!r} not found. Available projects: {', '.join(served[:50])}",
            available=served[:50],
        )


def dense_embedder(app: App, stats: Stats) -> tuple[Embedder | None, tuple[str, ...]]:
    """The model that has seen most of a project, and what it has not seen.

    None when there are passages and no vectors; of an empty project the one it will get. Raises
    EmbeddingMismatch when the vectors are of models not set here.
    """
    if not stats.passages:
        return app.embedders[app.settings.embedder], ()
    models = plan(tuple(app.embedders.values()), stats).models
    if not models:
        return None, ()
    embedder, share = max(models, key=lambda one: one[1])
    seen = (f"{embedder.model}: {share:.0%} of passages embedded",) if share < 1.0 else ()
    return embedder, seen


def model_name(app: App, stats: Stats) -> str | None:
    """The model a project's vectors are of: ours where it has them, else whatever it has."""
    known = {one.model: one.embedded for one in stats.coverage if one.embedded}
    if not stats.passages:
        return app.embedders[app.settings.embedder].model
    ours = [one.model for one in app.embedders.values() if one.model in known]
    return max(ours or known, key=lambda name: known[name], default=None)


def collection_name(project: str) -> str:
    """The name of a project as a collection.

    >>> collection_name("citeloom/clean-arch")
    'proj-citeloom-clean-arch'
    """
    return f"proj-{project.replace('/', '-')}"
