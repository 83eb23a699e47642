"""What agents remember: a source that tools write to, so there is nothing to list."""

from typing import NoReturn

from commonplace.domain.errors import SourceError
from commonplace.domain.scope import Source
from commonplace.settings import Settings
from commonplace.sources.base import Location, SourceKind

MEMORY = "memory"
LOCATION = "memory:"


def _describe(location: str) -> Location:
    return Location(location=location, name=MEMORY)


def _open(source: Source, settings: Settings) -> NoReturn:
    del settings
    raise SourceError(
        f"{source.location} holds what agents stored with memory.store_context; there is nothing "
        "to sync, see `commonplace memory audit`"
    )


def _accepts(location: str) -> bool:
    """Nobody adds it: it is there from the first thing an agent stores."""
    del location
    return False


KIND = SourceKind(name=MEMORY, accepts=_accepts, open=_open, describe=_describe, syncs=False)
