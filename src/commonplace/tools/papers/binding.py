"""Which project a call is about, and which models answer for it."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TypeVar

from commonplace import embedders
from commonplace.catalog import collect
from commonplace.domain.errors import (
    CommonplaceError,
    EmbeddingMismatch,
    IndexUnavailable,
    InvalidProject,
    StoreError,
)
from commonplace.domain.evidence import Reply
from commonplace.embedders.base import Embedder, EmbedderKind
from commonplace.engines.base import Stats
from commonplace.index.projects import bound_model
from commonplace.retrieve.recall import plan
from commonplace.tools.app import App, Call
from commonplace.tools.scope import served_projects

SPARSE_MODEL = "bm25"
"""Words are always indexed: every project has it."""

Args = TypeVar("Args")


def tells_index(
    run: Callable[[App, Call, Args], Awaitable[Reply]],
) -> Callable[[App, Call, Args], Awaitable[Reply]]:
    """A tool whose failing store is told as 002 names it: INDEX_UNAVAILABLE."""

    @wraps(run)
    async def told(app: App, call: Call, args: Args) -> Reply:
        try:
            return await run(app, call, args)
        except IndexUnavailable:
            raise
        except StoreError as exc:
            raise IndexUnavailable(exc.message) from exc

    return told


async def check_project(app: App, project: str) -> None:
    """Raises InvalidProject, listing the served ones."""
    served = await served_projects(app)
    if project not in served:
        raise InvalidProject(
            f"Project {project[:128]!r} not found. Available projects: {', '.join(served[:50])}",
            available=served[:50],
        )


async def dense_embedder(
    app: App, project: str, stats: Stats
) -> tuple[Embedder | None, tuple[str, ...]]:
    """The model that answers for a project, and what it has not seen.

    The one it is bound to; else of those that are set the one that has seen most. While the
    vectors of that are being made, a model that has seen more goes on answering. None when there
    are passages and no vectors. Raises EmbeddingMismatch when no model of its vectors is here.
    """
    bound = await bound_model(app.store, project)
    shares = {one.model: one.embedded / max(1, one.total) for one in stats.coverage}
    if bound is not None:
        embedder = _made(app, bound)
        if embedder is None:
            raise _mismatch("is bound to", [bound], app)
        return _seen(embedder, shares.get(bound, 0.0), stats)
    if not stats.passages:
        return app.embedders[app.settings.embedder], ()
    if shares and not shares.keys() & {one.model for one in app.embedders.values()}:
        raise _mismatch("was embedded with", sorted(shares), app)
    models = plan(tuple(app.embedders.values()), stats).models
    if not models:
        return None, ()
    embedder, share = max(models, key=lambda one: one[1])
    fuller = max(shares, key=lambda name: shares[name])
    other = _made(app, fuller) if shares[fuller] > share else None
    if other is None:
        return _seen(embedder, share, stats)
    told = f"{embedder.model}: {share:.0%} of passages embedded; {fuller} answers meanwhile"
    return other, (told,)


def _seen(
    embedder: Embedder, share: float, stats: Stats
) -> tuple[Embedder | None, tuple[str, ...]]:
    if not stats.passages:
        return embedder, ()
    if share == 0.0:
        return None, ()
    told = (f"{embedder.model}: {share:.0%} of passages embedded",) if share < 1.0 else ()
    return embedder, told


def _mismatch(how: str, models: list[str], app: App) -> EmbeddingMismatch:
    ours = [one.model for one in app.embedders.values()]
    return EmbeddingMismatch(
        f"the project {how} {', '.join(models)}, which is not set here ({', '.join(ours)} is); "
        "set it, or ingest with options.force_rebuild to move to the model that is set",
        indexed=models,
        configured=ours,
    )


def lost_vectors(model: str) -> IndexUnavailable:
    """Vectors that are counted and not found: the file was cut or changed by something else."""
    return IndexUnavailable(
        f"the vectors of {model} are counted and not there: the index was changed by something "
        "else; `commonplace remove` its sources and add them again"
    )


def _made(app: App, model: str) -> Embedder | None:
    """The embedder of this model: one that is set, or another this program can make."""
    ours = next((one for one in app.embedders.values() if one.model == model), None)
    if ours is not None or model in app.others:
        return ours or app.others[model]
    for kind in collect(embedders, EmbedderKind).values():
        try:
            made = kind.make(app.settings)
        except CommonplaceError:  # a remote one without its address
            continue
        if made.model == model:
            app.others[model] = made
            return made
    return None


async def model_name(app: App, project: str, stats: Stats) -> str | None:
    """The model a project is bound to, else the one that answers, else whatever it has."""
    bound = await bound_model(app.store, project)
    if bound is not None:
        return bound
    try:
        embedder, _ = await dense_embedder(app, project, stats)
    except EmbeddingMismatch:
        return max(stats.coverage, key=lambda one: one.embedded).model
    return embedder.model if embedder is not None else None


def collection_name(project: str) -> str:
    """The name of a project as a collection.

    >>> collection_name("citeloom/clean-arch")
    'proj-citeloom-clean-arch'
    """
    return f"proj-{project.replace('/', '-')}"
