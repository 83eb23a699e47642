"""Which documents items are: attached files, notes, and the annotations of a file."""

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from commonplace.domain.document import Resource
from commonplace.domain.media import ANNOTATIONS, HTML, PDF, media_type_of
from commonplace.sources.base import Listing, Skip
from commonplace.sources.files import make_resource, read_file
from commonplace.sources.walk import Limits
from commonplace.sources.zotero.items import ANNOTATION, ATTACHMENT, NOTE, Item, Library

_TAG = re.compile(r"<[^<>]*>")
_INLINE = re.compile(r"</?(?:a|b|code|em|i|s|span|strong|sub|sup|u)\b[^<>]*>", re.IGNORECASE)
_TITLE_CHARS = 80
_TYPES: Mapping[str, str] = {"application/pdf": PDF, "text/html": HTML}


def opening(library: Library, item: Item) -> str:
    """The address that opens a file in Zotero."""
    return f"zotero://open-pdf/{library.home}/items/{item.key}"


def showing(library: Library, item: Item) -> str:
    """The address that shows an item in Zotero."""
    return f"zotero://select/{library.home}/items/{item.key}"


def documents(library: Library, items: Iterable[Item], folders: "Folders") -> Iterator["Found"]:
    """Every document of these items, or why there is none, in the order of their keys."""
    for item in sorted(items, key=lambda one: one.key):
        if item.kind == ATTACHMENT:
            yield from _attachment(library, item, folders)
        elif item.kind == NOTE and item.text("note"):
            yield _note(library, item)


class Folders:
    """Where files are when Zotero does not tell it."""

    def __init__(self, zotero: Path, linked: Path | None, limits: Limits) -> None:
        self.zotero = zotero
        self.linked = linked
        self.limits = limits

    def path_of(self, item: Item) -> Path | None:
        """The file of an attachment; None where it cannot be known."""
        if item.file:
            return Path(item.file)
        if name := item.text("filename"):
            return self.zotero / "storage" / item.key / name
        told = item.text("path")
        if not told.startswith("attachments:"):
            return Path(told).expanduser() if told else None
        return self.linked / told.removeprefix("attachments:") if self.linked else None


class Document:
    """A document of the library: how it is listed, and how its bytes are got."""

    def __init__(
        self,
        listing: Listing,
        content: bytes | None,
        file: Path | None = None,
    ) -> None:
        self.listing = listing
        self._content = content
        self._file = file

    def read(self, limits: Limits) -> Resource:
        """The bytes; raises SourceError if the file vanished or cannot be read."""
        if self._content is not None:
            return make_resource(self.listing, self._content)
        if self._file is None:
            raise AssertionError("a document has bytes or a file")
        content = read_file(self._file, self._file.parent, limits)
        return replace(make_resource(self.listing, content), language=self.listing.language)


Found = Document | Skip


def _attachment(library: Library, item: Item, folders: Folders) -> Iterator[Found]:
    mode = item.text("linkMode")
    if mode == "embedded_image":
        return
    if mode == "linked_url":
        yield Skip(path=item.key, reason="a link to the web; `commonplace add URL` reads it")
        return
    yield _file(library, item, folders)
    marks = [one for one in library.children.get(item.key, ()) if one.kind == ANNOTATION]
    if told := [row for row in map(_annotation, marks) if row["text"] or row["comment"]]:
        told.sort(key=lambda row: str(row["sort"]))
        yield _annotations(library, item, marks, told)


def _file(library: Library, item: Item, folders: Folders) -> Found:
    path = folders.path_of(item)
    if path is None:
        linked = item.text("path").removeprefix("attachments:")
        reason = f"{linked or 'its file'} is linked, and where to is not known here; start Zotero, "
        return Skip(path=item.key, reason=f"{reason}or set zotero_linked_folder", is_failure=True)
    media_type = media_type_of(path.name) or _TYPES.get(item.text("contentType"))
    if media_type is None:
        return Skip(path=item.key, reason=f"{path.name} is of a kind that is not read")
    try:
        found = path.stat()
    except (OSError, ValueError) as exc:
        is_linked = item.text("linkMode") == "linked_file"
        mend = "mend the link" if is_linked else "download it"
        why = f"is not on this machine; {mend} in Zotero"
        if not isinstance(exc, FileNotFoundError):
            why = f"cannot be read: {exc}"
        reason = f"{path.name} of {_title(library, item)!r} {why}"
        return Skip(path=item.key, reason=reason, is_failure=True)
    if found.st_size > folders.limits.max_file_bytes:
        most = folders.limits.max_file_bytes
        reason = f"{path.name} is over max_file_bytes = {most}"
        return Skip(path=item.key, reason=reason, is_failure=True)
    work = library.work(item)
    listing = Listing(
        uri=opening(library, item),
        path=f"{item.key}/{path.name}",
        media_type=media_type,
        size_bytes=found.st_size,
        modified_at=datetime.fromtimestamp(found.st_mtime, UTC),
        language=work.text("language") if work else "",
    )
    return Document(listing, None, path)


def _title(library: Library, item: Item) -> str:
    work = library.work(item)
    return (work.text("title") if work else "") or item.text("title") or item.key


def _made(item: Item, uri: str, kind: tuple[str, str], content: bytes, when: datetime) -> Document:
    name, media_type = kind
    listing = Listing(
        uri=uri,
        path=f"{item.key}/{name}",
        media_type=media_type,
        size_bytes=len(content),
        modified_at=when,
    )
    return Document(listing, content)


def _note(library: Library, item: Item) -> Document:
    written = item.text("note")
    # As Zotero names notes: by their first words. The work's title would change with the work's.
    plain = html.unescape(_TAG.sub(" ", _INLINE.sub("", written))).split()
    title = html.escape(" ".join(plain)[:_TITLE_CHARS])
    body = f"<html><head><title>{title}</title></head><body>{written}</body></html>"
    kind = ("note.html", HTML)
    return _made(item, showing(library, item), kind, body.encode(), item.modified_at)


def _annotation(mark: Item) -> dict[str, str | int | None]:
    return {
        "kind": mark.text("annotationType"),
        "text": mark.text("annotationText"),
        "comment": mark.text("annotationComment"),
        "page": _page(mark),
        "label": mark.text("annotationPageLabel"),
        "sort": mark.text("annotationSortIndex"),
    }


def _page(mark: Item) -> int | None:
    """The page in the file, from 1; None in formats without pages."""
    try:
        told = json.loads(mark.text("annotationPosition") or "{}")
        index = told.get("pageIndex")
    except (ValueError, AttributeError):
        return None
    return index + 1 if isinstance(index, int) and 0 <= index < 100_000 else None


def _annotations(
    library: Library, item: Item, marks: list[Item], told: list[dict[str, str | int | None]]
) -> Document:
    held = {"title": f"Annotations: {item.text('title') or item.key}", "annotations": told}
    content = json.dumps(held, ensure_ascii=False, sort_keys=True).encode()
    when = max(one.modified_at for one in marks)
    kind = ("annotations.json", ANNOTATIONS)
    return _made(item, showing(library, item), kind, content, when)
