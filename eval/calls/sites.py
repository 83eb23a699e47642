"""Definitions and call sites of a Python file by the standard library's own parser.

For what is measured beside us or observed while a program runs: neither knows our names.
"""

import ast
from dataclasses import dataclass, field
from pathlib import PurePosixPath

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Definition:
    """A function, lambda or class and its full name."""

    name: str
    path: str
    line: int
    """Of ``def``, ``class`` or ``lambda``."""
    first_line: int
    """Of its first decorator: what a code object says."""
    column: int
    kind: str
    """function, class or lambda."""
    is_resumed: bool = False
    """Whether it is a generator or a coroutine."""


@dataclass(frozen=True, slots=True)
class Site:
    """A place where something is called or an attribute is read."""

    caller: str
    line: int
    column: int
    """The last character of the name, from 0."""
    kind: str
    """call, decorator or attribute."""


@dataclass(slots=True)
class Sites:
    """Of one file."""

    definitions: list[Definition] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    bases: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """For each class where the names of its bases end."""


def module_name(path: str) -> str:
    """The module a path within a source is, packages being folders.

    >>> module_name("pkg/__init__.py"), module_name("src/pkg/a.py")
    ('pkg', 'pkg.a')
    """
    parts = list(PurePosixPath(path).with_suffix("").parts)
    if parts[0] == "src":
        parts = parts[1:]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _is_resumed(node: Defined) -> bool:
    """Whether calling it runs nothing yet."""
    if isinstance(node, ast.AsyncFunctionDef):
        return True
    waiting: list[ast.AST] = list(node.body) if isinstance(node, ast.FunctionDef) else []
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(one, Defined):
            waiting.extend(ast.iter_child_nodes(one))
    return False


class _Finder(ast.NodeVisitor):
    def __init__(self, path: str) -> None:
        self.path = path
        self.found = Sites()
        self.scope = module_name(path)
        self.lambdas: dict[str, int] = {}

    def within(self, node: Defined, name: str, kind: str, parts: list[ast.AST]) -> None:
        """Visit what belongs to a new definition."""
        outer = self.scope
        lines = [one.lineno for one in getattr(node, "decorator_list", [])]
        self.scope = f"{outer}.{name}"
        self.found.definitions.append(
            Definition(
                self.scope,
                self.path,
                node.lineno,
                min([node.lineno, *lines]),
                node.col_offset,
                kind,
                _is_resumed(node),
            )
        )
        for part in parts:
            self.visit(part)
        self.scope = outer

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Decorators, defaults and annotations belong to the scope around it."""
        self.decorators(node)
        self.visit(node.args)
        if node.returns is not None:
            self.visit(node.returns)
        self.within(node, node.name, "function", list(node.body))

    visit_FunctionDef = function  # noqa: N815 - the names ast calls
    visit_AsyncFunctionDef = function  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Its body is a scope of its own."""
        self.decorators(node)
        for part in (*node.bases, *node.keywords):
            self.visit(part)
        ends = [
            (base.end_lineno or base.lineno, (base.end_col_offset or 1) - 1)
            for base in node.bases
            if isinstance(base, ast.Name | ast.Attribute)
        ]
        self.found.bases[f"{self.scope}.{node.name}"] = ends
        self.within(node, node.name, "class", list(node.body))

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Counted within the scope around it."""
        self.visit(node.args)
        number = self.lambdas[self.scope] = self.lambdas.get(self.scope, 0) + 1
        self.within(node, f"<lambda{number}>", "lambda", [node.body])

    def decorators(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        """Each is applied in the scope around."""
        for one in node.decorator_list:
            self.visit(one)
            self.site(one, "decorator")

    def visit_Call(self, node: ast.Call) -> None:
        """A call of a name or member."""
        self.site(node.func, "call")
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """It may be a property."""
        self.site(node, "attribute")
        self.generic_visit(node)

    def site(self, node: ast.expr, kind: str) -> None:
        """Where its name ends."""
        if isinstance(node, ast.Name | ast.Attribute):
            column = (node.end_col_offset or 1) - 1
            self.found.sites.append(Site(self.scope, node.end_lineno or node.lineno, column, kind))


def sites_of(text: str, path: str) -> Sites:
    """Everything of one file; nothing of one that cannot be parsed."""
    finder = _Finder(path)
    try:
        finder.visit(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError):
        return Sites()
    return finder.found
