"""The terrain of a walk in SQLite: prepared statements over the numbered edges.

Every statement is bound to what the call may see. A whole project sees all its nodes; a narrower
selection only edges that a selected document states, and nodes of selected documents or, of no
document, at such an edge.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import apsw

from commonplace.domain.scope import Selection
from commonplace.domain.walk import Direction, Reach, Way
from commonplace.engines.sqlite.rows import as_json, selected
from commonplace.engines.sqlite.statements import relations_of
from commonplace.engines.terrain import MOST_DEGREE, WAYS, Asked, Key, Step

_ENDS: Mapping[Way, tuple[str, str]] = {"out": ("source", "target"), "in": ("target", "source")}


def seen(selection: Selection, project: int) -> tuple[str, str, dict[str, Any]]:
    """What of ``edges AS e`` and ``nodes AS n`` a selection may see, and the parameters of both.

    >>> seen(Selection(project="x"), 7)
    ('', '', {})
    """
    if selection.is_whole_project:
        return "", "", {}
    terms, bound = selected(replace(selection, tags=()), project)
    for place, choice in enumerate(selection.tags):
        # Asked of one document at a time; the list of all that carry a tag may be long.
        terms += (
            " AND EXISTS (SELECT 1 FROM tags WHERE document = d.number "  # noqa: S608 - our own text
            f"AND tag IN (SELECT value FROM json_each(:tags{place})))"
        )
        bound[f"tags{place}"] = as_json(choice)
    found = (
        "EXISTS (SELECT 1 FROM nodes AS x CROSS JOIN documents AS d "  # noqa: S608 - our own text
        f"ON d.project = x.project AND d.id = x.id WHERE x.number = %s AND {terms})"
    )
    edge = f" AND {found % 'e.document'}"
    node = f" AND (n.document IS NULL OR {found % 'n.document'})"
    return edge, node, bound


class SqliteTerrain:
    """Steps of one reach, as one selection of a project sees them."""

    def __init__(
        self, connection: apsw.Connection, place: tuple[Selection, int], reach: Reach
    ) -> None:
        self._connection = connection
        selection, project = place
        self._edge, self._node, self._bound = seen(selection, project)
        known = relations_of(connection, project)
        wanted = {
            name: number
            for name, number in known.items()
            if not reach.relations or name in reach.relations
        }
        self.relations = dict(sorted(wanted.items()))
        self._names = {number: name for name, number in wanted.items()}
        self._is_any = not reach.relations

    def steps(self, here: Key, asked: Asked) -> tuple[Sequence[Step], bool]:
        """Steps from a node, and whether there are more than asked for."""
        found: list[Step] = []
        is_capped = False
        for way in WAYS[asked.direction]:
            steps, more = self._steps(here, way, asked)
            found += steps
            is_capped |= more
        return found, is_capped

    def _steps(self, here: Key, way: Way, asked: Asked) -> tuple[list[Step], bool]:
        """All relations at once where a node has few edges; else of each the surest."""
        kinds = "AND n.kind IN (SELECT value FROM json_each(:kinds))" if asked.kinds else ""
        bound = self._bound | {"here": here, "most": asked.most + 1}
        if asked.kinds:
            bound["kinds"] = as_json(asked.kinds)
        if self._is_any:
            rows = self._rows(way, kinds, bound)
            if len(rows) <= asked.most:
                return self._made(rows, way), False
        found: list[Step] = []
        is_capped = False
        for number in self._names:
            rows = self._rows(
                way, f"AND e.relation = :relation {kinds}", bound | {"relation": number}
            )
            found += self._made(rows[: asked.most], way)
            is_capped |= len(rows) > asked.most
        return found, is_capped

    def _rows(self, way: Way, terms: str, bound: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        near, far = _ENDS[way]
        order = f"ORDER BY e.confidence DESC, e.{far}" if ":relation" in terms else ""
        return self._connection.execute(
            f"SELECT e.{far}, n.id, n.kind, e.relation, e.confidence, e.document "  # noqa: S608 - our own names
            f"FROM edges AS e INDEXED BY edges_{way} CROSS JOIN nodes AS n ON n.number = e.{far} "
            f"WHERE e.{near} = :here AND n.kind IS NOT NULL {terms} {self._edge} {self._node} "
            f"{order} LIMIT :most",
            bound,
        ).fetchall()

    def _made(self, rows: Sequence[tuple[Any, ...]], way: Way) -> list[Step]:
        names = self._names
        return [
            Step(far, far_id, kind, names[relation], way, confidence, document)
            for far, far_id, kind, relation, confidence, document in rows
        ]

    def fan(self, here: Key, direction: Direction, most: int) -> Mapping[Key, float]:
        """Nodes one step away with the confidence of the surest edge to each."""
        found: dict[Key, float] = {}
        for way in WAYS[direction]:
            near, far = _ENDS[way]
            for number in self._names:
                rows: Sequence[tuple[Any, ...]] = self._connection.execute(
                    f"SELECT e.{far}, e.confidence FROM edges AS e INDEXED BY edges_{way} "  # noqa: S608 - our own names
                    f"WHERE e.{near} = :here AND e.relation = :relation {self._edge} "
                    "ORDER BY e.confidence DESC LIMIT :most",
                    self._bound | {"here": here, "relation": number, "most": most - len(found)},
                ).fetchall()
                for key, confidence in reversed(rows):
                    found[key] = max(confidence, found.get(key, 0.0))
        return found

    def between(self, here: Key, there: Key, direction: Direction) -> Sequence[Step]:
        """Every step from one node to another."""
        found: list[Step] = []
        for way in WAYS[direction]:
            near, far = _ENDS[way]
            rows = self._connection.execute(
                f"SELECT e.{far}, n.id, n.kind, e.relation, e.confidence, e.document "  # noqa: S608 - our own names
                "FROM json_each(:relations) AS r CROSS JOIN edges AS e "
                f"ON e.{near} = :here AND e.relation = r.value AND e.{far} = :there "
                f"CROSS JOIN nodes AS n ON n.number = e.{far} "
                f"WHERE n.kind IS NOT NULL {self._edge} {self._node}",
                self._bound | {"here": here, "there": there, "relations": str(list(self._names))},
            ).fetchall()
            found += self._made(rows, way)
        return found

    def degree(self, here: Key) -> int:
        """How many edges touch a node, counted no further than ``MOST_DEGREE`` each way."""
        counted = 0
        for near, way in (("source", "out"), ("target", "in")):
            counted += self._connection.execute(
                f"SELECT count(*) FROM (SELECT 1 FROM edges AS e INDEXED BY edges_{way} "  # noqa: S608 - our own names
                f"WHERE e.{near} = :here {self._edge} LIMIT {MOST_DEGREE})",
                self._bound | {"here": here},
            ).get
        return counted

    def is_seen(self, here: Key) -> bool:
        """Whether a node of no document stands at an edge, or in a statement, that is seen."""
        if not self._edge:
            return True
        at_edge = " UNION ALL ".join(
            f"SELECT 1 FROM edges AS e WHERE e.{near} = :here {self._edge}"  # noqa: S608 - our own names
            for near, _far in _ENDS.values()
        )
        stated = f"SELECT 1 FROM statements AS e WHERE e.node = :here {self._edge}"  # noqa: S608 - our own names
        found = self._connection.execute(
            f"SELECT EXISTS ({stated} UNION ALL {at_edge})",
            self._bound | {"here": here},
        ).get
        return bool(found)

    def counts(self, here: Key, way: Way, most: int) -> dict[str, int]:
        """How many edges of each relation leave or enter a node, no further than ``most``."""
        near, far = _ENDS[way]
        found: dict[str, int] = {}
        for name, number in self.relations.items():
            count = self._connection.execute(
                f"SELECT count(*) FROM (SELECT 1 FROM edges AS e INDEXED BY edges_{way} "  # noqa: S608 - our own names
                f"CROSS JOIN nodes AS n ON n.number = e.{far} WHERE e.{near} = :here "
                "AND e.relation = :relation AND n.kind IS NOT NULL "
                f"{self._edge} {self._node} LIMIT :most)",
                self._bound | {"here": here, "relation": number, "most": most},
            ).get
            if count:
                found[name] = count
        return found
