"""The graph tools of seed 000's first server: the ``graph`` family with the old defaults."""

from typing import Literal

from pydantic import Field

from commonplace.domain.evidence import Reply
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolArgs
from commonplace.tools.graph.describe import FIELDS, DescribeArgs, DescribeReply, run_describe
from commonplace.tools.graph.entities import (
    EntitiesArgs,
    EntitiesReply,
    SectionsArgs,
    SectionsReply,
    run_entities,
    run_sections,
)
from commonplace.tools.graph.expand import Direction, ExpandArgs, ExpandReply, run_expand
from commonplace.tools.graph.nodes import Ids, Names, Starts
from commonplace.tools.graph.paths import PathsArgs, PathsReply, run_paths
from commonplace.tools.graph.tree import (
    ChildrenArgs,
    ChildrenReply,
    ParentsArgs,
    ParentsReply,
    run_children,
    run_parents,
)
from commonplace.tools.paging import MOST_TOKENS, CursorText, SessionId
from commonplace.tools.scope import Name

_PAGE = 100  # the old tools without a cursor gave all at once
NodeField = Literal[
    "id", "kind", "name", "title", "document_id", "edges_in", "edges_out", "properties"
]


class DescribeNodesArgs(ToolArgs):
    """Arguments of describe_nodes."""

    node_ids: Ids
    fields: list[NodeField] | None = None
    session_id: SessionId | None = None


class ExpandNeighborsArgs(ToolArgs):
    """Arguments of expand_neighbors."""

    node_ids: Starts
    rel_types: Names = Field(default=[])
    direction: Direction = "both"
    max_hops: int = Field(default=1, ge=1, le=3)
    include_snippet: bool = False
    cursor: CursorText | None = None
    page_size: int = Field(default=25, ge=1, le=100)
    session_id: SessionId | None = None


class PathsBetweenArgs(ToolArgs):
    """Arguments of get_paths_between."""

    a_ids: Starts
    b_ids: Starts
    rel_types: Names = Field(default=[])
    max_hops: int = Field(default=3, ge=1, le=6)
    max_paths: int = Field(default=10, ge=1, le=50)
    cursor: CursorText | None = None
    session_id: SessionId | None = None


class ListChildrenArgs(ToolArgs):
    """Arguments of list_children."""

    parent_id: Name
    cursor: CursorText | None = None
    page_size: int = Field(default=50, ge=1, le=100)
    session_id: SessionId | None = None


class ListParentsArgs(ToolArgs):
    """Arguments of list_parents."""

    section_ids: Ids
    session_id: SessionId | None = None


class EntitiesForSectionsArgs(ToolArgs):
    """Arguments of get_entities_for_sections."""

    section_ids: Ids
    labels: Names = Field(default=[])
    max_per_section: int = Field(default=20, ge=1, le=100)
    session_id: SessionId | None = None


class SectionsForEntitiesArgs(ToolArgs):
    """Arguments of get_sections_for_entities."""

    entity_ids: Ids
    max_per: int = Field(default=20, ge=1, le=100)
    session_id: SessionId | None = None


class TraverseArgs(ToolArgs):
    """Arguments of traverse_relationships."""

    start_ids: Starts
    rel_types: Names = Field(default=[])
    max_depth: int = Field(default=2, ge=1, le=3)
    include_text: bool = False
    session_id: SessionId | None = None


async def run_describe_nodes(app: App, call: Call, args: DescribeNodesArgs) -> Reply:
    """graph.describe; id, kind, name and title are always there."""
    fields = None if args.fields is None else [one for one in FIELDS if one in args.fields]
    wide = DescribeArgs(
        node_ids=args.node_ids, fields=fields, page_size=_PAGE, max_response_tokens=MOST_TOKENS
    )
    return await run_describe(app, call, wide)


async def run_expand_neighbors(app: App, call: Call, args: ExpandNeighborsArgs) -> Reply:
    """graph.expand."""
    given = args.model_dump(exclude={"session_id"})
    return await run_expand(app, call, ExpandArgs(**given, max_response_tokens=MOST_TOKENS))


async def run_paths_between(app: App, call: Call, args: PathsBetweenArgs) -> Reply:
    """graph.paths."""
    given = args.model_dump(exclude={"session_id"})
    return await run_paths(app, call, PathsArgs(**given, max_response_tokens=MOST_TOKENS))


async def run_list_children(app: App, call: Call, args: ListChildrenArgs) -> Reply:
    """graph.children."""
    given = args.model_dump(exclude={"session_id"})
    return await run_children(app, call, ChildrenArgs(**given, max_response_tokens=MOST_TOKENS))


async def run_list_parents(app: App, call: Call, args: ListParentsArgs) -> Reply:
    """graph.parents."""
    wide = ParentsArgs(
        section_ids=args.section_ids, page_size=_PAGE, max_response_tokens=MOST_TOKENS
    )
    return await run_parents(app, call, wide)


