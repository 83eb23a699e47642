"""The cases: a statement or a short script, the tables it meets, the column edges it must give."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from commonplace.sql.names import fold, parts, spell

FOLDERS = {one: Path(__file__).parent / one for one in ("cases", "blind", "second")}
"""Sets: what the reader was written with, what was written before it was looked at, and what was
written after it had been mended on the latter."""
DIALECTS = ("tsql", "postgres", "mysql", "sqlite")
Edge = tuple[str, str]
"""Two columns, folded: ``orders.total``."""
_TABLE = re.compile(r"((?:\[[^\]]+\]|\"[^\"]+\"|`[^`]+`|[\w.#])+)\(([^)]*)\)")


class Case(NamedTuple):
    """One case of one dialect."""

    dialect: str
    name: str
    tables: tuple[tuple[str, tuple[str, ...]], ...]
    sql: str
    edges: frozenset[Edge]

    @property
    def schema_sql(self) -> str:
        """Its tables as a script."""
        return "\n".join(
            f"CREATE TABLE {name} ({', '.join(f'{one} int' for one in columns)});"
            for name, columns in self.tables
        )


def folded(path: str) -> str:
    """A column as it is compared: table and column, folded.

    >>> folded("dbo.Orders.Total"), folded("Order Details.Unit Price")
    ('orders.total', 'order details.unit price')
    """
    names = parts(path)
    table = ".".join(parts(fold(spell(*names[:-1]))))
    return f"{table}.{names[-1].lower()}"


def load(dialect: str, cases: str = "cases") -> Iterator[Case]:
    """The cases of one dialect in one of the sets."""
    text = (FOLDERS[cases] / f"{dialect}.sql").read_text("utf-8")
    for block in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]:
        name, _, rest = block.partition("\n")
        lines = rest.strip().splitlines()
        tables: tuple[tuple[str, tuple[str, ...]], ...] = ()
        if lines[0].startswith("schema:"):
            tables = tuple(
                (match.group(1), tuple(one.strip() for one in match.group(2).split(",")))
                for match in _TABLE.finditer(lines.pop(0)[7:])
            )
        expected = lines.pop()
        if not expected.startswith("-->"):
            raise ValueError(f"{dialect}: {name!r} does not end with its edges")
        edges = frozenset(_edges(expected[3:]))
        yield Case(dialect, name.strip(), tables, "\n".join(lines), edges)


def _edges(text: str) -> Iterator[Edge]:
    for one in text.split(","):
        if ">" in one:
            source, target = one.split(">")
            yield folded(source.strip()), folded(target.strip())
