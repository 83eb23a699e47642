"""One walk over a tree of JavaScript, TypeScript or Go: where it stands and what it has found.

Bodies of functions wait until everything around them is read: names declared below are known by
then, and nesting costs no stack. Statements are walked with a list; only expressions recurse, and
what is nested too deeply is put off and read as a statement of its own.

A name declared again in another block of the same function is renamed (``x~2``) wherever it is
meant, so that whoever binds names need not know of blocks.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from commonplace.domain.code import (
    At,
    Call,
    Flow,
    Import,
    Parameter,
    Symbol,
    Text,
    Use,
    Visibility,
)
from commonplace.domain.expr import RESULT, Expr, name, self_, value
from commonplace.languages.sheet import Sheet

if TYPE_CHECKING:
    from tree_sitter import Node

DEEPEST = 120  # each level takes up to four frames of the thousand Python allows
UNKNOWN: Expr = value("unknown")
NOTHING: Mapping[str, str] = {}
_new = tuple.__new__  # half the time of what it stands for, hundreds of times a file

# Each language's functions take its own walk.
Evaluate: TypeAlias = Callable[[Any, "Node"], Expr]
Visit: TypeAlias = Callable[[Any, "Node"], "Iterable[Node | Leave] | None"]


class Grammar(NamedTuple):
    """What is done with each kind of node, by its number in the grammar."""

    expressions: Mapping[int, Evaluate]
    statements: Mapping[int, Visit]
    is_typed: bool = True


@dataclass(slots=True, kw_only=True)
class Draft:
    """A symbol in the making."""

    kind: str
    name: str
    path: str
    parent: int
    start: int
    end: int
    signature: str = ""
    doc: str = ""
    visibility: Visibility = "public"
    modifiers: set[str] = field(default_factory=set)
    parameters: tuple[Parameter, ...] = ()
    type_parameters: tuple[Parameter, ...] = ()
    type: Expr | None = None
    bases: tuple[Expr, ...] = ()
    interfaces: tuple[Expr, ...] = ()
    decorators: tuple[Expr, ...] = ()
    value: Expr | None = None

    def done(self, at: At) -> Symbol:
        """The symbol itself."""
        return Symbol(
            kind=self.kind,
            name=self.name,
            path=self.path,
            parent=self.parent,
            at=at,
            signature=self.signature,
            doc=self.doc,
            visibility=self.visibility,
            modifiers=frozenset(self.modifiers),
            parameters=self.parameters,
            type_parameters=self.type_parameters,
            type=self.type,
            bases=self.bases,
            interfaces=self.interfaces,
            decorators=self.decorators,
            value=self.value,
        )


class Scope:
    """A function, class or module whose names are its own."""

    __slots__ = ("is_open", "names", "number", "object", "outer", "renamed", "this")

    def __init__(self, number: int, outer: "Scope | None", *, is_open: bool = False) -> None:
        self.number = number
        self.outer = outer
        self.is_open = is_open
        """Whether its variables are symbols: a module's and a namespace's are."""
        self.names: dict[str, int] = {}
        """Locals, and how often each was declared."""
        self.renamed: Mapping[str, str] = NOTHING if outer is None else outer.renamed
        self.this: Expr = self_() if outer is None else outer.this
        self.object: Expr = self.this if outer is None else outer.object
        """What ``this`` is where nobody hands over another."""


class Leave(NamedTuple):
    """The end of a block: names mean again what they meant before."""

    renamed: Mapping[str, str]
    is_block: bool


class Lead(NamedTuple):
    """What stands before a definition and belongs to it."""

    start: int
    doc: str
    modifiers: frozenset[str] = frozenset()
    decorators: tuple[Expr, ...] = ()


class Naming(NamedTuple):
    """What a function, class or object is called by where it stands."""

    label: str
    kind: str = "Function"
    parent: int | None = None
    """None: the scope at hand."""
    prefix: str | None = None
    """The path above it, where that is not the parent's."""
    this: Expr | None = None
    """What ``this`` means in it, where that is not the object of a class."""
    lead: Lead | None = None


