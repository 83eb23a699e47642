"""One walk over a syntax tree: where it stands, which locals it sees, what it has found.

A local is known by its block. One declared again elsewhere in the same method is renamed (``o~2``)
wherever it is meant, so that whoever binds names need not know of blocks.
"""

from collections.abc import Callable, Mapping
from sys import intern
from typing import TYPE_CHECKING, TypeAlias

from commonplace.domain.code import (
    Call,
    Flow,
    Import,
    Parameter,
    Problem,
    Symbol,
    Text,
    Use,
    Visibility,
)
from commonplace.domain.expr import Expr, attr, name, self_, typed, value
from commonplace.languages.typed.places import Places

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_DEPTH = 150  # each level takes up to four frames of the thousand Python allows
UNKNOWN: Expr = value("unknown")
NOTHING: Mapping[str, str] = {}
NONE: frozenset[str] = frozenset()
STATIC = frozenset(("static",))
COLLECTIONS = frozenset(
    (
        *(
            "Array",
            "List",
            "ArrayList",
            "LinkedList",
            "Set",
            "HashSet",
            "TreeSet",
            "Map",
            "HashMap",
        ),
        *("Collection", "Iterable", "Queue", "Deque", "Stream", "String", "string", "Dictionary"),
        *("IEnumerable", "IList", "ICollection", "IReadOnlyList", "IReadOnlyCollection", "Stack"),
        *("IDictionary", "IReadOnlyDictionary", "IAsyncEnumerable", "Span", "ReadOnlySpan"),
    )
)
"""Types of libraries that are iterated over by themselves."""
LISTING = frozenset(
    (
        *("entrySet", "keySet", "values", "toList", "asList", "of", "split", "toArray", "subList"),
        *("ToList", "ToArray", "Where", "Select", "OrderBy", "Split", "Concat", "Range", "Keys"),
    )
)
"""Methods of libraries that give such."""

Evaluate: TypeAlias = Callable[["Walk", "Node"], Expr]
Visit: TypeAlias = Callable[["Walk", "Node"], None]


