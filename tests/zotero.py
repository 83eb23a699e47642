"""A Zotero library for tests: its database with Zotero's tables, and a server with its local API.

Both are made from the same items, written as the API writes them.
"""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.site import Asked, Site, head, open_site
from tests.unit.parsers.paper import Sheet, make_pdf

TABLES = """
CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL, editable INT NOT NULL,
  filesEditable INT NOT NULL, version INT NOT NULL DEFAULT 0, storageVersion INT NOT NULL DEFAULT 0,
  lastSync INT NOT NULL DEFAULT 0, archived INT NOT NULL DEFAULT 0);
CREATE TABLE groups (groupID INTEGER PRIMARY KEY, libraryID INT NOT NULL UNIQUE, name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '', version INT NOT NULL DEFAULT 0);
CREATE TABLE savedSearches (savedSearchID INTEGER PRIMARY KEY, savedSearchName TEXT NOT NULL,
  clientDateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, libraryID INT NOT NULL,
  key TEXT NOT NULL, version INT NOT NULL DEFAULT 0, synced INT NOT NULL DEFAULT 0);
CREATE TABLE savedSearchConditions (savedSearchID INT NOT NULL, searchConditionID INT NOT NULL,
  condition TEXT NOT NULL, operator TEXT, value TEXT, required NONE,
  PRIMARY KEY (savedSearchID, searchConditionID));
CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT, templateItemTypeID INT,
  display INT DEFAULT 1);
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT, fieldFormatID INT);
CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL,
  dateAdded TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  dateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  clientDateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, libraryID INT NOT NULL,
  key TEXT NOT NULL, version INT NOT NULL DEFAULT 0, synced INT NOT NULL DEFAULT 0,
  UNIQUE (libraryID, key));
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID, PRIMARY KEY (itemID, fieldID));
CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT);
CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT,
  contentType TEXT, charsetID INT, path TEXT, syncState INT DEFAULT 0, storageModTime INT,
  storageHash TEXT, lastProcessedModificationTime INT);
CREATE TABLE itemAnnotations (itemID INTEGER PRIMARY KEY, parentItemID INT NOT NULL,
  type INTEGER NOT NULL, authorName TEXT, text TEXT, comment TEXT, color TEXT, pageLabel TEXT,
  sortIndex TEXT NOT NULL, position TEXT NOT NULL, isExternal INT NOT NULL);
CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE itemTags (itemID INT NOT NULL, tagID INT NOT NULL, type INT NOT NULL,
  PRIMARY KEY (itemID, tagID));
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT,
  UNIQUE (lastName, firstName, fieldMode));
CREATE TABLE itemCreators (itemID INT NOT NULL, creatorID INT NOT NULL,
  creatorTypeID INT NOT NULL DEFAULT 1, orderIndex INT NOT NULL DEFAULT 0,
  PRIMARY KEY (itemID, creatorID, creatorTypeID, orderIndex));
CREATE TABLE collections (collectionID INTEGER PRIMARY KEY, collectionName TEXT NOT NULL,
  parentCollectionID INT DEFAULT NULL,
  clientDateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, libraryID INT NOT NULL,
  key TEXT NOT NULL, version INT NOT NULL DEFAULT 0, synced INT NOT NULL DEFAULT 0);
CREATE TABLE collectionItems (collectionID INT NOT NULL, itemID INT NOT NULL,
  orderIndex INT NOT NULL DEFAULT 0, PRIMARY KEY (collectionID, itemID));
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY, dateDeleted DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE deletedCollections (collectionID INTEGER PRIMARY KEY, dateDeleted);
INSERT INTO libraries (libraryID, type, editable, filesEditable) VALUES
  (1, 'user', 1, 1), (2, 'group', 1, 1);
"""
_MODES = ("imported_file", "imported_url", "linked_file", "linked_url", "embedded_image")
_KINDS = ("", "highlight", "note", "image", "ink", "underline", "text")
_OWN = frozenset(
    ("key", "version", "itemType", "parentItem", "creators", "tags", "collections", "dateModified",
     "note", "linkMode", "contentType", "filename", "path", "annotationType", "annotationText",
     "annotationComment", "annotationPageLabel", "annotationSortIndex", "annotationPosition")
)  # fmt: skip


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
        rows = _Rows(connection)
        rows.fill(self)
        for number, (name, shelf) in self.groups.items():
            rows.fill_group(number, name, shelf)
        connection.commit()
        return connection


