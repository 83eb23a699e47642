"""``code.find_usages``: every place a symbol is used, with the lines around it if asked for."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import Field, model_validator

from commonplace.cypher.reading import Inquiry
from commonplace.domain.course import Course, Step
from commonplace.domain.errors import InvalidArgument, NotFound
from commonplace.domain.evidence import Reply
from commonplace.domain.graph import Edge
from commonplace.domain.scope import Selection
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.code.args import IS_TOLD, Certainty, Names, SymbolArgs, Verbosity
from commonplace.tools.code.cards import CodeReply, SymbolOut, Told, headed, line, more_lines, row
from commonplace.tools.code.contents import fenced
from commonplace.tools.code.kinds import CERTAIN, GUESS
from commonplace.tools.code.listing import Entry, Listing, Pages, grouped, reply, totals
from commonplace.tools.code.mentions import mentioned
from commonplace.tools.code.naming import Several, Target, choose, resolve
from commonplace.tools.code.related import lines_of
from commonplace.tools.code.sharing import Row, Shared, heading, share
from commonplace.tools.code.sources import Text, read_text

TYPES: Mapping[str, str] = {
    "call": "CALLS",
    "create": "INSTANTIATES",
    "inherit": "INHERITS",
    "implement": "IMPLEMENTS",
    "override": "OVERRIDES",
    "import": "IMPORTS",
    "reference": "REFERENCES",
    "read": "READS",
    "write": "WRITES",
    "map": "MAPS_TO",
    "route": "HANDLES",
    "request": "REQUESTS",
    "test": "TESTS",
    "document": "DOCUMENTS",
}
_WORDS = {relation: word for word, relation in TYPES.items()}
_MOST_USERS = 5000
_MOST_PLACES = 20
_MOST_OF_ONE = 8  # lines behind the first: statements of SQL may go over a page
_WITHIN = "MATCH (a)-[e]->(b) WHERE a.id IN $ids AND b.id IN $ids AND type(e) IN $types RETURN e"


class UsagesArgs(SymbolArgs):
    """Arguments of code.find_usages."""

    usage_types: Names = Field(default=[], description="call, read, write, import, test, …")
    include_context: bool = Field(default=False, json_schema_extra=IS_TOLD)
    context_lines: int = Field(default=1, ge=0, le=10, json_schema_extra=IS_TOLD)
    min_confidence: Certainty = 0.0
    verbosity: Verbosity = "summary"

    @property
    def shows_context(self) -> bool:
        """Whoever says how many lines wants them."""
        given = self.model_fields_set & {"context_lines", "include_context"}
        return self.include_context or given == {"context_lines"}

    @model_validator(mode="after")
    def _agrees(self) -> "UsagesArgs":
        is_denied = "include_context" in self.model_fields_set and not self.include_context
        if is_denied and "context_lines" in self.model_fields_set:
            raise ValueError("context_lines needs include_context true; or leave it out")
        return self


class Usage(Told):
    """Who uses it, and where."""

    at: str | None = Field(default=None, description="File and the lines of use.")
    confidence: float | None = None
    how: str | None = Field(default=None, description="How it was found.")
    context: str | None = Field(default=None, description="Verbatim, lines numbered.")


class UsageGroup(Shared):
    """Usages of one type."""

    type: str
    total: int
    confidence: float | None = Field(default=None, description="Of all of them.")
    usages: list[Usage]


class UsagesReply(CodeReply):
    """Reply of code.find_usages."""

    symbol: SymbolOut | None = None
    groups: list[UsageGroup]
    note: str | None = None


DESCRIPTION = """\
Use when you want every line that uses a symbol: field, constant, column, function.
Do not use when callers are enough: code_get_dependencies.
Returns at most limit users by type with lines, inside max_response_tokens.
If you need more, include_context, or send next_cursor back.
Defaults: all types, no context, context_lines 1, limit 20, summary. Max: limit 200, \
context_lines 10."""


@dataclass(frozen=True, slots=True)
class _User:
    type: str
    step: Step


async def run_usages(app: App, call: Call, args: UsagesArgs) -> Reply:
    """Resolve, take each relation by itself, rank, add lines, pack."""
    selection = await args.select(app)
    wanted = _wanted(args.usage_types)
    pages = Pages(call, "code.find_usages", args)
    target = await resolve(app, call, selection, args)
    if isinstance(target, Several):
        return choose(app, call, args, target, {"groups": []})
    users = await _users(app, selection, target, (wanted, args.min_confidence))
    users.sort(key=lambda one: _rank(one, pages))
    texts, note = await _texts(app, selection, args, await _page(app, selection, pages, users))
    note = note if users else await mentioned(app, selection, target.node)
    entries = [
        Entry(node=one.step.node, make=partial(_row, one, args, texts), group=(one.type,))
        for one in users
    ]
    counts = totals(entries)

    def body(page: Sequence[Entry]) -> tuple[Mapping[str, Any], list[str]]:
        groups = [_group(one) for one in grouped(page, counts)]
        return {"groups": groups}, _lines(groups)

    shown = headed(target.nodes)
    listing = Listing(
        entries=entries,
        body=body,
        noun="users",
        head={"symbol": shown, **({"note": note} if note else {})},
        lines=[line(shown) if entries else f"{line(shown)}\nNo usage found."],
        remarks=[f"Note: {note}"] if note else [],
    )
    return await reply(app, call, args, (selection, pages), listing)


def _rank(one: _User, pages: Pages) -> tuple[Any, ...]:
    """By type; what rests on the name alone comes last."""
    is_guess = one.step.edge.confidence <= GUESS
    return (one.type, is_guess, *pages.rank(one.step.node, one.step.degree))


def _wanted(types: list[str]) -> list[str]:
    """Relations of these types, which may be named by the relation or as many: CALLS, calls."""
    named = [name.lower().replace("-", "_") for name in types]
    meant = [TYPES.get(name) or TYPES.get(name.removesuffix("s")) or name.upper() for name in named]
    for name, relation in zip(types, meant, strict=True):
        if relation not in _WORDS:
            raise InvalidArgument(
                f"no usage type {name!r}; known: {', '.join(TYPES)}", field="usage_types"
            )
    return list(dict.fromkeys(meant)) or list(TYPES.values())


async def _users(
    app: App, selection: Selection, target: Target, how: tuple[list[str], float]
) -> list[_User]:
    """Who uses it, each relation by itself: one that reads and writes is there twice."""
    wanted, sure = how

    async def one(relation: str) -> list[_User]:
        course = Course(
            relations=frozenset({relation}),
            direction="in",
            min_confidence=sure,
            limit=_MOST_USERS,
        )
        found = await app.store.graph.follow(selection, target.ids, course)
        return [_User(_WORDS[relation], step) for step in found.steps]

    counted = await app.store.graph.describe(selection, target.ids)
    there = [name for name in wanted if any(name in node.edges_in for node in counted)]
    users = [user for found in await asyncio.gather(*map(one, there)) for user in found]
    edges = sum(node.edges_in.get(name, 0) for node in counted for name in there)
    if edges > len(users):
        users += await _own(app, selection, target, (there, sure))
    return users


async def _own(
    app: App, selection: Selection, target: Target, how: tuple[list[str], float]
) -> list[_User]:
    """Where it uses itself, or one overload another: no walk comes back to where it began."""
    wanted, sure = how
    answer = await app.store.graph.query(
        selection, Inquiry(text=_WITHIN, parameters={"ids": target.ids, "types": wanted})
    )
    nodes = {node.id: node for node in target.nodes}
    users = []
    for (link,) in answer.rows:
        edge = Edge(
            source=link.source,
            target=link.target,
            relation=link.type,
            project=selection.project,
            document_id=nodes[link.source].document_id,
            confidence=link.confidence,
            properties=link.properties,
        )
        if edge.confidence >= sure:
            step = Step(node=nodes[link.source], edge=edge, depth=1, way="in", degree=0)
            users.append(_User(_WORDS[link.type], step))
    return users


async def _page(
    app: App, selection: Selection, pages: Pages, users: Sequence[_User]
) -> Sequence[_User]:
    _, page = await pages.continuation(app, selection)
    return users[page.offset : page.offset + page.size]


async def _texts(
    app: App, selection: Selection, args: UsagesArgs, users: Sequence[_User]
) -> tuple[dict[str, Text], str]:
    """The files of a page of users, when their lines are wanted."""
    if not args.shows_context:
        return {}, ""
    ids = dict.fromkeys(one.step.edge.document_id for one in users)
    documents = await app.store.graph.describe(selection, [key for key in ids if key])
    texts: dict[str, Text] = {}
    notes = []
    for document in documents:
        try:
            texts[document.node.id] = await read_text(app, selection, document.node)
        except NotFound as exc:
            notes.append(exc.message)
    notes += [f"{text.path}: {text.note}" for text in texts.values() if text.note]
    return texts, "; ".join(notes[:3])


def _row(one: _User, args: UsagesArgs, texts: Mapping[str, Text]) -> Row:
    step = one.step
    shown = row(step.node, args.verbosity)
    if args.verbosity == "standard":  # where it is used is what was asked for
        shown = {name: value for name, value in shown.items() if name not in ("doc", "summary")}
    where = str(step.edge.properties.get("at") or "")
    file = step.edge.properties.get("file") or step.node.properties.get("file")
    if where and file:
        shown["at"] = f"{file}:{lines_of(where)}"
    if step.edge.confidence < CERTAIN:
        shown["confidence"] = round(step.edge.confidence, 2)
    if args.verbosity == "full" and step.edge.properties.get("how"):
        shown["how"] = str(step.edge.properties["how"])
    text = texts.get(step.edge.document_id or "")
    if text is not None and where:
        shown["context"] = _context(text, lines_of(where), args.context_lines)
    return shown


def _context(text: Text, where: str, around: int) -> str:
    """The lines of some places with those around them, each once and numbered."""
    numbers: set[int] = set()
    for place in where.split(",")[:_MOST_PLACES]:
        first, _, last = place.partition("-")
        if first.isdigit():
            end = min(int(last or first), int(first) + _MOST_OF_ONE)
            numbers |= set(range(int(first) - around, end + around + 1))
    known = sorted(number for number in numbers if 0 < number <= len(text.lines))
    return "\n".join(f"{number}: {text.lines[number - 1]}" for number in known)


def _group(one: tuple[tuple[Any, ...], int, list[Entry]]) -> Row:
    (kind,), total, entries = one
    shared, rows = share([entry.row for entry in entries])
    return {"type": kind, "total": total, **shared, "usages": rows}


def _lines(groups: Sequence[Row]) -> list[str]:
    lines = []
    for group in groups:
        lines.append(f"{group['type']} ({group['total']}){_sure(group)}{heading(group)}:")
        for shown in group["usages"]:
            lines += [f"- {line(shown)}{_sure(shown)}", *more_lines(shown)]
            if shown.get("context"):
                lines.append(fenced(shown["context"], ""))
    return lines


def _sure(shown: Mapping[str, Any]) -> str:
    sure = shown.get("confidence")
    notes = [f"{sure:g}"] if sure is not None else []
    notes += [str(shown["how"])] if shown.get("how") else []
    return f" ({', '.join(notes)})" if notes else ""


USAGES = Tool(
    name="code.find_usages",
    description=DESCRIPTION,
    args=UsagesArgs,
    output=UsagesReply,
    run=run_usages,
    bare="find_usages",
)
