"""The library in ``zotero.sqlite``, read while Zotero runs: from a copy, never from the file.

Zotero keeps its database locked. ``immutable=1`` would open it, and miss what is still in the
write-ahead log; a copy of the file and its log shows everything that was committed.
"""

import shutil
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from commonplace.domain.errors import SourceError
from commonplace.sources.zotero.items import OWN, Collection, Item, Library, Search, group_home

NAME = "zotero.sqlite"
_BESIDE = ("", "-wal", "-journal")  # not -shm: it is made anew from the log, and ours is consistent
_TRIES = 5
_LINK_MODES = ("imported_file", "imported_url", "linked_file", "linked_url", "embedded_image")
_ANNOTATIONS = {1: "highlight", 2: "note", 3: "image", 4: "ink", 5: "underline", 6: "text"}
Rows = Callable[[str], list[sqlite3.Row]]


def state_of(folder: Path) -> str:
    """Changes with every change of the database; raises SourceError where there is none."""
    return f"file {_stamp(folder)}"


def _stamp(folder: Path) -> str:
    told = []
    for ending in _BESIDE:
        try:
            found = (folder / f"{NAME}{ending}").stat()
        except FileNotFoundError as exc:
            if not ending:
                raise SourceError(
                    f"there is no {NAME} in {folder}; start Zotero, or name its data folder in the "
                    "setting zotero_folder"
                ) from exc
            continue
        except OSError as exc:
            raise SourceError(f"cannot read {folder / NAME}: {exc.strerror}") from exc
        told.append(f"{ending}:{found.st_size}:{found.st_mtime_ns}")
    return " ".join(told)


def read_library(folder: Path, group: str = "") -> Library:
    """All items of the user's library or a group's; SourceError for what is no Zotero database."""
    state = state_of(folder)
    try:
        with _copy(folder) as copy, closing(sqlite3.connect(copy)) as connection:
            connection.row_factory = sqlite3.Row
            return _read(connection, state, group)
    except sqlite3.Error as exc:
        raise SourceError(
            f"{folder / NAME} cannot be read as a Zotero 7 library ({exc}); start Zotero once, so "
            "that it mends or upgrades it"
        ) from exc


@contextmanager
def _copy(folder: Path) -> Iterator[Path]:
    """A copy of the database as it was at one moment."""
    with tempfile.TemporaryDirectory(prefix="commonplace-zotero-") as made:
        for _ in range(_TRIES):
            before = _stamp(folder)
            try:
                for ending in _BESIDE:
                    origin, target = folder / f"{NAME}{ending}", Path(made) / f"{NAME}{ending}"
                    target.unlink(missing_ok=True)
                    if origin.exists():
                        shutil.copyfile(origin, target)
            except FileNotFoundError:
                continue  # a log that ended meanwhile
            except OSError as exc:
                raise SourceError(f"cannot copy {folder / NAME}: {exc.strerror}") from exc
            if _stamp(folder) == before:
                yield Path(made) / NAME
                return
        raise SourceError("Zotero is writing to its database all the time; try again in a minute")


