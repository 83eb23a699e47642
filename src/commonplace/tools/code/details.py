"""``code.get_symbol_details``: one symbol, its parts, its connections, its source."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

from pydantic import Field

from commonplace.answer.render import one_line
from commonplace.domain.course import Course, Step
from commonplace.domain.errors import NotFound
from commonplace.domain.evidence import Reply
from commonplace.domain.graph import Node
from commonplace.domain.ids import brief_id
from commonplace.domain.scope import Selection
from commonplace.domain.walk import Described
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolOutput
from commonplace.tools.code.args import IS_TOLD, Level, SymbolArgs, Verbosity
from commonplace.tools.code.cards import (
    CodeReply,
    SymbolOut,
    at,
    compact,
    fqn,
    line,
    more_lines,
    names,
    one_range,
    row,
)
from commonplace.tools.code.contents import fenced
from commonplace.tools.code.files import home
from commonplace.tools.code.kinds import CERTAIN, CONTAINS, RELATIONS, order, verb
from commonplace.tools.code.listing import Entry, Listing, Pages, reply
from commonplace.tools.code.naming import Several, Target, choose, resolve
from commonplace.tools.code.related import proven
from commonplace.tools.code.sharing import Row
from commonplace.tools.code.sources import read_text
from commonplace.tools.code.traverse import parts
from commonplace.tools.code.wholes import counts_of, holdings
from commonplace.tools.paging import response_tokens

_MOST_EDGES = 1000
_TOGETHER = (
    frozenset(RELATIONS) - {"WRITES", "REFERENCES", "INSTANTIATES", "TESTS"},
    frozenset({"WRITES", "INSTANTIATES"}),
    frozenset({"REFERENCES", "TESTS"}),
)
"""Relations asked for at once: a symbol reached in two ways of one set is told once."""
_NAMED = 6
_SPARE_TOKENS = 150  # of a reply's own fields beside a source


Connections = dict[tuple[str, str], list[Step]]
"""By relation and way."""


class DetailsArgs(SymbolArgs):
    """Arguments of code.get_symbol_details."""

    include_source: bool = Field(default=False, json_schema_extra=IS_TOLD)
    include_children: bool = Field(default=True, json_schema_extra=IS_TOLD)
    verbosity: Verbosity = "standard"
    limit: int = Field(default=50, ge=1, le=200, json_schema_extra=IS_TOLD)


class Relation(ToolOutput):
    """How a symbol is connected in one way."""

    relation: str
    direction: Literal["out", "in"]
    total: int
    names: list[str] | None = Field(default=None, description="Of the first ones.")


class Part(ToolOutput):
    """A part of it or, with verbosity full, a symbol it is connected to."""

    id: str
    kind: str
    name: str | None = Field(default=None, description="Of a part: the last of its full name.")
    fqn: str | None = None
    at: str | None = Field(default=None, description="File and lines; of a part its lines.")
    signature: str | None = None
    relation: str | None = None
    direction: Literal["out", "in"] | None = None
    confidence: float | None = None
    how: str | None = None
    where: str | None = None


class DetailsReply(CodeReply):
    """Reply of code.get_symbol_details."""

    symbol: SymbolOut | None = None
    overloads: int | None = Field(default=None, description="Definitions of this name.")
    within: str | None = Field(default=None, description="What it stands in.")
    relations: list[Relation] = Field(default=[], description="In brief.")
    source: str | None = None
    note: str | None = None
    parts: list[Part] = Field(default=[], description="Children, then edges if full.")


DESCRIPTION = """\
Use when you want to know one symbol, or what a class, file or table holds.
Do not use when you follow connections: code_get_dependencies.
Returns at most limit parts and a line per relation, inside max_response_tokens; source whole or \
not at all.
If you need more, include_source, or send next_cursor back.
Defaults: standard, children but no source, limit 50. Max: limit 200."""


async def run_details(app: App, call: Call, args: DetailsArgs) -> Reply:
    """Resolve, gather, project, pack."""
    selection = await args.select(app)
    pages = Pages(call, "code.get_symbol_details", args)
    target = await resolve(app, call, selection, args)
    if isinstance(target, Several):
        return choose(app, call, args, target, {})
    (described,) = await app.store.graph.describe(selection, [target.node.id])
    followed = await _followed(app, selection, target)
    entries = _children(followed, args, target.node) if args.include_children else []
    if args.verbosity == "full":
        entries += _edges(followed)
    if args.cursor is None:
        head, lines = await _head(app, selection, args, (target, described, followed))
    else:  # who goes on has read the rest
        head, lines = {"symbol": row(target.node)}, [line(row(target.node))]

    def body(page: Sequence[Entry]) -> tuple[Mapping[str, Any], list[str]]:
        rows = [entry.row for entry in page]
        return ({"parts": rows} if rows else {}), _part_lines(rows)

    listing = Listing(entries=entries, body=body, noun="parts", head=head, lines=lines)
    made = await reply(app, call, args, (selection, pages), listing)
    call.session.see(target.ids)
    return made


async def _followed(app: App, selection: Selection, target: Target) -> Connections:
    """What is at the other end, by relation and way; a whole counts with its parts."""
    graph = app.store.graph
    starts = [node.id for node in await parts(graph, selection, target.nodes)]
    found: Connections = {}
    courses = [
        Course(relations=relations, direction=way, limit=_MOST_EDGES)
        for way in ("in", "out")
        for relations in _TOGETHER
    ]
    asked = [graph.follow(selection, starts, course) for course in courses]
    asked += [
        graph.follow(selection, target.ids, Course(relations=frozenset({CONTAINS}), direction=way))
        for way in ("in", "out")
    ]
    for followed in await asyncio.gather(*asked):
        for step in followed.steps:
            found.setdefault((step.edge.relation, step.way), []).append(step)
    return dict(sorted(found.items(), key=lambda one: (one[0][1], order(one[0][0]))))


async def _head(
    app: App,
    selection: Selection,
    args: DetailsArgs,
    what: tuple[Target, Described, Connections],
) -> tuple[Row, list[str]]:
    """The symbol itself with its connections in brief, and its source where it fits."""
    target, described, followed = what
    is_brief = args.verbosity == "summary"
    shown = compact(target.node) if is_brief else row(target.node, args.verbosity)
    head: Row = {"symbol": shown}
    above = followed.get((CONTAINS, "in"))
    if above:
        head["within"] = fqn(above[0].node)
    notes = [_others(target)] if len(target.nodes) > 1 else []
    if target.node.properties.get("unread"):
        notes.append(f"not understood, by lines: {target.node.properties['unread']}")
    head |= {"overloads": len(target.nodes)} if len(target.nodes) > 1 else {}
    head |= {"note": "; ".join(notes)} if notes else {}
    if is_brief:
        held = (await holdings(app, selection, [target.node])).get(target.node.id)
        counts = counts_of(described, held)
        shown |= {"counts": counts} if counts else {}
    else:
        ties = [
            _relation(relation, way, steps)
            for (relation, way), steps in followed.items()
            if relation != CONTAINS
        ]
        head |= {"relations": ties} if ties else {}
    lines = [line(shown), *more_lines(shown)]
    if head.get("within"):
        lines.append(f"  In: {head['within']}")
    lines += [f"Note: {head['note']}"] if "note" in head else []
    lines += [_relation_line(one) for one in head.get("relations", ())]
    if args.include_source or args.verbosity == "full":
        added, told = await _source(app, selection, args, (target.node, "\n".join(lines)))
        noted = "; ".join(one["note"] for one in (head, added) if one.get("note"))
        head, lines = head | added | ({"note": noted} if noted else {}), lines + told
    return head, lines


def _others(target: Target) -> str:
    """Where else the name is defined: only one definition is shown."""
    file = target.node.properties.get("file")
    told = [
        f"{one_line(at(node).replace(f'{file}:', 'line '))} ({brief_id(node.id)})"
        for node in target.nodes[1 : _NAMED + 1]
    ]
    more = f", +{len(target.nodes) - 1 - _NAMED}" if len(target.nodes) - 1 > _NAMED else ""
    return f"{len(target.nodes)} definitions have this name; also {', '.join(told)}{more}"


def _relation(relation: str, way: str, steps: Sequence[Step]) -> Row:
    ordered = sorted(steps, key=lambda step: (-step.edge.confidence, -step.degree, step.node.id))
    listed = names([step.node for step in ordered], _NAMED)
    return {"relation": relation, "direction": way, "total": len(steps), "names": listed}


def _relation_line(one: Row) -> str:
    return (
        f"  {verb(one['relation'], one['direction'])} ({one['total']}): {', '.join(one['names'])}"
    )


async def _source(
    app: App, selection: Selection, args: DetailsArgs, what: tuple[Node, str]
) -> tuple[Row, list[str]]:
    """The whole definition, or why it is not shown."""
    node, before = what
    try:
        document, first, last = await home(app, selection, node)
        text = await read_text(app, selection, document)
    except NotFound as exc:
        return {"note": exc.message}, [f"Note: {exc.message}"]
    source = "\n".join(text.between(first, last))
    room = response_tokens(app, args) - app.tokens(before) - _SPARE_TOKENS
    needed = app.tokens(source)
    if needed > room or len(source) > app.settings.response_chars // 2:
        note = (
            f"source of {needed} tokens left out: code_get_file_contents {text.path} {first}-{last}"
        )
        return {"note": note}, [f"Note: {note}"]
    told = [fenced(source, text.language)]
    if not text.note:
        return {"source": source}, told
    return {"source": source, "note": text.note}, [*told, f"Note: {text.note}"]


def _children(followed: Connections, args: DetailsArgs, whole: Node) -> list[Entry]:
    below = followed.get((CONTAINS, "out"), [])
    steps = sorted(below, key=lambda step: (_line_of(step.node), step.node.id))
    shown: Level = "summary" if args.verbosity == "summary" else "standard"
    return [Entry(node=step.node, make=partial(_child, step.node, shown, whole)) for step in steps]


def _child(node: Node, verbosity: Level, whole: Node) -> Row:
    """A part: file and full name begin as its whole's do, so only its own are told.

    Of a class in several files, or a module with a stub, the file is told where it is another.
    """
    shown = row(node, verbosity)
    del shown["fqn"]
    lines = node.properties.get("lines")
    is_here = node.document_id == whole.document_id and _file(node) == _file(whole)
    if lines and is_here:
        shown["at"] = one_range(str(lines))
    for name in ("doc", "summary"):
        shown.pop(name, None)
    return {"name": one_line(node.name), **shown}


def _file(node: Node) -> object:
    return node.properties.get("file")


def _line_of(node: Node) -> int:
    first = str(node.properties.get("lines", "")).partition("-")[0]
    return int(first) if first.isdigit() else 0


def _edges(followed: Connections) -> list[Entry]:
    """Every connection with what proves it."""
    return [
        Entry(node=step.node, make=partial(_edge, step, relation, way))
        for (relation, way), steps in followed.items()
        for step in (steps if relation != CONTAINS else ())
    ]


def _edge(step: Step, relation: str, way: str) -> Row:
    how, where = step.edge.properties.get("how"), proven(step.edge)
    shown = row(step.node) | {"relation": relation, "direction": way}
    if step.edge.confidence < CERTAIN:
        shown["confidence"] = round(step.edge.confidence, 2)
    shown |= {"how": str(how)} if how else {}
    return shown | ({"where": where} if where else {})


def _part_lines(rows: Sequence[Row]) -> list[str]:
    lines = []
    for one in rows:
        notes = [verb(one["relation"], one["direction"])] if one.get("relation") else []
        notes += [f"{name} {one[name]}" for name in ("confidence", "how", "where") if one.get(name)]
        tail = f" ({', '.join(notes)})" if notes else ""
        lines += [f"- {_part_line(one)}{tail}"]
    return lines


def _part_line(one: Row) -> str:
    """A part on one line; a signature says its name too."""
    if one.get("relation"):
        return line(one)
    named = f"`{one['signature']}`" if one.get("signature") else one["name"]
    place = f" · {one_line(one['at'])}" if one.get("at") else ""
    return f"{named} ({one['kind']}){place} — ID: {one['id']}"


DETAILS = Tool(
    name="code.get_symbol_details",
    description=DESCRIPTION,
    args=DetailsArgs,
    output=DetailsReply,
    run=run_details,
    bare="get_symbol_details",
)
