"""Which SQL a file of code speaks: by the drivers it imports, else by the project's scripts."""

from collections import Counter
from collections.abc import Iterator

from commonplace.link.code.program import Program, Unit
from commonplace.link.code.queries.chains import noted

_DRIVERS: dict[str, tuple[str, ...]] = {
    "postgres": (
        *("psycopg", "psycopg2", "asyncpg", "pg8000", "Npgsql", "org.postgresql", "pg"),
        *("pg-promise", "postgres", "github.com/lib/pq", "github.com/jackc/pgx"),
    ),
    "tsql": (
        *("pyodbc", "pymssql", "Microsoft.Data.SqlClient", "System.Data.SqlClient", "mssql"),
        *("com.microsoft.sqlserver", "github.com/denisenkom/go-mssqldb", "tedious"),
    ),
    "mysql": (
        *("pymysql", "MySQLdb", "mysql", "mysql2", "MySql.Data", "MySqlConnector", "aiomysql"),
        *("com.mysql", "github.com/go-sql-driver/mysql", "mariadb"),
    ),
    "sqlite": (
        *("sqlite3", "aiosqlite", "better-sqlite3", "sqlite", "Microsoft.Data.Sqlite"),
        *("System.Data.SQLite", "org.sqlite", "github.com/mattn/go-sqlite3"),
        *("modernc.org/sqlite",),
    ),
}
_BY_DRIVER = {driver: dialect for dialect, drivers in _DRIVERS.items() for driver in drivers}
_ADDRESSES = {
    "postgresql": "postgres",
    "postgres": "postgres",
    "mssql": "tsql",
    "sqlserver": "tsql",
    "mysql": "mysql",
    "mariadb": "mysql",
    "sqlite": "sqlite",
}


def dialect_of(program: Program, unit: Unit) -> str:
    """The dialect of a file's statements; empty when nothing tells, then their words do."""
    own = noted(unit, "dialect", lambda one: next(_told(one), ""))
    return own or _project(program)


def _told(unit: Unit) -> Iterator[str]:
    for imported in unit.facts.imports:
        module = imported.module
        while module:
            if module in _BY_DRIVER:
                yield _BY_DRIVER[module]
            module = module.rpartition("/" if "/" in module else ".")[0]
    for call in unit.facts.calls:
        for expr in call.arguments[:1]:
            if expr[0] == "text" and expr[1] and isinstance(expr[1][0], str):
                scheme = expr[1][0].partition("://")[0].removeprefix("jdbc:")
                if len(scheme) < len(expr[1][0]) and scheme.partition("+")[0] in _ADDRESSES:
                    yield _ADDRESSES[scheme.partition("+")[0]]


def _project(program: Program) -> str:
    """What most scripts that define something are written in."""
    known = program.memo.get("dialect")
    if known is None:
        votes: Counter[str] = Counter()
        for unit in program.units.values():
            if unit.facts.queries and len(unit.facts.symbols) > 1:
                votes[unit.facts.queries[0].dialect] += 1
        del votes[""]
        ranked = sorted(votes.items(), key=lambda one: (-one[1], one[0]))
        known = program.memo["dialect"] = ranked[0][0] if ranked else ""
    return str(known)
