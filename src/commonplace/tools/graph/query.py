"""``graph.query``: read-only Cypher over the graph of a project (seeds 003 and 004)."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import closing, one_line
from commonplace.cypher.guard import Limits
from commonplace.cypher.reading import Answer, Inquiry
from commonplace.cypher.values import Link, Path, Value, Vertex
from commonplace.domain.errors import BudgetExceeded
from commonplace.domain.evidence import Reply
from commonplace.domain.scope import Selection
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.ids import asked_whole
from commonplace.tools.memory.replies import explain
from commonplace.tools.paging import (
    MOST_TOKENS,
    BudgetedArgs,
    Continuation,
    CursorText,
    Listed,
    ResponseTokens,
    budget,
    fingerprint,
    response_tokens,
)
from commonplace.tools.scope import Name, Scope, select

MAX_QUERY_CHARS = 20_000
MAX_LIMIT = 1000
_MOST_NESTED = 50
_UNSAFE = re.compile(r"[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_ONE_TYPE = BeforeValidator(lambda value: [value] if isinstance(value, str) else value)


class QueryArgs(BudgetedArgs):
    """Arguments of graph.query."""

    query: str = Field(
        min_length=1, max_length=MAX_QUERY_CHARS, pattern=r"\S", description="Cypher, read-only."
    )
    parameters: dict[str, Any] = Field(default={}, description="Values for $names.")
    limit: int = Field(default=100, ge=1, le=MAX_LIMIT, description="Most rows.")
    max_depth: int | None = Field(
        default=None, ge=1, le=100, description="Most edges of a variable-length pattern; told."
    )
    relationship_filter: Annotated[list[Name], _ONE_TYPE] = Field(
        default=[], max_length=50, description="Only these relationship types exist."
    )
    cursor: CursorText | None = None
    scope: Scope | None = None
    max_response_tokens: ResponseTokens = 2000


class QueryReply(Listed):
    """Reply of graph.query."""

    success: bool
    columns: list[str]
    results: list[dict[str, Any]] = Field(description="One object a row, by column.")
    row_count: int
    limited: bool = Field(description="limit, not the query, ended the rows.")
    shortened: bool = Field(
        default=False, description="max_depth ended paths that may go on: raise it for them."
    )
    hint: str | None = Field(default=None, description="Names in the query that nothing has.")


DESCRIPTION = """\
Use when a question about the graph needs a pattern, a count or a path: openCypher with MATCH, \
OPTIONAL MATCH, WHERE, WITH, UNWIND, RETURN, ORDER BY, SKIP, LIMIT, UNION. Labels: Document, \
Section, Passage, Command, Concept, Context, …; every node has id and name. Relationships: \
HAS_SECTION, PARENT_OF, NEXT, LINKS_TO, MENTIONS, DEFINES, … with confidence. Start with \
MATCH (n) RETURN labels(n), count(*).
Do not use when you look for text: kb_search. Nothing can be written; CALL is refused.
Returns at most limit rows inside max_response_tokens.
If you need more, send next_cursor back with the same arguments, or call graph_expand with an id.
Defaults: limit 100, the whole project. Max: limit 1000, 30 calls a minute."""


async def run_query(app: App, call: Call, args: QueryArgs) -> Reply:
    """Ask the engine, make rows plain, pack."""
    selection = await select(app, args.scope)
    settings = app.settings
    limits = Limits(
        timeout_s=min(settings.query_timeout_s, settings.tool_timeout_s),
        steps=settings.query_steps,
        rows=args.limit,
        max_depth=args.max_depth,
    )
    text, parameters = await asked_whole(app, selection, args.query, args.parameters)
    inquiry = Inquiry(
        text=text,
        parameters=parameters,
        relations=frozenset(args.relationship_filter),
        limits=limits,
    )
    stats = await app.store.passages.stats(selection.project)
    answer = await app.store.graph.query(selection, inquiry)
    facts = {"tool": "graph.query", **fingerprint(args)}
    continuation = Continuation(app.cursors, stats.generation, facts)
    page = Page(continuation.offset(args.cursor), args.limit)
    rows = [[plain(value) for value in row] for row in answer.rows]
    hint = "" if rows else await _hint(app, selection, args.query)

    def shape(entries: Sequence[list[Any]], tail: Tail) -> Form:
        structured: dict[str, Any] = {
            "success": True,
            "columns": list(answer.columns),
            "results": [dict(zip(answer.columns, row, strict=True)) for row in entries],
            "row_count": tail.returned_count,
            "limited": answer.has_more,
            **({"shortened": True} if answer.is_shortened else {}),
            **({"hint": hint} if hint else {}),
            **continuation.fields(tail),
            **app.marks(call, ()),
        }
        return Form(_text(answer, entries, structured), structured)

    try:
        return pack(rows, page, budget(app, response_tokens(app, args)), shape)
    except BudgetExceeded as exc:
        raise _smaller(exc) from exc


async def _hint(app: App, selection: Selection, query: str) -> str:
    """Which labels and types of a query without rows nothing has; letters count in Cypher."""
    from commonplace.cypher.vocabulary import (  # noqa: PLC0415 - tools are listed before
        unknown_names,
        vocabulary,
    )

    labels, types = vocabulary(query)
    told = []
    for what, asked, counting in (
        ("label", labels, "MATCH (n) RETURN labels(n), count(*)"),
        ("relationship type", types, "MATCH ()-[r]->() RETURN type(r), count(*)"),
    ):
        if asked:
            answer = await app.store.graph.query(selection, Inquiry(text=counting))
            known = {
                name
                for found, _ in answer.rows
                for name in (found if isinstance(found, list | tuple) else [found])
            }
            told += unknown_names(what, asked, known)
    return "; ".join(told)


def _smaller(exc: BudgetExceeded) -> BudgetExceeded:
    """A row no budget can hold must be made smaller by the query."""
    if exc.details.get("needed_tokens", 0) <= MOST_TOKENS:
        return exc
    return BudgetExceeded(
        "a single row is larger than any reply; return single properties instead of nodes, "
        "substring(text, 0, 500) instead of text, fewer members of a list",
        **exc.details,
    )


def plain(value: Value, level: int = 0) -> Any:  # noqa: ANN401 - JSON
    """A Cypher value as JSON; what JSON has no word for becomes text.

    >>> plain([1, float("nan"), {"a": None}])
    [1, 'NaN', {'a': None}]
    """
    if level > _MOST_NESTED:
        raise BudgetExceeded(
            f"a value is nested deeper than {_MOST_NESTED} levels; return its parts",
            limit=_MOST_NESTED,
        )
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        from commonplace.cypher.operators import text_of  # noqa: PLC0415 - tools are listed before

        return value if math.isfinite(value) else text_of(value)
    if isinstance(value, list):
        return [plain(one, level + 1) for one in value]
    if isinstance(value, dict):
        return {key: plain(one, level + 1) for key, one in value.items()}
    return _entity(value)


def _entity(value: Value) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, Vertex):
        own = _properties(value.properties, ("id", "kind"))
        return {"id": value.id, "labels": list(value.labels), "properties": own}
    if isinstance(value, Link):
        is_told = value.properties.get("type") == value.type
        own = _properties(value.properties, ("type",) if is_told else ())
        ends = {"source": value.source, "target": value.target}
        return {"type": value.type, **ends, "properties": own}
    if isinstance(value, Path):
        nodes = [_entity(node) for node in value.nodes]
        return {"nodes": nodes, "relationships": [_entity(link) for link in value.links]}
    return str(value)


def _properties(own: Mapping[str, Value], without: Sequence[str]) -> dict[str, Any]:
    return {key: plain(value, 1) for key, value in own.items() if key not in without}


def _text(answer: Answer, rows: Sequence[list[Any]], structured: Mapping[str, Any]) -> str:
    """A header and one quoted line of JSON a row: values are what documents say, never ours."""
    lines = [_line(answer.columns)] if rows else ["No row."]
    if structured.get("hint"):
        lines.append(f"Hint: {one_line(structured['hint'])}.")
    lines += [_line(row) for row in rows]
    if structured["limited"]:
        lines.append("The limit ended the rows; raise it, or narrow the query.")
    if structured.get("shortened"):
        lines.append("max_depth ended paths that may go on; raise it for them.")
    lines.append(closing(structured, "rows"))
    return "\n".join(lines)


def _line(values: Sequence[Any]) -> str:
    """JSON on one line: what could break the line or turn the text around is escaped."""
    written = json.dumps(list(values), ensure_ascii=False, separators=(",", ":"))
    return "> " + _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


_TYPES = {
    "": "storage_error",
    "FORBIDDEN_OPERATION": "forbidden_operation",
    "TIMEOUT": "timeout",
    "BUDGET_EXCEEDED": "query_too_complex",
}

QUERY = Tool(
    name="graph.query",
    description=DESCRIPTION,
    args=QueryArgs,
    output=QueryReply,
    run=run_query,
    bare="query_graph",
    aliases=("memory.query_graph", "memory_query_graph", "code.query_graph"),
    explain=explain({"results": [], "row_count": 0}, _TYPES, {}),
)
