"""Bibliographies on disk: the one that is named, or those that lie beside the papers."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from commonplace.catalog import collect
from commonplace.domain.encoding import decode
from commonplace.domain.errors import InvalidArgument, SourceError
from commonplace.domain.fields import folded
from commonplace.domain.reference import Reference
from commonplace.settings import Settings
from commonplace.sources import bibliographies as formats
from commonplace.sources.bibliographies.base import Format, Reading
from commonplace.sources.files import limits_of, read_file, to_path

_FIELD = "options.references_path"
_DECLARED = re.compile(rb"%\s*encoding:\s*([\w-]+)", re.IGNORECASE)  # as JabRef writes it
_HEAD_BYTES = 1000
_MOST_JSON_BYTES = 64 * 1024 * 1024  # of one that is looked into to see what it is


def _format_of(path: Path) -> Format | None:
    suffix = path.suffix.lower()
    known = collect(formats, Format).values()
    return next((one for one in known if suffix in one.suffixes), None)


def _read(made: Format, content: bytes) -> Reading:
    """A bibliography in the encoding it is in, with what its reader should know of it."""
    declared = _DECLARED.search(content[:_HEAD_BYTES])
    decoded = decode(content, declared[1].decode("ascii") if declared else None)
    reading = made.read(decoded.text)
    notes = (*decoded.warnings, *_twins(reading.references))
    return Reading(reading.references, reading.problems, notes)


def _twins(references: Iterable[Reference]) -> Iterator[str]:
    """Keys that several works have: only the first is cited by it."""
    works: dict[str, set[str]] = {}
    for one in references:
        works.setdefault(one.citekey, set()).add(folded(one.title))
    for key, titles in works.items():
        if key and len(titles) > 1:
            yield f"{len(titles)} works have the key {key!r}; `cite` finds the first"


def is_bibliography(path: Path) -> bool:
    """Whether a file is one by its name; JSON may hold anything, so that is looked into."""
    made = _format_of(path)
    if made is None or path.suffix.lower() != ".json":
        return made is not None
    try:
        if path.stat().st_size > _MOST_JSON_BYTES:
            return False
        return _is_library(_read(made, path.read_bytes()).references)
    except OSError:
        return False


def read_one(path: Path, settings: Settings) -> Reading:
    """The bibliography the user named, wherever a link of that name leads; raises SourceError."""
    made = _format_of(path)
    if made is None:
        known = ", ".join(end for one in collect(formats, Format).values() for end in one.suffixes)
        raise SourceError(f"{path.name!r} is no bibliography; its name must end in {known}")
    limits = replace(limits_of(settings), follow_symlinks=True)
    return _read(made, read_file(path, path.parent, limits))


def stamp_of(paths: Iterable[Path]) -> dict[str, list[int]]:
    """Size and time of files by their path: what tells that a bibliography changed."""
    made: dict[str, list[int]] = {}
    for path in paths:
        with suppress(OSError):  # gone: then it is no part of the stamp
            found = path.stat()
            made[str(path)] = [found.st_size, found.st_mtime_ns]
    return made


def beside(location: str) -> list[Path]:
    """Bibliographies in the folder of a source, in the order of their names."""
    place = Path(location)
    folder = place if place.is_dir() else place.parent
    try:
        return sorted(path for path in folder.iterdir() if _format_of(path) and path.is_file())
    except OSError:
        return []


def read_named(location: str, settings: Settings) -> Reading:
    """The bibliography of this path; raises InvalidArgument for one that cannot be read at all."""
    path = to_path(location)
    try:
        reading = read_one(path, settings)
    except SourceError as exc:
        raise InvalidArgument(f"references_path: {exc.message}", field=_FIELD) from exc
    if not reading.references:
        why = "; ".join(reading.problems) or "it is empty"
        raise InvalidArgument(
            f"references_path {path.name!r} has no record that can be read: {why}", field=_FIELD
        )
    told = (*reading.problems, *reading.notes)
    return Reading(reading.references, tuple(f"{path.name}: {one}" for one in told))


def read_all(paths: Iterable[Path], settings: Settings) -> Reading:
    """All these bibliographies, in their order.

    A JSON file that holds none is something else's: it is passed over.
    """
    references: list[Reference] = []
    problems: list[str] = []
    for path in paths:
        made = _format_of(path)
        if made is None:
            continue
        try:
            content = read_file(path, path.parent, limits_of(settings))
        except SourceError as exc:
            problems.append(exc.message)
            continue
        reading = _read(made, content)
        if path.suffix.lower() == ".json" and not _is_library(reading.references):
            continue
        references += reading.references
        problems += [f"{path.name}: {one}" for one in (*reading.problems, *reading.notes)]
    return Reading(tuple(references), tuple(problems))


def _is_library(references: Sequence[Reference]) -> bool:
    """Whether what JSON holds are works: titles alone have many things."""
    return any(one.csl.get("type") and (one.authors or one.year or one.doi) for one in references)
