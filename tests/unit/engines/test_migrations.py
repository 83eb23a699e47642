"""Files of earlier versions are brought up to date with all they hold."""

from pathlib import Path

import apsw
import pytest

from commonplace.engines.sqlite import schema
from commonplace.engines.sqlite.store import SqliteStore

OLD_GRAPH = """
    INSERT INTO projects (name) VALUES ('default'), ('org/other');
    INSERT INTO nodes VALUES (1, 'd1', 'Document', 'Guide', 'd1', '{}'),
        (1, 'p1', 'Passage', 'Part', 'd1', '{"start": 3}'), (1, 'e1', 'Command', 'run', NULL, '{}'),
        (2, 'p1', 'Passage', 'Theirs', NULL, '{}');
    INSERT INTO edges VALUES (1, 'd1', 'HAS_PASSAGE', 'p1', 'd1', 1.0, '{}'),
        (1, 'p1', 'MENTIONS', 'e1', 'd1', 0.75, '{"at": 7}'),
        (1, 'p1', 'LINKS_TO', 'later', '', 0.5, '{}'), (2, 'p1', 'LINKS_TO', 'p1', '', 1.0, '{}');
    INSERT INTO statements VALUES (1, 'e1', 'd1');
"""


def old_file(path: Path, version: int, rows: str) -> None:
    connection = apsw.Connection(str(path))
    for migration in schema.MIGRATIONS[:version]:
        migration(connection)
    connection.execute(rows)
    connection.execute(f"PRAGMA application_id={schema.APPLICATION_ID:d}")
    connection.execute(f"PRAGMA user_version={version:d}")
    connection.close()


@pytest.mark.requirement("GRAPH-T20")
async def test_a_graph_with_text_ids_is_numbered_and_keeps_all_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    old_file(path, 2, OLD_GRAPH)
    store = SqliteStore.open(f"sqlite://{path}")
    try:
        graph = store.graph
        (passage,) = await graph.nodes("default", ["p1", "later"])
        assert (passage.kind, passage.document_id, passage.properties) == (
            "Passage",
            "d1",
            {"start": 3},
        )
        near = await graph.neighbours("default", ["p1"], [], 1)
        assert [(n.node.id, n.edge.relation, n.edge.confidence) for n in near] == [
            ("d1", "HAS_PASSAGE", 1.0),
            ("e1", "MENTIONS", 0.75),
        ]
        assert near[1].edge.properties == {"at": 7}
        assert near[1].edge.document_id == "d1"
        assert near[1].node.document_id is None
        (theirs,) = await graph.nodes("org/other", ["p1"])
        assert theirs.name == "Theirs"
        await graph.remove("default", ["d1"])
        assert [n.node.id for n in await graph.neighbours("default", ["p1"], [], 1)] == ["e1"]
    finally:
        await store.close()
