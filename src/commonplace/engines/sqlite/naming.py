"""Symbols by name in SQLite: an index on names, and the words of names as a full-text table.

A symbol is a node with a full name. Candidates come from the two indexes, level by level, each row
read once; the rule that judges them is every engine's.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import apsw

from commonplace.domain.course import Finding, Findings, Naming
from commonplace.domain.scope import Selection
from commonplace.domain.walk import Reach
from commonplace.engines import naming as rule
from commonplace.engines.sqlite.noderows import ids_of, node_of
from commonplace.engines.sqlite.rows import LIMIT_MOST, as_json, project_number
from commonplace.engines.sqlite.terrain import SqliteTerrain

_LAST = "\U0010ffff"
_FQN = "n.properties ->> 'fqn'"
_LOOKED_AT = 20_000
"""Names of one beginning, or symbols with the same words, that are looked at."""
_STORED = "n.project, n.number, n.id, n.kind, n.name, n.document, n.properties"
_NAMED = (
    f"SELECT {_STORED} FROM nodes AS n INDEXED BY nodes_name WHERE n.project = :home "  # noqa: S608 - our own names
    f"AND lower(n.name) >= :first AND lower(n.name) < :last AND {_FQN} IS NOT NULL"
)
_NAMED_IN = f"{_NAMED} AND instr(lower({_FQN}), :within)"
# A name may hold more than the last part of the full name, as that of a file does.
_FULLY_NAMED = (
    f"SELECT {_STORED} FROM nodes AS n INDEXED BY nodes_fqn WHERE n.project = :home "  # noqa: S608 - our own names
    f"AND lower({_FQN}) IN (:asked, :written) AND {_FQN} IS NOT NULL"
)
_HOLDING = "SELECT rowid FROM symbol_words WHERE symbol_words MATCH :words"
_WORDED = (
    f"SELECT {_STORED} FROM symbol_words AS w CROSS JOIN nodes AS n ON n.number = w.rowid "  # noqa: S608 - our own names
    "WHERE w.symbol_words MATCH :words"
)
_NUMBERED = (
    f"SELECT {_STORED} FROM json_each(:numbers) AS w CROSS JOIN nodes AS n ON n.number = w.value"  # noqa: S608 - our own names
)


def find(connection: apsw.Connection, selection: Selection, naming: Naming, limit: int) -> Findings:
    """The symbols that fit best, and how many fit."""
    project = project_number(connection, selection.project)
    if project is None:
        return Findings((), 0)
    search = _Search(connection, (selection, project), naming)
    if naming.mode != "words":
        search.by_name()
    # Words rank below every beginning of a name: beside more of these than are counted, none shows.
    if naming.mode in ("any", "words") and len(search.levels) <= rule.MOST_COUNTED:
        search.by_all_words()
        if not search.levels:
            search.by_some_words()
    ranked = search.ranked()
    found = search.findings(ranked[: max(0, min(limit, LIMIT_MOST))])
    return Findings(found, len(ranked), search.is_capped)


class _Row(NamedTuple):
    """A candidate as it is stored."""

    number: int
    id: str
    kind: str
    name: str
    document: int | None
    properties: str
    fqn: str


class _Search:
    """Candidates for one name, each at the best level it was found at."""

    def __init__(
        self, connection: apsw.Connection, place: tuple[Selection, int], naming: Naming
    ) -> None:
        self._connection, self._naming = connection, naming
        self._project, home = place[0].project, place[1]
        self._terrain = SqliteTerrain(connection, place, Reach())
        self._words = rule.words(naming)
        self._bound: dict[str, Any] = {**self._terrain.bound, "home": home}
        terms = [self._terrain.node]
        if naming.kinds:
            terms.append("AND n.kind IN (SELECT value FROM json_each(:kinds))")
            self._bound["kinds"] = as_json(naming.kinds)
        if naming.languages:
            languages = "(SELECT value FROM json_each(:languages))"
            terms.append(f"AND n.properties ->> 'language' IN {languages}")
            self._bound["languages"] = as_json(naming.languages)
        self._terms = " ".join(filter(None, terms))
        self._fits = rule.fitting(naming)
        self._rows_of: dict[int, _Row] = {}
        self.levels: dict[int, float] = {}
        self.is_capped = False

    def by_name(self) -> None:
        """Whose name, or full name, this is, or the end or beginning of it."""
        asked, written = rule.plain(self._naming.text), rule.as_written(self._naming.text)
        if not asked:
            return
        self._fit(_FULLY_NAMED, {"asked": asked, "written": written})
        for beginning in {asked, written}:
            self._fit(_NAMED, {"first": beginning, "last": beginning + _LAST})
        before, _, last = asked.rpartition(".")
        if not before:
            return
        own = {"first": last, "last": last + "\0"}
        is_all = self._fit(_NAMED, own)
        if not is_all and rule.WHOLE_FQN not in self.levels.values():
            # More share the name than are looked at: those that can end so are looked for.
            self._fit(_NAMED_IN, {**own, "within": before.rpartition(".")[2]})

    def by_all_words(self) -> None:
        """Who has all the words; where these are too many to look at, first who is named so."""
        if not self._words:
            return
        every = " AND ".join(f'"{word}"' for word in self._words.values())
        found, is_all = self._having(every)
        if not is_all:
            named, is_all = self._rows(_WORDED, {"words": f"{{name}}: ({every})"})
            self._raise(named, dict.fromkeys(named, rule.NAME_WORDS))
        if is_all:
            asked = self._words
            count = len(asked)
            levels = {
                number: rule.worded(count, rule.in_name(asked, row.name), count)
                for number, row in found.items()
                if self.levels.get(number, 0.0) < rule.NAME_WORDS
            }
            self._raise(found, levels)

    def by_some_words(self) -> None:
        """Where nothing fits better: who has most of the words."""
        held: Counter[int] = Counter()
        in_name: Counter[int] = Counter()
        for word in self._words.values():
            held.update(self._matching(f'"{word}"'))
            in_name.update(self._matching(f'{{name}}: "{word}"'))
        best = [one for one, _ in (held + in_name).most_common(rule.MOST_COUNTED)]
        found, _ = self._rows(_NUMBERED, {"numbers": str(best)})
        count = len(self._words)
        self._raise(found, {one: rule.worded(count, in_name[one], held[one]) for one in found})
        self.is_capped = len(held) > rule.MOST_COUNTED

    def ranked(self) -> list[tuple[float, str, _Row]]:
        """The candidates that are seen, best first, ties by id: with scores, below zero."""
        found = [
            (-rule.judged(self.levels[number], row.fqn), row.id, row)
            for number, row in self._rows_of.items()
            if row.document is not None or self._terrain.is_seen(number)
        ]
        found.sort()
        return found[: rule.MOST_COUNTED]

    def findings(self, ranked: Sequence[tuple[float, str, _Row]]) -> tuple[Finding, ...]:
        """Candidates as nodes."""
        stated = ids_of(self._connection, {row.document for *_, row in ranked if row.document})
        return tuple(
            Finding(
                node_of(
                    self._project,
                    (row.id, row.kind, row.name, stated.get(row.document or 0), row.properties),
                ),
                -score,
            )
            for score, _, row in ranked
        )

    def _fit(self, stored: str, bound: Mapping[str, Any]) -> bool:
        """Take those that fit as a name; whether all there are were looked at."""
        found, is_all = self._rows(stored, bound)
        fits, known = self._fits, self.levels
        levels = {
            number: fits(row.name, row.fqn) for number, row in found.items() if number not in known
        }
        self._raise(found, levels)
        return is_all

    def _having(self, words: str) -> tuple[Mapping[int, _Row], bool]:
        """Symbols that have all words, and whether these are all; none where they are too many."""
        if not self._terms:
            # Where nothing narrows the search, their number tells whether they need be read.
            holding = self._matching(words, rule.MOST_COUNTED + 1)
            if len(holding) > rule.MOST_COUNTED:
                self.is_capped = True
                return {}, False
            return self._rows(_NUMBERED, {"numbers": str(holding)})
        return self._rows(_WORDED, {"words": words})

    def _raise(self, found: Mapping[int, _Row], levels: Mapping[int, float]) -> None:
        """Remember who fits, each at the highest level."""
        for number, level in levels.items():
            if level > self.levels.get(number, 0.0):
                self.levels[number] = level
                self._rows_of[number] = found[number]

    def _rows(self, stored: str, bound: Mapping[str, Any]) -> tuple[dict[int, _Row], bool]:
        """Nodes a query reads, as far as they are wanted; and whether all of them.

        Kinds and scope count before the limit: the only class among a thousand methods is found.
        """
        asked = {**self._bound, **bound}
        rows: list[tuple[Any, ...]] = self._connection.execute(
            f"SELECT n.number, n.id, n.kind, n.name, n.document, n.properties, {_FQN} "  # noqa: S608 - our own names
            f"FROM ({stored} LIMIT {_LOOKED_AT}) AS n "
            f"WHERE n.project = :home AND n.kind IS NOT NULL {self._terms} "
            f"LIMIT {rule.MOST_COUNTED + 1}",
            asked,
        ).fetchall()
        is_all = len(rows) <= rule.MOST_COUNTED
        if is_all and self._terms:
            beyond = f"SELECT EXISTS ({stored} LIMIT 1 OFFSET {_LOOKED_AT})"
            is_all = not self._connection.execute(beyond, asked).get
        self.is_capped |= not is_all
        return {row[0]: _Row._make(row) for row in rows}, is_all

    def _matching(self, words: str, most: int = 2 * rule.MOST_COUNTED) -> list[int]:
        """Symbols an expression of the full-text index fits."""
        sql = f"{_HOLDING} LIMIT {most}"
        rows: Iterable[tuple[Any, ...]] = self._connection.execute(sql, {"words": words})
        return [row[0] for row in rows]
