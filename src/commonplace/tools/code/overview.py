"""``code.list_project_overview``: what a codebase consists of, before anything is read."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from pydantic import Field

from commonplace.answer.render import one_line
from commonplace.cypher.guard import Limits
from commonplace.cypher.reading import Inquiry
from commonplace.cypher.values import Vertex
from commonplace.domain.evidence import Reply
from commonplace.domain.graph import Node
from commonplace.domain.scope import Selection
from commonplace.index.code.snapshots import list_snapshots
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.code.args import IS_TOLD, Level, ListArgs, Verbosity
from commonplace.tools.code.cards import CodeReply, SymbolOut, named
from commonplace.tools.code.completeness import not_understood
from commonplace.tools.code.kinds import KINDS, priority
from commonplace.tools.code.listing import Entry, Listing, Pages, reply
from commonplace.tools.code.narrower import MEMBERS, OUTLINED, narrowed
from commonplace.tools.code.sharing import Row

_SHOWN: Mapping[Level, tuple[str, ...]] = {
    "summary": ("Source", "Schema"),
    "standard": ("Source", "Schema", "Namespace", "Module"),
    "full": ("Source", "Schema", "Namespace", "Module", "Class", "Interface", "Struct"),
}
_LEVELS = {"Source": 0, "Schema": 1, "Namespace": 2, "Module": 2}
_LEVELS |= dict.fromkeys(("Class", "Interface", "Struct"), 3)
"""Packages are modules in one language and namespaces in another: they are ranked together."""
_TURN = 3
_MOST_TRAIL = 6
MOST_SUMMARIES = 10_000


class OverviewArgs(ListArgs):
    """Arguments of code.list_project_overview."""

    verbosity: Verbosity = Field(
        default="standard",
        description="summary: sources, schemas; full: services too.",
        json_schema_extra=IS_TOLD,
    )
    limit: int = Field(default=10, ge=1, le=200, json_schema_extra=IS_TOLD)


class Container(SymbolOut):
    """A part of the codebase, with its summary."""

    symbols: int | None = Field(default=None, description="How many it holds.")


class OverviewReply(CodeReply):
    """Reply of code.list_project_overview."""

    counts: dict[str, int] = Field(default={}, description="Symbols of each kind.")
    trail: list[str] = Field(default=[], description="What you have been investigating.")
    snapshot: str | None = Field(default=None, description="The last index run.")
    not_understood: list[str] = Field(
        default=[], description="What was not read, how often and where first."
    )
    containers: list[Container]


DESCRIPTION = """\
Use when you start on a codebase: sources, schemas, packages, services, a sentence each.
Do not use when you know what you look for: code_search_symbols.
Returns at most limit summaries, and counts by kind, inside max_response_tokens.
If you need more, call code_get_symbol_details with an id, or send next_cursor back.
Defaults: standard, limit 10. Max: limit 200."""


async def run_overview(app: App, call: Call, args: OverviewArgs) -> Reply:
    """Count, gather what has a summary, rank, pack."""
    selection = await args.select(app)
    pages = Pages(call, "code.list_project_overview", args)
    shown = _SHOWN[args.verbosity]
    counts, found = await asyncio.gather(
        _counts(app, selection), _summarised(app, selection, shown)
    )
    entries = [Entry(node=node, make=partial(_row, node)) for node in _in_turn(found)]
    head = await _head(app, call, selection, counts) if args.cursor is None else {}

    def body(page: Sequence[Entry]) -> tuple[Mapping[str, Any], list[str]]:
        rows = [entry.row for entry in page]
        return {"containers": rows}, [text for one in rows for text in _lines(one)]

    lines = _head_lines(head) if head else []
    listing = Listing(entries=entries, body=body, noun="summaries", head=head, lines=lines)
    return await reply(app, call, args, (selection, pages), listing)


async def _head(app: App, call: Call, selection: Selection, counts: Mapping[str, int]) -> Row:
    """What stands before the first page; who goes on has read it."""
    trail = [one_line(one.name) for one in call.session.trail[-_MOST_TRAIL:]]
    snapshot = await _snapshot(app, selection)
    gaps = await not_understood(app, selection)
    head: Row = {"counts": counts}
    head |= {"trail": trail} if trail else {}
    head |= {"snapshot": snapshot} if snapshot else {}
    return head | ({"not_understood": gaps} if gaps else {})


async def _ask(app: App, selection: Selection, query: str) -> list[tuple[Any, ...]]:
    limits = Limits(rows=MOST_SUMMARIES)
    answer = await app.store.graph.query(selection, Inquiry(text=query, limits=limits))
    return list(answer.rows)


async def _counts(app: App, selection: Selection) -> dict[str, int]:
    """How many symbols of each kind, most important kinds first."""
    rows = await _ask(app, selection, "MATCH (n) RETURN labels(n), count(*)")
    found = {labels[0]: count for labels, count in rows if labels and labels[0] in KINDS}
    probe = {kind: Node(id="", project="", kind=kind, name="") for kind in found}
    ordered = sorted(found, key=lambda kind: (priority(probe[kind]), -found[kind], kind))
    return {kind.upper(): found[kind] for kind in ordered}


async def _summarised(app: App, selection: Selection, kinds: Sequence[str]) -> list[Node]:
    """What has a summary; in a narrower scope, none that tells of more than it."""
    told = " WHERE n.summary IS NOT NULL"
    if selection.is_whole_project:
        return await _nodes(app, selection, kinds, told)
    own = [kind for kind in kinds if kind not in OUTLINED]
    found = await _nodes(app, selection, own, told)
    seen = await _nodes(app, selection, MEMBERS)
    return [*found, *await narrowed(app, selection, kinds, seen)]


async def _nodes(
    app: App, selection: Selection, kinds: Sequence[str], where: str = ""
) -> list[Node]:
    query = " UNION ALL ".join(f"MATCH (n:{kind}){where} RETURN n" for kind in kinds)
    rows = await _ask(app, selection, query)
    return [_node(selection.project, row[0]) for row in rows]


def _node(project: str, vertex: Vertex) -> Node:
    own = {key: value for key, value in vertex.properties.items() if key not in ("id", "kind")}
    name = str(own.pop("name", ""))
    kind, document_id = vertex.labels[0], vertex.document_id
    return Node(
        id=vertex.id,
        project=project,
        kind=kind,
        name=name,
        document_id=document_id,
        properties=own,
    )


def _in_turn(found: Sequence[Node]) -> list[Node]:
    """The first of each level, then the next ones: a page of packages would hide every service."""
    placed: Counter[int] = Counter()
    turns: dict[str, tuple[int, int]] = {}
    ordered = sorted(found, key=_heavier)
    for node in ordered:
        level = _LEVELS[node.kind]
        turns[node.id] = (placed[level] // _TURN, level)
        placed[level] += 1
    return sorted(ordered, key=lambda node: turns[node.id])


def _heavier(node: Node) -> tuple[float, float, str]:
    """Most used first, then largest."""
    used, size = (node.properties.get(name) for name in ("used", "symbols"))
    return (-float(used or 0), -float(size or 0), node.id)


async def _snapshot(app: App, selection: Selection) -> str:
    known = await list_snapshots(app.store.keyvalue, selection.project)
    if not known:
        return ""
    last = known[-1]
    named = " ".join(filter(None, (last.label, last.commit[:10])))
    return " ".join(filter(None, (f"#{last.number}", named, f"{last.made_at:%Y-%m-%d %H:%M}")))


def _row(node: Node) -> Row:
    shown = named(node)
    shown["summary"] = one_line(str(node.properties["summary"]))
    size = node.properties.get("symbols")
    return shown | ({"symbols": size} if isinstance(size, int) else {})


def _head_lines(head: Row) -> list[str]:
    if not head["counts"]:
        return ["No code is indexed here; `commonplace add REPO` does it."]
    counted = ", ".join(f"{count:,} {kind}" for kind, count in head["counts"].items())
    lines = [f"Symbols: {counted}"]
    if head.get("snapshot"):
        lines.append(f"Index run: {head['snapshot']}")
    if head.get("not_understood"):
        told = "; ".join(head["not_understood"])
        lines.append(f"Not understood: {told} — `commonplace status`, or details of a file")
    if head.get("trail"):
        lines.append(f"You have been investigating: {' → '.join(head['trail'])}")
    return lines


def _lines(shown: Row) -> list[str]:
    return [
        f"- {one_line(shown['fqn'])} ({shown['kind']}) — ID: {shown['id']}",
        f"  > {shown['summary']}",
    ]


OVERVIEW = Tool(
    name="code.list_project_overview",
    description=DESCRIPTION,
    args=OverviewArgs,
    output=OverviewReply,
    run=run_overview,
    bare="list_project_overview",
)
