"""The tables, as numbered migrations: each is one transaction, the file remembers the last."""

import json
from collections.abc import Callable
from typing import Any

import apsw

from commonplace.domain.errors import IndexUnavailable
from commonplace.engines.sqlite import words

APPLICATION_ID = 0x436D706C  # "Cmpl": tells our files from other people's databases


def m001_ports(connection: apsw.Connection) -> None:
    """All three ports: passages with vectors and their change log, graph, keyvalue."""
    connection.execute(
        """
        CREATE TABLE store (token TEXT NOT NULL);
        INSERT INTO store VALUES (hex(randomblob(8)));

        CREATE TABLE projects (
            number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,
            generation INTEGER NOT NULL DEFAULT 0, written INTEGER NOT NULL DEFAULT 0,
            documents INTEGER NOT NULL DEFAULT 0, passages INTEGER NOT NULL DEFAULT 0,
            updated_at INTEGER);

        CREATE TABLE documents (
            number INTEGER PRIMARY KEY AUTOINCREMENT, project INTEGER NOT NULL,
            id TEXT NOT NULL, source_id TEXT NOT NULL, uri TEXT NOT NULL, path TEXT NOT NULL,
            title TEXT NOT NULL, media_type TEXT NOT NULL, content_hash TEXT NOT NULL,
            tags TEXT NOT NULL, repository TEXT, environment TEXT,
            modified_at INTEGER NOT NULL, indexed_at INTEGER NOT NULL,
            size_bytes INTEGER NOT NULL, written INTEGER NOT NULL);
        CREATE UNIQUE INDEX documents_id ON documents (project, id);
        CREATE INDEX documents_source ON documents (project, source_id);
        CREATE INDEX documents_written ON documents (project, written);
        CREATE TABLE tags (
            tag TEXT NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (tag, document)
        ) WITHOUT ROWID;
        CREATE INDEX tags_document ON tags (document);

        CREATE TABLE passages (
            number INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL,
            project INTEGER NOT NULL, id TEXT NOT NULL, ordinal INTEGER NOT NULL,
            start INTEGER NOT NULL, stop INTEGER NOT NULL, kind TEXT NOT NULL,
            tokens INTEGER NOT NULL, anchor TEXT, first_page INTEGER, last_page INTEGER,
            headings TEXT NOT NULL, text TEXT NOT NULL);
        CREATE UNIQUE INDEX passages_id ON passages (project, id);
        CREATE INDEX passages_document ON passages (document, ordinal);

        CREATE TABLE models (
            number INTEGER PRIMARY KEY AUTOINCREMENT, project INTEGER NOT NULL,
            name TEXT NOT NULL, dimension INTEGER NOT NULL,
            embedded INTEGER NOT NULL DEFAULT 0, seq INTEGER NOT NULL DEFAULT 0,
            pruned_seq INTEGER NOT NULL DEFAULT 0, logged INTEGER NOT NULL DEFAULT 0);
        CREATE UNIQUE INDEX models_name ON models (project, name);
        CREATE TABLE vectors (key INTEGER PRIMARY KEY, vector BLOB NOT NULL);
        CREATE TABLE changes (
            model INTEGER NOT NULL, seq INTEGER NOT NULL, passage INTEGER NOT NULL,
            PRIMARY KEY (model, seq, passage)) WITHOUT ROWID;

        CREATE TABLE nodes (
            project INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
            document_id TEXT, properties TEXT NOT NULL, PRIMARY KEY (project, id)) WITHOUT ROWID;
        CREATE INDEX nodes_document ON nodes (project, document_id);
        CREATE TABLE edges (
            project INTEGER NOT NULL, source TEXT NOT NULL, relation TEXT NOT NULL,
            target TEXT NOT NULL, document_id TEXT NOT NULL, confidence REAL NOT NULL,
            properties TEXT NOT NULL,
            PRIMARY KEY (project, source, relation, target, document_id)) WITHOUT ROWID;
        CREATE INDEX edges_target ON edges (project, target);
        CREATE INDEX edges_document ON edges (project, document_id);

        CREATE TABLE pairs (
            namespace TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, expires_at REAL,
            UNIQUE (namespace, key));
        CREATE INDEX pairs_expiry ON pairs (expires_at) WHERE expires_at IS NOT NULL;
        """
    )


