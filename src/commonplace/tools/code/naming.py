"""Which symbol a caller means: by id, by full name, by its end, or by name alone.

A name that fits several answers with the candidates, ranked; one that fits none with the nearest.
"""

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import one_line
from commonplace.domain.course import Course, Finding, Naming
from commonplace.domain.errors import NotFound
from commonplace.domain.evidence import Reply
from commonplace.domain.graph import Node
from commonplace.domain.ids import brief_id, is_id
from commonplace.domain.scope import Selection
from commonplace.engines.naming import FQN_END, MOST_COUNTED, dotted, fit, plain
from commonplace.link.code.web.paths import normal
from commonplace.session.sessions import Sighting
from commonplace.tools.app import App, Call
from commonplace.tools.code.args import CodeArgs
from commonplace.tools.code.cards import fqn, lean, line, row
from commonplace.tools.code.files import find_files
from commonplace.tools.code.kinds import CONTAINS, priority
from commonplace.tools.code.sharing import Row
from commonplace.tools.ids import meant
from commonplace.tools.paging import budget, response_tokens

_CANDIDATES = MOST_COUNTED
_SHOWN_CANDIDATES = 10
_NEAREST = 5
_LOOKED_AT = 200
_LEAST_CHARS = 3
_LIKE = 0.75  # one letter in four is another; at less, short names are like any
_ID_CHARS = 60
_ROUTE = re.compile(r"(?:([A-Za-z]{3,7})\s+)?((?:https?:/)?/\S*)$")
_PATH = re.compile(r"[/\\]|\.[a-z]{1,4}$")


@dataclass(frozen=True, slots=True)
class Target:
    """What is asked about: one symbol, in as many pieces as share its full name."""

    nodes: tuple[Node, ...]

    @property
    def node(self) -> Node:
        """The first of them."""
        return self.nodes[0]

    @property
    def ids(self) -> list[str]:
        """Of all of them: overloads are one symbol."""
        return [node.id for node in self.nodes]


@dataclass(frozen=True, slots=True)
class Several:
    """A name that fits more than one symbol."""

    asked: str
    nodes: tuple[Node, ...]
    is_capped: bool
    """There may be more."""


class Asked(Protocol):
    """Arguments that name a symbol."""

    @property
    def symbol(self) -> str | None: ...  # noqa: D102 - a full name, its end, or a name
    @property
    def symbol_id(self) -> str | None: ...  # noqa: D102


async def resolve(app: App, call: Call, selection: Selection, args: Asked) -> "Target | Several":
    """The symbol, or the symbols it may be; raises NotFound with the nearest names."""
    sent = args.symbol_id or (args.symbol if args.symbol and is_id(args.symbol) else "")
    by_id = await _by_id(app, selection, sent) if sent else ()
    if len(by_id) == 1:
        return _looked_at(call, Target(by_id))
    if by_id:
        return Several(sent, by_id, is_capped=False)
    asked = as_route(args.symbol or sent)
    named = await _named(app, selection, asked) or await _files(app, selection, asked)
    if not named:
        raise await unknown(app, selection, asked)
    stubbed = {_module(node): _identity(node) for node in named if not _is_stub(node)}
    if len({stubbed.get(_module(node), _identity(node)) for node in named}) == 1:
        return _looked_at(call, Target(tuple(sorted(named, key=_is_stub))))  # a stub tells less
    return Several(asked, tuple(named), len(named) >= _CANDIDATES)


def as_route(asked: str) -> str:
    """What is asked as routes are named, if it is one: a parameter has no name.

    >>> as_route("get /orders/{id}"), as_route("/orders/:id/"), as_route("Order.save")
    ('GET /orders/{}', '/orders/{}', 'Order.save')
    """
    found = _ROUTE.match(asked.strip())
    return f"{(found[1] or '').upper()} {normal(found[2])}".strip() if found else asked


