"""``code.get_dependencies``: what a symbol needs, and what needs it."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from pydantic import AliasChoices, Field

from commonplace.answer.render import one_line
from commonplace.domain.evidence import Reply
from commonplace.domain.graph import Node
from commonplace.domain.scope import Selection
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolOutput
from commonplace.tools.code.args import (
    IS_TOLD,
    MOST_DEPTH,
    Direction,
    Level,
    Names,
    PrunedArgs,
    Verbosity,
    relations,
)
from commonplace.tools.code.cards import (
    CodeReply,
    Row,
    SymbolOut,
    line,
    more_lines,
    row,
    short,
)
from commonplace.tools.code.kinds import CERTAIN, DEPENDENCY, GUESS, order, verb
from commonplace.tools.code.listing import Entry, Listing, Pages, grouped, reply, totals
from commonplace.tools.code.naming import Several, choose, resolve
from commonplace.tools.code.traverse import Reached, Ways, course, parts, pruned, travel

MOST_NEEDED = 1000
"""Symbols reached each way: whoever has more should ask for less."""


class DependenciesArgs(PrunedArgs):
    """Arguments of code.get_dependencies."""

    direction: Direction = Field(default="both", json_schema_extra=IS_TOLD)
    depth: int = Field(
        default=1,
        ge=1,
        le=MOST_DEPTH,
        validation_alias=AliasChoices("depth", "max_depth"),
        json_schema_extra=IS_TOLD,
    )
    relationship_types: Names = Field(
        default=[],
        description="CALLS, READS, …",
        validation_alias=AliasChoices("relationship_types", "relationship_filter"),
    )
    verbosity: Verbosity = "standard"


class Dependency(SymbolOut):
    """A symbol on the other end."""

    hops: int | None = Field(default=None, description="Absent when 1.")
    via: str | None = Field(default=None, description="Id of the symbol before it.")
    through: int | None = Field(default=None, description="Symbols between that are not shown.")
    confidence: float | None = Field(default=None, description="Least on the way, if below 0.9.")
    how: str | None = Field(default=None, description="How the edge was found.")
    where: str | None = Field(default=None, description="Lines that prove it.")


class Group(ToolOutput):
    """Symbols related in one way."""

    relation: str
    direction: Literal["out", "in"]
    total: int
    symbols: list[Dependency]


class DependenciesReply(CodeReply):
    """Reply of code.get_dependencies."""

    symbol: SymbolOut | None = None
    groups: list[Group]


DESCRIPTION = """\
Use when you want who calls or uses a symbol (inbound) or what it uses (outbound).
Do not use when you plan a change: code_analyze_impact.
Returns at most limit symbols by relation, inside max_response_tokens; classes and files with \
their parts.
If you need more, raise depth or send next_cursor back.
Defaults: both, depth 1, limit 20, standard. Max: depth 20, limit 200."""


async def run_dependencies(app: App, call: Call, args: DependenciesArgs) -> Reply:
    """Resolve, traverse each way, prune, rank, pack."""
    selection = await args.select(app)
    pages = Pages(call, "code.get_dependencies", args)
    target = await resolve(app, call, selection, args)
    if isinstance(target, Several):
        return choose(app, call, args, target, {"groups": []})
    begin = await parts(app.store.graph, selection, target.nodes)
    found, is_capped = await _dependencies(app, selection, begin, args)
    called = called_by_id(begin, found)
    found.sort(key=_rank(found, pages))
    entries = [
        Entry(
            node=one.node,
            make=partial(related, one, call, args.verbosity, target.ids),
            group=(one.way, one.edge.relation),
        )
        for one in found
    ]
    counts = totals(entries)

    def body(page: Sequence[Entry]) -> tuple[Mapping[str, Any], list[str]]:
        groups = grouped(page, counts)
        return {"groups": [_group(one) for one in groups]}, group_lines(groups, called)

    shown = row(target.node)
    listing = Listing(
        entries=entries,
        body=body,
        noun="dependencies",
        head={"symbol": shown, **({"capped": True} if is_capped else {})},
        lines=[line(shown)] if entries else [f"{line(shown)}\nNothing by what was asked for."],
    )
    return await reply(app, call, args, (selection, pages), listing)


async def _dependencies(
    app: App, selection: Selection, begin: Sequence[Node], args: DependenciesArgs
) -> tuple[list[Reached], bool]:
    graph = app.store.graph
    wanted = relations(args.relationship_types) or DEPENDENCY
    ways = {"outbound": [Ways(out=wanted)], "inbound": [Ways(into=wanted)]}
    chosen = ways.get(args.direction) or [Ways(out=wanted), Ways(into=wanted)]
    bounds = replace(course(args, args.depth), limit=MOST_NEEDED)
    travels = await asyncio.gather(
        *(travel(graph, selection, begin, one, bounds) for one in chosen)
    )
    found = [one for travelled in travels for one in pruned(travelled.reached, args, begin)]
    return found, any(one.is_capped for one in travels)


def related(one: Reached, call: Call, verbosity: Level, starts: Sequence[str]) -> Row:
    """A symbol reached, as data."""
    is_seen = call.session.has_seen(one.node.id)
    shown = short(one.node) if is_seen else row(one.node, verbosity)
    if verbosity == "standard":  # sentences about each would outweigh what connects them
        shown = {name: value for name, value in shown.items() if name not in ("doc", "summary")}
    if one.depth > 1:
        shown["hops"] = one.depth
    if one.previous not in starts:
        shown["via"] = one.previous
    if one.collapsed:
        shown["through"] = one.collapsed
    if one.sureness < CERTAIN:
        shown["confidence"] = round(one.sureness, 2)
    where, how = one.edge.properties.get("at"), one.edge.properties.get("how")
    if where and verbosity != "summary":
        shown["where"] = str(where) if verbosity == "full" else lines_of(str(where))
    if how and verbosity == "full":
        shown["how"] = str(how)
    return shown


def lines_of(where: str) -> str:
    """The lines of some places, each once.

    >>> lines_of("12:4-9,12:20-25,40:0-3")
    '12,40'
    """
    return ",".join(dict.fromkeys(one.partition(":")[0] for one in where.split(",")))


def _rank(found: Sequence[Reached], pages: Pages) -> Callable[[Reached], tuple[Any, ...]]:
    """Groups as near as their nearest; in each the near, and what is more than a name, first."""
    nearest: dict[tuple[str, str], int] = {}
    for one in found:
        group = (one.way, one.edge.relation)
        nearest[group] = min(one.depth, nearest.get(group, one.depth))

    def rank(one: Reached) -> tuple[Any, ...]:
        way, relation = group = (one.way, one.edge.relation)
        place = (nearest[group], way == "out", order(relation), relation)
        return (*place, one.depth, one.sureness <= GUESS, *pages.rank(one.node, one.degree))

    return rank


def _group(one: tuple[tuple[Any, ...], int, list[Entry]]) -> Row:
    (way, relation), total, entries = one
    rows = [entry.row for entry in entries]
    return {"relation": relation, "direction": way, "total": total, "symbols": rows}


def called_by_id(begin: Sequence[Node], found: Sequence[Reached]) -> dict[str, str]:
    """Own names by id, for the steps of a way."""
    return {node.id: node.name for node in (*begin, *(one.node for one in found))}


def group_lines(
    groups: Sequence[tuple[tuple[Any, ...], int, list[Entry]]], called: Mapping[str, str]
) -> list[str]:
    """Groups with their heading."""
    lines = []
    for (way, relation), total, entries in groups:
        lines.append(f"{verb(relation, way)} ({total}):")
        for entry in entries:
            lines += related_lines(entry.row, called)
    return lines


def related_lines(shown: Row, called: Mapping[str, str]) -> list[str]:
    """A symbol reached, as text."""
    notes = []
    if shown.get("hops"):
        notes.append(f"{shown['hops']} hops")
    if shown.get("via"):
        notes.append(f"via {one_line(called.get(shown['via'], shown['via']))}")
    if shown.get("through"):
        notes.append(f"{shown['through']} between")
    if shown.get("confidence") is not None:
        notes.append(f"confidence {shown['confidence']:g}")
    if shown.get("how"):
        notes.append(one_line(shown["how"]))
    if shown.get("where"):
        notes.append(f"line {one_line(shown['where'])}")
    tail = f" ({', '.join(notes)})" if notes else ""
    return [f"- {line(shown)}{tail}", *more_lines(shown)]


DEPENDENCIES = Tool(
    name="code.get_dependencies",
    description=DESCRIPTION,
    args=DependenciesArgs,
    output=DependenciesReply,
    run=run_dependencies,
    bare="get_dependencies",
)
