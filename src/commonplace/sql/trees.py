"""Small questions about the parser's trees, without recursion: a sum of ten thousand is as deep."""

from collections.abc import Iterator

from sqlglot import exp

from commonplace.sql.names import spell
from commonplace.sql.parse import Tree
from commonplace.sql.scan import HOLE

QUERIES = (exp.Select, exp.SetOperation, exp.Values)
_TRANSPARENT = (exp.Paren, exp.Alias)


def members(tree: Tree) -> Iterator[Tree]:
    """The nodes directly below, in order."""
    for value in tree.args.values():
        if isinstance(value, exp.Expr):
            yield value
        elif isinstance(value, list):
            yield from (one for one in value if isinstance(one, exp.Expr))


def inside(tree: Tree) -> Iterator[Tree]:
    """Every node of an expression; nested queries are given and not entered."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, (*QUERIES, exp.Subquery)):
            continue
        waiting.extend(reversed(list(members(node))))


def bottom(tree: Tree) -> Tree:
    """The tree without brackets and alias."""
    while isinstance(tree, _TRANSPARENT):
        tree = tree.this
    return tree


def identifier(node: Tree | str | None) -> str:
    """A name as written, with the mark of a temporary table or a variable."""
    if node is None or isinstance(node, str):
        return node or ""
    if isinstance(node, exp.Parameter):
        return "@" + identifier(node.this)
    if isinstance(node, exp.Identifier):
        if node.args.get("global_"):
            return "##" + str(node.this)
        return ("#" if node.args.get("temporary") else "") + str(node.this)
    return str(node.name)


def table_name(node: Tree) -> str:
    """The dotted name of a table; empty for a function or what is not known."""
    if isinstance(node, exp.Schema):
        node = node.this
    if not isinstance(node, exp.Table):
        return identifier(node) if isinstance(node, (exp.Identifier, exp.Parameter)) else ""
    this = node.this
    if isinstance(this, exp.Dot):  # four parts: a linked server
        names = [identifier(one) for one in inside(this) if isinstance(one, exp.Identifier)]
    elif isinstance(this, (exp.Identifier, exp.Parameter)):
        names = [identifier(this)]
    else:
        return ""
    names = [identifier(node.args.get("catalog")), identifier(node.args.get("db")), *names]
    if any(HOLE in one for one in names):
        return ""
    return spell(*names)


def alias_of(node: Tree) -> tuple[str, tuple[str, ...]]:
    """The alias of a relation and of its columns."""
    alias = node.args.get("alias")
    if not isinstance(alias, exp.TableAlias):
        return (identifier(alias) if alias is not None else "", ())
    columns = alias.args.get("columns") or []
    names = (one.this if isinstance(one, exp.ColumnDef) else one for one in columns)
    return identifier(alias.this), tuple(identifier(one) for one in names)


def function_name(node: Tree) -> str:
    """The dotted name a function is called by, for functions that are not built in."""
    schema = ""
    if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Anonymous):
        outer = [identifier(one) for one in inside(node.this) if isinstance(one, exp.Identifier)]
        schema, node = spell(*outer), node.expression
    if not isinstance(node, exp.Anonymous):
        return ""
    name = spell(identifier(node.this) if isinstance(node.this, exp.Expr) else str(node.this))
    return f"{schema}.{name}" if schema else name


def how_made(tree: Tree) -> str:
    """copy, aggregate or expression."""
    inner = bottom(tree)
    if isinstance(inner, (exp.Column, exp.Parameter, exp.Star)):
        return "copy"
    if any(isinstance(one, exp.AggFunc) for one in inside(inner)):
        return "aggregate"
    return "expression"
