"""``code.analyze_impact``: what a change would reach, by how near and how bad.

Who depends on a symbol is found against its edges; where data flows, along them. A change that
keeps the signature does not break callers, one that removes it breaks everyone: how bad a step is
follows from the kind of change and the relation, and fades with distance.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BeforeValidator, Field

from commonplace.domain.course import Course
from commonplace.domain.evidence import Reply
from commonplace.domain.graph import Node
from commonplace.domain.scope import Selection
from commonplace.engines.base import Graph
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.code.args import (
    IS_TOLD,
    MOST_DEPTH,
    Names,
    PrunedArgs,
    Verbosity,
    relations,
)
from commonplace.tools.code.cards import CodeReply, SymbolOut, headed, line
from commonplace.tools.code.completeness import doubts, unbound
from commonplace.tools.code.files import count_files
from commonplace.tools.code.kinds import CONTAINERS, CONTAINS, GUESS, order
from commonplace.tools.code.listing import Entry, Listing, Pages, grouped, reply, totals
from commonplace.tools.code.naming import Several, Target, choose, resolve
from commonplace.tools.code.related import (
    Grouped,
    Together,
    called_by_id,
    group_lines,
    related,
    together,
)
from commonplace.tools.code.severity import CHANGES, LEVELS, Severity, followed, severity
from commonplace.tools.code.sharing import Row
from commonplace.tools.code.traverse import Reached, Ways, course, parts, pruned, travel

_DEEPEST = 6
_TIERS = ("", "Direct", "2 hops", "3+ hops")
_OTHER_WORDS = {
    "behavior": "behaviour",
    "body": "behaviour",
    "modify": "behaviour",
    "remove": "delete",
    "drop": "delete",
    "type_change": "type",
    "signature_change": "signature",
    "add_column": "add",
    "add_parameter": "add",
}
Change = Annotated[
    Literal["signature", "delete", "rename", "type", "behaviour", "add"],
    BeforeValidator(
        lambda value: (
            _OTHER_WORDS.get(value.lower(), value.lower()) if isinstance(value, str) else value
        )
    ),
]


class ImpactArgs(PrunedArgs):
    """Arguments of code.analyze_impact."""

    change_type: Change = Field(default="signature", json_schema_extra=IS_TOLD)
    max_depth: int = Field(
        default=3,
        ge=1,
        le=MOST_DEPTH,
        validation_alias=AliasChoices("max_depth", "depth"),
        json_schema_extra=IS_TOLD,
    )
    severity_threshold: Severity = Field(default="low", json_schema_extra=IS_TOLD)
    relationship_filter: Names = Field(
        default=[],
        validation_alias=AliasChoices("relationship_filter", "relationship_types"),
    )
    verbosity: Verbosity = "summary"


class Tier(Together):
    """What is so near and so badly hit, by one relation."""

    tier: int = Field(description="1 direct, 2 two hops, 3 further.")
    severity: Severity
    relation: str


class ImpactReply(CodeReply):
    """Reply of code.analyze_impact."""

    symbol: SymbolOut | None = None
    change_type: str | None = None
    risk: Literal["none", "low", "medium", "high", "incomplete"] | None = None
    severities: dict[str, int] = Field(default={}, description="How many of each.")
    files: int | None = Field(default=None, description="Files touched.")
    doubts: list[str] = Field(default=[], description="What may be missing.")
    tiers: list[Tier]


DESCRIPTION = """\
Use when you plan to change or delete a symbol and want what would break.
Do not use when you want callers: code_get_dependencies.
Returns at most limit symbols by tier (direct, 2 hops, 3+) and severity, with a risk, inside \
max_response_tokens.
If you need less, severity_threshold; for more send next_cursor back.
Defaults: signature, max_depth 3, limit 20, summary. Max: max_depth 20, limit 200."""


async def run_impact(app: App, call: Call, args: ImpactArgs) -> Reply:
    """Resolve, traverse against dependencies, judge, rank, pack."""
    selection = await args.select(app)
    pages = Pages(call, "code.analyze_impact", args)
    target = await resolve(app, call, selection, args)
    if isinstance(target, Several):
        return choose(app, call, args, target, {"tiers": []})
    begin = await parts(app.store.graph, selection, target.nodes)
    found, is_capped = await _hit(app, selection, begin, args)
    called = called_by_id(begin, found)
    judged = [(severity(args.change_type, one), one) for one in found]
    least = LEVELS.index(args.severity_threshold)
    hit = [(level, one) for level, one in judged if level and LEVELS.index(level) >= least]
    hit.sort(key=lambda pair: _rank(pair[0], pair[1], pages))
    entries = [_entry(level, one, call, args, target) for level, one in hit]
    told = await doubts(app, selection, target.nodes, found)
    is_quiet = not told and all(level == "low" for level, _ in hit)
    told += await unbound(app, selection, target.nodes, found, is_quiet=is_quiet)
    counts = totals(entries)

    def body(page: Sequence[Entry]) -> tuple[Mapping[str, Any], list[str]]:
        tiers = [_tier(one) for one in grouped(page, counts)]
        headed = [
            (f"{_TIERS[one['tier']]} · {one['severity']} · {one['relation']}", one) for one in tiers
        ]
        return {"tiers": tiers}, group_lines(headed, called)

    head = _head(target, args, (hit, told, is_capped))
    listing = Listing(
        entries=entries, body=body, noun="symbols", head=head, lines=_head_lines(head)
    )
    return await reply(app, call, args, (selection, pages), listing)


async def _hit(
    app: App, selection: Selection, begin: Sequence[Node], args: ImpactArgs
) -> tuple[list[Reached], bool]:
    graph = app.store.graph
    wanted = followed(args.change_type)
    if args.relationship_filter:
        wanted = relations(args.relationship_filter)
    ways = Ways(out=wanted & {"FLOWS_TO"}, into=wanted - {"FLOWS_TO"})
    # A class that names its own method in its body changes with it; that others inherit or create
    # the class does not make them feel that.
    holders = await _holders(graph, selection, begin[0])
    bounds = replace(course(args, args.max_depth), stop_at=holders)
    found = await travel(graph, selection, begin, ways, bounds)
    return pruned(found.reached, args, begin), found.is_capped


async def _holders(graph: Graph, selection: Selection, node: Node) -> frozenset[str]:
    """Classes the symbol stands in."""
    up = Course(relations=frozenset({CONTAINS}), direction="in", depth=_DEEPEST)
    found = (await graph.follow(selection, [node.id], up)).steps
    return frozenset(step.node.id for step in found if step.node.kind in CONTAINERS)


def _entry(level: str, one: Reached, call: Call, args: ImpactArgs, target: Target) -> Entry:
    made = partial(related, one, call, args.verbosity, target.ids)
    return Entry(node=one.node, make=made, group=(min(one.depth, 3), level, one.edge.relation))


def _rank(level: Severity, one: Reached, pages: Pages) -> tuple[Any, ...]:
    tier, relation = min(one.depth, 3), one.edge.relation
    near = pages.rank(one.node, one.degree)
    is_guess = one.sureness <= GUESS
    return (tier, -LEVELS.index(level), order(relation), relation, is_guess, one.depth, *near)


def _head(
    target: Target, args: ImpactArgs, what: tuple[list[tuple[Any, Reached]], list[str], bool]
) -> Row:
    hit, told, is_capped = what
    counts = Counter(level for level, _ in hit)
    worst = next((level for level in reversed(LEVELS) if counts[level]), "none")
    head: Row = {
        "symbol": headed(target.nodes),
        "change_type": args.change_type,
        # What is not known may be worse than what is.
        "risk": "incomplete" if told and worst in ("none", "low") else worst,
        "severities": {level: counts[level] for level in reversed(LEVELS) if counts[level]},
        "files": count_files(one.node for _, one in hit),
    }
    return head | ({"doubts": told} if told else {}) | ({"capped": True} if is_capped else {})


def _head_lines(head: Row) -> list[str]:
    counted = ", ".join(f"{n} {level}" for level, n in head["severities"].items()) or "nothing"
    files = "file" if head["files"] == 1 else "files"
    lines = [
        f"{CHANGES[head['change_type']]} {line(head['symbol'])}",
        f"Risk: {head['risk']} — {counted} in {head['files']} {files}",
    ]
    return lines + [f"Doubt: {one}" for one in head.get("doubts", ())]


def _tier(one: Grouped) -> Row:
    tier, level, relation = one[0]
    told = {"tier": tier, "severity": level, "relation": relation}
    return told | together(one, hops=2 if tier == 2 else None)


IMPACT = Tool(
    name="code.analyze_impact",
    description=DESCRIPTION,
    args=ImpactArgs,
    output=ImpactReply,
    run=run_impact,
    bare="analyze_impact",
)