def _read(connection: sqlite3.Connection, state: str, group: str) -> Library:
    def rows(query: str) -> list[sqlite3.Row]:
        return connection.execute(query).fetchall()

    tables = {row["name"] for row in rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
    home, number = _home(rows, group, "groups" in tables)
    made = {
        row["itemID"]: _plain(row)
        for row in rows(
            "SELECT itemID, key, version, typeName, dateModified FROM items JOIN itemTypes "  # noqa: S608 - a constant
            f"USING (itemTypeID) WHERE libraryID = {number} AND itemID NOT IN "
            "(SELECT itemID FROM deletedItems) ORDER BY itemID"
        )
    }
    keys = {number: data["key"] for number, data in made.items()}
    _add_fields(made, rows)
    _add_people(made, rows)
    _add_parts(made, keys, rows)
    if "itemAnnotations" in tables:
        _add_annotations(made, keys, rows)
    collections = _collections(rows, number, "deletedCollections" in tables)
    _add_collections(made, collections, rows)
    searches = _searches(rows, number) if "savedSearches" in tables else ()
    return Library(_whole(made.values()), tuple(collections.values()), state, home, searches)


def _home(rows: Rows, group: str, has_groups: bool) -> tuple[str, int]:
    """Where addresses begin, and the number of the library in the database."""
    if not group:
        own = rows("SELECT libraryID FROM libraries WHERE type = 'user'")
        return OWN, own[0]["libraryID"] if own else 0
    told = rows("SELECT groupID, libraryID, name FROM groups") if has_groups else []
    home = group_home({str(row["groupID"]): str(row["name"]) for row in told}, group)
    return home, next(row["libraryID"] for row in told if home == f"groups/{row['groupID']}")


def _searches(rows: Rows, number: int) -> tuple[Search, ...]:
    found: dict[int, tuple[str, list[tuple[str, str, str]]]] = {
        row["savedSearchID"]: (str(row["savedSearchName"]), [])
        for row in rows(
            "SELECT savedSearchID, savedSearchName FROM savedSearches "  # noqa: S608 - a number
            f"WHERE libraryID = {number} ORDER BY savedSearchID"
        )
    }
    for row in rows(
        "SELECT savedSearchID, condition, operator, value FROM savedSearchConditions "
        "ORDER BY savedSearchID, searchConditionID"
    ):
        if row["savedSearchID"] in found:
            told = (row["condition"] or "", row["operator"] or "", row["value"] or "")
            found[row["savedSearchID"]][1].append(told)
    return tuple(Search(name, tuple(some)) for name, some in found.values())


def _whole(made: Iterable[dict[str, Any]]) -> tuple[Item, ...]:
    """Items without those whose parent, or its parent, is in the trash."""
    kept = list(made)
    for _ in ("attachments and notes", "annotations"):
        known = {data["key"] for data in kept}
        kept = [
            data for data in kept if data.get("parentItem") is None or data["parentItem"] in known
        ]
    return tuple(Item(data) for data in kept)


def _plain(row: sqlite3.Row) -> dict[str, Any]:
    moment = f"{row['dateModified']}".replace(" ", "T") + "Z"
    told = {"key": row["key"], "version": row["version"], "itemType": row["typeName"]}
    return {**told, "dateModified": moment}


def _add_fields(made: dict[int, dict[str, Any]], rows: Rows) -> None:
    for row in rows(
        "SELECT itemID, fieldName, value FROM itemData JOIN fields USING (fieldID) "
        "JOIN itemDataValues USING (valueID)"
    ):
        if row["itemID"] in made:
            value = str(row["value"])
            if row["fieldName"] in ("date", "filingDate"):
                value = value[11:] or value  # Zotero puts a date to sort by before the one written
            made[row["itemID"]][row["fieldName"]] = value
    for row in rows("SELECT itemID, name FROM itemTags JOIN tags USING (tagID) ORDER BY tagID"):
        if row["itemID"] in made:
            made[row["itemID"]].setdefault("tags", []).append({"tag": row["name"]})


def _add_people(made: dict[int, dict[str, Any]], rows: Rows) -> None:
    for row in rows(
        "SELECT itemID, firstName, lastName, fieldMode, creatorType FROM itemCreators "
        "JOIN creators USING (creatorID) JOIN creatorTypes USING (creatorTypeID) "
        "ORDER BY itemID, orderIndex"
    ):
        if row["itemID"] not in made:
            continue
        names = {"firstName": row["firstName"] or "", "lastName": row["lastName"] or ""}
        told = {"name": row["lastName"] or ""} if row["fieldMode"] else names
        made[row["itemID"]].setdefault("creators", []).append(
            {"creatorType": row["creatorType"], **told}
        )


def _add_parts(made: dict[int, dict[str, Any]], keys: dict[int, str], rows: Rows) -> None:
    for row in rows(
        "SELECT itemID, parentItemID, linkMode, contentType, path FROM itemAttachments"
    ):
        if row["itemID"] not in made:
            continue
        mode, path = row["linkMode"] or 0, row["path"] or ""
        told = {
            "linkMode": _LINK_MODES[mode] if mode < len(_LINK_MODES) else str(mode),
            "contentType": row["contentType"] or "",
        }
        is_stored = path.startswith("storage:")
        told |= {"filename": path.removeprefix("storage:")} if is_stored else {"path": path}
        made[row["itemID"]] |= told | _under(row["parentItemID"], keys)
    for row in rows("SELECT itemID, parentItemID, note FROM itemNotes"):
        if row["itemID"] in made:
            note = {"note": row["note"] or ""} | _under(row["parentItemID"], keys)
            made[row["itemID"]] |= note


def _under(parent: int | None, keys: dict[int, str]) -> dict[str, str]:
    """Whom a part belongs to; one whose parent is in the trash is there too."""
    return {} if parent is None else {"parentItem": keys.get(parent, "")}


def _add_annotations(made: dict[int, dict[str, Any]], keys: dict[int, str], rows: Rows) -> None:
    for row in rows(
        "SELECT itemID, parentItemID, type, text, comment, pageLabel, sortIndex, position "
        "FROM itemAnnotations"
    ):
        if row["itemID"] in made:
            made[row["itemID"]] |= {
                "annotationType": _ANNOTATIONS.get(row["type"], str(row["type"])),
                "annotationText": row["text"] or "",
                "annotationComment": row["comment"] or "",
                "annotationPageLabel": row["pageLabel"] or "",
                "annotationSortIndex": row["sortIndex"] or "",
                "annotationPosition": row["position"] or "",
            } | _under(row["parentItemID"], keys)


def _collections(rows: Rows, number: int, has_trash: bool) -> dict[int, Collection]:
    trash = " AND collectionID NOT IN (SELECT collectionID FROM deletedCollections)"
    found = rows(
        "SELECT collectionID, key, collectionName, parentCollectionID FROM collections "  # noqa: S608 - constants
        f"WHERE libraryID = {number}{trash if has_trash else ''} ORDER BY collectionID"
    )
    keys = {row["collectionID"]: row["key"] for row in found}
    return {
        row["collectionID"]: Collection(
            row["key"], row["collectionName"], keys.get(row["parentCollectionID"], "")
        )
        for row in found
    }


def _add_collections(
    made: dict[int, dict[str, Any]],
    collections: dict[int, Collection],
    rows: Rows,
) -> None:
    held: defaultdict[int, list[str]] = defaultdict(list)
    for row in rows("SELECT collectionID, itemID FROM collectionItems ORDER BY collectionID"):
        if row["collectionID"] in collections:
            held[row["itemID"]].append(collections[row["collectionID"]].key)
    for number, found in held.items():
        if number in made:
            made[number]["collections"] = found
