"""``graph.entities_for_sections`` and ``graph.sections_for_entities``: text and its entities."""

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import AliasChoices, Field

from commonplace.domain.evidence import Reply
from commonplace.domain.graph import Node
from commonplace.domain.scope import Selection
from commonplace.domain.walk import Expansion, Reach, Reached
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.graph.listing import Entry, Listing, reply
from commonplace.tools.graph.nodes import (
    HIERARCHY,
    MOST_LISTED,
    PASSAGE,
    ROUTING,
    SPEAKS_OF,
    STRUCTURE,
    GraphReply,
    Ids,
    Names,
    NodeOut,
    PagedArgs,
    Sight,
    ask,
    bounds,
    named,
    quoted,
)
from commonplace.tools.scope import select

_DEEPEST = 8
_PER = Field(default=20, ge=1, le=100)


class EntitiesArgs(PagedArgs):
    """Arguments of graph.entities_for_sections."""

    section_ids: Ids = Field(description="Section or document ids, or passage_id handles.")
    kinds: Names = Field(
        default=[],
        validation_alias=AliasChoices("kinds", "labels"),
        description="Only these, such as Command; `labels` is accepted too.",
    )
    max_per_section: int = _PER
    include_snippet: bool = False


class SectionsArgs(PagedArgs):
    """Arguments of graph.sections_for_entities."""

    entity_ids: Ids = Field(description="Ids of graph replies.")
    max_per: int = _PER
    include_snippet: bool = False


class Spoken(NodeOut):
    """An end of a MENTIONS or DEFINES edge."""

    relation: Literal["MENTIONS", "DEFINES"]
    confidence: float


class EntityOut(Spoken):
    """What a section tells of."""

    section_id: str = Field(description="The section asked for.")


class SectionOut(Spoken):
    """A passage that tells of an entity; its id is the section_id of other tools."""

    entity_id: str = Field(description="The entity asked for.")


class EntitiesReply(GraphReply):
    """Reply of graph.entities_for_sections."""

    entities: list[EntityOut]


class SectionsReply(GraphReply):
    """Reply of graph.sections_for_entities."""

    sections: list[SectionOut]


ENTITIES_DESCRIPTION = f"""\
Use when you want the commands, settings, parameters, errors, procedures and concepts that found \
sections tell of. {ROUTING}
Returns at most max_per_section entities a section, those it defines first, inside \
max_response_tokens.
If you need more, call graph_sections_for_entities with an id, or send next_cursor back.
Defaults: max_per_section 20, page_size 25. Max: 20 ids, max_per_section 100."""

SECTIONS_DESCRIPTION = f"""\
Use when you hold entities and want the sections that define or mention them. {ROUTING}
Returns at most max_per sections an entity without text, defining ones first, inside \
max_response_tokens.
If you need more, call kb_read_excerpt with a passage_id, or send next_cursor back.
Defaults: max_per 20, page_size 25. Max: 20 ids, max_per 100."""


async def run_entities(app: App, call: Call, args: EntitiesArgs) -> Reply:
    """What each section tells of, those it defines first."""
    selection = await select(app, args.scope)
    asked = await ask(app, call, selection, args.section_ids)
    told = await asyncio.gather(*(_told(app, selection, one, args) for one in asked.node_ids))
    sections = [node for nodes, _ in told for node in nodes]
    asked.require(sections, "section_ids")
    is_capped = any(found.is_capped for _, found in told)
    entries = [
        _entry(one, section_id=nodes[0].id)
        for nodes, found in told
        for one in _defining_first(found.reached)[: args.max_per_section]
    ]
    listing = Listing(
        tool="graph.entities_for_sections",
        field="entities",
        noun="entities",
        entries=entries[:MOST_LISTED],
        line=lambda row: [f"{row['section_id']} {_how(row)} {named(row)}", *quoted(row)],
        head={**asked.unknown(sections), **bounds(is_capped=is_capped)},
        empty="No entity of these kinds was found in these sections.",
        shows_text=args.include_snippet,
    )
    return await reply(app, call, args, selection, listing)