async def _by_id(app: App, selection: Selection, asked: str) -> tuple[Node, ...]:
    """The node of this id, or those whose ids begin so."""
    ids = (await meant(app, selection, [asked]))[asked]
    return tuple(one.node for one in await app.store.graph.describe(selection, ids))


def _identity(node: Node) -> str:
    """What makes two nodes one symbol: overloads in a file, parts of a class in several."""
    is_partial = "partial" in str(node.properties.get("modifiers", "")).split()
    return dotted(fqn(node)) if is_partial else f"{node.document_id} {dotted(fqn(node))}"


def _is_stub(node: Node) -> bool:
    return str(node.properties.get("file", "")).endswith(".pyi")


def _module(node: Node) -> tuple[str, str]:
    """Where a symbol of Python stands, be it in a module or in the stub beside it."""
    return str(node.properties.get("file", "")).removesuffix("i"), dotted(fqn(node))


def _looked_at(call: Call, target: Target) -> Target:
    node = target.node
    name = fqn(node) if node.kind in ("Table", "View", "Column") else node.name  # as in 003
    call.session.look(Sighting(node.id, name, node.document_id))
    return target


async def _files(app: App, selection: Selection, asked: str) -> list[Node]:
    """A file by its path, which modules have no part of in their names."""
    return await find_files(app, selection, asked) if _PATH.search(asked) else []


async def _named(app: App, selection: Selection, asked: str) -> list[Node]:
    """Symbols this is the whole name of, or the end of the full name; the best level only."""
    naming = Naming(text=asked)
    found = (await app.store.graph.find(selection, naming, _CANDIDATES)).found
    levels = [(fit(naming, one.node.name, fqn(one.node)), one) for one in found]
    fitting = [(level, one) for level, one in levels if level >= FQN_END]
    if not fitting:
        return []
    # A name as it is written before one in other letters: Flask is the class, not the package.
    last = naming.text.rpartition(".")[2]
    if any(one.node.name == last and one.node.kind != "External" for _, one in fitting):
        fitting = [(fits, one) for fits, one in fitting if one.node.name == last or _is_sql(one)]
    best = max(level for level, _ in fitting)
    exact = [one for level, one in fitting if level == best]
    # A definition before a library's name.
    own = [one for one in exact if one.node.kind != "External"] or exact
    written = [one for one in own if one.node.name == last] or own
    nodes = [one.node for one in sorted(written, key=_likelier)]
    parts = own_parts(nodes)
    return [node for node in nodes if node.id not in parts]


def _is_sql(one: Finding) -> bool:
    """Whether letters do not matter in its name."""
    return one.node.properties.get("language") == "sql"


def _likelier(one: Finding) -> tuple[int, float, str]:
    return (priority(one.node), -one.score, one.node.id)


def own_parts(found: Iterable[Node]) -> frozenset[str]:
    """Constructors beside their class, which has their name: the class is meant."""
    nodes = list(found)
    makers = [node for node in nodes if node.kind == "Constructor"]
    full = {dotted(fqn(node)) for node in nodes if makers and node.kind != "Constructor"}
    return frozenset(one.id for one in makers if dotted(fqn(one)).rpartition(".")[0] in full)


async def unknown(app: App, selection: Selection, asked: str) -> NotFound:
    """The error for a name nothing has, with what is nearest to it."""
    if is_id(asked):
        what = "it may have gone or been renamed since; code_search_symbols finds it by name"
        return NotFound(f"no symbol has the id {asked[:_ID_CHARS]!r} now; {what}", nearest=[])
    shown = [one_line(fqn(node)) for node in await near(app, selection, asked)]
    if shown:
        what = f"nearest: {', '.join(shown)}; or code_search_symbols"
    else:
        what = "try code_search_symbols with other words; `commonplace add REPO` indexes code"
    return NotFound(f"no symbol {asked[:_ID_CHARS]!r} here; {what}", nearest=shown)


