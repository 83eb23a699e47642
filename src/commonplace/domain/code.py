"""Code as facts: what one file says, before anything is looked up in another.

A language makes ``Facts`` of a file, in a worker process and without seeing other files; binding
names across files comes later and reads nothing but facts. So a file is parsed once per content,
and a change elsewhere never parses it again.

Expressions (``domain/expr.py``) keep just what decides which definition a name means: names,
attributes, calls, literals that may be SQL or a path. Statements keep where values flow: ``Flow``
from an expression to a name, an attribute, an item, or the result of a function.
"""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from commonplace.domain.expr import Expr

Kind: TypeAlias = str
"""Capitalised as every node kind: Namespace, Module, File, Class, Interface, Enum, Struct, Record,
Type, Function, Method, Constructor, Property, Field, Constant, Variable, Test, Schema, Table, View,
Column, Procedure, Trigger, Index, Sequence, Route, External. Tools show them in capitals."""
Visibility = Literal["public", "protected", "internal", "private", "local"]
Flavour = Literal["receiver", "plain", "keyword", "rest", "named_rest"]
_HEAD_CHARS = 120
_OTHERWISE = re.compile(r"[^\s!-~]|[\\{}%$?\"'`]")
"""Escapes, holes and quotes: from there on a string may be meant otherwise than it is written."""


