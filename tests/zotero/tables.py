"""Zotero's tables, and how they are filled."""

import sqlite3
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.zotero.shelf import Shelf

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


class Rows:
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

    def fill_group(self, number: int, name: str, shelf: "Shelf") -> None:
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

    def fill(self, shelf: "Shelf") -> None:
        run = self._connection.execute
        run("UPDATE libraries SET version = ? WHERE libraryID = 1", (shelf.version,))
        self._shelf(shelf)
        other = self._number("itemTypes", "typeName", "book")
        run("INSERT INTO items (itemTypeID, libraryID, key) VALUES (?, 2, 'GROUPBK1')", (other,))

    def _shelf(self, shelf: "Shelf") -> None:
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
