"""``graph.expand``: what stands around some nodes, nearest and surest first."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from commonplace.domain.evidence import Reply
from commonplace.domain.walk import Reach, Reached
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.graph.listing import Entry, Listing, reply
from commonplace.tools.graph.nodes import (
    ROUTING,
    GraphReply,
    Names,
    NodeOut,
    PagedArgs,
    Sight,
    Starts,
    ask,
    bounds,
    named,
    quoted,
)
from commonplace.tools.scope import select

MOST_NEIGHBOURS = 100
"""Nodes of one list over all its pages; whoever wants more asks for fewer kinds or relations."""
_OTHER_WORDS = {"outgoing": "out", "incoming": "in"}
Direction = Annotated[
    Literal["both", "out", "in"],
    BeforeValidator(
        lambda value: _OTHER_WORDS.get(value, value) if isinstance(value, str) else value
    ),
]


class ExpandArgs(PagedArgs):
    """Arguments of graph.expand."""

    node_ids: Starts = Field(description="Node, section or document ids, or passage_id handles.")
    rel_types: Names = Field(default=[], description="Follow only these, such as MENTIONS.")
    direction: Direction = "both"
    max_hops: int = Field(default=1, ge=1, le=3)
    kinds: Names = Field(default=[], description="Show only these, such as Command.")
    include_snippet: bool = False


class Neighbour(NodeOut):
    """A node around the ones asked for."""

    relation: str
    direction: Literal["out", "in"] = Field(description="Of the edge, seen from `from`.")
    from_: str = Field(alias="from", description="The node before it.")
    hops: int
    confidence: float = Field(description="Of the edge.")
    score: float = Field(description="Confidence, less with each hop and through hubs.")
    origins: list[str] | None = Field(default=None, description="Which of several starts.")


class ExpandReply(GraphReply):
    """Reply of graph.expand."""

    nodes: list[Neighbour]


DESCRIPTION = f"""\
Use when you hold ids and want what is connected to them: sections, links, commands, settings, \
errors, concepts. {ROUTING}
Returns at most page_size nodes without text, best first, inside max_response_tokens.
If you need more, call graph_paths between two nodes, kb_read_excerpt with a passage_id, or send \
next_cursor back.
Defaults: max_hops 1, both directions, page_size 25. Max: 10 ids, max_hops 3, 100 nodes."""


def relations(names: list[str]) -> frozenset[str]:
    """Relation names as stored, however they are spelled.

    >>> sorted(relations(["mentions", "NEXT"]))
    ['MENTIONS', 'NEXT', 'mentions']
    """
    return frozenset(names) | {name.upper() for name in names}


async def run_expand(app: App, call: Call, args: ExpandArgs) -> Reply:
    """Walk, rank, pack."""
    selection = await select(app, args.scope)
    asked = await ask(app, call, selection, args.node_ids)
    reach = Reach(
        hops=args.max_hops,
        relations=relations(args.rel_types),
        kinds=frozenset(args.kinds),
        direction=args.direction,
        limit=MOST_NEIGHBOURS,
    )
    found = await app.store.graph.expand(selection, asked.node_ids, reach)
    asked.require(found.starts, "node_ids")
    is_several = len(found.starts) > 1
    listing = Listing(
        tool="graph.expand",
        field="nodes",
        noun="nodes",
        entries=[entry(one, with_origins=is_several) for one in found.reached],
        line=line,
        head={**asked.unknown(found.starts), **bounds(is_capped=found.is_capped)},
        empty=f"Nothing is connected within {args.max_hops} hop(s) by what was asked for.",
        shows_text=args.include_snippet,
    )
    return await reply(app, call, args, selection, listing)


def entry(reached: Reached, *, with_origins: bool = False) -> Entry:
    """A node reached, as an entry of a list."""
    edge = reached.edge
    fields: dict[str, Any] = {
        "relation": edge.relation,
        "direction": reached.way,
        "from": edge.source if reached.way == "out" else edge.target,
        "hops": reached.hops,
        "confidence": round(edge.confidence, 2),
        "score": round(reached.score, 3),
    }
    if with_origins:
        fields["origins"] = list(reached.origins)
    return Entry(sight=Sight(reached.node, edge), fields=fields)


def line(row: dict[str, Any]) -> list[str]:
    """A row as text."""
    way = "→" if row["direction"] == "out" else "←"
    hops = f" · {row['hops']} hops" if row["hops"] > 1 else ""
    how = f"{row['relation']} {row['confidence']:g}{hops}"
    return [f"{row['from']} {way} {named(row)} · {how} · score {row['score']:g}", *quoted(row)]


EXPAND = Tool(
    name="graph.expand",
    description=DESCRIPTION,
    args=ExpandArgs,
    output=ExpandReply,
    run=run_expand,
)
