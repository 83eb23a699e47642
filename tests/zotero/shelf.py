"""A Zotero library for tests, and its database.

The same items are told by a server with Zotero's local API (``api.py``), as the API writes them.
"""

import json
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.unit.parsers.paper import Sheet, make_pdf
from tests.zotero.tables import TABLES, Rows


@dataclass(slots=True)
class Shelf:
    """A library under a folder; ``items`` are the ``data`` of the API."""

    folder: Path
    items: list[dict[str, Any]] = field(default_factory=list)
    collections: list[dict[str, Any]] = field(default_factory=list)
    version: int = 0
    trash: set[str] = field(default_factory=set)
    searches: list[dict[str, Any]] = field(default_factory=list)
    """Saved ones; ``found`` of each is what Zotero finds when it runs it."""
    groups: dict[int, "tuple[str, Shelf]"] = field(default_factory=dict)
    """Name and shelf of each group, by its number."""

    def put(self, key: str, kind: str, **data: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
        """Add an item."""
        moment = f"2024-03-01T10:00:{len(self.items):02}Z"
        made = {"key": key, "version": 0, "itemType": kind, "dateModified": moment, **data}
        self.items.append(made)
        return made

    def attach(self, key: str, parent: str, name: str, content: bytes | None) -> dict[str, Any]:
        """Add a stored file to an item; without content it is missing."""
        if content is not None:
            place = self.folder / "storage" / key / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        return self.put(
            key,
            "attachment",
            parentItem=parent,
            linkMode="imported_file",
            contentType="application/pdf",
            filename=name,
            title=name,
        )

    def mark(self, key: str, parent: str, page: int, **data: str) -> None:
        """Add a highlight on a page, counted from 1."""
        told = {"annotationText": "", "annotationComment": "", **data}
        self.put(
            key,
            "annotation",
            parentItem=parent,
            annotationType="highlight",
            annotationPageLabel=str(page + 100),
            annotationSortIndex=f"{page:05}|000100|00010",
            annotationPosition=json.dumps({"pageIndex": page - 1, "rects": [[1, 2, 3, 4]]}),
            **told,
        )

    def collect(self, key: str, name: str, parent: str = "") -> None:
        """Add a collection."""
        self.collections.append({"key": key, "name": name, "parentCollection": parent or False})

    def save(
        self, key: str, name: str, tests: list[tuple[str, str, str]], found: list[str]
    ) -> None:
        """Add a saved search."""
        told = [{"condition": a, "operator": b, "value": c} for a, b, c in tests]
        self.searches.append({"key": key, "name": name, "conditions": told, "found": found})

    def write(self) -> sqlite3.Connection:
        """Write the database as a running Zotero has it: locked, the last rows in its log."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / "zotero.sqlite"
        for ending in ("", "-wal", "-shm"):
            Path(f"{file}{ending}").unlink(missing_ok=True)
        connection = sqlite3.connect(file)
        connection.executescript("PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL;")
        connection.executescript(TABLES)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        rows = Rows(connection)
        rows.fill(self)
        for number, (name, shelf) in self.groups.items():
            rows.fill_group(number, name, shelf)
        connection.commit()
        return connection


def paper(title: str, words: str) -> bytes:
    first = Sheet().line(72, 700, title, 20, "bold").lines(72, 660, [words])
    return make_pdf([first, Sheet().lines(72, 700, [f"The second page of it tells {words}"])])


def make_shelf(folder: Path) -> Shelf:
    """Two works, in nested collections, with files, annotations and a note."""
    made = Shelf(folder)
    made.collect("COLLARCH", "Architecture")
    made.collect("COLLDDD1", "DDD", "COLLARCH")
    made.collect("COLLGARD", "Garden")
    made.put(
        "EVANS001",
        "journalArticle",
        title="Domain Models in Practice",
        creators=[
            {"creatorType": "author", "firstName": "Eric", "lastName": "Evans"},
            {"creatorType": "editor", "name": "The Society"},
        ],
        date="2003-05-01",
        DOI="10.1000/DDD.1",
        language="en",
        publicationTitle="Journal of Models",
        volume="7",
        pages="1-20",
        citationKey="evans2003",
        tags=[{"tag": "design"}, {"tag": "to read"}],
        collections=["COLLDDD1"],
    )
    made.attach("EVANSPDF", "EVANS001", "Evans.pdf", paper("Models", "entities keep identity"))
    made.mark("MARK0001", "EVANSPDF", 2, annotationText="An entity is more than its attributes.")
    made.mark("MARK0002", "EVANSPDF", 2, annotationComment="Compare this with value objects.")
    made.put(
        "LEE00001",
        "book",
        title="Watering orchards",
        creators=[{"creatorType": "author", "firstName": "Ana", "lastName": "Lee"}],
        date="2021",
        extra="PMID: 3\nCitation Key: lee2021water",
        language="de",
        tags=[{"tag": "design"}],
        collections=["COLLGARD"],
    )
    made.attach("LEEPDF01", "LEE00001", "Lee.pdf", paper("Watering", "drip lines at the root"))
    note = "<p>The zither of the orchard hums in the night.</p>"
    made.put("LEENOTE1", "note", parentItem="LEE00001", note=note)
    return made
