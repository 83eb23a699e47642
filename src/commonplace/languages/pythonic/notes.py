"""What is noted while a file is read: the tree is walked once, and everything lands here."""

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from commonplace.domain import expr
from commonplace.domain.code import At, Call, Flow, Import, Problem, Symbol, Text, Use
from commonplace.domain.expr import Expr

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser

UNKNOWN = expr.value("unknown")
MOST_WORDS = 50_000
LONGEST_MEMBER = 80  # bytes of a dotted name; longer is a chain of calls
_DOTTED = re.compile(rb"(?!(?:None|True|False)\b)[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){1,8}")
STEP = 256  # bytes between counts of characters
CONTINUING = bytes(range(0x80, 0xC0))  # bytes of UTF-8 that begin no character
DEEPEST = 100  # levels of one expression, or of blocks: nobody writes them, programs do

Reader: TypeAlias = Callable[["Notes", "Node"], Expr]
Doer: TypeAlias = Callable[["Notes", "Node"], None]


@lru_cache(maxsize=1)
def grammar() -> "tuple[Language, Parser]":
    """The grammar and a parser of it, made once a process."""
    import tree_sitter  # noqa: PLC0415 - heavy: only where something is parsed
    import tree_sitter_python  # noqa: PLC0415

    language = tree_sitter.Language(tree_sitter_python.language())
    return language, tree_sitter.Parser(language)


def wide_rows(source: bytes) -> frozenset[int]:
    """Rows of a source in which a character takes more than one byte."""
    if source.isascii():
        return frozenset()
    rows = source.split(b"\n")
    return frozenset(row for row, line in enumerate(rows) if not line.isascii())


class Kinds(NamedTuple):
    """Numbers of the grammar for what is met most: comparing them is cheaper than names."""

    comment: int
    line_continuation: int
    identifier: int
    attribute: int
    argument_list: int
    keyword_argument: int
    dictionary_splat: int
    string: int
    call: int
    assignment: int
    augmented_assignment: int
    type: int


@lru_cache(maxsize=1)
def kinds() -> Kinds:
    """Of the grammar in use."""
    language = grammar()[0]
    return Kinds(*(language.id_for_node_kind(name, True) or 0 for name in Kinds._fields))


class Words(dict[bytes, Expr]):
    """Names by their bytes, as expressions: one decoding and one tuple for every name.

    Kept from file to file, since files of a project share most of their names.
    """

    def __missing__(self, raw: bytes) -> Expr:
        if len(self) > MOST_WORDS:
            self.clear()
        found = self[raw] = expr.name(sys.intern(raw.decode("utf-8", "replace")))
        return found


class Members(dict[bytes, Expr | None]):
    """Dotted names by their bytes, as expressions; None for members of anything but a name."""

    def __missing__(self, raw: bytes) -> Expr | None:
        if _DOTTED.fullmatch(raw) is None:
            return None
        if len(self) > MOST_WORDS:
            self.clear()
        known = words()
        first, *rest = raw.split(b".")
        found = known[first]
        for one in rest:
            found = expr.attr(found, known[one][1])
        self[raw] = found
        return found


@lru_cache(maxsize=1)
def words() -> Words:
    """Those of this process."""
    return Words()


@lru_cache(maxsize=1)
def members() -> Members:
    """Those of this process."""
    return Members()


@dataclass(slots=True)
class Scope:
    """One symbol whose body is being read."""

    number: int
    kind: str
    """module, class or function."""
    path: str
    """With a dot at its end, ready for a name."""
    outer: "Scope | None" = None
    local: set[str] = field(default_factory=set)
    """Names it binds."""
    homes: dict[str, int] = field(default_factory=dict)
    """Names it declared global or nonlocal, and where they belong."""
    reads: "list[tuple[Expr, Node]]" = field(default_factory=list)
    constants: dict[str, str | int | None] = field(default_factory=dict)
    """Strings and numbers names were set to; None for those set more than once."""
    lambdas: int = 0
    receiver: str = ""
    """What a method calls the object it runs on."""
    traits: set[str] = field(default_factory=set)
    """What its body shows: generator."""
    members: "dict[str, Node]" = field(default_factory=dict)
    """Of a class: attributes its methods set on the object, and where first."""
    top: int = -1
    """Of a function: how deep its own statements stand, those of no loop or branch."""
    current: dict[str, Expr] = field(default_factory=dict)
    """What names stand for that were set anew by such a statement: only what came since."""
    renewed: list[tuple[Expr, Expr]] | None = None
    """Names that the statement at hand sets anew; None where it may or may not run."""
    behind: list[tuple[Expr, Expr]] = field(default_factory=list)
    """All names that were set anew, with what they were called from then on."""
    made: set[str] = field(default_factory=set)
    """Names that were set to what a class made, by the look of its name."""
    has_inner: bool = False
    """Whether functions or classes stand inside: they may see a name at any time."""
    pinned: set[str] = field(default_factory=set)
    """Names that functions inside set as well: at any time."""

    @property
    def owner(self) -> "Scope | None":
        """Of a method the class it stands in."""
        return self.outer if self.outer is not None and self.outer.kind == "class" else None


