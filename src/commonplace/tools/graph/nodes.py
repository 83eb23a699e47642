"""What all graph tools share: ids as callers name them, nodes as replies show them, snippets.

Projections only (000 §6.2): ids, kinds, names and short fields. Text appears when it is asked for,
as whole sentences with their place.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from commonplace.answer.preview import preview
from commonplace.answer.render import one_line, quotation
from commonplace.answer.spans import split_spans
from commonplace.domain.document import Span
from commonplace.domain.errors import NotFound
from commonplace.domain.evidence import Quote
from commonplace.domain.graph import Edge, Node
from commonplace.domain.passage import Located
from commonplace.domain.scope import Selection
from commonplace.tools.app import App, Call
from commonplace.tools.base import ToolOutput
from commonplace.tools.ids import whole_ids
from commonplace.tools.paging import BudgetedArgs, CursorText, Listed, ResponseTokens
from commonplace.tools.scope import Name, Scope

MOST_LISTED = 200
"""Entries of one list over all its pages."""
MOST_UNKNOWN = 10
SNIPPET_CHARS = 240
_NAME_CHARS = 120
_ID_CHARS = 40
PASSAGE = "Passage"
STRUCTURE = frozenset({"Document", "Section", PASSAGE, "Anchor", "Context"})
"""Kinds that hold text; all others are entities."""
HIERARCHY = frozenset({"HAS_SECTION", "PARENT_OF", "HAS_PASSAGE", "HAS_STEP", "HAS_PARAMETER"})
"""Relations from a whole to its parts."""
SPEAKS_OF = frozenset({"MENTIONS", "DEFINES"})
"""Relations from a text to what it speaks of."""

# 000 §6.3 asks for these three in every description.
ROUTING = """\
Use after kb_search to explore relationships between the top 1–3 candidates. Do not call if \
neo4j_disabled=true or `degraded` names the graph (use kb_search/kb_retrieve_evidence only). Do \
not fetch text until you have narrowed to ≤3 passages."""

Ids = Annotated[list[Name], Field(min_length=1, max_length=20)]
Starts = Annotated[list[Name], Field(min_length=1, max_length=10)]
"""Ids to walk from: work grows with each."""
Names = Annotated[list[Name], Field(max_length=30)]


class GraphScope(Scope):
    """As in kb_search."""

    # The same fields without their descriptions: eight tools repeat them in every conversation.
    project_id: Name | None = None
    environment: Name | None = None
    doc_tags: list[Name] = Field(default=[], max_length=50)
    repositories: list[Name] = Field(default=[], max_length=50)


class GraphArgs(BudgetedArgs):
    """What every graph tool takes."""

    cursor: CursorText | None = None
    scope: GraphScope | None = None
    max_response_tokens: ResponseTokens = 1500


class PagedArgs(GraphArgs):
    """What graph tools take that list nodes."""

    page_size: int = Field(default=25, ge=1, le=100)


class Snippet(ToolOutput):
    """Whole sentences that show a node, verbatim."""

    text: str
    section_id: str
    source_uri: str
    start_char: int
    end_char: int


class NodeOut(ToolOutput):
    """A node, projected."""

    id: str
    kind: str
    name: str = Field(description="At most 120 characters.")
    title: str | None = Field(default=None, description="Of its document, if another.")
    passage_id: str | None = Field(default=None, description="Handle for kb_read_excerpt.")
    snippet: Snippet | None = None


class GraphReply(Listed):
    """The tail of every graph reply."""

    unknown: list[str] = Field(default=[], description="Asked for and not there, the first 10.")
    unknown_count: int = 0
    capped: bool = Field(
        default=False, description="Limits left edges out: narrow by rel_types or kinds."
    )


def brief(name: str) -> str:
    """A name short enough for a list.

    >>> brief("word " * 40)[-8:], brief("a b")
    ('rd word…', 'a b')
    """
    return name if len(name) <= _NAME_CHARS else name[: _NAME_CHARS - 1].rstrip() + "…"


@dataclass(frozen=True, slots=True)
class Asked:
    """Node ids as a caller named them: stable ids, or handles of this session."""

    ids: Mapping[str, str]
    """By what was sent, the node's own id."""

    @property
    def node_ids(self) -> list[str]:
        """The ids to look up, each once."""
        return list(dict.fromkeys(self.ids.values()))

    def unknown(self, seen: Iterable[Node]) -> dict[str, Any]:
        """Reply fields for what is not there; nothing when all is."""
        known = {node.id for node in seen}
        missing = [sent for sent, node_id in self.ids.items() if node_id not in known]
        if not missing:
            return {}
        shown = [one[:_ID_CHARS] for one in missing[:MOST_UNKNOWN]]
        return {"unknown": shown, "unknown_count": len(missing)}

    def require(self, seen: Sequence[Node], field: str) -> None:
        """Raise NotFound when none of them is there."""
        if not seen:
            raise NotFound(
                f"none of {field} is in this project and scope; use ids of a kb_search reply "
                "(section_id, passage_id) or of a graph reply (id)",
                field=field,
                ids=[one[:_ID_CHARS] for one in self.ids][:5],
            )