class _Rows:
    """Fills the tables."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._numbers: dict[tuple[str, str], int] = {}
        self._library = 1

    def _number(self, table: str, columns: str, *values: Any) -> int:  # noqa: ANN401
        known = (table, repr(values))
        if known not in self._numbers:
            marks = ", ".join("?" * len(values))
            made = self._connection.execute(
                f"INSERT INTO {table} ({columns}) VALUES ({marks})", values
            )
            self._numbers[known] = made.lastrowid or 0
        return self._numbers[known]

    def fill_group(self, number: int, name: str, shelf: Shelf) -> None:
        self._library = 100 + number
        run = self._connection.execute
        run(
            "INSERT INTO libraries (libraryID, type, editable, filesEditable) "
            "VALUES (?, 'group', 1, 1)",
            (self._library,),
        )
        told = (number, self._library, name)
        run("INSERT INTO groups (groupID, libraryID, name) VALUES (?, ?, ?)", told)
        self._shelf(shelf)

    def fill(self, shelf: Shelf) -> None:
        run = self._connection.execute
        run("UPDATE libraries SET version = ? WHERE libraryID = 1", (shelf.version,))
        self._shelf(shelf)
        other = self._number("itemTypes", "typeName", "book")
        run("INSERT INTO items (itemTypeID, libraryID, key) VALUES (?, 2, 'GROUPBK1')", (other,))

    def _shelf(self, shelf: Shelf) -> None:
        run = self._connection.execute
        first = 1000 * self._library
        folders: dict[str, int] = {}
        for number, one in enumerate(shelf.collections, first):
            folders[one["key"]] = number
            run(
                "INSERT INTO collections (collectionID, collectionName, libraryID, key) "
                "VALUES (?, ?, ?, ?)",
                (number, one["name"], self._library, one["key"]),
            )
        for one in shelf.collections:
            if one["parentCollection"]:
                ends = (folders[one["parentCollection"]], folders[one["key"]])
                run("UPDATE collections SET parentCollectionID = ? WHERE collectionID = ?", ends)
        keys = {data["key"]: number for number, data in enumerate(shelf.items, first)}
        for data in shelf.items:
            self._item(data, keys, folders)
        for key in shelf.trash:
            run("INSERT INTO deletedItems (itemID) VALUES (?)", (keys[key],))
        for number, one in enumerate(shelf.searches, first):
            told = (number, one["name"], self._library, one["key"])
            run(
                "INSERT INTO savedSearches (savedSearchID, savedSearchName, libraryID, key) "
                "VALUES (?, ?, ?, ?)",
                told,
            )
            for order, test in enumerate(one["conditions"]):
                row = (number, order, test["condition"], test["operator"], test["value"])
                run("INSERT INTO savedSearchConditions VALUES (?, ?, ?, ?, ?, NULL)", row)

    def _item(self, data: dict[str, Any], keys: dict[str, int], folders: dict[str, int]) -> None:
        run, here = self._connection.execute, keys[data["key"]]
        kind = self._number("itemTypes", "typeName", data["itemType"])
        moment = data["dateModified"].replace("T", " ").rstrip("Z")
        row = (here, kind, moment, self._library, data["key"], data["version"])
        run(
            "INSERT INTO items (itemID, itemTypeID, dateModified, libraryID, key, version) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            row,
        )
        for name, value in data.items():
            if name not in _OWN and value:
                stored = f"{value[:4]}-00-00 {value}" if name == "date" else value
                told = self._number("itemDataValues", "value", stored)
                ends = (here, self._number("fields", "fieldName", name), told)
                run("INSERT INTO itemData VALUES (?, ?, ?)", ends)
        for one in data.get("tags", ()):
            tag = self._number("tags", "name", one["tag"])
            run("INSERT INTO itemTags VALUES (?, ?, 0)", (here, tag))
        for order, one in enumerate(data.get("creators", ())):
            names = (one.get("firstName", ""), one.get("lastName") or one.get("name", ""))
            who = self._number(
                "creators", "firstName, lastName, fieldMode", *names, int("name" in one)
            )
            role = self._number("creatorTypes", "creatorType", one["creatorType"])
            run("INSERT INTO itemCreators VALUES (?, ?, ?, ?)", (here, who, role, order))
        for key in data.get("collections", ()):
            run("INSERT INTO collectionItems VALUES (?, ?, 0)", (folders[key], here))
        self._part(data, here, keys.get(data.get("parentItem", "")))

    def _part(self, data: dict[str, Any], here: int, parent: int | None) -> None:
        run = self._connection.execute
        if data["itemType"] == "attachment":
            name = data.get("filename")
            row = (
                here,
                parent,
                _MODES.index(data["linkMode"]),
                data["contentType"],
                f"storage:{name}" if name else data.get("path"),
            )
            run(
                "INSERT INTO itemAttachments (itemID, parentItemID, linkMode, contentType, path) "
                "VALUES (?, ?, ?, ?, ?)",
                row,
            )
        elif data["itemType"] == "note":
            run("INSERT INTO itemNotes VALUES (?, ?, ?, '')", (here, parent, data["note"]))
        elif data["itemType"] == "annotation":
            told = [data[f"annotation{name}"] for name in ("Text", "Comment", "PageLabel")]
            place = [data[f"annotation{name}"] for name in ("SortIndex", "Position")]
            kind = _KINDS.index(data["annotationType"])
            run(
                "INSERT INTO itemAnnotations (itemID, parentItemID, type, text, comment, "
                "pageLabel, sortIndex, position, isExternal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)",
                (here, parent, kind, *told, *place),
            )


@asynccontextmanager
async def open_zotero(shelf: Shelf) -> AsyncIterator[Site]:
    """A server that answers as Zotero's local API does, from the shelf as it is at the moment."""
    async with open_site() as site:

        async def groups(asked: Asked, writer: Any) -> None:  # noqa: ANN401
            del asked
            page = [
                {"id": number, "version": 0, "data": {"id": number, "name": name}}
                for number, (name, _) in shelf.groups.items()
            ]
            _say(writer, page, {"Total-Results": len(page)})

        site.pages["/api/users/0/groups"] = groups
        _serve(site, shelf, "users/0")
        for number, (_, other) in shelf.groups.items():
            _serve(site, other, f"groups/{number}")
        yield site


