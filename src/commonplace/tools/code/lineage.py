"""``code.trace_lineage``: where data comes from and goes to, column by column, across languages."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
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
from commonplace.tools.code.kinds import verb
from commonplace.tools.code.listing import Entry, Listing, Pages, grouped, reply, totals
from commonplace.tools.code.naming import Several, Target, choose, resolve
from commonplace.tools.code.related import Dependency, related, related_lines
from commonplace.tools.code.sharing import Row, Shared, heading, share
from commonplace.tools.code.traverse import Reached, Ways, course, parts, pruned, travel

ALONG = frozenset({"FLOWS_TO", "WRITES"})
"""Data goes from source to target."""
AGAINST = frozenset({"READS", "HANDLES", "REQUESTS", "CALLS"})
"""Data goes from target to source."""
SAME = frozenset({"MAPS_TO"})
"""Both ends hold the same data."""
DEFAULT = frozenset({"FLOWS_TO", "WRITES", "READS", "MAPS_TO", "HANDLES", "REQUESTS"})


class LineageArgs(PrunedArgs):
    """Arguments of code.trace_lineage."""

    direction: Direction = Field(default="both", json_schema_extra=IS_TOLD)
    max_depth: int = Field(
        default=10,
        ge=1,
        le=MOST_DEPTH,
        validation_alias=AliasChoices("max_depth", "depth"),
        json_schema_extra=IS_TOLD,
    )
    relationship_filter: Names = Field(
        default=[],
        validation_alias=AliasChoices("relationship_filter", "relationship_types"),
    )
    verbosity: Verbosity = "standard"


class LineageStep(Dependency):
    """Where data comes from or goes to."""

    relation: str
    flow: Literal["from", "to"] = Field(description="Whether data comes from it or goes to it.")


class LineageReply(CodeReply, Shared):
    """Reply of code.trace_lineage."""

    symbol: SymbolOut | None = None
    steps: list[LineageStep] = Field(description="Each behind the step it hangs on.")


DESCRIPTION = """\
Use when you want where a column's or field's data comes from (inbound) or goes (outbound), across \
SQL and code.
Do not use when you want calls: code_get_dependencies.
Returns at most limit steps as a tree, inside max_response_tokens.
If you need less, stop_at_kinds or cross_language_only; for more send next_cursor back.
Defaults: both, max_depth 10, limit 20, standard. Max: max_depth 20, limit 200."""


def ways(wanted: frozenset[str]) -> Ways:
    """The relations that lead to where data goes."""
    known = ALONG | AGAINST | SAME
    others = wanted - known
    return Ways(
        out=(wanted & (ALONG | SAME)) | others,
        into=wanted & (AGAINST | SAME),
        barred=frozenset({"READS", "WRITES"}),
    )


async def run_lineage(app: App, call: Call, args: LineageArgs) -> Reply:
    """Resolve, follow the data each way, prune, order as a tree, pack."""
    selection = await args.select(app)
    pages = Pages(call, "code.trace_lineage", args)
    target = await resolve(app, call, selection, args)
    if isinstance(target, Several):
        return choose(app, call, args, target, {"steps": []})
    entries: list[Entry] = []
    is_capped = False
    begin = await parts(app.store.graph, selection, target.nodes)
    for flow in _flows(args.direction):
        found, capped = await _traced(app, selection, begin, args, flow)
        entries += _tree(found, call, args, (target, pages, flow))
        is_capped |= capped
    counts = totals(entries)

    def body(page: Sequence[Entry]) -> tuple[Mapping[str, Any], list[str]]:
        told, left = share([entry.row for entry in page], same=())
        rows = iter(left)
        lines: list[str] = []
        for (flow,), total, own in grouped(page, counts):
            way = "comes from" if flow == "from" else "goes to"
            lines.append(f"Data {way} ({total}){'' if lines else heading(told)}:")
            lines += [text for _ in own for text in _lines(next(rows))]
        return {**told, "steps": left}, lines

    shown = headed(target.nodes)
    listing = Listing(
        entries=entries,
        body=body,
        noun="steps",
        head={"symbol": shown, **({"capped": True} if is_capped else {})},
        lines=[line(shown)] if entries else [f"{line(shown)}\nNo data flow by what was asked for."],
    )
    return await reply(app, call, args, (selection, pages), listing)


def _flows(direction: str) -> list[str]:
    return {"inbound": ["from"], "outbound": ["to"]}.get(direction, ["from", "to"])


async def _traced(
    app: App, selection: Selection, begin: Sequence[Node], args: LineageArgs, flow: str
) -> tuple[list[Reached], bool]:
    graph = app.store.graph
    chosen = ways(relations(args.relationship_filter) or DEFAULT)
    chosen = chosen if flow == "to" else chosen.flipped()
    found = await travel(graph, selection, begin, chosen, course(args, args.max_depth))
    return pruned(found.reached, args, begin), found.is_capped


def _tree(
    found: list[Reached], call: Call, args: LineageArgs, where: tuple[Target, Pages, str]
) -> list[Entry]:
    """Each step behind the one it hangs on; among brothers the surest and most telling first."""
    target, pages, flow = where
    below: dict[str, list[Reached]] = defaultdict(list)
    known = {one.node.id for one in found}
    for one in found:
        below[one.previous if one.previous in known else ""].append(one)
    entries: list[Entry] = []
    waiting = _ranked(below[""], pages)
    level = {one.node.id: 1 for one in waiting}
    shown = (call, args.verbosity, target.ids)
    while waiting:
        one = waiting.pop()
        own = level[one.node.id]
        entries.append(
            Entry(node=one.node, make=partial(_step, one, shown, (flow, own)), group=(flow,))
        )
        following = below.get(one.node.id)
        if following:
            level |= {next_.node.id: own + 1 for next_ in following}
            waiting += _ranked(following, pages)
    return entries


def _step(one: Reached, shown: tuple[Call, Level, list[str]], told: tuple[str, int]) -> Row:
    flow, hops = told
    return related(one, *shown) | {"relation": one.edge.relation, "flow": flow, "hops": hops}


def _ranked(steps: list[Reached], pages: Pages) -> list[Reached]:
    """The last one is taken first."""
    return sorted(
        steps, key=lambda one: (-one.sureness, *pages.rank(one.node, one.degree)), reverse=True
    )


def _lines(shown: Row) -> list[str]:
    """A step, indented under the one before it."""
    indent = "  " * (shown["hops"] - 1)
    plain = {key: value for key, value in shown.items() if key not in ("hops", "via")}
    first, *more = related_lines(plain, {})
    way = "in" if is_against(shown["relation"], shown["flow"]) else "out"
    head = f"{indent}- {verb(shown['relation'], way)}: {first.removeprefix('- ')}"
    return [head, *(indent + text for text in more)]


def is_against(relation: str, flow: str) -> bool:
    """Whether the step went against its edge."""
    return (relation in AGAINST) == (flow == "to")


LINEAGE = Tool(
    name="code.trace_lineage",
    description=DESCRIPTION,
    args=LineageArgs,
    output=LineageReply,
    run=run_lineage,
    bare="trace_lineage",
)