def m002_statements(connection: apsw.Connection) -> None:
    """Which documents state a shared node, so that it goes with the last of them."""
    connection.execute(
        """
        CREATE TABLE statements (
            project INTEGER NOT NULL, node TEXT NOT NULL, document_id TEXT NOT NULL,
            PRIMARY KEY (project, node, document_id)) WITHOUT ROWID;
        CREATE INDEX statements_document ON statements (project, document_id);
        """
    )


def m003_numbered_graph(connection: apsw.Connection) -> None:
    """Nodes and relations by number: a third of the space, and a hub's surest edges come first.

    A node that edges name but nobody has stated yet has no kind. ``document`` is the number of
    the document's node; 0 in edges stands for none.
    """
    connection.execute(
        """
        DROP INDEX nodes_document;
        DROP INDEX edges_target;
        DROP INDEX edges_document;
        DROP INDEX statements_document;
        ALTER TABLE nodes RENAME TO old_nodes;
        ALTER TABLE edges RENAME TO old_edges;
        ALTER TABLE statements RENAME TO old_statements;

        CREATE TABLE nodes (
            number INTEGER PRIMARY KEY, project INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT,
            name TEXT NOT NULL DEFAULT '', document INTEGER, properties TEXT);
        CREATE UNIQUE INDEX nodes_id ON nodes (project, id);
        CREATE INDEX nodes_kind ON nodes (project, kind, name);
        CREATE INDEX nodes_document ON nodes (document) WHERE document IS NOT NULL;
        CREATE TABLE statements (
            node INTEGER NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (node, document)
        ) WITHOUT ROWID;
        CREATE INDEX statements_document ON statements (document);
        CREATE TABLE relations (
            number INTEGER PRIMARY KEY, project INTEGER NOT NULL, name TEXT NOT NULL,
            UNIQUE (project, name));
        CREATE TABLE edges (
            source INTEGER NOT NULL, relation INTEGER NOT NULL, target INTEGER NOT NULL,
            document INTEGER NOT NULL, confidence REAL NOT NULL, properties TEXT,
            PRIMARY KEY (source, relation, target, document)) WITHOUT ROWID;
        CREATE INDEX edges_out ON edges (source, relation, confidence DESC, target, document);
        CREATE INDEX edges_in ON edges (target, relation, confidence DESC, source, document);
        CREATE INDEX edges_document ON edges (document);

        INSERT INTO nodes (project, id, kind, name, properties)
            SELECT project, id, kind, name, nullif(properties, '{}') FROM old_nodes;
        INSERT OR IGNORE INTO nodes (project, id)
            SELECT project, document_id FROM old_nodes WHERE document_id IS NOT NULL
            UNION SELECT project, document_id FROM old_edges WHERE document_id <> ''
            UNION SELECT project, source FROM old_edges
            UNION SELECT project, target FROM old_edges
            UNION SELECT project, node FROM old_statements
            UNION SELECT project, document_id FROM old_statements;
        UPDATE nodes SET document = d.number FROM old_nodes AS o
            JOIN nodes AS d ON d.project = o.project AND d.id = o.document_id
            WHERE o.project = nodes.project AND o.id = nodes.id;
        INSERT INTO statements SELECT n.number, d.number FROM old_statements AS s
            JOIN nodes AS n ON n.project = s.project AND n.id = s.node
            JOIN nodes AS d ON d.project = s.project AND d.id = s.document_id;
        INSERT INTO relations (project, name) SELECT DISTINCT project, relation FROM old_edges;
        INSERT INTO edges
            SELECT s.number, r.number, t.number, coalesce(d.number, 0), e.confidence,
                nullif(e.properties, '{}')
            FROM old_edges AS e
            JOIN relations AS r ON r.project = e.project AND r.name = e.relation
            JOIN nodes AS s ON s.project = e.project AND s.id = e.source
            JOIN nodes AS t ON t.project = e.project AND t.id = e.target
            LEFT JOIN nodes AS d ON d.project = e.project AND d.id = e.document_id;
        DROP TABLE old_nodes;
        DROP TABLE old_edges;
        DROP TABLE old_statements;
        """
    )


