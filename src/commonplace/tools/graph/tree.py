"""``graph.parents`` and ``graph.children``: up and down from a whole to its parts."""

import asyncio
from typing import Any

from pydantic import Field

from commonplace.domain.evidence import Reply
from commonplace.domain.walk import Reach, Reached
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.graph.listing import Entry, Listing, reply
from commonplace.tools.graph.nodes import (
    HIERARCHY,
    ROUTING,
    GraphReply,
    Ids,
    NodeOut,
    PagedArgs,
    Sight,
    ask,
    bounds,
    named,
    quoted,
)
from commonplace.tools.scope import Name, select

_DEEPEST = 12  # headings have six levels; lists and passages add some
MOST_CHILDREN = 999
_LAST = float("inf")


class ParentsArgs(PagedArgs):
    """Arguments of graph.parents."""

    section_ids: Ids = Field(description="Section or node ids, or passage_id handles.")


class ChildrenArgs(PagedArgs):
    """Arguments of graph.children."""

    parent_id: Name = Field(description="A document, section, procedure or command.")
    include_snippet: bool = False


class Parent(NodeOut):
    """A whole that a part belongs to."""

    of: str = Field(description="The part asked for.")
    level: int = Field(description="1 is the direct parent.")
    relation: str


class Child(NodeOut):
    """A part of a whole."""

    relation: str


class ParentsReply(GraphReply):
    """Reply of graph.parents."""

    parents: list[Parent]


class ChildrenReply(GraphReply):
    """Reply of graph.children."""

    children: list[Child]


PARENTS_DESCRIPTION = f"""\
Use when you hold a passage, section or step and want the sections and document around it. \
{ROUTING}
Returns at most page_size ancestors without text, nearest first for each id, inside \
max_response_tokens.
If you need more, call graph_children with an ancestor's id, or send next_cursor back.
Defaults: page_size 25. Max: 20 ids, page_size 100."""

CHILDREN_DESCRIPTION = f"""\
Use when you want the table of contents below a document or section, or the steps of a procedure. \
{ROUTING}
Returns at most page_size direct parts in reading order, without text, inside max_response_tokens.
If you need more, call it with a child's id, kb_read_excerpt with a passage_id, or send \
next_cursor back.
Defaults: page_size 25. Max: page_size 100, 999 parts."""


async def run_parents(app: App, call: Call, args: ParentsArgs) -> Reply:
    """Every ancestor of each part, nearest first."""
    selection = await select(app, args.scope)
    asked = await ask(app, call, selection, args.section_ids)
    reach = Reach(hops=_DEEPEST, relations=HIERARCHY, direction="in")
    found = await asyncio.gather(
        *(app.store.graph.expand(selection, [one], reach) for one in asked.node_ids)
    )
    parts = [node for one in found for node in one.starts]
    asked.require(parts, "section_ids")
    entries = [
        Entry(sight=Sight(up.node, up.edge), fields=_above(one.starts[0].id, up))
        for one in found
        for up in sorted(one.reached, key=lambda up: (up.hops, up.node.id))
    ]
    listing = Listing(
        tool="graph.parents",
        field="parents",
        noun="parents",
        entries=entries,
        line=lambda row: [f"{row['of']} ← {row['relation']} · level {row['level']} · {named(row)}"],
        head={**asked.unknown(parts), **bounds(is_capped=any(one.is_capped for one in found))},
        empty="Nothing contains these.",
    )
    return await reply(app, call, args, selection, listing)


def _above(part: str, up: Reached) -> dict[str, Any]:
    return {"of": part, "level": up.hops, "relation": up.edge.relation}


async def run_children(app: App, call: Call, args: ChildrenArgs) -> Reply:
    """Direct parts in reading order."""
    selection = await select(app, args.scope)
    asked = await ask(app, call, selection, [args.parent_id])
    reach = Reach(relations=HIERARCHY, direction="out", limit=MOST_CHILDREN)
    found = await app.store.graph.expand(selection, asked.node_ids, reach)
    asked.require(found.starts, "parent_id")
    listing = Listing(
        tool="graph.children",
        field="children",
        noun="children",
        entries=[
            Entry(sight=Sight(one.node, one.edge), fields={"relation": one.edge.relation})
            for one in sorted(found.reached, key=_reading_order)
        ],
        line=lambda row: [f"{row['relation']} → {named(row)}", *quoted(row)],
        head=bounds(is_capped=found.is_capped),
        empty="It has no parts.",
        shows_text=args.include_snippet,
    )
    return await reply(app, call, args, selection, listing)


def _reading_order(one: Reached) -> tuple[float, float, str, str]:
    start = one.node.properties.get("start", one.edge.properties.get("start"))
    order = one.edge.properties.get("order")
    return (
        float(start) if isinstance(start, int | float) else _LAST,
        float(order) if isinstance(order, int | float) else 0.0,
        one.node.name,
        one.node.id,
    )


PARENTS = Tool(
    name="graph.parents",
    description=PARENTS_DESCRIPTION,
    args=ParentsArgs,
    output=ParentsReply,
    run=run_parents,
)
CHILDREN = Tool(
    name="graph.children",
    description=CHILDREN_DESCRIPTION,
    args=ChildrenArgs,
    output=ChildrenReply,
    run=run_children,
)
