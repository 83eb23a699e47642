"""What a call may have read from disk: not everything a path can name."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from commonplace.domain.errors import ForbiddenOperation, InvalidArgument
from commonplace.settings import Settings
from commonplace.sources.files import to_path
from commonplace.sources.zotero.places import SCHEME, describe, narrowed

_ZOTERO = re.compile(r"(?:source=)?zotero(?::(.*))?", re.IGNORECASE | re.DOTALL)


def is_zotero(source: str) -> bool:
    """Whether a source is a Zotero library, and no folder of that name.

    >>> is_zotero("zotero"), is_zotero("source=zotero"), is_zotero("Zotero:A"), is_zotero("a.pdf")
    (True, True, True, False)
    """
    return _ZOTERO.fullmatch(source.strip()) is not None and not os.path.exists(source)


def zotero_location(source: str, collection: str, tags: Iterable[str]) -> str:
    """The location of a library, narrowed to a collection and tags.

    >>> zotero_location("source=zotero", "Reading/2024", ["todo"])
    'zotero:Reading/2024?tag=todo'
    """
    found = _ZOTERO.fullmatch(source.strip())
    return narrowed(f"{SCHEME}{(found[1] if found else '') or ''}", tags, collection)


def check_source(source: str, is_narrowed: bool) -> None:
    """Raises InvalidArgument for what is no folder, file or library, naming what reads it."""
    plain = source.strip().lower()
    if "://" in plain and not plain.startswith("file:"):
        raise InvalidArgument("source is a path; web_ingest reads addresses", field="source")
    if is_narrowed and not is_zotero(source):
        raise InvalidArgument(
            "options.collection and options.tags narrow source=zotero; omit them for a path",
            field="options",
        )


def check_library(settings: Settings, location: str, known: Iterable[str]) -> None:
    """Raises unless a library may be read for a call; over HTTP only one the user added."""
    if settings.transport == "http" and describe(location).location not in known:
        raise ForbiddenOperation(
            f"{location!r} was not added to this server; its owner can: `commonplace add "
            f"{location!r}`"
        )


def check_place(settings: Settings, location: str, known: Iterable[str]) -> None:
    """Raises unless a path may be read for a call; ``known`` are folders the user added.

    Whoever can call a tool over HTTP may not be allowed to read this machine's files.
    """
    path = Path(os.path.realpath(to_path(location)))
    if settings.transport != "http" and not path.exists():
        raise InvalidArgument(f"there is no {location!r} on this machine; check the spelling")
    if path in (Path(path.anchor), Path(os.path.realpath(Path.home()))):
        raise InvalidArgument(f"{location!r} holds more than papers; name their own folder")
    if not settings.papers_folders and settings.transport != "http":
        return
    roots = (os.path.realpath(to_path(one)) for one in (*settings.papers_folders, *known))
    if not any(path.is_relative_to(root) for root in roots):
        raise ForbiddenOperation(
            f"{location!r} is in no folder this server ingests from; add it with `commonplace add`"
            " or name it in the setting papers_folders"
        )
