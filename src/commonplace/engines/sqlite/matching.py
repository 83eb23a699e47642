"""Nodes by the words they hold: a look at every node of a kind, for when no other index answers."""

from collections.abc import Sequence

import apsw

from commonplace.domain.graph import Node
from commonplace.engines.sqlite.noderows import NODE, node_of
from commonplace.engines.sqlite.rows import LIMIT_MOST, as_json, project_number

_MATCH = f"""
    SELECT {NODE} FROM (
        SELECT number AS found, (
            SELECT count(*) FROM json_each(:words)
            WHERE instr(lower(name || ' ' || coalesce(properties, '')), value)) AS held
        FROM nodes WHERE project = :project AND kind = :kind)
    JOIN nodes AS n ON n.number = found WHERE held > 0 ORDER BY held DESC, n.id LIMIT :limit
"""  # noqa: S608 - our own names


def matching(
    connection: apsw.Connection, place: tuple[str, str], words: Sequence[str], limit: int
) -> list[Node]:
    """Nodes of a project and kind that hold any of the words, those with most first."""
    project, kind = place
    bound = {
        "project": project_number(connection, project),
        "kind": kind,
        "words": as_json(words),
        "limit": max(0, min(limit, LIMIT_MOST)),
    }
    return [node_of(project, row) for row in connection.execute(_MATCH, bound)]
