"""CREATE, ALTER and DROP from their tokens: what they define, in any dialect and in order."""

from dataclasses import dataclass, field
from typing import Any

from commonplace.sql.names import parts, spell
from commonplace.sql.pieces import Piece, closing, is_name, name_at, split_commas, word_at
from commonplace.sql.prepare import names_between
from commonplace.sql.scan import Scanned

_KINDS = {
    "TABLE": "Table", "VIEW": "View", "INDEX": "Index", "SEQUENCE": "Sequence", "SCHEMA": "Schema",
    "TYPE": "Type", "DOMAIN": "Type", "PROCEDURE": "Procedure", "PROC": "Procedure",
    "FUNCTION": "Function", "TRIGGER": "Trigger", "COLUMNSTORE": "", "SYNONYM": "Synonym",
}  # fmt: skip
_TEMPORARY = frozenset({"TEMP", "TEMPORARY"})
_CONSTRAINTS = frozenset(
    {
        *("CONSTRAINT", "PRIMARY", "FOREIGN", "UNIQUE", "CHECK", "KEY", "INDEX", "EXCLUDE"),
        *("FULLTEXT", "SPATIAL", "LIKE", "PERIOD"),
    }
)
_TYPES = frozenset(
    {
        *("INT", "INTEGER", "BIGINT", "SMALLINT", "TEXT", "VARCHAR", "NVARCHAR", "CHAR"),
        *("NUMERIC", "REAL", "DECIMAL", "BLOB", "DATE", "TIMESTAMP", "DATETIME", "BOOLEAN"),
        *("BIT", "UUID", "JSON", "JSONB"),
    }
)
_AFTER_TYPE = frozenset(
    {
        *("NOT", "NULL", "DEFAULT", "PRIMARY", "UNIQUE", "CHECK", "REFERENCES", "CONSTRAINT"),
        *("COLLATE", "IDENTITY", "AUTO_INCREMENT", "AUTOINCREMENT", "GENERATED", "COMMENT"),
        *("AS", "ON", "SPARSE", "ROWGUIDCOL", "MASKED", "FIRST", "AFTER", "KEY", "INVISIBLE"),
        *("USING", "PERSISTED", "STORED"),
    }
)
_AFTER_COMPUTED = frozenset(
    {"PERSISTED", "STORED", "VIRTUAL", "NOT", "PRIMARY", "UNIQUE", "CHECK", "CONSTRAINT"}
)
ACTIONS = frozenset(
    {
        *("ADD", "DROP", "RENAME", "CHANGE", "MODIFY", "ALTER", "SET", "ENABLE", "DISABLE"),
        *("OWNER", "WITH", "VALIDATE", "ATTACH", "DETACH", "CLUSTER", "INHERIT", "ENGINE"),
        *("CONVERT", "ORDER", "CHECK", "NOCHECK", "SWITCH", "REBUILD", "COMMENT"),
        *("AUTO_INCREMENT", "FORCE", "REPLICA", "ALGORITHM"),
    }
)

_NOT_DEFINED = frozenset({"(", "AS", "SELECT", "ON", "EXTENSION", "DATABASE", "ROLE", "DEFAULT"})


@dataclass(slots=True)
class Defined:
    """One definition, or a change to one."""

    verb: str
    kind: str
    name: str
    """Dotted, as written."""
    ops: list[tuple[Any, ...]] = field(default_factory=list)
    """add, drop, rename (columns), after (column, the one before it), table (a new name), key
    (columns, table, columns, name), like (a table)."""
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Where columns are written: first and last token."""
    query: tuple[int, int] | None = None
    """Tokens of the query of a view or of CREATE TABLE … AS."""
    columns: tuple[str, ...] = ()
    """Column names a view gives its query's columns."""
    on: str = ""
    """The table of an index; what a synonym stands for."""
    is_temporary: bool = False
    computed: list[tuple[str, int, int]] = field(default_factory=list)
    """Columns computed from others: name, tokens of the expression."""


