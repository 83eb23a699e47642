"""Symbols by name in SQLite: an index on names, and the words of names as a full-text table.

A symbol is a node with a full name. Candidates come from the two indexes, level by level; the rule
that judges them is every engine's.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

import apsw

from commonplace.domain.course import Finding, Findings, Naming
from commonplace.domain.scope import Selection
from commonplace.domain.walk import Reach
from commonplace.engines import naming as rule
from commonplace.engines.sqlite.noderows import NODE, node_of
from commonplace.engines.sqlite.rows import LIMIT_MOST, as_json, project_number
from commonplace.engines.sqlite.terrain import SqliteTerrain

_LAST = "\U0010ffff"
_FQN = "n.properties ->> 'fqn'"


def find(connection: apsw.Connection, selection: Selection, naming: Naming, limit: int) -> Findings:
    """The symbols that fit best, and how many fit."""
    project = project_number(connection, selection.project)
    if project is None:
        return Findings((), 0)
    place = (selection, project)
    levels, is_capped = _candidates(connection, project, naming)
    ranked = _ranked(connection, place, naming, levels)
    if not ranked and naming.mode in ("any", "words"):
        levels, is_capped = _by_some_words(connection, naming)
        ranked = _ranked(connection, place, naming, levels)
    chosen = ranked[: max(0, min(limit, LIMIT_MOST))]
    rows = connection.execute(
        f"SELECT n.number, {NODE} FROM json_each(?) AS asked "  # noqa: S608 - our own names
        "CROSS JOIN nodes AS n ON n.number = asked.value",
        (str([number for _, _, number in chosen]),),
    )
    nodes = {row[0]: node_of(selection.project, row[1:]) for row in rows}
    found = tuple(Finding(nodes[number], score) for score, _, number in chosen)
    return Findings(found, len(ranked), is_capped)


def _candidates(
    connection: apsw.Connection, project: int, naming: Naming
) -> tuple[dict[int, float], bool]:
    """Nodes that fit by name or by all words, each at its best level; and whether some are left."""
    levels: dict[int, float] = {}
    is_capped = False
    if naming.mode != "words":
        levels, is_capped = _by_name(connection, project, naming)
    if naming.mode in ("any", "words"):
        for number, level in _by_all_words(connection, naming).items():
            levels[number] = max(level, levels.get(number, 0.0))
        is_capped |= len(levels) > rule.MOST_COUNTED
    return levels, is_capped


def _by_name(
    connection: apsw.Connection, project: int, naming: Naming
) -> tuple[dict[int, float], bool]:
    asked, written = rule.plain(naming.text), rule.as_written(naming.text)
    if not asked:
        return {}, False
    rows: list[tuple[Any, ...]] = []
    for beginning in {asked.rpartition(".")[2], asked, written}:
        rows += connection.execute(
            f"SELECT n.number, n.name, {_FQN} FROM nodes AS n INDEXED BY nodes_name "  # noqa: S608 - our own names
            "WHERE n.project = ? AND lower(n.name) >= ? AND lower(n.name) < ? "
            f"AND {_FQN} IS NOT NULL LIMIT ?",
            (project, beginning, beginning + _LAST, rule.MOST_COUNTED + 1),
        ).fetchall()
    # A name may hold more than the last part of the full name, as that of a file does.
    rows += connection.execute(
        f"SELECT n.number, n.name, {_FQN} FROM nodes AS n INDEXED BY nodes_fqn "  # noqa: S608 - our own names
        f"WHERE n.project = ? AND lower({_FQN}) IN (?, ?) AND {_FQN} IS NOT NULL",
        (project, asked, written),
    ).fetchall()
    levels = {}
    for number, name, fqn in rows:
        level = rule.fit(naming, name, rule.dotted(fqn))
        if level:
            levels[number] = level
    return levels, len(rows) > rule.MOST_COUNTED


def _matching(connection: apsw.Connection, words: str, most: int) -> list[int]:
    """Symbols an expression of the full-text index fits."""
    rows: Iterable[tuple[Any, ...]] = connection.execute(
        "SELECT rowid FROM symbol_words WHERE symbol_words MATCH ? LIMIT ?", (words, most)
    )
    return [row[0] for row in rows]


def _by_all_words(connection: apsw.Connection, naming: Naming) -> dict[int, float]:
    """Who has all the words: in the name, or anywhere; how many in the name is seen later."""
    asked = rule.words(naming).values()
    if not asked:
        return {}
    every = " AND ".join(f'"{word}"' for word in asked)
    most = rule.MOST_COUNTED + 1
    levels = dict.fromkeys(_matching(connection, every, most), rule.ALL_WORDS)
    named = _matching(connection, f"{{name}}: ({every})", most)
    return levels | dict.fromkeys(named, rule.NAME_WORDS)


def _by_some_words(connection: apsw.Connection, naming: Naming) -> tuple[dict[int, float], bool]:
    """Where nothing fits better: who has most of the words."""
    asked = rule.words(naming).values()
    held: Counter[int] = Counter()
    in_name: Counter[int] = Counter()
    for word in asked:
        held.update(_matching(connection, f'"{word}"', 2 * rule.MOST_COUNTED))
        in_name.update(_matching(connection, f'{{name}}: "{word}"', 2 * rule.MOST_COUNTED))
    best = (held + in_name).most_common(rule.MOST_COUNTED)
    levels = {one: rule.worded(len(asked), in_name[one], held[one]) for one, _ in best}
    return levels, len(held) > rule.MOST_COUNTED


def _ranked(
    connection: apsw.Connection,
    place: tuple[Selection, int],
    naming: Naming,
    levels: dict[int, float],
) -> list[tuple[float, str, int]]:
    """(score, id, number) of the candidates that are seen and wanted, best first, ties by id."""
    _, project = place
    terrain = SqliteTerrain(connection, place, Reach())
    terms, bound = [terrain.node], {**terrain.bound, "home": project}
    if naming.kinds:
        terms.append("AND n.kind IN (SELECT value FROM json_each(:kinds))")
        bound["kinds"] = as_json(naming.kinds)
    if naming.languages:
        languages = "(SELECT value FROM json_each(:languages))"
        terms.append(f"AND n.properties ->> 'language' IN {languages}")
        bound["languages"] = as_json(naming.languages)
    rows: Iterable[tuple[Any, ...]] = connection.execute(
        f"SELECT n.number, n.id, n.name, {_FQN}, n.document FROM json_each(:numbers) AS asked "  # noqa: S608 - our own names
        "CROSS JOIN nodes AS n ON n.number = asked.value "
        f"WHERE n.project = :home AND n.kind IS NOT NULL {' '.join(terms)}",
        bound | {"numbers": str(list(levels))},
    ).fetchall()
    asked = rule.words(naming)
    ranked = [
        (rule.judged(_level(levels[number], asked, name), fqn), node_id, number)
        for number, node_id, name, fqn, document in rows
        if document is not None or terrain.is_seen(number)
    ]
    ranked.sort(key=lambda one: (-one[0], one[1]))
    return ranked[: rule.MOST_COUNTED]


def _level(level: float, asked: Collection[str], name: str) -> float:
    """The level of a symbol; of one that has all words, the more of them in its name the better."""
    if level != rule.ALL_WORDS:
        return level
    return rule.worded(len(asked), rule.in_name(asked, name), len(asked))