def m004_words(connection: apsw.Connection) -> None:
    """Words of passages as rows of their own, instead of one FTS5 table a project."""
    for (project,) in _all(connection, "SELECT number FROM projects"):
        connection.execute(f"DROP TABLE IF EXISTS lexicon_{project:d}")
        documents = "SELECT number, title FROM documents WHERE project=?"
        for document, title in _all(connection, documents, project):
            passages = "SELECT number, headings, text FROM passages WHERE document=?"
            rows = _all(connection, passages, document)
            words.put(connection, project, title, [(n, json.loads(h), text) for n, h, text in rows])


def m005_names(connection: apsw.Connection) -> None:
    """The ids of hits without their texts: the rows of fifty hits are fifty pages of text."""
    connection.execute("CREATE UNIQUE INDEX passages_named ON passages (number, id)")


def m006_symbols(connection: apsw.Connection) -> None:
    """Symbols by name: their words, and their names whatever the letters' size."""
    connection.execute(
        """
        CREATE VIRTUAL TABLE symbol_words USING fts5 (
            name, path, doc, content='', contentless_delete=1, detail=column,
            tokenize='porter unicode61 remove_diacritics 2');
        CREATE INDEX nodes_name ON nodes (project, lower(name))
            WHERE properties ->> 'fqn' IS NOT NULL;
        CREATE INDEX nodes_fqn ON nodes (project, lower(properties ->> 'fqn'))
            WHERE properties ->> 'fqn' IS NOT NULL;
        """
    )


def _all(connection: apsw.Connection, sql: str, *bound: int) -> list[tuple[Any, ...]]:
    return connection.execute(sql, bound).fetchall()


MIGRATIONS: tuple[Callable[[apsw.Connection], None], ...] = (
    m001_ports,
    m002_statements,
    m003_numbered_graph,
    m004_words,
    m005_names,
    m006_symbols,
)
VERSION = len(MIGRATIONS)


def _number(connection: apsw.Connection, pragma: str) -> int:
    return int(connection.pragma(pragma))


def check(connection: apsw.Connection, path: str) -> bool:
    """Whether the file is of this version; raises IndexUnavailable if it is not ours to mend."""
    version = _number(connection, "user_version")
    if version > VERSION:
        raise IndexUnavailable(
            f"{path} was made by a newer commonplace (index version {version}, this one knows "
            f"{VERSION}); upgrade commonplace, or move the file away and add your sources again"
        )
    is_empty = version == 0 and _number(connection, "schema_version") == 0
    if not is_empty and _number(connection, "application_id") != APPLICATION_ID:
        raise IndexUnavailable(
            f"{path} is a database of another program; name another file in the setting `store`"
        )
    return version == VERSION


def migrate(connection: apsw.Connection, path: str) -> None:
    """Bring the file to this version, one transaction a step; safe with several processes."""
    while not check(connection, path):
        connection.execute("BEGIN IMMEDIATE")
        try:
            version = _number(connection, "user_version")  # another process may have been faster
            if version < VERSION:
                MIGRATIONS[version](connection)
                connection.execute(f"PRAGMA application_id={APPLICATION_ID:d}")
                connection.execute(f"PRAGMA user_version={version + 1:d}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # SQLite itself rolls back on a full disk
                connection.execute("ROLLBACK")
            raise
