"""Pages of the web: a source that fetching writes to, one a project."""

from typing import NoReturn

from commonplace.domain.errors import SourceError
from commonplace.domain.scope import Source
from commonplace.settings import Settings
from commonplace.sources.base import Location, SourceKind

WEB = "web"
LOCATION = "web:"


def _describe(location: str) -> Location:
    return Location(location=location, name=WEB)


def _open(source: Source, settings: Settings) -> NoReturn:
    del settings
    raise SourceError(
        f"{source.location} holds pages that were fetched; ask for a page again with "
        "`commonplace add URL`"
    )


def _accepts(location: str) -> bool:
    """Nobody adds it: it is there from the first page that is fetched."""
    del location
    return False


KIND = SourceKind(name=WEB, accepts=_accepts, open=_open, describe=_describe, syncs=False)
