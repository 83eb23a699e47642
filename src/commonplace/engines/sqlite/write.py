"""Writing documents: rows, words, vectors and graph of each in the caller's transaction."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import apsw

from commonplace.domain.document import Card
from commonplace.domain.passage import Passage
from commonplace.engines.base import Entry
from commonplace.engines.sqlite import graph, vectors, words
from commonplace.engines.sqlite.rows import as_json, micros, open_project, project_number

_COUNT = """
    UPDATE projects SET written = written + 1, generation = generation + 1,
        documents = documents + ?, updated_at = max(coalesce(updated_at, 0), ?)
        WHERE number = ? RETURNING written
"""
Kept = dict[str, tuple[int, str, str]]
"""What was stored of a document: by passage id its number, headings and text."""


def write_entries(connection: apsw.Connection, entries: Sequence[Entry]) -> None:
    """Replace documents and all that belongs to them, one after the other.

    What they add to the graph is put together for many: by numbers, many rows in a statement.
    """
    waiting: dict[tuple[str, str], Entry] = {}
    names = dict.fromkeys(entry.card.project for entry in entries)
    projects = {name: open_project(connection, name) for name in names}
    for entry in entries:
        key = (entry.card.project, entry.card.id)
        if key in waiting:  # another part of the same document
            _write_graphs(connection, waiting.values())
            waiting.clear()
        _write_document(connection, projects[entry.card.project], entry)
        waiting[key] = entry
    _write_graphs(connection, waiting.values())


def _write_graphs(connection: apsw.Connection, entries: Iterable[Entry]) -> None:
    by_project: dict[str, list[Entry]] = {}
    for entry in entries:
        by_project.setdefault(entry.card.project, []).append(entry)
    for name, own in by_project.items():
        project = open_project(connection, name)
        nodes = [node for entry in own for node in entry.nodes]
        graph.put(connection, project, nodes, [edge for entry in own for edge in entry.edges])
        graph.state(connection, project, {entry.card.id: entry.nodes for entry in own})


def _write_document(connection: apsw.Connection, project: int, entry: Entry) -> None:
    """Replace one document but for its graph, which is withdrawn."""
    card = entry.card
    document, old_title = _write_card(connection, project, card)
    if entry.part != "graph":
        grown = _write_text(connection, (project, document), entry, old_title)
        connection.execute(
            "UPDATE projects SET passages = passages + ? WHERE number = ?", (grown, project)
        )
    graph.drop_document(connection, project, card.id, entry.part)


def _write_text(
    connection: apsw.Connection, place: tuple[int, int], entry: Entry, old_title: str | None
) -> int:
    """Replace the passages of a document; how many more there are than before."""
    project, document = place
    kept = _take_passages(connection, document)
    ids = {passage.id for passage in entry.passages}
    gone = [number for passage_id, (number, _, _) in kept.items() if passage_id not in ids]
    _forget(connection, project, gone)
    numbers = _write_passages(connection, place, entry.passages, kept)
    _write_words(connection, project, entry, (old_title, kept, numbers))
    for model, rows in entry.vectors.items():
        vectors.put(connection, project, model, numbers, rows)
    return len(numbers) - len(kept)


def remove_documents(connection: apsw.Connection, name: str, ids: Sequence[str]) -> None:
    """Remove documents and all that belongs to them."""
    project = project_number(connection, name)
    if project is None:
        return
    found: list[tuple[Any, ...]] = connection.execute(
        "SELECT number, id FROM documents WHERE project=? "
        "AND id IN (SELECT value FROM json_each(?))",
        (project, as_json(ids)),
    ).fetchall()
    for document, document_id in found:
        kept = _take_passages(connection, document)
        _forget(connection, project, [number for number, _, _ in kept.values()])
        connection.execute("DELETE FROM tags WHERE document=?", (document,))
        connection.execute("DELETE FROM documents WHERE number=?", (document,))
        graph.drop_document(connection, project, document_id)
        connection.execute(
            "UPDATE projects SET generation = generation + 1, documents = documents - 1, "
            "passages = passages - ? WHERE number = ?",
            (len(kept), project),
        )


def label_documents(
    connection: apsw.Connection, name: str, labels: Mapping[str, Sequence[str]]
) -> None:
    """Let documents be selected by these tags beside those of their cards."""
    project = project_number(connection, name)
    found: list[tuple[Any, ...]] = connection.execute(
        "SELECT number, id, tags FROM documents WHERE project=? "
        "AND id IN (SELECT value FROM json_each(?))",
        (project, as_json(labels)),
    ).fetchall()
    for document, document_id, own in found:
        rows = connection.execute("SELECT tag FROM tags WHERE document=?", (document,))
        known = {row[0] for row in rows}
        tags = {*json.loads(own), *labels[document_id]}
        if tags == known:
            continue
        _write_tags(connection, document, tags)
        connection.execute(
            "UPDATE projects SET generation = generation + 1 WHERE number = ?", (project,)
        )


def _write_tags(connection: apsw.Connection, document: int, tags: Iterable[str]) -> None:
    connection.execute("DELETE FROM tags WHERE document=?", (document,))
    connection.executemany(
        "INSERT OR IGNORE INTO tags VALUES (?, ?)", [(tag, document) for tag in tags]
    )


def _write_card(connection: apsw.Connection, project: int, card: Card) -> tuple[int, str | None]:
    """The document's number and, when it was there before, its title until now."""
    old = connection.execute(
        "SELECT number, title FROM documents WHERE project=? AND id=?", (project, card.id)
    ).fetchone()
    number, title = old or (None, None)
    indexed_at = micros(card.indexed_at)
    written = connection.execute(_COUNT, (old is None, indexed_at, project)).get
    # fmt: off
    connection.execute(
        "INSERT OR REPLACE INTO documents VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (number, project, card.id, card.source_id, card.uri, card.path, card.title,
         card.media_type, card.content_hash, json.dumps(card.tags, ensure_ascii=False),
         card.repository, card.environment, micros(card.modified_at), indexed_at,
         card.size_bytes, written),
    )
    # fmt: on
    if number is None:
        number = connection.last_insert_rowid()
    if old is not None or card.tags:
        _write_tags(connection, number, card.tags)
    return cast("int", number), cast("str | None", title)


