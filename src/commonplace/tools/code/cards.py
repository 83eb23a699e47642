"""Symbols as replies show them: one projection for data, one for text, by verbosity.

summary is name, kind, full name, place and id, and where a symbol stands for itself its signature
and counts; standard adds a sentence or two; full adds everything stored. What is shown was queried
once (003: a projection, not a query).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import Field

from commonplace.answer.pack import LimitReason
from commonplace.answer.render import one_line
from commonplace.domain.clip import clip
from commonplace.domain.graph import Node, Value
from commonplace.domain.ids import brief_id
from commonplace.domain.walk import Described
from commonplace.tools.base import ToolOutput
from commonplace.tools.code.args import Level
from commonplace.tools.code.kinds import CONTAINS
from commonplace.tools.code.sharing import Row, called
from commonplace.tools.paging import Listed

_UNSAID: Row = {
    "next_cursor": None,
    "limit_reason": "none",
    "truncated": False,
    "has_more": False,
    "remaining_count": 0,
}
_SIGNATURE_CHARS = 160
_BRIEF_CHARS = 100
_DOC_CHARS = 300
_SHOWN = frozenset({"fqn", "file", "lines", "signature", "doc", "summary"})
_COUNTED = (
    ("out", CONTAINS, "members"),
    ("out", "READS", "reads"),
    ("out", "WRITES", "writes"),
    ("out", "CALLS", "calls"),
    ("in", "CALLS", "callers"),
    ("in", "INSTANTIATES", "creators"),
    ("in", "INHERITS", "subclasses"),
    ("in", "IMPLEMENTS", "implementors"),
    ("in", "OVERRIDES", "overriders"),
    ("in", "READS", "readers"),
    ("in", "WRITES", "writers"),
    ("in", "MAPS_TO", "mapped_by"),
    ("in", "IMPORTS", "importers"),
    ("in", "REFERENCES", "references"),
    ("in", "TESTS", "tests"),
    ("in", "DOCUMENTS", "documents"),
)


class Told(ToolOutput):
    """A symbol among others; what it shares with them stands before them."""

    id: str
    kind: str | None = None
    name: str | None = Field(default=None, description="Full name behind the shared prefix.")
    fqn: str | None = None
    at: str | None = Field(default=None, description="File and lines.")
    signature: str | None = None
    doc: str | None = None
    summary: str | None = None
    counts: dict[str, int] | None = None
    properties: dict[str, Value] | None = None
    seen: bool | None = Field(default=None, description="Already examined in this session.")


class SymbolOut(Told):
    """A symbol."""

    kind: str
    fqn: str
    overloads: int | None = Field(default=None, description="Definitions asked about together.")


class Candidate(SymbolOut):
    """One of several symbols a name may mean."""


class CodeReply(Listed):
    """The tail of every code reply; what says that nothing was left out is itself left out."""

    next_cursor: str | None = Field(default=None, description="Send it back.")
    limit_reason: LimitReason = "none"
    truncated: bool = Field(default=False, description="The budget, not limit, ended the list.")
    has_more: bool = False
    remaining_count: int = 0
    candidates: list[Candidate] = Field(
        default=[], description="The name fits several: ask again with an id."
    )
    capped: bool = Field(default=False, description="There are more than were counted.")


def lean(tail: Mapping[str, Any]) -> Row:
    """A tail without what goes without saying: nothing left out, no reason, no cursor.

    >>> lean({"next_cursor": None, "limit_reason": "none", "has_more": False, "total_count": 0})
    {'total_count': 0}
    """
    return {name: value for name, value in tail.items() if value != _UNSAID.get(name, ...)}


def shown_kind(node: Node) -> str:
    """A kind as tools show it: CLASS, TABLE."""
    return node.kind.upper()


def fqn(node: Node) -> str:
    """The full name; of what has none, its name."""
    return str(node.properties.get("fqn") or node.name)


def at(node: Node) -> str:
    """File and lines, as editors take them; empty for what stands in no file."""
    file, lines = node.properties.get("file"), node.properties.get("lines")
    return f"{file}:{one_range(str(lines))}" if file and lines else str(file or "")


def one_range(lines: str) -> str:
    """Lines, of one line its number.

    >>> one_range("18-18"), one_range("3-9")
    ('18', '3-9')
    """
    first, _, last = lines.partition("-")
    return first if first == last else lines


def clipped(text: str, most: int) -> str:
    """A text on one line, cut between words.

    >>> clipped("one two three", 9)
    'one two…'
    """
    return clip(one_line(text), most)


def named(node: Node) -> Row:
    """What every reply tells of a symbol."""
    return {"id": brief_id(node.id), "kind": shown_kind(node), "fqn": fqn(node)}


def headed(nodes: Sequence[Node]) -> Row:
    """The symbol a traversal begins at; overloads are one symbol, and it is told how many."""
    return row(nodes[0]) | ({"overloads": len(nodes)} if len(nodes) > 1 else {})


def row(node: Node, verbosity: Level = "summary") -> Row:
    """A symbol as data."""
    shown = named(node)
    if place := at(node):
        shown["at"] = place
    if verbosity == "summary":
        return shown
    if signature := node.properties.get("signature"):
        shown["signature"] = clipped(str(signature), _SIGNATURE_CHARS)
    for name in ("doc", "summary"):
        if text := node.properties.get(name):
            shown[name] = clipped(str(text), _DOC_CHARS)
    if verbosity == "full":
        rest = {key: value for key, value in node.properties.items() if key not in _SHOWN}
        if rest:
            shown["properties"] = rest
    return shown


def compact(node: Node) -> Row:
    """003's compact card, but for its counts: a row in brief, and a signature that tells more.

    >>> told = {"fqn": "a.B", "signature": "class B"}
    >>> "signature" in compact(Node(id="b", project="p", kind="Class", name="B", properties=told))
    False
    """
    shown = row(node)
    signature = str(node.properties.get("signature") or "")
    if signature and signature != f"{node.kind.lower()} {node.name}":
        shown["signature"] = clipped(signature, _BRIEF_CHARS)
    return shown


def short(node: Node) -> Row:
    """A symbol that was shown before."""
    return named(node) | {"seen": True}


def tally(described: Described) -> dict[str, int]:
    """How much of each kind touches a symbol, in words; nothing that is none."""
    sides = {"out": described.edges_out, "in": described.edges_in}
    return {word: n for way, relation, word in _COUNTED if (n := sides[way].get(relation, 0))}


def counts_line(counts: Mapping[str, int]) -> str:
    """Counts as text.

    >>> counts_line({"methods": 5, "reads_tables": 2, "mapped_by": 1})
    'Methods: 5 | Reads: 2 tables | Mapped by: 1'
    """
    return " | ".join(_count(word, n) for word, n in counts.items())


def _count(word: str, n: int) -> str:
    verb = word.removesuffix("_tables")
    if verb != word:
        return f"{verb.capitalize()}: {n} {'table' if n == 1 else 'tables'}"
    return f"{word.replace('_', ' ').capitalize()}: {n}"


def line(shown: Mapping[str, Any]) -> str:
    """A symbol on one line, with its id."""
    name = f"{called(shown)} ({shown['kind']})" if shown.get("kind") else called(shown)
    if shown.get("seen"):
        return f"{name} (already examined) — ID: {shown['id']}"
    place = f" · {one_line(shown['at'])}" if shown.get("at") else ""
    place += f" and {shown['overloads'] - 1} more of this name" if shown.get("overloads") else ""
    return f"{name}{place} — ID: {shown['id']}"


def more_lines(shown: Mapping[str, Any], indent: str = "  ") -> list[str]:
    """What a symbol has beyond its first line."""
    lines = []
    if shown.get("signature"):
        lines.append(f"{indent}`{shown['signature']}`")
    lines += [f"{indent}> {shown[name]}" for name in ("summary", "doc") if shown.get(name)]
    if shown.get("counts"):
        lines.append(indent + counts_line(shown["counts"]))
    return lines + rest_lines(shown, indent)


def rest_lines(shown: Mapping[str, Any], indent: str) -> list[str]:
    """All else that is stored of a symbol, on one line."""
    told = ", ".join(f"{key}={value}" for key, value in shown.get("properties", {}).items())
    return [indent + one_line(told)] if told else []


def own_name(shown: Mapping[str, Any]) -> str:
    """The last part of a full name, as its kind has it.

    >>> own_name({"fqn": "a.B", "kind": "FILE", "at": "src/c.cs:1-9"})
    'c.cs'
    >>> own_name({"fqn": "src/app.cs", "kind": "FILE"}), own_name({"fqn": "a.B", "kind": "CLASS"})
    ('app.cs', 'B')
    """
    name = one_line(shown["fqn"])
    if shown["kind"] == "ROUTE":
        return name
    if shown["kind"] == "FILE":  # its full name may be that of its package
        path = shown["at"].partition(":")[0] if shown.get("at") else name
        return one_line(path).rpartition("/")[2] or name
    return name.rpartition(".")[2] or name


def names(nodes: Iterable[Node], most: int) -> list[str]:
    """Own names, of tables full ones; the first of them, each once, and how many are left.

    >>> n = lambda name: Node(id=name, project="p", kind="Method", name=name)
    >>> names([n("a"), n("b"), n("c")], 2)
    ['a', 'b', '+1']
    """
    listed = Counter(
        one_line(fqn(node) if node.kind in ("Table", "View") else node.name) for node in nodes
    )
    shown = list(listed)[:most]
    rest = listed.total() - sum(listed[name] for name in shown)
    return [*shown, f"+{rest}"] if rest else shown


def full_names(nodes: Iterable[Node], most: int) -> list[str]:
    """The full names of the first of them, and how many are left."""
    listed = [one_line(fqn(node)) for node in nodes]
    return [*listed[:most], *([f"+{len(listed) - most}"] if len(listed) > most else [])]