class Walk:
    """The state of a walk; languages bring the two tables."""

    __slots__ = (
        "calls",
        "classes",
        "counts",
        "declared",
        "depth",
        "doc",
        "expressions",
        "flows",
        "has_constructor",
        "imports",
        "names",
        "namespace",
        "outer",
        "places",
        "plain",
        "plain_text",
        "problems",
        "scope",
        "statements",
        "symbols",
        "texts",
        "uses",
        "variables",
        "yields",
    )

    def __init__(
        self, places: Places, expressions: Mapping[str, Evaluate], statements: Mapping[str, Visit]
    ) -> None:
        self.places = places
        self.plain_text = places.whole if places.is_ascii else None
        """The text, where a byte is a character."""
        self.expressions = expressions
        self.statements = statements
        self.symbols: list[Symbol] = []
        self.imports: list[Import] = []
        self.flows: list[Flow] = []
        self.calls: list[Call] = []
        self.uses: list[Use] = []
        self.texts: tuple[Text, ...] = ()
        self.problems: list[Problem] = []
        self.namespace = ""
        self.outer = ""
        """The namespace at hand, where one file may have several."""
        self.scope = 0
        self.has_constructor = False
        """Whether the enum at hand has one: its constants then call it."""
        self.depth = 0
        self.doc: tuple[Node, Node] | None = None
        """First and last comment of the doc text right before what comes next."""
        self.names: Mapping[str, str] = NOTHING
        """Locals in sight, and what each is called in the facts."""
        self.declared: dict[str, int] = {}
        """How often each local was declared in the function at hand."""
        self.plain: dict[str, str] = {}
        """Simple names of the declared types of locals in sight."""
        self.classes: list[tuple[str, dict[str, str]]] = []
        """Classes around, with the simple names of their fields' types."""
        self.counts: dict[tuple[int, str], int] = {}
        self.yields: list[list[Expr]] = []
        self.variables: set[str] = set()
        """Names that stand for types: nothing to look up."""

    def expr(self, node: "Node") -> Expr:
        """What an expression amounts to; what it calls and uses is noted."""
        evaluate = self.expressions.get(node.type)
        if evaluate is None:
            self.visit(node)
            return UNKNOWN
        if self.depth > MOST_DEPTH:
            self.problem("nested too deeply", node)
            return UNKNOWN
        self.depth += 1
        found = evaluate(self, node)
        self.depth -= 1
        return found

    def visit(self, node: "Node") -> None:
        """A statement or definition; of what is unknown, its parts."""
        if self.depth > MOST_DEPTH:
            self.problem("nested too deeply", node)
            return
        self.depth += 1
        visit = self.statements.get(node.type)
        if visit is not None:
            visit(self, node)
        elif node.type in self.expressions:
            self.expressions[node.type](self, node)
        else:
            self.children(node)
        self.depth -= 1

    def children(self, node: "Node") -> None:
        """Every named part in order."""
        for child in node.named_children:
            self.visit(child)

    def block(self, node: "Node") -> None:
        """Parts whose locals end with them."""
        names = self.names
        for child in node.named_children:
            self.visit(child)
        self.names = names

    def problem(self, what: str, node: "Node") -> None:
        """Tell what was not understood; the same again and again is told fifty times."""
        if len(self.problems) < 50:
            self.problems.append(Problem(what, self.places.at(node)))

    def text(self, node: "Node") -> str:
        """What is written there."""
        if self.plain_text is not None:
            return self.plain_text[node.start_byte : node.end_byte]
        return self.places.text(node)

    def word(self, node: "Node") -> str:
        """An identifier."""
        if self.plain_text is not None:
            return intern(self.plain_text[node.start_byte : node.end_byte])
        return intern(self.places.text(node))

    def path(self, identifier: str) -> str:
        """The path of a symbol below the one at hand."""
        above = self.symbols[self.scope].path
        return intern(f"{above}.{identifier}") if above else identifier

    def nameless(self, what: str) -> str:
        """``<lambda1>``, ``<lambda2>`` … within the symbol at hand."""
        key = (self.scope, what)
        self.counts[key] = count = self.counts.get(key, 0) + 1
        return intern(f"<{what}{count}>")

    def reserve(self) -> int:
        """The number of a symbol that is told when its head is read."""
        self.symbols.append(self.symbols[0])
        return len(self.symbols) - 1

    def declare(self, identifier: str, type_name: str = "") -> Expr:
        """A local from here to the end of its block; one that hides a field gets another name."""
        is_hiding = any(identifier in fields for _, fields in self.classes)
        return self._named(identifier, type_name, is_new=is_hiding)

    def take(self, identifier: str, type_name: str = "") -> Expr:
        """A parameter: known by its own name."""
        return self._named(identifier, type_name, is_new=False)

    def _named(self, identifier: str, type_name: str, *, is_new: bool) -> Expr:
        count = self.declared.get(identifier, 0) + 1
        self.declared[identifier] = count
        is_plain = count == 1 and not is_new
        known = identifier if is_plain else intern(f"{identifier}~{count}")
        self.names = {**self.names, identifier: known}
        self.plain[known] = type_name
        return name(known)

    def declare_typed(self, identifier: str, type_: Expr | None) -> Expr:
        """A local of a declared type; None when the language infers it."""
        if type_ is None:
            return self.declare(identifier)
        target = self.declare(identifier, simple_name(type_))
        self.flows.append(Flow(self.scope, target, typed(type_)))
        return target

    def declare_made(self, identifier: str, type_: Expr | None, origin: Expr | None) -> Expr:
        """A local and what it is set to: declared as what is made there, it is just that."""
        made = self.calls[origin[1]] if origin is not None and origin[0] == "call" else None
        callee = made.callee if made is not None and made.is_new else None
        if callee is not None and callee[0] in ("name", "attr") and type_ in (None, callee):
            target = self.declare(identifier, simple_name(callee))
        else:
            target = self.declare_typed(identifier, type_)
        if origin is not None:
            self.flow(target, origin)
        return target

    def flow(self, target: Expr, origin: Expr) -> None:
        """A value goes somewhere."""
        self.flows.append(Flow(self.scope, target, origin))

    def called(
        self, callee: Expr, node: "Node", arguments: tuple[Expr, ...] = (), *, is_new: bool = False
    ) -> Expr:
        """A call of what is named at a node."""
        at = self.places.at(node)
        self.calls.append(Call(self.scope, callee, arguments, (), at, is_new))
        return ("call", len(self.calls) - 1)

    def implied(self, callee: Expr, node: "Node", *arguments: Expr, is_new: bool = False) -> Expr:
        """A call that syntax makes."""
        at = self.places.at(node)
        self.calls.append(Call(self.scope, callee, arguments, (), at, is_new, is_implicit=True))
        return ("call", len(self.calls) - 1)

    def iterates(self, found: Expr) -> bool:
        """Whether a loop over a value may run methods of the program: not over known lists."""
        if found[0] == "call":
            callee = self.calls[found[1]].callee
            return self.calls[found[1]].is_new or str(callee[-1]) not in LISTING
        if found[0] not in ("name", "attr"):
            return False
        known = self.type_name(found)
        return bool(known) and known not in COLLECTIONS

    def used(self, found: Expr, node: "Node") -> Expr:
        """A read of what is named at a node."""
        self.uses.append(Use(self.scope, found, self.places.at(node)))
        return found

    def read_name(self, node: "Node") -> Expr:
        """A bare name as a value: a local, or something to look up."""
        written = self.word(node)
        local = self.names.get(written)
        return self.used(name(written), node) if local is None else name(local)

    def write_name(self, node: "Node") -> Expr:
        """A bare name as what is written to: a local, or a member of a class around."""
        written = self.word(node)
        local = self.names.get(written)
        if local is not None:
            return name(local)
        target = self.owner(written)
        self.written(target, node)
        return target

    def use_type(self, found: Expr, node: "Node") -> None:
        """A type named at a node."""
        if found[1] in self.variables:
            return
        self.uses.append(Use(self.scope, found, self.places.at(node), "type"))

    def written(self, target: Expr, node: "Node") -> None:
        """A write of what is named at a node."""
        self.uses.append(Use(self.scope, target, self.places.at(node), "write"))

    def bring(self, module: str, taken: str, node: "Node", *, is_static: bool) -> None:
        """An import of one name or of all, under its own name."""
        alias = "" if taken == "*" else taken
        modifiers = STATIC if is_static else NONE
        at = self.places.at(node)
        self.imports.append(Import(self.scope, module, taken, alias, 0, at, modifiers))

    def owner(self, identifier: str) -> Expr:
        """A field written by its bare name, seen from the class that has it."""
        for depth, (owner, fields) in enumerate(reversed(self.classes)):
            if identifier in fields:
                return attr(typed(name(owner)) if depth and owner else self_(), identifier)
        return attr(self_(), identifier)

    def type_name(self, found: Expr) -> str:
        """The simple name of the declared type of a local or field; empty when not known."""
        if found[0] == "attr" and found[1] == ("self",):
            return self.classes[-1][1].get(found[2], "") if self.classes else ""
        if found[0] != "name":
            return ""
        known = self.plain.get(found[1])
        if known is not None:
            return known
        return next((one[1][found[1]] for one in reversed(self.classes) if found[1] in one[1]), "")