class Definer:
    """Reads one statement of definition."""

    def __init__(self, piece: Piece) -> None:
        self.scanned: Scanned = piece.scanned
        self.tokens = piece.scanned.tokens
        self.low, self.high = piece.low, piece.high
        self.place = piece.low + 1

    def run(self) -> list[Defined]:
        """What it defines; empty for what is of no interest here."""
        verb = self.tokens[self.low].word
        if verb == "RENAME":
            return self._renamed()
        is_temporary = False
        for place in range(self.place, min(self.high, self.low + 24)):
            word = self.tokens[place].word
            is_temporary = is_temporary or word in _TEMPORARY
            if _KINDS.get(word):
                self.place = place + 1
                return self._things(verb, _KINDS[word], is_temporary)
            if word in _NOT_DEFINED:
                break
        return []

    def _word(self, ahead: int = 0) -> str:
        place = self.place + ahead
        return word_at(self.tokens, place) if place < self.high else ""

    def _skip(self, *words: str) -> None:
        while self._word() in words:
            self.place += 1

    def _name(self) -> str:
        names, self.place = name_at(self.scanned, self.place, self.high)
        return spell(*names)

    def _things(self, verb: str, kind: str, is_temporary: bool) -> list[Defined]:
        self._skip("CONCURRENTLY", "ONLY", "IF", "NOT", "EXISTS", "ONLY")
        if verb == "DROP":
            return self._dropped(kind)
        if kind == "Schema" and self._word() == "AUTHORIZATION":
            self.place += 1
        is_unnamed = kind == "Index" and self._word() == "ON"
        name = "" if is_unnamed else self._name()
        if not name and not is_unnamed:
            return []
        last = parts(name)[-1]
        found = Defined(verb, kind, name, is_temporary=is_temporary or last.startswith(("#", "@")))
        if verb == "ALTER" and kind == "Table":
            self._alter(found)
        elif kind == "Table":
            self._table(found)
            added = [op for op in found.ops if op[0] == "add"]
            if found.query and not any(op[2] for op in added):  # t (a, b) AS SELECT …
                found.columns = tuple(op[1] for op in added)
        elif kind == "View":
            self._view(found)
        elif kind == "Index":
            self._index(found)
        elif kind == "Synonym" and self._word() == "FOR":
            self.place += 1
            found.on = self._name()
        return [found]

    def _dropped(self, kind: str) -> list[Defined]:
        found: list[Defined] = []
        while self.place < self.high and is_name(self.tokens[self.place]):
            name = self._name()
            if kind == "Index" and self._word() == "ON":
                self.place += 1
                self._name()
            found.append(Defined("DROP", kind, name))
            if self._word() != ",":
                break
            self.place += 1
        return found

    def _renamed(self) -> list[Defined]:
        """MySQL's RENAME TABLE a TO b, c TO d."""
        self.place += 1
        found: list[Defined] = []
        while self.place < self.high and is_name(self.tokens[self.place]):
            old = self._name()
            self._skip("TO")
            found.append(Defined("ALTER", "Table", old, ops=[("table", self._name())]))
            self._skip(",")
        return found

    def _index(self, found: Defined) -> None:
        while self.place < self.high and self._word() != "ON":
            self.place += 1
        self.place += 1
        self._skip("ONLY")
        found.on = self._name()
        if self._word() == "USING":
            self.place += 2
        if self._word() == "(":
            close = closing(self.tokens, self.place, self.high)
            found.columns = names_between(self.scanned, self.place + 1, close)

    def _view(self, found: Defined) -> None:
        if self._word() == "(":
            close = closing(self.tokens, self.place, self.high)
            found.columns = names_between(self.scanned, self.place + 1, close)
            self.place = close + 1
        while self.place < self.high and self._word() != "AS":
            self.place += 1
        if self.place < self.high:
            found.query = (self.place + 1, self._query_end())

    def _query_end(self) -> int:
        """Without WITH CHECK OPTION, WITH NO DATA and the like at the end."""
        tail = [one.word for one in self.tokens[max(self.place, self.high - 5) : self.high]]
        for length in range(len(tail), 1, -1):
            if tail[-length] == "WITH" and tail[-1] in {"OPTION", "DATA"}:
                return self.high - length
        return self.high

    def _table(self, found: Defined) -> None:
        if self._word() == "(" and self._word(1) not in {"SELECT", "WITH"}:
            close = closing(self.tokens, self.place, self.high)
            self.items(found, self.place + 1, close)
            self.place = close + 1
        elif self._word() == "USING":  # CREATE VIRTUAL TABLE … USING fts5(a, b, content='t')
            while self.place < self.high and self._word() != "(":
                self.place += 1
            self._virtual(found)
            return
        self._modelled(found)
        while self.place < self.high:
            word = self._word()
            if word in {"SELECT", "WITH"} and self._word(1) != "(":
                found.query = (self.place, self._query_end())
                return
            if word == "AS" or (word == "(" and self._word(1) == "SELECT"):
                found.query = (self.place + (word == "AS"), self._query_end())
                return
            self.place = (
                closing(self.tokens, self.place, self.high) + 1 if word == "(" else self.place + 1
            )

    def _modelled(self, found: Defined) -> None:
        """``LIKE other``, ``PARTITION OF other``, ``INHERITS (other)``: its columns too."""
        after = {"LIKE": 1, "PARTITION": 2, "INHERITS": 2}.get(self._word())
        if after and (self._word() != "PARTITION" or self._word(1) == "OF"):
            other = name_at(self.scanned, self.place + after, self.high)[0]
            found.ops.append(("like", spell(*other)))

    def _virtual(self, found: Defined) -> None:
        close = closing(self.tokens, self.place, self.high)
        for low, high in self.listed(self.place + 1, close):
            if is_name(self.tokens[low]) and word_at(self.tokens, low + 1) != "=":
                self._add(found, low, high)

    def listed(self, low: int, high: int) -> list[tuple[int, int]]:
        """Token ranges between commas outside brackets."""
        return split_commas(Piece("list", self.scanned, low, high), low)

    def items(self, found: Defined, low: int, high: int) -> None:
        """The columns and keys listed between two places."""
        for start, end in self.listed(low, high):
            self._item(found, start, end)

    def _item(self, found: Defined, low: int, high: int) -> None:
        """A column or a constraint of a table."""
        word = self.tokens[low].word
        if word == "COLUMN":
            low += 1
            word = word_at(self.tokens, low)
        if word == "LIKE":
            found.ops.append(("like", spell(*name_at(self.scanned, low + 1, high)[0])))
        elif word in _CONSTRAINTS and word_at(self.tokens, low + 1) not in _TYPES:
            self._key(found, low, high, "")
        elif low < high and is_name(self.tokens[low]):
            self._add(found, low, high)

    def _add(self, found: Defined, low: int, high: int) -> None:
        names, place = name_at(self.scanned, low, high)
        name = names[-1]
        end = place
        while end < high and self.tokens[end].word not in _AFTER_TYPE:
            end = closing(self.tokens, end, high) if self.tokens[end].word == "(" else end
            end += 1
        found.ops.append(("add", name, self.scanned.written(place, min(end, high))))
        found.places[name] = (low, high)
        self._computed(found, name, end, high)
        self._key(found, low, high, name)

    def _computed(self, found: Defined, name: str, low: int, high: int) -> None:
        """``AS (a + b)`` behind a type; T-SQL's ``AS a + b`` right behind the name."""
        is_first = word_at(self.tokens, low) == "AS" and not found.ops[-1][2]
        for here in range(low, high):
            if self.tokens[here].word != "AS":
                continue
            if word_at(self.tokens, here + 1) == "(" and not (is_first and here == low):
                found.computed.append((name, here + 2, closing(self.tokens, here + 1, high)))
                return
            if is_first and here == low:
                end = here + 1
                while end < high and self.tokens[end].word not in _AFTER_COMPUTED:
                    end = closing(self.tokens, end, high) if self.tokens[end].word == "(" else end
                    end += 1
                found.computed.append((name, here + 1, min(end, high)))
                return

    def _key(self, found: Defined, low: int, high: int, column: str) -> None:
        """A foreign key, of a column or of its own."""
        words = [one.word for one in self.tokens[low:high]]
        if "REFERENCES" not in words:
            return
        place = low + words.index("REFERENCES")
        own: tuple[str, ...] = (column,) if column else ()
        if not column and "(" in words[: place - low]:
            opened = low + words.index("(")
            own = names_between(self.scanned, opened + 1, closing(self.tokens, opened, high))
        names, after = name_at(self.scanned, place + 1, high)
        others: tuple[str, ...] = ()
        if word_at(self.tokens, after) == "(" and after < high:
            others = names_between(self.scanned, after + 1, closing(self.tokens, after, high))
        label = self._at(low + 1, high) if words[0] == "CONSTRAINT" else ""
        found.ops.append(("key", own, spell(*names), others, label))

    def _alter(self, found: Defined) -> None:
        action = ""
        for low, high in self.listed(self.place, self.high):
            word = self.tokens[low].word
            if word == "WITH" and word_at(self.tokens, low + 1) in {"CHECK", "NOCHECK"}:
                low += 2
                word = word_at(self.tokens, low)
            if word in ACTIONS:
                action = word
                low += 1
            if low < high:
                self._action(found, action, low, high)
                self._placed(found, action, low, high)

    def _action(self, found: Defined, action: str, low: int, high: int) -> None:
        low = self._past(low, high)
        if low >= high:
            return
        word = self.tokens[low].word
        if action == "ADD" and word == "(":
            self.items(found, low + 1, closing(self.tokens, low, high))
        elif action == "ADD":
            self._item(found, low, high)
        elif action == "DROP":
            if word not in _CONSTRAINTS and is_name(self.tokens[low]):
                found.ops.append(("drop", name_at(self.scanned, low, high)[0][-1]))
        elif action == "CHANGE":
            names, after = name_at(self.scanned, low, high)
            found.ops += [("rename", one, self._at(after, high) or one) for one in names[-1:]]
        elif action == "RENAME":
            self._rename(found, low, high)
        elif action == "ALTER":
            self._converted(found, low, high)
        elif action == "SET" and word == "SCHEMA":
            found.ops.append(("table", spell(self._at(low + 1, high), parts(found.name)[-1])))

    def _placed(self, found: Defined, action: str, low: int, high: int) -> None:
        """MySQL's ``ADD COLUMN a INT AFTER b``, ``MODIFY a INT FIRST``: where it stands."""
        if action not in {"ADD", "MODIFY", "CHANGE"} or self.tokens[low].word in _CONSTRAINTS:
            return
        is_first = self.tokens[high - 1].word == "FIRST"
        if is_first or word_at(self.tokens, high - 2) == "AFTER":
            names, after = name_at(self.scanned, self._past(low, high), high)
            name = self._at(after, high) if action == "CHANGE" else (names or [""])[-1]
            found.ops.append(("after", name, "" if is_first else self._at(high - 1, high)))

    def _converted(self, found: Defined, low: int, high: int) -> None:
        """``ALTER COLUMN a TYPE int USING (b)``: its values are made anew."""
        words = [one.word for one in self.tokens[low:high]]
        names = name_at(self.scanned, low, high)[0]
        if names and "USING" in words and "TYPE" in words[: words.index("USING")]:
            found.computed.append((names[-1], low + words.index("USING") + 1, high))

    def _past(self, low: int, high: int) -> int:
        while low < high and self.tokens[low].word in {"COLUMN", "IF", "NOT", "EXISTS"}:
            low += 1
        return low

    def _at(self, place: int, high: int) -> str:
        names = name_at(self.scanned, place, high)[0]
        return names[-1] if names else ""

    def _rename(self, found: Defined, low: int, high: int) -> None:
        word = self.tokens[low].word
        if word in {"TO", "AS"}:
            name, schema = name_at(self.scanned, low + 1, high)[0], parts(found.name)[:-1]
            found.ops.append(("table", spell(*(name if len(name) > 1 else [*schema, *name]))))
        elif word not in {"CONSTRAINT", "INDEX", "KEY"}:
            names, after = name_at(self.scanned, low, high)
            if word_at(self.tokens, after) == "TO":
                found.ops.append(("rename", names[-1], self._at(after + 1, high)))


def define(piece: Piece) -> list[Defined]:
    """What a CREATE, ALTER, DROP or RENAME says."""
    return Definer(piece).run()
