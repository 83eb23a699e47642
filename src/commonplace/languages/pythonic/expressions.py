"""Expressions of Python: what each means, with the calls and uses inside it noted."""

from typing import TYPE_CHECKING

from commonplace.domain import expr
from commonplace.domain.code import At, Call, Symbol, Use
from commonplace.domain.expr import Expr
from commonplace.languages.pythonic.annotations import type_of
from commonplace.languages.pythonic.comprehensions import comprehension
from commonplace.languages.pythonic.narrowing import narrow
from commonplace.languages.pythonic.notes import DEEPEST, LONGEST_MEMBER, UNKNOWN, Notes, Reader
from commonplace.languages.pythonic.operators import OPERATORS
from commonplace.languages.pythonic.parameters import parameters_of
from commonplace.languages.pythonic.strings import STRINGS, method_of_text
from commonplace.languages.pythonic.targets import key_of

if TYPE_CHECKING:
    from tree_sitter import Node


def children(notes: Notes, node: "Node") -> Expr:
    """Anything without a meaning of its own: its parts are read, nothing is concluded."""
    for child in node.named_children:
        notes.value(child)
    return UNKNOWN


def identifier(notes: Notes, node: "Node") -> Expr:
    """A name that is read."""
    return notes.name(node)


def attribute(notes: Notes, node: "Node") -> Expr:
    """A member that is read."""
    found = member(notes, node)
    at = notes.at_last(node, found[2])
    notes.uses.append(tuple.__new__(Use, (notes.scope.number, found, at, "read")))
    return found


def member(notes: Notes, node: "Node") -> Expr:
    """A member, its use not noted."""
    start, end = node.start_byte, node.end_byte
    is_plain = not notes.renamed and not notes.scope.current
    if is_plain and end - start < LONGEST_MEMBER and notes.depth < DEEPEST - 8:
        found = notes.members[notes.source[start:end]]
        if found is not None:
            base = found[1]
            if base[0] == "attr":
                base = _inner(notes, node, base)
            notes.note(base, node)
            return found
    parts = node.children
    return ("attr", notes.value(parts[0]), notes.word(parts[-1]))


def _inner(notes: Notes, node: "Node", found: Expr) -> Expr:
    """Note what a dotted name reads on the way to its last part; its first."""
    way = []
    while found[0] == "attr":
        way.append(found)
        found = found[1]
    row, end, _, _ = notes.at_first(node, "")
    end += len(found[1])
    for one in reversed(way):
        start, end = end + 1, end + 1 + len(one[2])
        at = tuple.__new__(At, (row, start, row, end))
        notes.uses.append(tuple.__new__(Use, (notes.scope.number, one, at, "read")))
    return found


def first(notes: Notes, node: "Node") -> Expr:
    """What stands in parentheses."""
    for child in node.named_children:
        if child.kind_id not in notes.between:
            return notes.value(child)
    return UNKNOWN


def callee_of(notes: Notes, node: "Node") -> tuple[Expr, At]:
    """What is called, and where its name is."""
    kind = node.kind_id
    if kind == notes.kinds.attribute and notes.depth <= DEEPEST:
        notes.depth += 1
        found = member(notes, node)
        notes.depth -= 1
        return found, notes.at_last(node, found[2])
    if kind == notes.identifier:
        found = notes.words[notes.source[node.start_byte : node.end_byte]]
        at = notes.at_first(node, found[1])
        return notes.meant(found), at
    return notes.value(node), notes.at(node)


def call(notes: Notes, node: "Node") -> Expr:
    """A call with its arguments."""
    parts = node.children
    callee, at = callee_of(notes, parts[0])
    positional: list[Expr] = []
    keywords: list[tuple[str, Expr]] = []
    given = parts[-1]
    if given.kind_id == notes.kinds.argument_list:
        read_arguments(notes, given, positional, keywords)
    else:
        positional.append(notes.value(given))
    tag = callee[0]
    if tag == "attr" and callee[1][0] == "text":
        return method_of_text(callee[1], callee[2], positional, keywords)
    if tag in NAMED and callee[-1] in KNOWN and (tag == "name" or callee[1] in TYPING):
        found = KNOWN[callee[-1]](notes, positional)
        if found is not None:
            return found
    made = (notes.scope.number, callee, tuple(positional), tuple(keywords), at, False, False)
    notes.calls.append(tuple.__new__(Call, made))
    return ("call", len(notes.calls) - 1)