async def run_entities_for_sections(app: App, call: Call, args: EntitiesForSectionsArgs) -> Reply:
    """graph.entities_for_sections."""
    given = args.model_dump(exclude={"session_id"})
    wide = EntitiesArgs(**given, page_size=_PAGE, max_response_tokens=MOST_TOKENS)
    return await run_entities(app, call, wide)


async def run_sections_for_entities(app: App, call: Call, args: SectionsForEntitiesArgs) -> Reply:
    """graph.sections_for_entities."""
    given = args.model_dump(exclude={"session_id"})
    wide = SectionsArgs(**given, page_size=_PAGE, max_response_tokens=MOST_TOKENS)
    return await run_sections(app, call, wide)


async def run_traverse(app: App, call: Call, args: TraverseArgs) -> Reply:
    """graph.expand, deeper; text as snippets."""
    wide = ExpandArgs(
        node_ids=args.start_ids,
        rel_types=args.rel_types,
        max_hops=args.max_depth,
        include_snippet=args.include_text,
        page_size=_PAGE,
        max_response_tokens=MOST_TOKENS,
    )
    return await run_expand(app, call, wide)


DESCRIBE_NODES = Tool(
    name="describe_nodes",
    description="""\
Use when an older client asks by this name: what nodes are, and their relations.
Do not use when graph_describe is listed.
Returns at most 20 nodes without text, 10,000 tokens.
If you need more, call expand_neighbors with an id.
Defaults: all fields. Max: 20 node_ids.""",
    args=DescribeNodesArgs,
    output=DescribeReply,
    run=run_describe_nodes,
    is_legacy=True,
)
EXPAND_NEIGHBORS = Tool(
    name="expand_neighbors",
    description="""\
Use when an older client asks by this name: what is connected to nodes.
Do not use when graph_expand is listed.
Returns at most page_size nodes, 10,000 tokens; text only with include_snippet.
If you need more, send next_cursor back.
Defaults: max_hops 1, direction both, page_size 25. Max: max_hops 3, page_size 100.""",
    args=ExpandNeighborsArgs,
    output=ExpandReply,
    run=run_expand_neighbors,
    is_legacy=True,
)
GET_PATHS_BETWEEN = Tool(
    name="get_paths_between",
    description="""\
Use when an older client asks by this name: how nodes are connected.
Do not use when graph_paths is listed.
Returns at most max_paths paths, 10,000 tokens.
If you need more, send next_cursor back.
Defaults: max_hops 3, max_paths 10. Max: max_hops 6, max_paths 50.""",
    args=PathsBetweenArgs,
    output=PathsReply,
    run=run_paths_between,
    is_legacy=True,
)
LIST_CHILDREN = Tool(
    name="list_children",
    description="""\
Use when an older client asks by this name: the parts of a document or section.
Do not use when graph_children is listed.
Returns at most page_size parts in reading order, 10,000 tokens.
If you need more, send next_cursor back.
Defaults: page_size 50. Max: page_size 100.""",
    args=ListChildrenArgs,
    output=ChildrenReply,
    run=run_list_children,
    is_legacy=True,
)
LIST_PARENTS = Tool(
    name="list_parents",
    description="""\
Use when an older client asks by this name: the sections and document around sections.
Do not use when graph_parents is listed.
Returns at most 100 ancestors, nearest first, 10,000 tokens.
If you need more, call it with fewer section_ids.
Defaults: none. Max: 20 section_ids.""",
    args=ListParentsArgs,
    output=ParentsReply,
    run=run_list_parents,
    is_legacy=True,
)
GET_ENTITIES_FOR_SECTIONS = Tool(
    name="get_entities_for_sections",
    description="""\
Use when an older client asks by this name: the entities sections tell of.
Do not use when graph_entities_for_sections is listed.
Returns at most max_per_section entities a section, 100 in all, 10,000 tokens.
If you need more, call it with fewer section_ids.
Defaults: max_per_section 20, all labels. Max: 20 section_ids, max_per_section 100.""",
    args=EntitiesForSectionsArgs,
    output=EntitiesReply,
    run=run_entities_for_sections,
    is_legacy=True,
)
GET_SECTIONS_FOR_ENTITIES = Tool(
    name="get_sections_for_entities",
    description="""\
Use when an older client asks by this name: the sections that tell of entities.
Do not use when graph_sections_for_entities is listed.
Returns at most max_per sections an entity, 100 in all, 10,000 tokens.
If you need more, call it with fewer entity_ids.
Defaults: max_per 20. Max: 20 entity_ids, max_per 100.""",
    args=SectionsForEntitiesArgs,
    output=SectionsReply,
    run=run_sections_for_entities,
    is_legacy=True,
)
TRAVERSE_RELATIONSHIPS = Tool(
    name="traverse_relationships",
    description="""\
Use when an older client asks by this name: what is reached from nodes within max_depth.
Do not use when graph_expand is listed.
Returns at most 100 nodes, 10,000 tokens; sentences of text only with include_text.
If you need more, call it from a node it returned.
Defaults: max_depth 2, no text. Max: max_depth 3, 10 start_ids.""",
    args=TraverseArgs,
    output=ExpandReply,
    run=run_traverse,
    is_legacy=True,
)
