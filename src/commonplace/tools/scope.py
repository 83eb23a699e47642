"""Scope and filters as every retrieval tool takes them, and the selection they come to."""

from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import quote

from pydantic import BeforeValidator, Field

from commonplace.domain.errors import ScopeViolation
from commonplace.domain.scope import Selection
from commonplace.tools.app import App
from commonplace.tools.base import ToolArgs

MAX_QUERY_CHARS = 10_000

Name = Annotated[str, Field(min_length=1, max_length=200)]
Question = Annotated[str, Field(min_length=1, max_length=MAX_QUERY_CHARS, pattern=r"\S")]
"""Words to look for: not empty, not only white space."""


def read_moment(given: object) -> datetime:
    """A date or time as ISO 8601 writes it; raises ValueError for all else.

    Numbers are refused: ``2026`` is a year to who writes it, and a second of 1970 to a computer.

    >>> read_moment("2026-01-31"), read_moment("2026-01-31T12:00Z").tzname()
    (datetime.datetime(2026, 1, 31, 0, 0), 'UTC')
    """
    if isinstance(given, datetime):
        return given
    try:
        return datetime.fromisoformat(given.strip() if isinstance(given, str) else "")
    except ValueError as exc:
        raise ValueError(
            "not an ISO-8601 date or time; write 2026-01-31 or 2026-01-31T12:00:00Z"
        ) from exc


Moment = Annotated[datetime, BeforeValidator(read_moment)]


class Scope(ToolArgs):
    """Where to look. Omitted: the server's default project, everything in it."""

    project_id: Name | None = None
    environment: Name | None = None
    doc_tags: list[Name] = Field(default=[], max_length=50)
    repositories: list[Name] = Field(default=[], max_length=50)


class Filters(ToolArgs):
    """Which documents to look at."""

    doc_tag: list[Name] | Name = []  # noqa: RUF012 - pydantic copies it
    path_prefix: str | None = Field(default=None, max_length=1000)
    updated_after: Moment | None = None


async def served_projects(app: App) -> list[str]:
    """The projects this server may speak of."""
    if app.settings.projects:
        return sorted(app.settings.projects)
    known = {*await app.store.passages.projects(), *await app.store.keyvalue.keys("projects")}
    return sorted(known | {app.settings.default_project})


def default_project(app: App) -> str:
    """The project of a call that names none."""
    served = app.settings.projects
    if served and app.settings.default_project not in served:
        return served[0]
    return app.settings.default_project


async def select(app: App, scope: Scope | None, filters: Filters | None = None) -> Selection:
    """What a call may see; raises ScopeViolation for a project this server does not serve."""
    scope, filters = scope or Scope(), filters or Filters()
    project = scope.project_id or default_project(app)
    if project != default_project(app) and project not in await served_projects(app):
        raise ScopeViolation(
            f"project {project!r} is not served here; omit scope.project_id to use "
            f"{default_project(app)!r}",
            project_id=project,
        )
    doc_tag = [filters.doc_tag] if isinstance(filters.doc_tag, str) else filters.doc_tag
    return Selection(
        project=project,
        tags=tuple(frozenset(tags) for tags in (scope.doc_tags, doc_tag) if tags),
        path_prefix=_prefix(filters.path_prefix or ""),
        updated_after=_aware(filters.updated_after),
        repositories=frozenset(scope.repositories),
        environment=scope.environment,
    )


def _prefix(given: str) -> str | None:
    """A prefix as documents have it: replies show addresses, so full paths are of those.

    >>> _prefix("./guide/"), _prefix("/docs/a b/"), _prefix("https://example.org/docs")
    ('guide/', 'file:///docs/a%20b/', 'https://example.org/docs')
    """
    if given.startswith("/"):
        return f"file://{quote(given)}"
    return given.removeprefix("./") or None


def _aware(moment: datetime | None) -> datetime | None:
    """A moment without a zone means UTC."""
    if moment is None or moment.tzinfo is not None:
        return moment
    return moment.replace(tzinfo=UTC)