def _serve(site: Site, shelf: Shelf, home: str) -> None:
    """The pages of one library."""

    async def items(asked: Asked, writer: Any) -> None:  # noqa: ANN401
        query = {name: one[0] for name, one in parse_qs(urlsplit(asked.path).query).items()}
        found = _alive(shelf)
        since = int(query.get("since", "0"))
        found = [one for one in found if not since or one["version"] > since]
        sort = query.get("sort", "dateModified")
        if sort == "dateModified":
            found.sort(key=lambda one: str(one[sort]), reverse=True)
        start = int(query.get("start", "0"))
        limit = int(query.get("limit", "0")) or len(found)
        page = [_told(shelf, one) for one in found[start : start + limit]]
        _say(writer, page, {"Total-Results": len(found), "Last-Modified-Version": shelf.version})

    async def collections(asked: Asked, writer: Any) -> None:  # noqa: ANN401
        del asked
        held = [one for data in _alive(shelf) for one in data.get("collections", ())]
        page = [
            {"key": one["key"], "data": one, "meta": {"numItems": held.count(one["key"])}}
            for one in shelf.collections
        ]
        _say(writer, page, {"Total-Results": len(page)})

    async def searches(asked: Asked, writer: Any) -> None:  # noqa: ANN401
        del asked
        page = [{"key": one["key"], "data": one} for one in shelf.searches]
        _say(writer, page, {"Total-Results": len(page)})

    def finding(keys: list[str]) -> Any:  # noqa: ANN401
        async def found(asked: Asked, writer: Any) -> None:  # noqa: ANN401
            del asked
            page = [_told(shelf, one) for one in _alive(shelf) if one["key"] in keys]
            _say(writer, page, {"Total-Results": len(page)})

        return found

    site.pages[f"/api/{home}/items"] = items
    site.pages[f"/api/{home}/collections"] = collections
    site.pages[f"/api/{home}/searches"] = searches
    for one in shelf.searches:
        site.pages[f"/api/{home}/searches/{one['key']}/items"] = finding(one["found"])


def _alive(shelf: Shelf) -> list[dict[str, Any]]:
    """All items but those in the trash and their children."""
    gone = set(shelf.trash)
    for _ in range(2):
        gone |= {one["key"] for one in shelf.items if one.get("parentItem") in gone}
    return [one for one in shelf.items if one["key"] not in gone]


def _told(shelf: Shelf, data: dict[str, Any]) -> dict[str, Any]:
    links: dict[str, Any] = {}
    if data.get("filename"):
        place = shelf.folder / "storage" / data["key"] / data["filename"]
        links["enclosure"] = {"href": place.as_uri(), "type": data["contentType"]}
    return {"key": data["key"], "version": data["version"], "links": links, "data": data}


def _say(writer: Any, page: Any, headers: dict[str, int]) -> None:  # noqa: ANN401
    body = json.dumps(page).encode()
    named = {name: str(value) for name, value in headers.items()}
    kind = {"content-type": "application/json", "content-length": str(len(body))}
    writer.write(head(200, {**kind, **named}) + body)


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
