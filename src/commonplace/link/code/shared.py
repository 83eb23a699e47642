"""Things that several files name and none owns: their ids, equal whoever names them, their nodes.

A table is named by the script that makes it, by queries and by the class mapped to it. Names of SQL
are compared in lower case, without quotes, and without the default schema, so that
``dbo.Customers``, ``[Customers]`` and ``"customers"`` are one.
"""

from collections.abc import Mapping
from functools import lru_cache

from commonplace.domain.code import Facts, Symbol
from commonplace.domain.graph import Node, Value
from commonplace.domain.ids import stable_id
from commonplace.sql.names import bare, fold, parts, spell

SQL = "sql"
_LETTER = "x"
_RELATIONS = frozenset({"Table", "View"})
_ROUTINES = frozenset({"Procedure", "Function"})


def table_id(project: str, name: str) -> str:
    """The id of a table or view, which share their names.

    >>> table_id("p", "dbo.Customers") == table_id("p", '"customers"')
    True
    """
    return stable_id(_LETTER, project, "table", fold(name))


def column_id(project: str, table: str, name: str) -> str:
    """The id of a column of a table or view; its name may be quoted, not dotted."""
    return stable_id(_LETTER, project, "column", fold(table), bare(name).lower())


def schema_id(project: str, name: str) -> str:
    """The id of a schema; the default one has a name here like any other."""
    return stable_id(_LETTER, project, "schema", spell(*parts(name)).lower())


def routine_id(project: str, name: str) -> str:
    """The id of a procedure or function of SQL, however many signatures it has."""
    return stable_id(_LETTER, project, "routine", fold(name))


def namespace_id(project: str, name: str) -> str:
    """The id of a namespace or package; case counts."""
    return stable_id(_LETTER, project, "namespace", name)


def external_id(project: str, name: str) -> str:
    """The id of something a library defines, by its full name: ``requests.get``."""
    return stable_id(_LETTER, project, "external", name)


def route_id(project: str, method: str, path: str) -> str:
    """The id of a route: its method in capitals (``*`` any) and its path as normalised."""
    return stable_id(_LETTER, project, "route", method.upper(), path)


def sql_id(project: str, kind: str, path: str) -> str:
    """The id of any definition of a .sql file by its kind and ``Symbol.path``."""
    if kind in _RELATIONS:
        return table_id(project, path)
    if kind == "Column":
        names = parts(path)
        return column_id(project, spell(*names[:-1]), spell(names[-1]))
    if kind in _ROUTINES:
        return routine_id(project, path)
    if kind == "Schema":
        return schema_id(project, path)
    return stable_id(_LETTER, project, kind.lower(), fold(path))


def is_shared(facts: Facts, number: int) -> bool:
    """Whether a symbol's node is shared: all of SQL but the file; ``lineage`` states it."""
    return facts.language == SQL and number > 0


def shared_symbol_id(project: str, symbol: Symbol) -> str:
    """The id of the node of a symbol of a .sql file."""
    return sql_id(project, symbol.kind, symbol.path)


def _shared(
    project: str,
    node_id: str,
    kind: str,
    named: tuple[str, str, str],
    properties: Mapping[str, Value] | None,
) -> Node:
    name, fqn, language = named
    told: dict[str, Value] = {"fqn": fqn}
    if language:
        told["language"] = language
    return Node(
        id=node_id, project=project, kind=kind, name=name, properties=told | dict(properties or {})
    )


def sql_node(
    project: str, kind: str, path: str, properties: Mapping[str, Value] | None = None
) -> Node:
    """The shared node of a table, view, column, routine, schema … of SQL; path as written."""
    names = parts(path)
    return _shared(
        project, sql_id(project, kind, path), kind, (names[-1], spell(*names), SQL), properties
    )


def namespace_node(
    project: str, name: str, language: str, properties: Mapping[str, Value] | None = None
) -> Node:
    """The shared node of a namespace or package."""
    return _shared(
        project, namespace_id(project, name), "Namespace", (name, name, language), properties
    )


@lru_cache(maxsize=4096)
def external_node(project: str, name: str) -> Node:
    """The shared node of something a library defines.

    Of no language: whoever was bound last would say which, and scripts of two share libraries.
    """
    short = name.rsplit(".", 1)[-1].rsplit("/", 1)[-1]
    told = {"external": True}
    return _shared(project, external_id(project, name), "External", (short, name, ""), told)


def route_node(
    project: str, method: str, path: str, properties: Mapping[str, Value] | None = None
) -> Node:
    """The shared node of a route, named as it is asked for: ``GET /orders/{}``."""
    name = f"{method.upper()} {path}"
    told = {"method": method.upper(), "path": path} | dict(properties or {})
    return _shared(project, route_id(project, method, path), "Route", (name, name, ""), told)
