"""``summarize_neighborhood``: what surrounds some nodes, counted and named; no model writes it."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import closing, one_line
from commonplace.domain.evidence import Reply
from commonplace.domain.walk import Expansion, Reach, Reached
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolArgs, ToolOutput
from commonplace.tools.graph.nodes import GraphReply, Starts, ask, bounds, brief, remarks
from commonplace.tools.legacy.search import ended
from commonplace.tools.paging import LEAST_TOKENS, MOST_TOKENS, SessionId, budget
from commonplace.tools.scope import select

_EXAMPLES = 5


class SummarizeArgs(ToolArgs):
    """Arguments of summarize_neighborhood."""

    node_ids: Starts
    token_budget: int = Field(default=400, ge=LEAST_TOKENS, le=MOST_TOKENS)
    session_id: SessionId | None = None


class Example(ToolOutput):
    """One of a group."""

    id: str
    name: str


class Group(ToolOutput):
    """Nodes of one kind, connected by one relation in one direction."""

    relation: str
    direction: Literal["out", "in"]
    kind: str
    count: int
    examples: list[Example] = Field(description="The nearest and surest.")


class SummarizeReply(GraphReply):
    """Reply of summarize_neighborhood."""

    summary: str = Field(description="What was asked about.")
    groups: list[Group]


async def run_summarize(app: App, call: Call, args: SummarizeArgs) -> Reply:
    """Count and name the neighbours by relation and kind, most telling groups first."""
    selection = await select(app, None)
    asked = await ask(app, call, selection, args.node_ids)
    found = await app.store.graph.expand(selection, asked.node_ids, Reach())
    asked.require(found.starts, "node_ids")
    head = {**asked.unknown(found.starts), **bounds(is_capped=found.is_capped)}
    groups = _groups(found.reached)
    summary = _summary(found)

    def shape(chosen: Sequence[dict[str, Any]], tail: Tail) -> Form:
        structured = {"summary": summary, "groups": list(chosen), **head, **ended(tail)}
        structured |= app.marks(call, ())
        lines = [summary, *(_line(group) for group in chosen)]
        return Form(
            "\n".join([*lines, *remarks(structured), closing(structured, "groups")]), structured
        )

    return pack(groups, Page(0, len(groups)), budget(app, args.token_budget), shape)


def _groups(reached: Sequence[Reached]) -> list[dict[str, Any]]:
    """Groups in the order of their best member."""
    groups: dict[tuple[str, str, str], list[Reached]] = {}
    for one in reached:
        groups.setdefault((one.edge.relation, one.way, one.node.kind), []).append(one)
    return [
        {
            "relation": relation,
            "direction": way,
            "kind": kind,
            "count": len(members),
            "examples": [
                {"id": one.node.id, "name": brief(one.node.name)} for one in members[:_EXAMPLES]
            ],
        }
        for (relation, way, kind), members in groups.items()
    ]


def _summary(found: Expansion) -> str:
    names = [f"{node.kind} {one_line(brief(node.name))}" for node in found.starts[:3]]
    more = f" and {len(found.starts) - 3} more" if len(found.starts) > 3 else ""
    return f"{', '.join(names)}{more}: {len(found.reached)} neighbours."


def _line(group: dict[str, Any]) -> str:
    way = "→" if group["direction"] == "out" else "←"
    names = "; ".join(f"{one_line(one['name'])} [{one['id']}]" for one in group["examples"])
    return f"{way} {group['relation']} {group['count']} {group['kind']}: {names}"


SUMMARIZE_NEIGHBORHOOD = Tool(
    name="summarize_neighborhood",
    description="""\
Use when an older client asks by this name: a count of what surrounds nodes, with examples.
Do not use when graph_expand is listed and you want the nodes themselves.
Returns at most token_budget tokens: neighbours by relation and kind, no text.
If you need more, call expand_neighbors with an id.
Defaults: token_budget 400. Max: 10 node_ids, token_budget 10,000.""",
    args=SummarizeArgs,
    output=SummarizeReply,
    run=run_summarize,
    is_legacy=True,
)