def _take_passages(connection: apsw.Connection, document: int) -> Kept:
    kept: Kept = {
        row[0]: (row[1], row[2], row[3])
        for row in connection.execute(
            "SELECT id, number, headings, text FROM passages WHERE document=?", (document,)
        )
    }
    connection.execute("DELETE FROM passages WHERE document=?", (document,))
    return kept


def _forget(connection: apsw.Connection, project: int, numbers: list[int]) -> None:
    if numbers:
        vectors.drop(connection, project, numbers)


def _write_passages(
    connection: apsw.Connection, place: tuple[int, int], passages: Sequence[Passage], kept: Kept
) -> list[int]:
    project, document = place
    numbers: list[int] = []
    for p in passages:
        number = kept[p.id][0] if p.id in kept else None
        pages: tuple[Any, Any] = p.pages or (None, None)
        headings = json.dumps(p.headings, ensure_ascii=False)
        # fmt: off
        connection.execute(
            "INSERT INTO passages VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (number, document, project, p.id, p.ordinal, p.span.start, p.span.end, p.kind,
             p.tokens, p.anchor, *pages, headings, p.text),
        )
        # fmt: on
        numbers.append(connection.last_insert_rowid() if number is None else number)
    return numbers


def _write_words(
    connection: apsw.Connection,
    project: int,
    entry: Entry,
    before: tuple[str | None, Kept, list[int]],
) -> None:
    """Index the words of passages that are new or whose words changed."""
    old_title, kept, numbers = before
    fresh: list[tuple[int, Sequence[str], str]] = []
    for number, passage in zip(numbers, entry.passages, strict=True):
        now = (json.dumps(passage.headings, ensure_ascii=False), passage.text)
        is_known = passage.id in kept and kept[passage.id][1:] == now
        if not is_known or old_title != entry.card.title:
            fresh.append((number, passage.headings, passage.text))
    words.put(connection, project, entry.card.title, fresh)
