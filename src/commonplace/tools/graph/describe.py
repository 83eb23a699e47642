"""``graph.describe``: what some nodes are, and how much is connected to each."""

from typing import Any, Literal

from pydantic import Field

from commonplace.answer.render import one_line
from commonplace.domain.evidence import Reply
from commonplace.domain.graph import Value
from commonplace.domain.walk import Described
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.graph.listing import Entry, Listing, reply
from commonplace.tools.graph.nodes import (
    ROUTING,
    GraphReply,
    Ids,
    NodeOut,
    PagedArgs,
    Sight,
    ask,
    named,
    quoted,
)
from commonplace.tools.scope import select

Shown = Literal["document_id", "edges_in", "edges_out", "properties"]
FIELDS: tuple[Shown, ...] = ("document_id", "edges_in", "edges_out", "properties")
_VALUE_CHARS = 200


class DescribeArgs(PagedArgs):
    """Arguments of graph.describe."""

    node_ids: Ids = Field(description="Node, section or document ids, or passage_id handles.")
    fields: list[Shown] | None = Field(
        default=None, description="Only these beside id, kind, name."
    )
    include_snippet: bool = False


class Description(NodeOut):
    """A node, and how much is connected to it."""

    document_id: str | None = None
    edges_in: dict[str, int] | None = Field(
        default=None, description="By relation; 1000 means 1000 or more."
    )
    edges_out: dict[str, int] | None = None
    properties: dict[str, Value] | None = None


class DescribeReply(GraphReply):
    """Reply of graph.describe."""

    nodes: list[Description]


DESCRIPTION = f"""\
Use when you hold ids and want to know what they are and which relations they have. {ROUTING}
Returns at most page_size nodes in the order asked, without text, inside max_response_tokens.
If you need more, call graph_expand with an id, or send next_cursor back.
Defaults: all fields, page_size 25. Max: 20 ids."""


async def run_describe(app: App, call: Call, args: DescribeArgs) -> Reply:
    """Look up, project, pack."""
    selection = await select(app, args.scope)
    asked = await ask(app, call, selection, args.node_ids)
    found = await app.store.graph.describe(selection, asked.node_ids)
    nodes = [one.node for one in found]
    asked.require(nodes, "node_ids")
    shown = FIELDS if args.fields is None else tuple(args.fields)
    listing = Listing(
        tool="graph.describe",
        field="nodes",
        noun="nodes",
        entries=[Entry(sight=Sight(one.node), fields=_fields(one, shown)) for one in found],
        line=_line,
        head=asked.unknown(nodes),
        empty="None of these nodes is left on this page.",
        shows_text=args.include_snippet,
    )
    return await reply(app, call, args, selection, listing)


def _fields(one: Described, shown: tuple[Shown, ...]) -> dict[str, Any]:
    fields = {
        "document_id": one.node.document_id,
        "edges_in": dict(one.edges_in),
        "edges_out": dict(one.edges_out),
        "properties": {name: _short(value) for name, value in one.node.properties.items()},
    }
    return {name: fields[name] for name in FIELDS if name in shown and fields[name]}


def _short(value: Value) -> Value:
    """Properties are short fields: longer texts are not shown here."""
    if isinstance(value, str) and len(value) > _VALUE_CHARS:
        return f"({len(value)} characters)"
    return value


def _line(row: dict[str, Any]) -> list[str]:
    parts = [named(row)]
    for arrow, field in (("→", "edges_out"), ("←", "edges_in")):
        parts += [f"{arrow} {name} {count}" for name, count in row.get(field, {}).items()]
    if row.get("document_id") and row["document_id"] != row["id"]:
        parts.append(f"document {row['document_id']}")
    parts += [one_line(f"{name}={value!r}") for name, value in row.get("properties", {}).items()]
    return [" · ".join(parts), *quoted(row)]


DESCRIBE = Tool(
    name="graph.describe",
    description=DESCRIPTION,
    args=DescribeArgs,
    output=DescribeReply,
    run=run_describe,
)