class At(NamedTuple):
    """Where something is written: lines from 1, columns in characters from 0, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Parameter(NamedTuple):
    """What a function takes."""

    name: str
    flavour: Flavour = "plain"
    type: Expr | None = None
    default: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """A definition in one file. Its number is its place in ``Facts.symbols``; 0 is the file.

    Every function and class is one, named or not; of variables, those of a module or class are.
    """

    kind: Kind
    name: str
    """As written; ``<lambda1>`` and the like for what has no name, counted within its parent."""
    path: str
    """Names from below the module down, with dots: ``Class.method``; empty for the file itself."""
    parent: int
    at: At
    """The whole definition, decorators and doc text included."""
    signature: str = ""
    """One line, without body: what a reader would want to see of it."""
    doc: str = ""
    """Its doc text without comment marks."""
    visibility: Visibility = "public"
    modifiers: frozenset[str] = frozenset()
    """static, abstract, async, classmethod, property, generator, override, exported, default,
    readonly, test, anonymous, partial, extension, …"""
    parameters: tuple[Parameter, ...] = ()
    type_parameters: tuple[Parameter, ...] = ()
    """Names that stand for types in it, each with its bound as ``type``."""
    type: Expr | None = None
    """Of a field or variable its declared type, of a function what it is declared to return."""
    bases: tuple[Expr, ...] = ()
    """Superclasses in order; embedded types of Go."""
    interfaces: tuple[Expr, ...] = ()
    """What it says it implements, where the language tells the two apart."""
    decorators: tuple[Expr, ...] = ()
    """Decorators, annotations, attributes, outermost first; with arguments, a ``call``."""
    value: Expr | None = None
    """What a field, constant or variable is set to where it is declared."""


class Import(NamedTuple):
    """A name brought in from another file or from outside."""

    scope: int
    module: str
    """As written, without the leading dots of Python: ``a.b``, ``./user``, ``java.util``."""
    name: str | None
    """What is taken from it: None the module itself, ``*`` everything."""
    alias: str
    """What it is called here; empty for ``*`` and for imports made for their effect only."""
    level: int = 0
    """Leading dots of a relative import of Python."""
    at: At = At(1, 0, 1, 0)
    modifiers: frozenset[str] = frozenset()
    """export (re-exported), type (erased), static (Java, C#), default, effect."""


class Flow(NamedTuple):
    """A value goes somewhere: an assignment, a loop variable, a return."""

    scope: int
    target: Expr
    """``name``, ``attr``, ``item``, a ``seq`` of targets, ``result`` or ``yielded``."""
    value: Expr
    home: int | None = None
    """The scope a target name belongs to where it is another one: ``global``, ``nonlocal``.

    Names in ``value`` are still those of ``scope``."""


class Call(NamedTuple):
    """A call, or what amounts to one (``new``, a decorator is in ``Symbol.decorators``)."""

    scope: int
    callee: Expr
    arguments: tuple[Expr, ...]
    keywords: tuple[tuple[str, Expr], ...]
    at: At
    """Of the name that is called, not of its arguments: ``save`` in ``self.repo.save(order)``."""
    is_new: bool = False
    is_implicit: bool = False
    """Made by syntax, not by a name that is called: ``with x`` calls ``x.__enter__``, ``a + b``
    ``a.__add__``. Mostly of built-in types: one that is not resolved is no news."""


class Use(NamedTuple):
    """A name or attribute that is read or written, other than as a callee or import."""

    scope: int
    expr: Expr
    at: At
    access: Literal["read", "write", "type", "run"] = "read"
    """``run``: what syntax calls where there is such a thing, which is rare: ``${x}`` its toString,
    ``{ a } = x`` a getter."""


class Text(NamedTuple):
    """A string of code that begins as a statement of SQL does."""

    head: str
    """How it begins, by which it is known (``head_of``)."""
    at: At
    """Where it stands, quotes and all that is added to it included."""

    @staticmethod
    def head_of(text: str) -> str:
        r"""What a string is known by: its beginning, as far as it is written as it is meant.

        >>> Text.head_of("  SELECT a\n  FROM t WHERE b = {}")
        'SELECT a FROM t WHERE b ='
        """
        return " ".join(_OTHERWISE.split(text[:_HEAD_CHARS], maxsplit=1)[0].split())


class Problem(NamedTuple):
    """What was not understood, and where; counted by ``status``."""

    what: str
    at: At


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All one file says."""

    language: str
    namespace: str = ""
    """The package or namespace the file says it is in (Java, C#, Go); others go by their path."""
    symbols: tuple[Symbol, ...]
    imports: tuple[Import, ...] = ()
    flows: tuple[Flow, ...] = ()
    calls: tuple[Call, ...] = ()
    uses: tuple[Use, ...] = ()
    exports: tuple[tuple[str, str], ...] = ()
    """What others may import by another name than it has here: (outside, inside)."""
    queries: tuple["Query", ...] = ()
    texts: tuple[Text, ...] = ()
    problems: tuple[Problem, ...] = ()
    is_generated: bool = False

    @property
    def call_count(self) -> int:
        """How many calls there are; facts that are kept know it without unpacking them."""
        return len(self.calls)


class Source(NamedTuple):
    """One column a query reads: of a table, by the names the query uses."""

    table: str
    """As written, schema included; empty when the query does not say which of ``tables``."""
    column: str
    """``*`` stands for all of the table's."""


class Derived(NamedTuple):
    """One column a query makes, and what it is made of."""

    column: str
    """Empty when the place decides; ``*`` for all of its sources."""
    sources: tuple[Source, ...]
    how: str = "copy"
    """copy, expression, aggregate, or the function's name."""


class Query(NamedTuple):
    """One SQL statement, wherever it is written: in a .sql file, a string, a procedure's body."""

    scope: int
    """The symbol it stands in: a file, procedure, view, trigger or function of any language."""
    verb: str
    """SELECT, INSERT, UPDATE, DELETE, MERGE, CREATE, ALTER, DROP, CALL, …"""
    target: str
    """The table written or made, the procedure called; empty for a plain SELECT."""
    reads: tuple[Source, ...]
    """Every column looked at, also in WHERE and ON; (table, "") for a table without columns."""
    writes: tuple[str, ...]
    """Columns of the target that are set."""
    derived: tuple[Derived, ...]
    tables: tuple[str, ...]
    """Every table it reads, as written."""
    at: At
    dialect: str = ""
    is_partial: bool = False
    """Whether parts of its text are not known before it runs."""
    shape: Expr = ()
    """The statement with its scopes still nested (``commonplace.sql.shape``): stars and columns
    without a table are decided once the tables are known. Empty for statements not in SQL."""
