"""Definitions that are no SQL: they are read as far as they go, and told."""

from commonplace.sql.define import ACTIONS, Defined
from commonplace.sql.pieces import Piece

_NEAR = 8
# Things of databases that have no part in a graph of code: made, changed and dropped in silence.
_OTHERS = frozenset(
    {
        *("ACCESS", "AGGREGATE", "APPLICATION", "ASSEMBLY", "ASYMMETRIC", "AUTHORIZATION"),
        *("AVAILABILITY", "BROKER", "CAST", "CATALOG", "CERTIFICATE", "CLASS", "CLUSTER"),
        *("COLLATION", "COLUMN", "COLUMNSTORE", "CONSTRAINT", "CONTRACT", "CONVERSION"),
        *("CREDENTIAL", "CRYPTOGRAPHIC", "DATABASE", "DEFAULT", "DOMAIN", "ENDPOINT", "EVENT"),
        *("EXTENSION", "EXTERNAL", "FAMILY", "FOREIGN", "FULLTEXT", "FUNCTION", "GROUP"),
        *("INSTANCE", "KEY", "LANGUAGE", "LARGE", "LOGFILE", "LOGIN", "MAPPING", "MASTER"),
        *("MESSAGE", "OPERATOR", "OWNED", "PARTITION", "POLICY", "PRIVILEGES", "PROC"),
        *("PROCEDURE", "PUBLICATION", "QUEUE", "REMOTE", "RESOURCE", "ROLE", "ROUTE", "ROUTINE"),
        *("RULE", "SEARCH", "SECURITY", "SERVER", "SERVICE", "SESSION", "SIGNATURE"),
        *("STATISTICS", "SUBSCRIPTION", "SYMMETRIC", "SYNONYM", "SYSTEM", "TABLESPACE", "TEXT"),
        *("TRANSFORM", "TRIGGER", "UNDO", "USER", "WAREHOUSE", "WORKLOAD", "XML"),
    }
)
_MODELS = frozenset({"(", "AS", "CLONE", "LIKE", "OF", "SELECT", "USING"})


def doubt(piece: Piece, found: list[Defined]) -> str:
    """Why a CREATE, ALTER, DROP or RENAME is not understood; empty when it is."""
    words = piece.words
    if words.count("(") != words.count(")"):
        return "brackets that are not paired"
    if not found:
        is_other = not _OTHERS.isdisjoint(words[1:_NEAR])
        return "" if is_other else f"a {words[0]} of something unknown"
    first = found[0]
    if first.ops or first.query:
        return ""
    if (first.verb, first.kind) == ("CREATE", "Table") and _MODELS.isdisjoint(words):
        return "a table without columns"
    if (first.verb, first.kind) == ("CREATE", "View"):
        return "a view without a query"
    if (first.verb, first.kind) == ("ALTER", "Table") and ACTIONS.isdisjoint(words[2:]):
        return "a table changed in an unknown way"
    return ""
