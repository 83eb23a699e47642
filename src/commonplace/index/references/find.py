"""Bibliographies on disk: the one that is named, or those that lie beside the papers."""

from pathlib import Path

from commonplace.catalog import collect
from commonplace.domain.errors import InvalidArgument, SourceError
from commonplace.domain.reference import Reference
from commonplace.index import references as formats
from commonplace.index.references.base import Format, Reading
from commonplace.settings import Settings
from commonplace.sources.files import limits_of, read_file, to_path


def _format_of(path: Path) -> Format | None:
    suffix = path.suffix.lower()
    known = collect(formats, Format).values()
    return next((one for one in known if suffix in one.suffixes), None)


def _read(path: Path, made: Format, settings: Settings) -> Reading:
    content = read_file(path, path.parent, limits_of(settings))
    return made.read(content.decode("utf-8", "replace"))


def read_named(location: str, settings: Settings) -> Reading:
    """The bibliography of this path; raises for one that cannot be read at all."""
    path = to_path(location)
    made = _format_of(path)
    if made is None:
        known = ", ".join(end for one in collect(formats, Format).values() for end in one.suffixes)
        raise InvalidArgument(
            f"references_path {path.name!r} is no bibliography; its name must end in {known}",
            field="options.references_path",
        )
    reading = _read(path, made, settings)
    if not reading.references:
        why = "; ".join(reading.problems) or "it is empty"
        raise InvalidArgument(
            f"references_path {path.name!r} has no record that can be read: {why}",
            field="options.references_path",
        )
    return Reading(reading.references, tuple(f"{path.name}: {one}" for one in reading.problems))


def read_beside(location: str, settings: Settings) -> Reading:
    """All bibliographies in the folder of a source, in the order of their names.

    A JSON file that holds none is something else's: it is passed over.
    """
    place = Path(location)
    folder = place if place.is_dir() else place.parent
    references: list[Reference] = []
    problems: list[str] = []
    try:
        names = sorted(path for path in folder.iterdir() if path.is_file())
    except OSError:
        return Reading()
    for path in names:
        made = _format_of(path)
        if made is None:
            continue
        try:
            reading = _read(path, made, settings)
        except SourceError as exc:
            problems.append(exc.message)
            continue
        references += reading.references
        if reading.references or path.suffix.lower() != ".json":
            problems += [f"{path.name}: {one}" for one in reading.problems]
    return Reading(tuple(references), tuple(problems))
