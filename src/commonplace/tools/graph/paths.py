"""``graph.paths``: how two nodes are connected."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import closing, one_line
from commonplace.domain.evidence import Reply
from commonplace.domain.walk import Reach, Trail
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolOutput
from commonplace.tools.graph.expand import Direction, relations
from commonplace.tools.graph.nodes import (
    ROUTING,
    GraphArgs,
    GraphReply,
    Names,
    Starts,
    ask,
    bounds,
    brief,
    remarks,
)
from commonplace.tools.paging import Continuation, budget, fingerprint, response_tokens
from commonplace.tools.scope import select


class PathsArgs(GraphArgs):
    """Arguments of graph.paths."""

    a_ids: Starts = Field(description="Where paths begin: ids as in graph_expand.")
    b_ids: Starts = Field(description="Where they end.")
    rel_types: Names = Field(default=[], description="Follow only these.")
    direction: Direction = Field(default="both", description="out: along the edges, from a to b.")
    max_hops: int = Field(default=3, ge=1, le=6)
    max_paths: int = Field(default=10, ge=1, le=50)


class Stop(ToolOutput):
    """A node of a path."""

    id: str
    kind: str
    name: str


class PathStep(ToolOutput):
    """An edge of a path."""

    relation: str
    direction: Literal["out", "in"] = Field(description="Seen from the node before it.")
    confidence: float


class PathOut(ToolOutput):
    """One path."""

    hops: int
    score: float
    nodes: list[Stop]
    steps: list[PathStep] = Field(description="One fewer than nodes.")


class PathsReply(GraphReply):
    """Reply of graph.paths."""

    paths: list[PathOut]


DESCRIPTION = f"""\
Use when you hold two nodes, or two small sets, and want to know how they are connected. {ROUTING}
Returns at most max_paths paths of ids, kinds and names, surest and shortest first, inside \
max_response_tokens.
If you need more, call graph_describe or kb_read_excerpt for a node of a path, or send \
next_cursor back.
Defaults: max_hops 3, max_paths 10. Max: 10 ids a side, max_hops 6, max_paths 50."""


async def run_paths(app: App, call: Call, args: PathsArgs) -> Reply:
    """Search from both ends, rank, pack."""
    selection = await select(app, args.scope)
    begin, end = [await ask(app, call, selection, ids) for ids in (args.a_ids, args.b_ids)]
    reach = Reach(
        hops=args.max_hops,
        relations=relations(args.rel_types),
        direction=args.direction,
        limit=args.max_paths,
    )
    found = await app.store.graph.paths(selection, begin.node_ids, end.node_ids, reach)
    begin.require(found.starts, "a_ids")
    end.require(found.goals, "b_ids")
    stats = await app.store.passages.stats(selection.project)
    facts = {"tool": "graph.paths", **fingerprint(args)}
    continuation = Continuation(app.cursors, stats.generation, facts)
    page = Page(continuation.offset(args.cursor), args.max_paths)
    both = type(begin)({**begin.ids, **end.ids})
    head = {**both.unknown((*found.starts, *found.goals)), **bounds(is_capped=found.is_capped)}

    def shape(trails: Sequence[Trail], tail: Tail) -> Form:
        structured = {"paths": [_row(trail) for trail in trails], **head}
        structured |= continuation.fields(tail) | app.marks(call, ())
        lines = [_line(row) for row in structured["paths"]]
        lines = lines or [f"No path within {args.max_hops} hops by what was asked for."]
        lines += [*remarks(structured), closing(structured, "paths")]
        return Form("\n".join(lines), structured)

    return pack(found.trails, page, budget(app, response_tokens(app, args)), shape)


def _row(trail: Trail) -> dict[str, Any]:
    return {
        "hops": len(trail.edges),
        "score": round(trail.score, 4),
        "nodes": [
            {"id": node.id, "kind": node.kind, "name": brief(node.name)} for node in trail.nodes
        ],
        "steps": [
            {
                "relation": edge.relation,
                "direction": way,
                "confidence": round(edge.confidence, 2),
            }
            for edge, way in zip(trail.edges, trail.ways, strict=True)
        ],
    }


def _line(row: dict[str, Any]) -> str:
    stops = [f"{stop['kind']} {one_line(stop['name'])} [{stop['id']}]" for stop in row["nodes"]]
    line = stops[0]
    for step, stop in zip(row["steps"], stops[1:], strict=True):
        how = f"{step['relation']} {step['confidence']:g}"
        line += f" —{how}→ {stop}" if step["direction"] == "out" else f" ←{how}— {stop}"
    return f"{line} · score {row['score']:g}"


PATHS = Tool(
    name="graph.paths",
    description=DESCRIPTION,
    args=PathsArgs,
    output=PathsReply,
    run=run_paths,
)
