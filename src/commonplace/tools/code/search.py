"""``code.search_symbols``: definitions by name, by words, or by meaning."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from pydantic import Field

from commonplace.answer.render import one_line
from commonplace.domain.course import Finding, Findings, Naming
from commonplace.domain.evidence import Reply
from commonplace.domain.graph import Node
from commonplace.domain.scope import Selection
from commonplace.domain.walk import Described
from commonplace.engines.naming import (
    ALL_WORDS,
    FQN_END,
    NAME_WORDS,
    SOME_WORDS,
    fitting,
    in_name,
    judged,
    words,
)
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.code.args import IS_TOLD, Level, ListArgs, Names, Verbosity, kinds
from commonplace.tools.code.cards import (
    CodeReply,
    Told,
    compact,
    counts_line,
    fqn,
    line,
    own_name,
    rest_lines,
    row,
)
from commonplace.tools.code.freshness import staleness
from commonplace.tools.code.listing import Entry, Listing, Pages, reply
from commonplace.tools.code.meaning import by_meaning
from commonplace.tools.code.naming import as_route, near, own_parts
from commonplace.tools.code.roster import of_kinds
from commonplace.tools.code.sharing import Row, Shared, heading, share
from commonplace.tools.code.wholes import Holding, counts_of, holdings
from commonplace.tools.scope import Question

MOST_FOUND = 100
_RERANKED = 10
_FEW = 3
_WEAK = 2 * SOME_WORDS
_NEAR = 0.3
_LISTS = ("methods", "members", "reads", "writes", "handled_by", "requested_by")
Mode = Literal["auto", "name", "fqn", "text", "semantic"]
_Known = tuple[Mapping[str, Described], Mapping[str, int]]
"""Connections and ages, by id."""
_MODES = {"auto": "any", "name": "name", "fqn": "fqn", "text": "words"}


class SearchArgs(ListArgs):
    """Arguments of code.search_symbols."""

    query: Question = Field(description="Name, FQN or words.")
    kinds: Names = Field(default=[], description="CLASS, TABLE, …")
    search_mode: Mode = Field(default="auto", json_schema_extra=IS_TOLD)
    verbosity: Verbosity = "standard"
    limit: int = Field(default=10, ge=1, le=200, json_schema_extra=IS_TOLD)


class SymbolFound(Told):
    """A symbol that fits."""

    methods: list[str] | None = None
    members: list[str] | None = Field(default=None, description="Fields, columns, constants.")
    reads: list[str] | None = None
    writes: list[str] | None = None
    handled_by: list[str] | None = Field(default=None, description="Of a route.")
    requested_by: list[str] | None = Field(default=None, description="Of a route.")


class SearchReply(CodeReply, Shared):
    """Reply of code.search_symbols."""

    results: list[SymbolFound]


DESCRIPTION = """\
Use when you look for where something in code or SQL is defined.
Do not use when you want prose: kb_search.
Returns at most limit symbols with ids, best first, inside max_response_tokens.
If you need more, call code_get_symbol_details with an id, or send next_cursor back.
Defaults: limit 10, verbosity standard; auto tries names, words, then meaning. Max: limit 200."""


async def run_search(app: App, call: Call, args: SearchArgs) -> Reply:
    """Find, rank, project, pack."""
    selection = await args.select(app)
    call.session.ask(args.query)
    pages = Pages(call, "code.search_symbols", args)
    found, degraded = await _find(app, selection, args)
    rank = _ranking(pages, Naming(text=_asked(args.query)), found)
    ordered = sorted(found.found, key=rank)
    best = [one.node for one in ordered[:_RERANKED]]
    first = await _counted(app, selection, best)
    told = (first, await staleness(app, selection, best))
    head = sorted(ordered[:_RERANKED], key=lambda one: rank(one, told))
    ranked = [one.node for one in (*head, *ordered[_RERANKED:])]
    start = (await pages.continuation(app, selection))[1].offset
    shown = ranked[start : start + args.limit]
    counted = first | await _counted(app, selection, [n for n in shown if n.id not in first])
    held = await holdings(app, selection, shown)
    entries = [
        Entry(
            node=node,
            make=partial(_row, node, args.verbosity, counted.get(node.id), held.get(node.id)),
        )
        for node in ranked
    ]

    verb = "nearly called" if found.found and found.found[0].score == _NEAR else "matching"

    def body(page: Sequence[Entry]) -> tuple[dict[str, Any], list[str]]:
        rows = [entry.row for entry in page]
        told, left = share(rows)
        if args.verbosity == "summary":
            lines = [f"{_found(verb, args.query, (start, len(rows), found.total))}{heading(told)}:"]
            lines += numbered(brief, left, start)
        else:
            lines = [f"{_found(verb, args.query, (start, len(rows), found.total))}:"]
            lines += numbered(card, rows, start)
        return {**told, "results": left}, lines if rows else []

    listing = Listing(
        entries=entries,
        body=body,
        noun="symbols",
        lines=[] if entries else [f"No symbol matches '{one_line(args.query)}'."],
        total=found.total,
        head={"capped": True} if found.is_capped else {},
        degraded=degraded,
    )
    return await reply(app, call, args, (selection, pages), listing)


def _found(verb: str, query: str, amount: tuple[int, int, int]) -> str:
    """The first line, as 003 has it: how many before these, of these, and in all.

    >>> _found("matching", "Order", (0, 3, 47))
    "Found 3 symbols matching 'Order' (47 total, showing top 3)"
    >>> _found("matching", "Order", (3, 1, 4))
    "Found 1 symbol matching 'Order' (4 total, showing from 4)"
    """
    start, shown, total = amount
    which = f"from {start + 1}" if start else f"top {shown}"
    told = f"Found {shown} symbol{'' if shown == 1 else 's'} {verb} '{one_line(query)}'"
    return f"{told} ({total} total, showing {which})" if total > shown else told


async def _find(
    app: App, selection: Selection, args: SearchArgs
) -> tuple[Findings, tuple[str, ...]]:
    """By name and words; by meaning when asked to, or when the words lead to little."""
    wanted = kinds(args.kinds)
    found = Findings((), 0)
    if args.search_mode != "semantic":
        asked = _asked(args.query)
        if not asked:
            return await of_kinds(app, selection, wanted, MOST_FOUND), ()
        naming = Naming(text=asked, kinds=wanted, mode=_MODES[args.search_mode])  # type: ignore[arg-type]
        found = _telling(naming, await app.store.graph.find(selection, naming, MOST_FOUND))
        found = await _or_near(app, selection, naming, found)
    is_enough = len(found.found) >= _FEW or len(args.query.split()) == 1
    if args.search_mode in ("name", "fqn", "text") or (args.search_mode == "auto" and is_enough):
        return found, ()
    known = {one.node.id for one in found.found}
    meant, degraded = await by_meaning(app, selection, args.query, wanted)
    more = tuple(one for one in meant if one.node.id not in known)
    return Findings(found.found + more, found.total + len(more), found.is_capped), degraded


def _asked(query: str) -> str:
    """What is looked for: no sign for "anything", routes as they are named; all there is if empty.

    >>> _asked("Loan*"), _asked("*"), _asked("GET /a/{id}")
    ('Loan', '', 'GET /a/{}')
    """
    return as_route(query).strip("*% ")


async def _or_near(app: App, selection: Selection, naming: Naming, found: Findings) -> Findings:
    """What is called nearly so, where one name was asked for that nothing has or holds."""
    is_weak = not found.found or found.found[0].score <= _WEAK
    if not is_weak or naming.mode not in ("any", "name") or len(naming.text.split()) > 1:
        return found
    nodes = [
        node
        for node in await near(app, selection, naming.text)
        if not naming.kinds or node.kind in naming.kinds
    ]
    scored = (Finding(node, _NEAR - place / 1000) for place, node in enumerate(nodes))
    return Findings(tuple(scored), len(nodes)) if nodes else found


def _telling(naming: Naming, found: Findings) -> Findings:
    """Where a name fits as a name, what shares its words elsewhere or its letters is left out."""
    if naming.mode != "any" or not found.found:
        return found
    best, fits = found.found[0], fitting(naming)
    if not fits(best.node.name, fqn(best.node)):
        return found
    is_written = any(one.node.name == naming.text for one in found.found)
    asked = words(naming)
    kept = tuple(
        one
        for one in found.found
        if fits(one.node.name, fqn(one.node)) or in_name(asked, one.node.name) == len(asked)
        if not (is_written and _is_other_case(one.node, naming))
    )
    if len(kept) == len(found.found):
        return found
    return Findings(kept, len(kept), is_capped=False)


def _is_other_case(node: Node, naming: Naming) -> bool:
    """Whether it is the name asked for but for small and capital letters: another one."""
    return node.name != naming.text and node.name.lower() == naming.text.lower()


def _ranking(pages: Pages, asked: Naming, found: Findings) -> Callable[..., tuple[Any, ...]]:
    """The order of what was found; of the first ones ``told`` has connections and ages.

    Whole names first. Whether the name begins with what was asked or only holds it matters less
    than what it is: ``ICustomerRepository`` before ``CustomerRepositoryTests``.
    """
    own, fits = own_parts([one.node for one in found.found]), fitting(asked)

    def level(one: Finding, *, is_head: bool) -> float:
        full = fqn(one.node)
        whole = fits(one.node.name, full)
        if whole or one.score >= judged(NAME_WORDS, full):
            return whole or NAME_WORDS
        return round(one.score, 1) if is_head else one.score  # only the best of words by kind

    def rank(one: Finding, told: _Known | None = None) -> tuple[Any, ...]:
        counted, stale = told or ({}, {})
        described = counted.get(one.node.id)
        edges = (*described.edges_in.values(), *described.edges_out.values()) if described else ()
        is_far, kind, degree, key = pages.rank(one.node, sum(edges))
        own_level = level(one, is_head=told is not None)
        grade = own_level if own_level >= FQN_END else min(own_level, NAME_WORDS)
        grade = min(grade, ALL_WORDS) if one.node.id in own else grade
        age = stale.get(one.node.id, 0)
        return (-grade, is_far, kind, -own_level, age, degree, -one.score, key)

    return rank


async def _counted(app: App, selection: Selection, shown: Sequence[Node]) -> dict[str, Described]:
    if not shown:
        return {}
    found = await app.store.graph.describe(selection, [node.id for node in shown])
    return {one.node.id: one for one in found}


def _row(node: Node, verbosity: Level, counted: Described | None, held: Holding | None) -> Row:
    shown = compact(node) if verbosity == "summary" else row(node, verbosity)
    if held and verbosity != "summary":
        shown |= held.listed()
    counts = counts_of(counted, held, is_listed=verbosity != "summary")
    return shown | ({"counts": counts} if counts else {})


def numbered(shape: Callable[[int, Row], list[str]], rows: Sequence[Row], start: int) -> list[str]:
    """Rows as text, numbered in the whole list."""
    return [text for number, row in enumerate(rows, start + 1) for text in shape(number, row)]


def brief(number: int, shown: Row) -> list[str]:
    """A symbol on one line, with what touches it, and its signature."""
    told = counts_line(shown.get("counts", {}))
    lines = [f"{number}. {line(shown)}{f' · {told}' if told else ''}"]
    return [*lines, *([f"   `{shown['signature']}`"] if shown.get("signature") else [])]


def card(number: int, shown: Row) -> list[str]:
    """A symbol as 003 shows it."""
    head = f"{number}. **{own_name(shown)}** ({shown['kind']})"
    lines = [head, f"   FQN: `{one_line(shown['fqn'])}`"]
    if shown.get("at"):
        lines.append(f"   File: `{one_line(shown['at'])}`")
    if shown.get("signature"):
        lines.append(f"   Signature: `{shown['signature']}`")
    lines += [f"   > {shown[field]}" for field in ("doc", "summary") if shown.get(field)]
    listed = [field for field in _LISTS if shown.get(field)]
    lines += [
        f"   {field.replace('_', ' ').capitalize()}: {', '.join(shown[field])}" for field in listed
    ]
    lines += rest_lines(shown, "   ")
    told = counts_line(shown.get("counts", {}))
    return [*lines, f"   {told} | ID: `{shown['id']}`" if told else f"   ID: `{shown['id']}`"]


SEARCH = Tool(
    name="code.search_symbols",
    description=DESCRIPTION,
    args=SearchArgs,
    output=SearchReply,
    run=run_search,
    bare="search_symbols",
)
