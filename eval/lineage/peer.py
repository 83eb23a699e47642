"""The edges ``sqllineage`` draws for a case, where it is installed."""

import importlib.util
import re
import warnings
from itertools import pairwise

from eval.lineage.cases import Case, Edge, folded

_SCHEMAS = {"tsql": "dbo", "postgres": "public", "mysql": "shop", "sqlite": "main"}
_TEMPORARY = re.compile(r"\bTEMP(?:ORARY)?\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)", re.IGNORECASE)


def is_there() -> bool:
    """Whether the peer is installed."""
    return importlib.util.find_spec("sqllineage") is not None


def edges(case: Case) -> tuple[set[Edge], list[str]]:
    """Its column edges between tables that stay, and why it failed if it did.

    It is given the tables and their columns, as we are. It gives whole paths: those through
    subqueries and temporary tables are joined to one edge, as ours are.
    """
    from sqllineage.config import SQLLineageConfig  # noqa: PLC0415 - optional
    from sqllineage.core.metadata.dummy import DummyMetaDataProvider  # noqa: PLC0415
    from sqllineage.runner import LineageRunner  # noqa: PLC0415

    schema = _SCHEMAS[case.dialect]
    known = {_qualified(name, schema): list(columns) for name, columns in case.tables}
    provider = DummyMetaDataProvider(known)
    try:
        with warnings.catch_warnings(), SQLLineageConfig(DEFAULT_SCHEMA=schema):
            warnings.simplefilter("ignore")
            runner = LineageRunner(case.sql, dialect=case.dialect, metadata_provider=provider)
            paths = runner.get_column_lineage(exclude_path_ending_in_subquery=True)
    except Exception as error:  # noqa: BLE001 - whatever it raises, it has no edges
        return set(), [f"{type(error).__name__}: {str(error).splitlines()[0][:80]}"]
    local = {name.lower() for name in _TEMPORARY.findall(case.sql)}
    found: set[Edge] = set()
    for path in paths:
        kept = [_column(one, schema) for one in path if _is_kept(one, local)]
        found |= {(source, target) for source, target in pairwise(kept) if source != target}
    return found, []


def _qualified(name: str, schema: str) -> str:
    plain = name.replace("[", "").replace("]", "").replace('"', "").replace("`", "").lower()
    return plain if "." in plain else f"{schema}.{plain}"


def _column(column: object, schema: str) -> str:
    return folded(str(column).removeprefix(f"{schema}.").removeprefix("<default>."))


def _is_kept(column: object, local: set[str]) -> bool:
    """Whether a step is a column of a table that stays: no subquery, no temporary table."""
    parent = getattr(column, "parent", None)
    if type(parent).__name__ != "Table":
        return False
    name = str(getattr(parent, "raw_name", "")).lower()
    return not name.startswith(("#", "@")) and name not in local
