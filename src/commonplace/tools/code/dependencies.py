"""``code.get_dependencies``: what a symbol needs, and what needs it."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from pydantic import AliasChoices, Field

from commonplace.domain.evidence import Reply
from commonplace.domain.graph import Node
from commonplace.domain.scope import Selection
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
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
from commonplace.tools.code.cards import CodeReply, SymbolOut, headed, line
from commonplace.tools.code.kinds import CONTAINS, DEPENDENCY, GUESS, order, verb
from commonplace.tools.code.listing import Entry, Listing, Pages, grouped, reply, totals
from commonplace.tools.code.naming import Several, Target, choose, resolve
from commonplace.tools.code.related import (
    Grouped,
    Together,
    called_by_id,
    group_lines,
    proven,
    related,
    together,
)
from commonplace.tools.code.sharing import Row
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
    verbosity: Verbosity = "summary"


class Group(Together):
    """Symbols related in one way."""

    relation: str
    direction: Literal["out", "in"]


class DependenciesReply(CodeReply):
    """Reply of code.get_dependencies."""

    symbol: SymbolOut | None = None
    groups: list[Group]


DESCRIPTION = """\
Use when you want who calls or uses a symbol (inbound) or what it uses (outbound).
Do not use when you want what it holds: code_get_symbol_details.
Returns at most limit symbols by relation, inside max_response_tokens; classes and files with \
their parts.
If you need more, raise depth or send next_cursor back.
Defaults: both, depth 1, limit 20, summary. Max: depth 20, limit 200."""


async def run_dependencies(app: App, call: Call, args: DependenciesArgs) -> Reply:
    """Resolve, traverse each way, prune, rank, pack."""
    selection = await args.select(app)
    pages = Pages(call, "code.get_dependencies", args)
    target = await resolve(app, call, selection, args)
    if isinstance(target, Several):
        return choose(app, call, args, target, {"groups": []})
    begin = await _begin(app, selection, target, args)
    found, is_capped = await _dependencies(app, selection, begin, args)
    called = called_by_id(begin, found)
    found.sort(key=_rank(found, pages))
    entries = [
        Entry(
            node=one.node,
            make=partial(_row, one, call, args.verbosity, target.ids),
            group=(one.way, one.edge.relation),
        )
        for one in found
    ]
    counts = totals(entries)

    def body(page: Sequence[Entry]) -> tuple[Mapping[str, Any], list[str]]:
        groups = [_group(one) for one in grouped(page, counts)]
        headed = [(verb(one["relation"], one["direction"]), one) for one in groups]
        return {"groups": groups}, group_lines(headed, called)

    shown = headed(target.nodes)
    listing = Listing(
        entries=entries,
        body=body,
        noun="dependencies",
        head={"symbol": shown, **({"capped": True} if is_capped else {})},
        lines=[line(shown)] if entries else [f"{line(shown)}\nNothing by what was asked for."],
    )
    return await reply(app, call, args, (selection, pages), listing)


async def _begin(
    app: App, selection: Selection, target: Target, args: DependenciesArgs
) -> Sequence[Node]:
    """A whole with its parts; without them where its parts are what is asked for."""
    if CONTAINS in relations(args.relationship_types):
        return target.nodes
    return await parts(app.store.graph, selection, target.nodes)


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


def _row(one: Reached, call: Call, verbosity: Level, starts: Sequence[str]) -> Row:
    """A dependency; the lines that prove it are told at every verbosity."""
    shown = related(one, call, verbosity, starts)
    where = proven(one.edge)
    if where and "where" not in shown:
        shown["where"] = where
    return shown


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


def _group(one: Grouped) -> Row:
    way, relation = one[0]
    return {"relation": relation, "direction": way, **together(one)}


DEPENDENCIES = Tool(
    name="code.get_dependencies",
    description=DESCRIPTION,
    args=DependenciesArgs,
    output=DependenciesReply,
    run=run_dependencies,
    bare="get_dependencies",
)
