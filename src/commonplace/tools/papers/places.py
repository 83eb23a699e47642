"""What a call may have read from disk: not everything a path can name."""

import os
from collections.abc import Iterable
from pathlib import Path

from commonplace.domain.errors import ForbiddenOperation, InvalidArgument
from commonplace.settings import Settings
from commonplace.sources.files import to_path

_ZOTERO = ("zotero", "source=zotero")


def check_source(source: str) -> None:
    """Raises InvalidArgument for what is no folder or file, naming what reads it."""
    plain = source.strip().lower()
    if plain.startswith(_ZOTERO) and not os.path.exists(source):
        raise InvalidArgument(
            "Zotero libraries are not read yet; export the collection with its files, and name "
            "that folder",
            field="source",
        )
    if "://" in plain and not plain.startswith("file:"):
        raise InvalidArgument("source is a path; web_ingest reads addresses", field="source")


def check_place(settings: Settings, location: str, known: Iterable[str]) -> None:
    """Raises unless a path may be read for a call; ``known`` are folders the user added.

    Whoever can call a tool over HTTP may not be allowed to read this machine's files.
    """
    path = Path(os.path.realpath(to_path(location)))
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
