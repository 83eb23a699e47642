"""Names of calls that run SQL, by language; and of those that only speak about it."""

from commonplace.link.code.names.modules import SCRIPTS

_PYTHON = frozenset(
    {"execute", "executemany", "executescript", "callproc", "raw", "text", "exec_driver_sql"}
    | {"read_sql", "read_sql_query", "fetch", "fetchrow", "fetchval", "fetch_all", "fetch_one"}
    | {
        "RunSQL",
        "sql",
        "query",
        "mogrify",
        "copy_expert",
        "copy",
        "iterate",
        "execute_batch",
        "execute_values",
        "scalar",
    }
)
_JAVA = frozenset(
    {"prepareStatement", "prepareCall", "executeQuery", "executeUpdate", "execute", "addBatch"}
    | {"query", "queryForObject", "queryForList", "queryForMap", "queryForStream", "update"}
    | {"queryForRowSet", "batchUpdate", "createQuery", "createNativeQuery", "createSQLQuery"}
    | {
        "createSelectionQuery",
        "createMutationQuery",
        "createStoredProcedureQuery",
        "sql",
        "nativeSQL",
    }
    | {"withProcedureName", "withFunctionName", "executeLargeUpdate", "createQuery", "call"}
)
_CSHARP = frozenset(
    {"Query", "QueryAsync", "QueryFirst", "QueryFirstAsync", "QueryFirstOrDefault", "QuerySingle"}
    | {"QueryFirstOrDefaultAsync", "QuerySingleAsync", "QuerySingleOrDefault", "QueryMultiple"}
    | {"QuerySingleOrDefaultAsync", "QueryMultipleAsync", "QueryUnbufferedAsync", "Execute"}
    | {"ExecuteAsync", "ExecuteScalar", "ExecuteScalarAsync", "ExecuteReader", "ExecuteReaderAsync"}
    | {
        "SqlCommand",
        "NpgsqlCommand",
        "MySqlCommand",
        "SqliteCommand",
        "OracleCommand",
        "OleDbCommand",
    }
    | {"OdbcCommand", "SqlDataAdapter", "NpgsqlDataAdapter", "CommandDefinition", "FromSqlRaw"}
    | {"FromSql", "FromSqlInterpolated", "ExecuteSqlRaw", "ExecuteSqlRawAsync", "ExecuteSql"}
    | {"ExecuteSqlAsync", "ExecuteSqlInterpolated", "ExecuteSqlInterpolatedAsync", "SqlQuery"}
    | {"SqlQueryRaw", "Sql", "SQLiteCommand", "CreateCommand", "BeginTextImport"}
    | {"BeginBinaryImport", "BeginBinaryImportAsync", "BeginTextImportAsync", "BeginBinaryExport"}
    | {"BeginBinaryExportAsync", "CreateBatchCommand", "NpgsqlBatchCommand"}
)
_GO = frozenset(
    {"Query", "QueryRow", "QueryContext", "QueryRowContext", "Exec", "ExecContext", "Prepare"}
    | {"PrepareContext", "Get", "Select", "GetContext", "SelectContext", "NamedExec", "MustExec"}
    | {"NamedExecContext", "NamedQuery", "Queryx", "QueryRowx", "Raw", "Preparex", "SendBatch"}
)
_SCRIPT = frozenset(
    {"query", "execute", "raw", "$queryRaw", "$executeRaw", "$queryRawUnsafe", "$executeRawUnsafe"}
    | {
        "prepare",
        "all",
        "get",
        "run",
        "each",
        "exec",
        "sql",
        "unsafe",
        "any",
        "many",
        "none",
        "one",
    }
    | {"oneOrNone", "manyOrNone", "result", "queryRaw"}
)
RUNNERS: dict[str, frozenset[str]] = {
    "python": _PYTHON,
    "java": _JAVA,
    "csharp": _CSHARP,
    "go": _GO,
    **dict.fromkeys(SCRIPTS, _SCRIPT),
}
KEYWORDS = (
    *("sql", "query", "statement", "CommandText", "commandText", "cmdText", "value", "text"),
    *("procedureName", "name", "operation", "params"),
)
"""Keywords and keys that give a statement."""
COMMANDS = frozenset({"csharp"})
"""Languages whose commands are told their text and kind by properties."""
PROPERTIES = frozenset({"CommandText"})
ANNOTATIONS = frozenset(
    {"Query", "NativeQuery", "NamedQuery", "NamedNativeQuery", "Procedure", "SqlQuery", "SqlUpdate"}
    | {"Select", "Insert", "Update", "Delete"}  # MyBatis
)
NAMING_QUERIES = frozenset({"createNamedQuery", "getNamedQuery", "getNamedNativeQuery"})
"""Calls that are given the name of a statement that is written elsewhere."""
SPEAKS_OF_OBJECTS = frozenset({"createQuery", "createSelectionQuery", "createMutationQuery"})
"""Calls whose text names classes and fields."""
TELLING = frozenset(
    {"print", "println", "printf", "log", "debug", "info", "warn", "warning", "error", "fatal"}
    | {"trace", "exception", "critical", "Write", "WriteLine", "LogInformation", "LogDebug"}
    | {"LogWarning", "LogError", "assertEqual", "assertEquals", "assertIn", "assertContains"}
    | {"expect", "toBe", "toEqual", "toContain", "toMatch", "toHaveBeenCalledWith", "Println"}
    | {"Printf", "Errorf", "Fatalf", "Fatal", "Error", "Exception", "ValueError", "compile"}
    | {"split", "startswith", "startsWith", "replace", "Replace", "match", "search", "sub", "join"}
    | {"AreEqual", "Equal", "Contains", "contains", "describe", "it", "test", "skip"}
)
"""Calls that are given SQL to show it, to compare it, or to take it apart."""
