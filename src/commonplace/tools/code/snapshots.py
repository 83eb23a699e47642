"""``code.compare_snapshots``: what changed between two index runs, and whom it reaches."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from pydantic import AliasChoices, BeforeValidator, Field

from commonplace.answer.render import one_line
from commonplace.domain.course import Course
from commonplace.domain.errors import InvalidArgument
from commonplace.domain.evidence import Reply
from commonplace.domain.graph import Node
from commonplace.domain.ids import brief_id
from commonplace.domain.scope import Selection
from commonplace.index.code.snapshots import (
    Change,
    Difference,
    EdgeChange,
    Snapshot,
    Version,
    compare,
    list_snapshots,
)
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolOutput
from commonplace.tools.code.args import IS_TOLD, Level, ListArgs, Names, Verbosity
from commonplace.tools.code.cards import CodeReply, clipped, line
from commonplace.tools.code.files import count_files
from commonplace.tools.code.kinds import DEPENDENCY, priority
from commonplace.tools.code.listing import Entry, Listing, Pages, grouped, reply, totals
from commonplace.tools.code.sharing import Row, Shared, called, heading, share
from commonplace.tools.scope import Name

SYMBOLS = ("added", "removed", "changed", "moved")
EDGES = ("edge_added", "edge_removed")
TYPES = (*SYMBOLS, "signature", *EDGES)
_ORDER = {
    name: place for place, name in enumerate(("removed", "changed", "moved", "added", *EDGES))
}
_SIGNATURE_CHARS = 160
_NAMED = 8
_DEEPEST = 3
_MOST_HIT = 5000
Which = Annotated[
    Name | None, BeforeValidator(lambda value: str(value) if isinstance(value, int) else value)
]


class CompareArgs(ListArgs):
    """Arguments of code.compare_snapshots."""

    before: Which = Field(
        default=None,
        description="Number, label or commit; default: the last but one.",
        validation_alias=AliasChoices("before", "from", "from_snapshot", "base"),
    )
    after: Which = Field(
        default=None, validation_alias=AliasChoices("after", "to", "to_snapshot", "head")
    )
    change_types: Names = Field(
        default=[], description="added, removed, changed, moved, signature, edge_added, …"
    )
    include_impact: bool = Field(
        default=False,
        description="Also who depends on what changed.",
        json_schema_extra=IS_TOLD,
    )
    verbosity: Verbosity = "standard"


class ChangeOut(ToolOutput):
    """What became of a symbol or an edge."""

    id: str | None = None
    kind: str | None = None
    name: str | None = Field(default=None, description="Full name behind the shared prefix.")
    fqn: str | None = None
    at: str | None = None
    was: str | None = Field(default=None, description="Full name and place before.")
    signature: str | None = None
    old_signature: str | None = None
    relation: str | None = None
    target: str | None = None
    target_id: str | None = Field(default=None, description="With verbosity full.")
    external: bool | None = Field(default=None, description="No file defines the target.")


class ChangeGroup(Shared):
    """Changes of one type."""

    change: str
    total: int
    changes: list[ChangeOut]


class Blast(ToolOutput):
    """Who depends on what changed."""

    direct: int
    further: int
    files: int
    names: list[str]


class CompareReply(CodeReply):
    """Reply of code.compare_snapshots."""

    before: str
    after: str
    totals: dict[str, int]
    impact: Blast | None = None
    groups: list[ChangeGroup]


DESCRIPTION = """\
Use when you want what changed in the code between two index runs.
Do not use when you plan a change: code_analyze_impact.
Returns at most limit changes with old and new signatures, inside max_response_tokens.
If you need more, narrow change_types or send next_cursor back.
Defaults: the last two runs, limit 20, standard. Max: limit 200."""


async def run_compare(app: App, call: Call, args: CompareArgs) -> Reply:
    """Compose what lies between, rank, pack."""
    selection = await args.select(app)
    wanted = _wanted(args.change_types)
    pages = Pages(call, "code.compare_snapshots", args)
    found = await _compared(app, selection, args)
    entries = [entry for one in found.symbols if (entry := _symbol(one, wanted, args.verbosity))]
    outside = await _outside(app, selection, found)
    entries += [
        entry for one in found.edges if (entry := _edge(one, wanted, (args.verbosity, outside)))
    ]
    entries = await _visible(app, selection, entries)
    entries.sort(key=lambda entry: (_ORDER[entry.group[0]], priority(entry.node), entry.row["fqn"]))
    counts = totals(entries)
    head: Row = {
        "before": _named(found.before),
        "after": _named(found.after),
        "totals": {kind: counts[(kind,)] for kind in _ORDER if (kind,) in counts},
    }
    if args.include_impact:
        head["impact"] = await _impact(app, selection, _narrowed(found, wanted))

    def body(page: Sequence[Entry]) -> tuple[Mapping[str, Any], list[str]]:
        groups = [_group(one) for one in grouped(page, counts)]
        return {"groups": groups}, _lines(groups)

    lines = _head_lines(head)
    if found.before.number == found.after.number:
        lines.append("There is only one index run so far; the next change of a file makes another.")
    listing = Listing(entries=entries, body=body, noun="changes", head=head, lines=lines)
    return await reply(app, call, args, (selection, pages), listing)


async def _compared(app: App, selection: Selection, args: CompareArgs) -> Difference:
    """Two runs as named; without names, the last two of the source that was indexed last."""
    keyvalue, project = app.store.keyvalue, selection.project
    if args.before is not None or args.after is not None:
        return await compare(keyvalue, project, args.before, args.after)
    known = await list_snapshots(keyvalue, project)
    last = known[-1].source_id if known else None
    return await compare(keyvalue, project, source_id=last)


def _wanted(types: list[str]) -> frozenset[str]:
    unknown = [name for name in types if name.lower() not in TYPES]
    if unknown:
        raise InvalidArgument(
            f"no change type {unknown[0]!r}; known: {', '.join(TYPES)}", field="change_types"
        )
    return frozenset(name.lower() for name in types) or frozenset(TYPES)


def _is_wanted(one: Change, wanted: frozenset[str]) -> bool:
    return one.change in wanted or ("signature" in wanted and one.is_signature_changed)


def _symbol(one: Change, wanted: frozenset[str], verbosity: Level) -> Entry | None:
    version = one.new or one.old
    if not _is_wanted(one, wanted) or version is None:
        return None
    place = _at(version) if version.file else ""
    shown: Row = {"id": brief_id(version.id), "kind": version.kind.upper(), "fqn": _fqn(version)}
    shown |= {"at": place} if place else {}
    if one.is_signature_changed and one.old and one.new and verbosity != "summary":
        shown["old_signature"] = clipped(one.old.signature, _SIGNATURE_CHARS)
        shown["signature"] = clipped(one.new.signature, _SIGNATURE_CHARS)
    elif verbosity == "full" and version.signature:
        shown["signature"] = clipped(version.signature, _SIGNATURE_CHARS)
    if one.change == "moved" and one.old:
        shown["was"] = f"{_fqn(one.old)} {_at(one.old)}"
    node = Node(id=version.id, project="", kind=version.kind, name=version.name)
    return Entry(node=node, make=lambda: shown, group=(one.change,))


def _at(version: Version) -> str:
    """File and lines as other tools tell them: one line is one number."""
    first, _, last = version.lines.partition("-")
    return f"{version.file}:{first if first == last else version.lines}"


def _fqn(version: Version) -> str:
    """As other tools name it: what a script defines is not called by its file."""
    return version.fqn.removeprefix(f"{version.file}.") if version.file else version.fqn


async def _outside(app: App, selection: Selection, found: Difference) -> frozenset[str]:
    """Targets of new edges that no file defines: calls of what was removed lead there."""
    targets = dict.fromkeys(one.link.target for one in found.edges if one.change == "added")
    nodes = await app.store.graph.nodes(selection.project, list(targets))
    return frozenset(node.id for node in nodes if node.kind == "External")


def _edge(
    one: EdgeChange, wanted: frozenset[str], known: tuple[Level, frozenset[str]]
) -> Entry | None:
    change, link = f"edge_{one.change}", one.link
    verbosity, outside = known
    if change not in wanted:
        return None
    shown: Row = {"fqn": link.source_fqn, "relation": link.relation, "target": link.target_fqn}
    if one.change == "added" and link.target in outside:
        shown["external"] = True
    if verbosity == "full":
        shown |= {"id": brief_id(link.source), "target_id": brief_id(link.target)}
    return Entry(
        node=Node(id=link.source, project="", kind="", name=link.source_fqn),
        make=lambda: shown,
        group=(change,),
    )


async def _visible(app: App, selection: Selection, entries: list[Entry]) -> list[Entry]:
    """In a scope narrower than its project only what the scope still sees."""
    if selection.is_whole_project:
        return entries
    ids = list(dict.fromkeys(entry.node.id for entry in entries))
    seen = {one.node.id for one in await app.store.graph.describe(selection, ids)}
    return [entry for entry in entries if entry.node.id in seen]


def _narrowed(found: Difference, wanted: frozenset[str]) -> Difference:
    """Only changes of these types: whom they reach is asked, not whom all of them reach."""
    symbols = tuple(one for one in found.symbols if _is_wanted(one, wanted))
    return replace(found, symbols=symbols)


async def _impact(app: App, selection: Selection, found: Difference) -> Row:
    """Who reaches what was changed, moved or taken away, within three steps."""
    changed = [one.new.id for one in found.symbols if one.new and one.change != "added"]
    course = Course(
        relations=DEPENDENCY | {"TESTS"}, direction="in", depth=_DEEPEST, limit=_MOST_HIT
    )
    reached = (await app.store.graph.follow(selection, changed, course)).steps
    direct = {step.node.id: step.node for step in reached if step.depth == 1}
    gone = {one.old.id for one in found.symbols if one.old and not one.new}
    lost = [e.link.source for e in found.edges if e.change == "removed" and e.link.target in gone]
    for node in await app.store.graph.nodes(selection.project, list(dict.fromkeys(lost))):
        direct.setdefault(node.id, node)
    first = sorted(direct.values(), key=lambda node: (priority(node), node.id))[:_NAMED]
    return {
        "direct": len(direct),
        "further": sum(step.depth > 1 for step in reached),
        "files": count_files([*direct.values(), *(step.node for step in reached)]),
        "names": [str(node.properties.get("fqn", node.name)) for node in first],
    }


def _named(snapshot: Snapshot) -> str:
    """A snapshot in a few words."""
    named = [snapshot.label, snapshot.commit[:10], f"{snapshot.made_at:%Y-%m-%d %H:%M}"]
    return " ".join(filter(None, [f"#{snapshot.number}", *named]))


def _group(one: tuple[tuple[Any, ...], int, list[Entry]]) -> Row:
    (change,), total, entries = one
    shared, rows = share([entry.row for entry in entries])
    return {"change": change, "total": total, **shared, "changes": rows}


def _head_lines(head: Row) -> list[str]:
    counted = ", ".join(f"{n} {kind.replace('_', ' ')}" for kind, n in head["totals"].items())
    lines = [f"{one_line(head['before'])} → {one_line(head['after'])}: {counted or 'no change'}"]
    if head.get("impact"):
        hit = head["impact"]
        lines.append(
            f"Impact: {hit['direct']} direct, {hit['further']} further, {hit['files']} files: "
            + ", ".join(one_line(name) for name in hit["names"])
        )
    return lines


def _lines(groups: Sequence[Row]) -> list[str]:
    lines = []
    for group in groups:
        told = f"{group['change'].replace('_', ' ')} ({group['total']})"
        lines.append(f"{told}{heading(group)}:")
        lines += [text for row in group["changes"] for text in _change_lines(row)]
    return lines


def _change_lines(shown: Row) -> list[str]:
    if shown.get("relation"):
        ids = f" — IDs: {shown['id']}, {shown['target_id']}" if shown.get("target_id") else ""
        target = f"{one_line(shown['target'])}{' (EXTERNAL)' if shown.get('external') else ''}"
        return [f"- {called(shown)} {shown['relation']} {target}{ids}"]
    lines = [f"- {line(shown)}"]
    if shown.get("was"):
        lines.append(f"  was {one_line(shown['was'])}")
    if "old_signature" in shown:
        lines.append(f"  `{shown['old_signature']}` → `{shown['signature']}`")
    elif shown.get("signature"):
        lines.append(f"  `{shown['signature']}`")
    return lines


COMPARE = Tool(
    name="code.compare_snapshots",
    description=DESCRIPTION,
    args=CompareArgs,
    output=CompareReply,
    run=run_compare,
    bare="compare_snapshots",
)
