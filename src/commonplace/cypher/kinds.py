"""What can be said of an expression's type before it is evaluated."""

from collections.abc import Mapping

from commonplace.cypher import syntax as s

Scope = Mapping[str, str]
"""The type of every name: node, edge, edges, path, boolean, …, ``list of …``, or any."""

ANY = "any"
_LITERALS: tuple[tuple[type, str], ...] = (
    (bool, "boolean"), (int, "integer"), (float, "float"), (str, "string")
)  # fmt: skip
_RETURNS = {
    "count": "integer", "size": "integer", "length": "integer", "tointeger": "integer",
    "id": "string", "type": "string", "tostring": "string", "tolower": "string",
    "toupper": "string", "trim": "string", "substring": "string", "replace": "string",
    "labels": "list of string", "keys": "list of string", "nodes": "list of node",
    "relationships": "list of edge", "range": "list of integer", "split": "list of string",
    "collect": "list", "properties": "map", "startnode": "node", "endnode": "node",
    "exists": "boolean", "tofloat": "float", "toboolean": "boolean",
}  # fmt: skip
NUMBERS = ("integer", "float")
TAKES: Mapping[str, frozenset[str]] = {
    "type": frozenset({"edge"}),
    "labels": frozenset({"node"}),
    "length": frozenset({"path", "string", "list"}),
    "nodes": frozenset({"path"}),
    "relationships": frozenset({"path"}),
    "size": frozenset({"list", "string", "map", "edges"}),
    "properties": frozenset({"node", "edge", "map"}),
    "startnode": frozenset({"edge"}),
    "endnode": frozenset({"edge"}),
}


def outer(kind: str) -> str:
    """The type without what its members are."""
    return kind.partition(" of ")[0]


def member(kind: str) -> str:
    """The type of a list's members."""
    if kind == "edges":
        return "edge"
    return kind.partition(" of ")[2] or ANY if outer(kind) == "list" else ANY


def kind_of(expr: s.Expr, scope: Scope) -> str:
    """The type of an expression, ``any`` when it is not plain to see."""
    if isinstance(expr, s.Literal_):
        return next((name for kind, name in _LITERALS if isinstance(expr.value, kind)), ANY)
    if isinstance(expr, s.Variable):
        return scope.get(expr.name, ANY)
    if isinstance(expr, s.ListOf):
        kinds = {kind_of(one, scope) for one in expr.members}
        return f"list of {kinds.pop()}" if len(kinds) == 1 else "list"
    if isinstance(expr, s.Comprehension | s.PatternComprehension):
        return "list"
    if isinstance(expr, s.MapOf | s.MapProjection):
        return "map"
    if isinstance(expr, s.Logic | s.Comparison | s.Quantifier | s.HasLabels):
        return "boolean"
    if isinstance(expr, s.Call):
        return _RETURNS.get(expr.name, ANY)
    return _operated(expr, scope)


def _operated(expr: s.Expr, scope: Scope) -> str:
    if isinstance(expr, s.Unary):
        return kind_of(expr.operand, scope) if expr.operator in ("+", "-") else "boolean"
    if isinstance(expr, s.Binary):
        if expr.operator in ("IN", "STARTS WITH", "ENDS WITH", "CONTAINS", "=~"):
            return "boolean"
        kinds = {kind_of(expr.left, scope), kind_of(expr.right, scope)}
        if kinds == {"integer"}:
            return "float" if expr.operator == "^" else "integer"
        return "float" if kinds <= set(NUMBERS) else ANY
    if isinstance(expr, s.Index):
        return member(kind_of(expr.target, scope))
    return ANY