class Walk:
    """The state of a walk and what it has found."""

    def __init__(self, sheet: Sheet, grammar: Grammar) -> None:
        self.sheet = sheet
        self.text = sheet.text
        self.word = sheet.word
        self.expressions = grammar.expressions
        self.visits = grammar.statements
        self.is_typed = grammar.is_typed
        self.drafts: list[Draft] = []
        self.imports: list[Import] = []
        self.flows: list[Flow] = []
        self.calls: list[Call] = []
        self.uses: list[Use] = []
        self.texts: tuple[Text, ...] = ()
        self.exports: dict[str, str] = {}
        self.pending: deque[tuple[Scope, Sequence[Node], bool]] = deque()
        self.scope = Scope(0, None, is_open=True)
        self.depth = 0
        self.constructors: frozenset[str] = frozenset()
        """Names on whose prototype something is set."""
        self.is_valued = False
        """Whether an object may tell what it is worth in a calculation (``valueOf``)."""
        self.is_commonjs = False
        """Whether something was put on ``exports``."""
        self.constants: dict[str, str | None] = {}
        """Names that stand for one string wherever they are declared; None for several."""
        self.is_block = False
        """Whether the statement at hand stands inside a block of its scope."""
        self.comment: Node | None = None
        """The last comment read."""
        self.lead: Lead | None = None
        self.naming: Naming | None = None
        """Of a class expression that is assigned to something."""
        self.counts: dict[tuple[int, str], int] = {}
        self.named: dict[tuple[int, str], int] = {}
        """Numbers of the symbols below each symbol, by name."""

    # What is found

    def declare(self, draft: Draft) -> int:
        """Add a symbol; its number."""
        number = len(self.drafts)
        self.drafts.append(draft)
        self.named.setdefault((draft.parent, draft.name), number)
        return number

    def below(self, parent: int, label: str) -> str:
        """The path of something below a symbol."""
        path = self.drafts[parent].path
        return f"{path}.{label}" if path else label

    def counted(self, parent: int, what: str) -> str:
        """A name for what has none: ``<lambda1>``."""
        count = self.counts[parent, what] = self.counts.get((parent, what), 0) + 1
        return f"<{what}{count}>"

    def add_call(
        self, callee: Expr, arguments: Iterable[Expr], node: "Node", *, is_new: bool = False
    ) -> Expr:
        """Note a call; what it gives back."""
        number = len(self.calls)
        at = self.sheet.at(node)
        given = tuple(arguments)
        self.calls.append(_new(Call, (self.scope.number, callee, given, (), at, is_new, False)))
        return ("call", number)

    def imply_call(self, callee: Expr, node: "Node") -> Expr:
        """Note a call that syntax makes; what it gives back."""
        at = self.sheet.at(node)
        self.calls.append(_new(Call, (self.scope.number, callee, (), (), at, False, True)))
        return ("call", len(self.calls) - 1)

    def imply_use(self, method: Expr, node: "Node") -> None:
        """Note a method or getter that syntax runs, which most objects do not have."""
        self.uses.append(_new(Use, (self.scope.number, method, self.sheet.at(node), "run")))

    def add_flow(self, target: Expr, found: Expr) -> None:
        """Note that a value goes somewhere; names of outer scopes are followed home."""
        home = self.home(target[1]) if target[0] == "name" else None
        self.flows.append(Flow(self.scope.number, target, found, home))

    def fresh(self, what: str, found: Expr) -> Expr:
        """A name for a value that is needed more than once."""
        known = name(self.counted(0, what))
        self.flows.append(Flow(self.scope.number, known, found))
        return known

    # Names

    def home(self, label: str) -> int | None:
        """The scope a name belongs to, if it is not the one at hand."""
        scope: Scope | None = self.scope
        while scope is not None:
            if label in scope.names or (scope.number, label) in self.named:
                return None if scope is self.scope else scope.number
            scope = scope.outer
        return None if self.scope.number == 0 else 0

    def is_local(self, label: str) -> bool:
        """Whether a name is a local or parameter here or around."""
        scope: Scope | None = self.scope
        while scope is not None:
            if label in scope.names:
                return True
            scope = scope.outer
        return False

    def meant(self, label: str) -> str:
        """A name as facts write it."""
        renamed = self.scope.renamed
        return renamed.get(label, label) if renamed else label

    def local(self, label: str, *, is_var: bool = False, hides: bool = False) -> Expr:
        """Declare a local; the name it has in facts.

        One of a block that ``hides`` what has its name around the function is renamed too.
        """
        names = self.scope.names
        count = names.get(label, 0)
        if (count == 0 and not hides) or is_var or not self.is_block:
            names[label] = max(count, 1)
            return name(self.meant(label) if is_var else label)
        number = max(count, 1) + 1
        while (renamed := f"{label}~{number}") in names:
            number += 1
        if count:
            names[label] = number
        names[renamed] = 1
        self.scope.renamed = {**self.scope.renamed, label: renamed}
        return name(renamed)

    def renew(self, label: str) -> Expr:
        """Another name for a local from here on: it is set to something else."""
        names = self.scope.names
        number = 2
        while (renamed := f"{label}~{number}") in names:
            number += 1
        names[renamed] = 1
        self.scope.renamed = {**self.scope.renamed, label: renamed}
        return name(renamed)

    # Comments before definitions

    def take_lead(self, node: "Node") -> Lead:
        """What belongs to the definition at a node; each is taken once."""
        lead, self.lead = self.lead, None
        if lead is not None:
            return lead
        return Lead(*self.documented(node))

    def documented(self, node: "Node") -> tuple[int, str]:
        """Where a definition begins with its doc text, and that text as it is written."""
        start, comment = node.start_byte, self.comment
        if comment is None:
            return start, ""
        self.comment = None
        begin, end = comment.start_byte, comment.end_byte
        if not self.text.startswith("/**", begin) or self.text[end:start].strip():
            return start, ""
        return begin, self.text[begin:end]

    # The walk

    def expr(self, node: "Node") -> Expr:
        """What an expression amounts to; what it calls and uses is noted."""
        evaluate = self.expressions.get(node.kind_id)
        if evaluate is None:
            self.put_off([node])
            return UNKNOWN
        if self.depth > DEEPEST:
            self.put_off([node])
            return UNKNOWN
        self.depth += 1
        found = evaluate(self, node)
        self.depth -= 1
        return found

    def each(self, nodes: Iterable["Node"]) -> list[Expr]:
        """What those of the nodes amount to that are expressions."""
        expressions = self.expressions
        found = []
        self.depth += 1
        for node in nodes:
            evaluate = expressions.get(node.kind_id)
            if evaluate is None:
                continue
            if self.depth > DEEPEST:
                self.put_off([node])
                found.append(UNKNOWN)
            else:
                found.append(evaluate(self, node))
        self.depth -= 1
        return found

    def block(self, nodes: Sequence["Node"]) -> "list[Node | Leave]":
        """Statements to be read next whose names end with them."""
        leave = Leave(self.scope.renamed, self.is_block)
        self.is_block = True
        return [leave, *reversed(nodes)]

    def put_off(self, nodes: Sequence["Node"]) -> None:
        """Read these later, as statements of the scope at hand."""
        self.pending.append((self.scope, nodes, False))

    def run(self) -> None:
        """Read all that is pending, until nothing is."""
        while self.pending:
            self.scope, nodes, gives = self.pending.popleft()
            self.depth = 0
            self.is_block = False
            self.comment = None
            if gives:
                self.flows.append(Flow(self.scope.number, RESULT, self.expr(nodes[0])))
            else:
                stack: list[Node | Leave] = list(reversed(nodes))
                del nodes  # what is read is let go of: a tree is many times its text
                self.statements(stack)

    def statements(self, stack: "list[Node | Leave]") -> None:
        """Statements and all in them, the last of the list first."""
        visits, expressions, scope = self.visits, self.expressions, self.scope
        while stack:
            node = stack.pop()
            if isinstance(node, Leave):
                scope.renamed, self.is_block = node
                continue
            kind = node.kind_id
            visit = visits.get(kind)
            if visit is not None:
                below = visit(self, node)
                if below is not None:
                    stack.extend(below)
                continue
            evaluate = expressions.get(kind)
            if evaluate is not None:
                self.depth += 1
                evaluate(self, node)
                self.depth -= 1
            else:
                stack.extend(reversed(node.named_children))


def operands(node: "Node") -> "tuple[Node, list[tuple[str, Node]]]":
    """What stands leftmost in a chain of operators; each operator with its right, the last first.

    In a loop: a thousand strings may be joined by ``+``.
    """
    rights: list[tuple[str, Node]] = []
    while node.type == "binary_expression":
        parts = [child for child in node.children if not child.is_extra]
        if len(parts) != 3:
            break
        rights.append((parts[1].type, parts[2]))
        node = parts[0]
    return node, rights