async def _told(
    app: App, selection: Selection, section_id: str, args: EntitiesArgs
) -> tuple[Sequence[Node], Expansion]:
    """The section if it is there, and the entities of all its passages."""
    graph = app.store.graph
    down = Reach(hops=_DEEPEST, relations=HIERARCHY, direction="out", kinds=frozenset({PASSAGE}))
    below = await graph.expand(selection, [section_id], down)
    texts = [section_id, *(one.node.id for one in below.reached)] if below.starts else []
    reach = Reach(
        relations=SPEAKS_OF, direction="out", kinds=frozenset(args.kinds), limit=MOST_LISTED
    )
    found = await graph.expand(selection, texts, reach)
    entities = tuple(one for one in found.reached if one.node.kind not in STRUCTURE)
    is_capped = found.is_capped or below.is_capped
    return below.starts, Expansion(reached=entities, is_capped=is_capped)


async def run_sections(app: App, call: Call, args: SectionsArgs) -> Reply:
    """Where each entity is defined and mentioned."""
    selection = await select(app, args.scope)
    asked = await ask(app, call, selection, args.entity_ids)
    found = await asyncio.gather(
        *(_telling(app, selection, one, args.max_per) for one in asked.node_ids)
    )
    entities = [node for one in found for node in one.starts]
    asked.require(entities, "entity_ids")
    entries = [
        _entry(place, entity_id=one.starts[0].id)
        for one in found
        for place in one.reached[: args.max_per]
    ]
    listing = Listing(
        tool="graph.sections_for_entities",
        field="sections",
        noun="sections",
        entries=entries[:MOST_LISTED],
        line=lambda row: [f"{named(row)} {_how(row)} {row['entity_id']}", *quoted(row)],
        head={**asked.unknown(entities), **bounds(is_capped=any(one.is_capped for one in found))},
        empty="No section tells of these.",
        shows_text=args.include_snippet,
    )
    return await reply(app, call, args, selection, listing)


async def _telling(app: App, selection: Selection, entity_id: str, most: int) -> Expansion:
    """The passages that define an entity, then those that mention it."""
    defining, mentioning = await asyncio.gather(
        *(
            app.store.graph.expand(
                selection,
                [entity_id],
                Reach(
                    relations=frozenset({relation}),
                    direction="in",
                    kinds=frozenset({PASSAGE}),
                    limit=most,
                ),
            )
            for relation in ("DEFINES", "MENTIONS")
        )
    )
    first = {one.node.id for one in defining.reached}
    rest = tuple(one for one in mentioning.reached if one.node.id not in first)
    return Expansion(
        starts=defining.starts,
        reached=defining.reached + rest,
        is_capped=defining.is_capped or mentioning.is_capped,
    )


def _defining_first(reached: Sequence[Reached]) -> list[Reached]:
    return sorted(reached, key=lambda one: one.edge.relation != "DEFINES")


def _entry(one: Reached, **owner: str) -> Entry:
    fields: dict[str, Any] = {
        **owner,
        "relation": one.edge.relation,
        "confidence": round(one.edge.confidence, 2),
    }
    return Entry(sight=Sight(one.node, one.edge), fields=fields)


def _how(row: dict[str, Any]) -> str:
    return f"{row['relation']} ({row['confidence']:g})"


ENTITIES_FOR_SECTIONS = Tool(
    name="graph.entities_for_sections",
    description=ENTITIES_DESCRIPTION,
    args=EntitiesArgs,
    output=EntitiesReply,
    run=run_entities,
)
SECTIONS_FOR_ENTITIES = Tool(
    name="graph.sections_for_entities",
    description=SECTIONS_DESCRIPTION,
    args=SectionsArgs,
    output=SectionsReply,
    run=run_sections,
)