async def near(app: App, selection: Selection, asked: str) -> list[Node]:
    """Symbols called nearly so, the likest first."""
    last = _last(asked)
    find = app.store.graph.find
    # As it is written: its capital letters tell its words.
    found = (await find(selection, Naming(text=asked.rpartition(".")[2] or last), _LOOKED_AT)).found
    # Misspelled in its end: who begins alike?
    beginning = Naming(text=last[: max(_LEAST_CHARS, len(last) // 2)], mode="name")
    found += (await find(selection, beginning, _LOOKED_AT)).found
    nodes = [one.node for one in found]
    # Misspelled in its beginning: who else stands in the same?
    nodes += await _siblings(app, selection, asked.rpartition(".")[0])
    return nearest(asked, nodes)


async def _siblings(app: App, selection: Selection, whole: str) -> list[Node]:
    """What stands in the symbols of this name; nothing in those of none."""
    holders = await _named(app, selection, whole) if whole else []
    course = Course(relations=frozenset({CONTAINS}), limit=_LOOKED_AT)
    ids = [node.id for node in holders[:_SHOWN_CANDIDATES]]
    return [step.node for step in (await app.store.graph.follow(selection, ids, course)).steps]


def nearest(asked: str, nodes: Iterable[Node]) -> list[Node]:
    """Nodes whose last part is like that of the one asked for, the likest first; each name once."""
    whole, last = plain(asked), _last(asked)
    found: dict[str, tuple[float, float, int, Node]] = {}
    for node in nodes:
        full = fqn(node)
        if full not in found and (like := likeness(last, node.name.lower())) >= _LIKE:
            found[full] = (-like, -likeness(whole, dotted(full)), priority(node), node)
    ordered = sorted(found, key=lambda full: (*found[full][:3], full))
    return [found[full][3] for full in ordered[:_NEAREST]]


def _last(asked: str) -> str:
    """The last part of a name as asked, of a path the file's.

    >>> _last("Order.Save"), _last("src/order.py")
    ('save', 'order')
    """
    named = asked.replace("\\", "/").rpartition("/")[2]
    name = named.rpartition(".")[0] if named != asked and "." in named else asked
    return plain(name).rpartition(".")[2] or name


def likeness(asked: str, name: str) -> float:
    """How alike two names are, from 0 to 1; one that holds what was asked is at least somewhat.

    >>> [round(likeness("save", one), 2) for one in ("saved", "save_all_of_them", "load")]
    [0.89, 0.75, 0.25]
    """
    same = difflib.SequenceMatcher(None, asked, name, autojunk=False).ratio()
    return max(same, _LIKE) if len(asked) >= _LEAST_CHARS and asked in name else same


def _tail(tail: Tail, shown: int, total: int) -> Row:
    told = {"limit_reason": tail.limit_reason, "truncated": tail.truncated}
    counts = {"returned_count": shown, "remaining_count": total - shown, "total_count": total}
    return lean(told | counts)


def choose(
    app: App, call: Call, args: CodeArgs, several: Several, empty: dict[str, object]
) -> Reply:
    """The candidates of a name, in the shape of the tool's reply; ``empty`` are its own fields."""
    shown, total = several.nodes[:_SHOWN_CANDIDATES], len(several.nodes)
    begun = Counter(brief_id(node.id) for node in shown)
    twins = {node.id for node in shown if begun[brief_id(node.id)] > 1}

    def shape(nodes: Sequence[Node], tail: Tail) -> Form:
        rows = [row(node) | ({"id": node.id} if node.id in twins else {}) for node in nodes]
        structured = {
            **empty,
            "candidates": rows,
            **_tail(tail, len(rows), total),
            **({"capped": True} if several.is_capped else {}),
            **app.marks(call, ()),
        }
        many = f"{total} or more" if several.is_capped else f"{total}"
        head = f"`{one_line(several.asked)}` fits {many} symbols; ask again with one ID:"
        lines = [f"{number}. {line(one)}" for number, one in enumerate(rows, 1)]
        return Form("\n".join([head, *lines]), structured)

    return pack(shown, Page(0, len(shown)), budget(app, response_tokens(app, args)), shape)