def read_arguments(
    notes: Notes, node: "Node", positional: list[Expr], keywords: list[tuple[str, Expr]]
) -> None:
    """Arguments in the order they are written; ``**more`` has the name ``**``."""
    kinds = notes.kinds
    for child in node.named_children:
        kind = child.kind_id
        if kind == kinds.identifier:
            positional.append(notes.name(child))
        elif kind == kinds.keyword_argument:
            parts = child.children
            keywords.append((notes.word(parts[0]), notes.value(parts[-1])))
        elif kind == kinds.dictionary_splat:
            keywords.append(("**", first(notes, child)))
        elif kind not in notes.between:
            positional.append(notes.value(child))


def _super(notes: Notes, arguments: list[Expr]) -> Expr | None:
    """``super()``; with a class that is named, the object as seen above that one."""
    if notes.scope.kind == "module":
        return None
    is_named = len(arguments) == 2 and arguments[0][0] in NAMED
    return expr.super_(arguments[0]) if is_named else expr.super_()


def _cast(_notes: Notes, arguments: list[Expr]) -> Expr | None:
    """Both what it was and what it is said to be: a type variable says nothing."""
    return expr.one(arguments[1], expr.typed(arguments[0])) if len(arguments) == 2 else None


def _isinstance(notes: Notes, arguments: list[Expr]) -> Expr | None:
    """From then on the value may be taken for what was asked: the types flow into it."""
    if len(arguments) == 2 and arguments[0][0] in ("name", "attr"):
        target, kinds = arguments
        if target[0] == "attr" or target[1] in notes.scope.local:
            members = kinds[2] if kinds[0] == "seq" else (kinds,)
            for kind in members:
                if kind[0] in ("name", "attr"):
                    notes.flow(target, expr.typed(kind))
    return None


SENT = expr.name("<sent>")
GENERICS = frozenset(
    {
        *("list", "dict", "set", "frozenset", "tuple", "type", "List", "Dict", "Set", "FrozenSet"),
        *("Tuple", "Type", "Optional", "Union", "Annotated", "Iterable", "Iterator", "Sequence"),
        *("Mapping", "MutableMapping", "MutableSequence", "Collection", "Generator", "Awaitable"),
        *("Callable", "Coroutine", "AsyncIterator", "AsyncIterable", "ContextManager"),
    }
)
"""Names that make a type of what stands in brackets behind them."""
NAMED = frozenset({"name", "attr"})
TYPING = frozenset(expr.name(one) for one in ("typing", "t", "tp", "typing_extensions"))
KNOWN = {"super": _super, "cast": _cast, "isinstance": _isinstance}


def subscript(notes: Notes, node: "Node") -> Expr:
    """An item: its key where it is a literal; a slice is more of the same."""
    parts = notes.parts(node)
    if notes.word(parts[0]) in GENERICS:  # ``Orders = list[Order]``: a type, not an item
        return type_of(notes, node)
    base = notes.value(parts[0])
    keys = [notes.value(part) for part in parts[1:]]
    if len(parts) == 2 and parts[1].type == "slice":
        return _sliced(notes, parts[1], base)
    notes.call(expr.attr(base, "__getitem__"), notes.at(parts[0]), tuple(keys))
    return expr.item(base, key_of(notes, parts[1], keys[0]) if len(keys) == 1 else None)


def _sliced(notes: Notes, node: "Node", base: Expr) -> Expr:
    """``x[1:]`` is what follows; of other slices only that they are more of the same."""
    parts = node.children
    if len(parts) == 2 and parts[0].type == "integer":
        start = notes.text(parts[0])
        if start.isdecimal() and len(start) < 4:
            return expr.tail(base, int(start))
    return base


def sequence(notes: Notes, node: "Node") -> Expr:
    """A list, tuple or set display."""
    kind = node.type if node.type in ("list", "set") else "tuple"
    members = [notes.value(child) for child in notes.parts(node)]
    return expr.seq(kind, *members)


def splat(notes: Notes, node: "Node") -> Expr:
    """``*more``."""
    found = first(notes, node)
    notes.asked("tuple", found, node)
    return expr.star(found)


def dictionary(notes: Notes, node: "Node") -> Expr:
    """A dict display."""
    pairs: list[tuple[str | int | None, Expr]] = []
    for child in node.named_children:
        if child.type == "pair":
            parts = child.named_children
            key = key_of(notes, parts[0], notes.value(parts[0]))
            pairs.append((key, notes.value(parts[-1])))
        elif child.type == "dictionary_splat":
            pairs.append((None, expr.star(first(notes, child))))
    return expr.mapping(*pairs)