class Notes:
    """The facts of one file so far."""

    def __init__(self, source: bytes, readers: Sequence[Reader], doers: Sequence[Doer]) -> None:
        self.source = source
        self.wide = wide_rows(source)
        """Rows where a byte is not always a character."""
        self.words = words()
        self.members = members()
        self.kinds = kinds()
        self.identifier = self.kinds.identifier
        self.between = frozenset((self.kinds.comment, self.kinds.line_continuation))
        self.readers = readers
        self.doers = doers
        self.symbols: list[Symbol | None] = []
        self.imports: list[Import] = []
        self.flows: list[Flow] = []
        self.calls: list[Call] = []
        self.uses: list[Use] = []
        self.exports: dict[str, str] = {}
        self.texts: tuple[Text, ...] = ()
        self.problems: list[Problem] = []
        self.scopes: list[Scope] = []
        self.scope = Scope(0, "module", "")
        self.renamed: dict[str, Expr] = {}
        """What comprehensions around here call their variables, told apart from all others."""
        self.taken: dict[str, int] = {}
        """Imports of the module that no condition guards, by what they are called here."""
        self.comprehensions = 0
        self.counts: list[int] = []
        self.depth = 0
        self.is_test_file = False
        self.is_broken = False
        """Whether the file has syntax errors."""
        self.for_types = False
        """Whether imports here are for type checkers only."""

    def at(self, node: "Node") -> At:
        """Where a node is."""
        row, column = node.start_point
        end_row, end_column = node.end_point
        if self.wide:
            if row in self.wide:
                column = self._characters(node.start_byte, column)
            if end_row in self.wide:
                end_column = self._characters(node.end_byte, end_column)
        return tuple.__new__(At, (row + 1, column, end_row + 1, end_column))

    def at_first(self, node: "Node", word: str) -> At:
        """Where the identifier is that a node begins with: on one line, so one end is enough."""
        row, column = node.start_point
        if row in self.wide:
            column = self._characters(node.start_byte, column)
        row += 1
        return tuple.__new__(At, (row, column, row, column + len(word)))

    def at_last(self, node: "Node", word: str) -> At:
        """Where the identifier is that a node ends with."""
        row, column = node.end_point
        if row in self.wide:
            column = self._characters(node.end_byte, column)
        row += 1
        return tuple.__new__(At, (row, column - len(word), row, column))

    def _characters(self, offset: int, column: int) -> int:
        if column <= STEP:
            return len(self.source[offset - column : offset].decode("utf-8", "ignore"))
        return self._before(offset) - self._before(offset - column)

    def _before(self, offset: int) -> int:
        """Characters before a byte: counted once for the file, so that a long line is no burden."""
        if not self.counts:
            total = 0
            for start in range(0, len(self.source) + 1, STEP):
                self.counts.append(total)
                total += len(self.source[start : start + STEP].translate(None, CONTINUING))
        step = offset // STEP
        rest = self.source[step * STEP : offset].translate(None, CONTINUING)
        return self.counts[step] + len(rest)

    def text(self, node: "Node") -> str:
        """What is written there."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def word(self, node: "Node") -> str:
        """An identifier."""
        word: str = self.words[self.source[node.start_byte : node.end_byte]][1]
        return word

    def parts(self, node: "Node") -> "list[Node]":
        """Named children without comments and without the marks of lines that go on."""
        between = self.between
        return [child for child in node.named_children if child.kind_id not in between]

    def name(self, node: "Node") -> Expr:
        """A name that is read."""
        found = self.words[self.source[node.start_byte : node.end_byte]]
        if self.renamed and found[1] in self.renamed:
            return self.renamed[found[1]]
        current = self.scope.current
        if current and found[1] in current:
            return current[found[1]]
        self.note(found, node)
        return found

    def meant(self, found: Expr) -> Expr:
        """A bare name as it is called here."""
        if self.renamed and found[1] in self.renamed:
            return self.renamed[found[1]]
        current = self.scope.current
        return current.get(found[1], found) if current else found

    def renew(self, found: Expr) -> Expr:
        """Another name for one that is set anew: what it stood for is behind it."""
        scope = self.scope
        if scope.renewed is None or found[1] not in scope.local or found[1] in scope.pinned:
            return scope.current.get(found[1], found) if scope.current else found
        self.comprehensions += 1
        new = expr.name(f"{found[1]}~{self.comprehensions}")
        scope.local.add(new[1])
        scope.renewed.append((found, new))
        return new

    def note(self, found: Expr, node: "Node") -> None:
        """Remember a name that is read at the beginning of a node, unless it is a local."""
        scope = self.scope
        if found[1] not in scope.local or scope.kind != "function":
            scope.reads.append((found, node))

    def value(self, node: "Node") -> Expr:
        """The expression a node is; calls and uses in it are noted."""
        kind = node.kind_id
        if kind == self.identifier:  # every third, and never deep
            return self.name(node)
        if self.depth > DEEPEST:
            self.too_deep(node)
            return UNKNOWN
        self.depth += 1
        found = self.readers[kind](self, node)
        self.depth -= 1
        return found

    def too_deep(self, node: "Node") -> None:
        """Tell, once, that something is nested deeper than is read."""
        if not any(problem.what == "nested too deeply" for problem in self.problems):
            self.problems.append(Problem("nested too deeply", self.at(node)))

    def run(self, nodes: "Sequence[Node]") -> None:
        """Read statements in order."""
        doers = self.doers
        if self.is_broken:
            for node in nodes:
                self.attempt(node)
            return
        for node in nodes:
            doers[node.kind_id](self, node)

    def attempt(self, node: "Node") -> None:
        """Read a statement of a file with syntax errors: what lacks its parts is told."""
        scope, depth, renamed, opened = self.scope, self.depth, self.renamed, len(self.symbols)
        try:
            self.doers[node.kind_id](self, node)
        except (IndexError, ValueError):
            self.problems.append(Problem("not understood", self.at(node)))
            self.scope, self.depth, self.renamed = scope, depth, renamed
            for number in range(opened, len(self.symbols)):
                if self.symbols[number] is None:
                    self.symbols[number] = Symbol(
                        kind="Function",
                        name="<unread>",
                        path=f"{scope.path}<unread>",
                        parent=scope.number,
                        at=self.at(node),
                        visibility="local",
                        modifiers=frozenset({"anonymous"}),
                    )

    def block(self, node: "Node") -> None:
        """Read the statements of a block, unless it is nested too deeply."""
        if self.depth > DEEPEST:
            self.too_deep(node)
            return
        self.depth += 2
        self.run(node.children)  # all are named but a semicolon, which says nothing
        self.depth -= 2

    def flow(self, target: Expr, value: Expr) -> None:
        """Note that a value goes somewhere from here."""
        scope = self.scope
        home = scope.homes.get(target[1]) if scope.homes and target[0] == "name" else None
        self.flows.append(tuple.__new__(Flow, (scope.number, target, value, home)))

    def call(
        self, callee: Expr, at: At, arguments: tuple[Expr, ...] = (), *, is_implicit: bool = True
    ) -> Expr:
        """Note a call; what it gives back."""
        self.calls.append(
            tuple.__new__(Call, (self.scope.number, callee, arguments, (), at, False, is_implicit))
        )
        return expr.call(len(self.calls) - 1)

    def is_object(self, value: Expr) -> bool:
        """Whether a value is an object made here, by the look of the class's name.

        Of such objects syntax is noted that may run a method: of all others it hardly ever does,
        and it is everywhere.
        """
        if value[0] == "name":
            return value[1] in self.scope.made
        if value[0] != "call":
            return False
        last = self.calls[value[1]].callee[-1]
        return isinstance(last, str) and last[:1].isupper()

    def asked(self, function: str, value: Expr, node: "Node") -> None:
        """Note that syntax asks an object as a built-in function does: for its truth, a text."""
        if self.is_object(value):
            self.call(expr.name(function), self.at(node), (value,))

    def define(self, name: str) -> None:
        """Note that a definition takes a name; from then on an import of it is no longer meant."""
        self.scope.local.add(name)
        self.part_with(name)
        if self.taken and self.depth == 0 and self.scope.number == 0:
            number = self.taken.pop(name, None)
            if number is not None:
                self.imports[number] = self.imports[number]._replace(alias="")

    def part_with(self, name: str) -> None:
        """From here on a name may stand for all that it was ever set to."""
        scope = self.scope
        if name in scope.current:
            self.flow(expr.name(name), scope.current.pop(name))

    def open(self, kind: str, name: str, receiver: str = "") -> Scope:
        """Begin the body of a new symbol; its facts come with ``close``."""
        outer = self.scope
        outer.has_inner = True
        self.symbols.append(None)
        self.scope = Scope(
            len(self.symbols) - 1, kind, f"{outer.path}{name}.", outer, receiver=receiver
        )
        self.scopes.append(self.scope)
        return self.scope

    def constant(self, name: str) -> str | int | None:
        """The one string or number a name of this function or of the module was set to so far."""
        scope = self.scope
        if name in scope.constants:
            return scope.constants[name]
        if scope.kind == "function" and name not in scope.local:
            return self.scopes[0].constants.get(name)
        return None

    def close(self, symbol: Symbol) -> None:
        """End the body of the innermost symbol."""
        self.symbols[self.scope.number] = symbol
        if self.scope.has_inner:
            for old, new in self.scope.behind:
                self.flow(old, new)
        if self.scope.outer is not None:
            self.scope = self.scope.outer