async def ask(app: App, call: Call, selection: Selection, sent: Sequence[str]) -> Asked:
    """Ids as sent: handles replaced by the passages they stand for, beginnings by whole ids."""

    def node_id(one: str) -> str:
        try:
            return app.note(call, selection, one).located.passage.id
        except NotFound:
            return one

    ids = {one: node_id(one) for one in sent}
    whole = await whole_ids(app, selection, ids.values())
    return Asked({one: whole[own] for one, own in ids.items()})


@dataclass(frozen=True, slots=True)
class Sight:
    """A node to be shown, and the edge by which it came into sight."""

    node: Node
    edge: Edge | None = None


class Gallery:
    """Nodes of one page as rows: titles, handles and, if asked for, snippets."""

    def __init__(self, app: App, call: Call) -> None:
        self._app, self._call = app, call
        self._titles: dict[str, str] = {}
        self._texts: dict[str, Located] = {}
        self._shows_text = False

    async def prepare(
        self, selection: Selection, sights: Sequence[Sight], *, shows_text: bool = False
    ) -> None:
        """Fetch what the rows of these nodes need."""
        self._shows_text = shows_text
        owners = {sight.node.document_id for sight in sights if sight.node.kind != "Document"}
        store = self._app.store
        wanted = sorted(one for one in owners if one)
        for node in await store.graph.nodes(selection.project, wanted):
            self._titles[node.id] = node.name
        places = [sight.node.id for sight in sights if sight.node.kind == PASSAGE]
        if shows_text:
            places += [place for sight in sights if (place := _place(sight))]
        for located in await store.passages.get(selection, places):
            self._texts[located.passage.id] = located

    def row(self, sight: Sight) -> dict[str, Any]:
        """A node with what is known of it."""
        node = sight.node
        row: dict[str, Any] = {"id": node.id, "kind": node.kind, "name": brief(node.name)}
        title = self._titles.get(node.document_id or "", node.name)
        if title != node.name:
            row["title"] = brief(title)
        if node.kind == PASSAGE and node.id in self._texts:
            note = self._app.scratch.put(self._call.session.id, self._texts[node.id])
            row["passage_id"] = note.passage_id
        snippet = self._snippet(sight) if self._shows_text else None
        if snippet is not None:
            row["snippet"] = snippet
        return row

    def _snippet(self, sight: Sight) -> dict[str, Any] | None:
        place = sight.node.id if sight.node.kind == PASSAGE else _place(sight)
        located = self._texts.get(place or "")
        if located is None:
            return None
        quote = _quote(sight, located)
        return {
            "text": quote.text,
            "section_id": located.passage.id,
            "source_uri": located.address,
            "start_char": quote.span.start,
            "end_char": quote.span.end,
        }


def _place(sight: Sight) -> str | None:
    """The passage that shows a node: where its edge was read, or the passage it comes from."""
    if sight.edge is None or sight.node.kind in STRUCTURE:
        return None
    stated = sight.edge.properties.get("passage")
    return str(stated) if stated else sight.edge.source


def _quote(sight: Sight, located: Located) -> Quote:
    """The sentence in which an entity was read; else what best tells of it, or the first ones."""
    passage = located.passage
    at = sight.edge.properties.get("start") if sight.edge is not None else None
    if isinstance(at, int) and sight.node.kind != PASSAGE:
        for piece in split_spans(passage.text):
            start, end = passage.span.start + piece.start, passage.span.start + piece.end
            if start <= at < end and end - start <= 2 * SNIPPET_CHARS:
                text = passage.text[piece.start : piece.end]
                return Quote(text=text, span=Span(start, end), located=located, score=1.0)
    asked = sight.node.name if sight.node.kind != PASSAGE else ""
    return preview(asked, located, SNIPPET_CHARS)


def named(row: Mapping[str, Any]) -> str:
    """A node in a line of text: kind, name, document, id."""
    title = f" in {one_line(row['title'])}" if row.get("title") else ""
    handle = f" [passage_id {row['passage_id']}]" if row.get("passage_id") else ""
    return f"{row['kind']} {one_line(row['name'])}{title} [{row['id']}]{handle}"


def quoted(row: Mapping[str, Any]) -> list[str]:
    """The lines of a row's snippet."""
    snippet = row.get("snippet")
    if not snippet:
        return []
    where = f"{snippet['source_uri']} {snippet['start_char']}–{snippet['end_char']}"
    return [quotation(snippet["text"]), f"   {where} · {snippet['section_id']}"]


def bounds(*, is_capped: bool) -> dict[str, Any]:
    """Reply fields that tell of limits; nothing when none was met."""
    return {"capped": True} if is_capped else {}


def remarks(structured: Mapping[str, Any]) -> list[str]:
    """Lines about what is missing from a reply."""
    lines = []
    if structured.get("unknown"):
        names = ", ".join(one_line(one) for one in structured["unknown"])
        lines.append(f"unknown ({structured['unknown_count']}): {names}")
    if structured.get("capped"):
        lines.append("limits left edges out; narrow by rel_types or kinds")
    return lines