class Inside:
    """Inside a function or class: its scope, its locals; all as before on the way out."""

    __slots__ = ("before", "number", "walk")

    def __init__(self, walk: Walk, number: int) -> None:
        self.walk = walk
        self.number = number

    def __enter__(self) -> None:
        walk = self.walk
        self.before = walk.scope, walk.names, walk.declared, walk.plain, walk.doc, walk.yields
        walk.scope = self.number
        walk.plain = dict(walk.plain)
        walk.declared = {}
        walk.doc = None
        walk.yields = []

    def __exit__(self, *_: object) -> None:
        walk = self.walk
        walk.scope, walk.names, walk.declared, walk.plain, walk.doc, walk.yields = self.before


def simple_name(type_: Expr) -> str:
    """The last name of a type, without arguments.

    >>> simple_name(("generic", ("attr", ("name", "util"), "List"), (("name", "Order"),)))
    'List'
    """
    while type_[0] == "generic":
        type_ = type_[1]
    return str(type_[-1]) if type_[0] in ("name", "attr") else ""


class Head:
    """What stands before the name of a definition."""

    __slots__ = ("decorators", "modifiers", "start", "visibility")

    def __init__(self, start: int, visibility: Visibility) -> None:
        self.start = start
        """Where the signature begins: behind annotations."""
        self.visibility: Visibility = visibility
        self.modifiers: set[str] = set()
        self.decorators: list[Expr] = []


def bind_parameters(walk: Walk, parameters: tuple[Parameter, ...]) -> None:
    """Parameters are locals of the function at hand."""
    for parameter in parameters:
        simple = simple_name(parameter.type) if parameter.type else ""
        if parameter.flavour == "rest":
            simple = ""
        walk.take(parameter.name, simple)