def conditional(notes: Notes, node: "Node") -> Expr:
    """``a if b else c``."""
    nodes = notes.parts(node)
    around = narrow(notes, nodes[1]) if len(nodes) == 3 else notes.renamed
    first = notes.value(nodes[0]) if nodes else UNKNOWN
    notes.renamed = around
    parts = [first, *(notes.value(child) for child in nodes[1:])]
    if len(parts) == 3:
        notes.asked("bool", parts[1], nodes[1])
    return expr.one(parts[0], parts[-1]) if nodes else UNKNOWN


def awaited(notes: Notes, node: "Node") -> Expr:
    """What awaiting gives: of an object of ours, after a method of it ran."""
    found = first(notes, node)
    notes.call(expr.attr(found, "__await__"), notes.at(node))
    return expr.wait(found)


def walrus(notes: Notes, node: "Node") -> Expr:
    """``name := value``, in the function around comprehensions."""
    parts = node.named_children
    value = notes.value(parts[-1])
    target = notes.words[notes.source[parts[0].start_byte : parts[0].end_byte]]
    notes.scope.local.add(target[1])
    notes.flow(notes.scope.current.get(target[1], target), value)
    return value


def yielded(notes: Notes, node: "Node") -> Expr:
    """``yield``: what is given flows out; ``yield from`` is what the generator gives back."""
    notes.scope.traits.add("generator")
    given = notes.parts(node)
    if not given:
        return _sent(notes, node)
    value = notes.value(given[0])
    is_from = any(child.type == "from" for child in node.children)
    if is_from and value[0] not in ("seq", "map", "value", "text"):
        notes.call(expr.attr(value, "__iter__"), notes.at(given[0]))
    notes.flow(expr.YIELDED, expr.each(value) if is_from else value)
    return value if is_from else _sent(notes, node)


def _sent(notes: Notes, node: "Node") -> Expr:
    """What is sent into a generator, where it is asked for."""
    if node.parent is None or node.parent.type == "expression_statement":
        return UNKNOWN
    if SENT[1] not in notes.scope.local:
        notes.scope.local.add(SENT[1])
        notes.flow(SENT, UNKNOWN)
    return SENT


def lambda_(notes: Notes, node: "Node") -> Expr:
    """A function without a name, counted within the scope it stands in."""
    outer = notes.scope
    parent = node.parent if outer.kind == "class" else None
    receives = "receiver" if parent is not None and parent.type == "assignment" else ""
    outer.lambdas += 1
    name = f"<lambda{outer.lambdas}>"
    parts = node.named_children
    has_parameters = parts[0].type == "lambda_parameters"
    parameters = parameters_of(notes, parts[0], receives) if has_parameters else ()
    receiver = parameters[0].name if receives and parameters else ""
    scope = notes.open("function", name, receiver)
    scope.local.update(parameter.name for parameter in parameters)
    notes.flow(expr.RESULT, notes.value(parts[-1]))
    head = notes.text(node.children[1])[:80] if parameters else ""
    notes.close(
        Symbol(
            kind="Function",
            name=name,
            path=scope.path[:-1],
            parent=outer.number,
            at=notes.at(node),
            signature=f"lambda {head}".strip(),
            visibility="local",
            modifiers=frozenset({"anonymous"}),
            parameters=parameters,
        )
    )
    return expr.made(scope.number)


def _literal(type_name: str) -> Reader:
    found = expr.value(type_name)
    return lambda _notes, _node: found


def type_node(notes: Notes, node: "Node") -> Expr:
    """A type where a value may stand."""
    return type_of(notes, node)


def nothing(_notes: Notes, _node: "Node") -> Expr:
    """Comments and the like."""
    return UNKNOWN


READERS: dict[str, Reader] = {
    "identifier": identifier,
    "attribute": attribute,
    "call": call,
    "subscript": subscript,
    "parenthesized_expression": first,
    "list": sequence,
    "tuple": sequence,
    "set": sequence,
    "expression_list": sequence,
    "list_splat": splat,
    "dictionary": dictionary,
    "conditional_expression": conditional,
    "await": awaited,
    "named_expression": walrus,
    "yield": yielded,
    "lambda": lambda_,
    "list_comprehension": comprehension,
    "set_comprehension": comprehension,
    "dictionary_comprehension": comprehension,
    "generator_expression": comprehension,
    "type": type_node,
    "integer": _literal("int"),
    "float": _literal("float"),
    "true": _literal("bool"),
    "false": _literal("bool"),
    "none": _literal("none"),
    "ellipsis": _literal("ellipsis"),
    "comment": nothing,
    **STRINGS,
    **OPERATORS,
}
