"""Who may see what: projects, scopes, and the selection every store query is bound to."""

import re
from dataclasses import dataclass
from datetime import datetime

DEFAULT_PROJECT = "default"
PROJECT_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*")


def is_project_id(project: str) -> bool:
    """Whether this can name a project: ``default``, ``org/name``.

    >>> is_project_id("org/name"), is_project_id("../etc"), is_project_id("")
    (True, False, False)
    """
    return len(project) <= 128 and PROJECT_PATTERN.fullmatch(project) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The documents a query may see. Engines enforce it inside their own query.

    >>> Selection(project="default").is_whole_project
    True
    """

    project: str
    tags: tuple[frozenset[str], ...] = ()
    """A document must carry at least one tag of every set."""
    path_prefix: str | None = None
    """Of the path within the source; of the whole address where it has a scheme."""
    updated_after: datetime | None = None
    """Modified strictly after this moment."""
    repositories: frozenset[str] = frozenset()
    """Empty means any."""
    environment: str | None = None
    """Documents of this environment and documents of none."""
    documents: frozenset[str] | None = None
    """Ids of documents; None means any."""

    @property
    def is_whole_project(self) -> bool:
        """Whether nothing but the project narrows it."""
        return self == Selection(project=self.project)

    @property
    def is_prefix_of_address(self) -> bool:
        """Whether the prefix is of addresses, not of paths.

        >>> Selection(project="x", path_prefix="file:///docs/").is_prefix_of_address
        True
        """
        return "://" in (self.path_prefix or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What the user added: it can be synced again."""

    id: str
    project: str
    kind: str
    """The name of its record in ``sources/``."""
    location: str
    """As the kind of source understands it: an absolute path, a URL."""
    tags: tuple[str, ...] = ()
    repository: str | None = None
    environment: str | None = None
    added_at: datetime
    synced_at: datetime | None = None
    ocr_languages: tuple[str, ...] = ()
    """Of its scanned pages, where the user named them for this source."""
