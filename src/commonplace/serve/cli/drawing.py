"""Connections of a symbol as a tree in a terminal, for Graphviz, or for Mermaid."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.text import Text
from rich.tree import Tree

from commonplace.answer.render import one_line
from commonplace.tools.code.kinds import verb
from commonplace.tools.code.lineage import is_against

_FLOWS = {"from": "data comes from", "to": "data goes to"}
_TIERS = ("", "direct", "2 hops", "3+ hops")
Hung = tuple[str, str]
"""A side of a picture, and the symbol others hang on there."""
_SHAPES = {"TABLE": "cylinder", "VIEW": "cylinder", "COLUMN": "note", "ROUTE": "cds"}


class Line(NamedTuple):
    """One symbol of a picture and the edge it hangs on."""

    row: Mapping[str, Any]
    relation: str
    parent: str
    """The id of the symbol before it."""
    group: str
    """The heading it stands under."""
    is_out: bool
    """Whether the edge is drawn from the parent to it."""
    read: str
    """The relation as it is read from the parent on."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A symbol and what was reached from it."""

    root: Mapping[str, Any]
    lines: Sequence[Line]
    notes: Sequence[str] = ()

    @classmethod
    def of_groups(cls, reply: Mapping[str, Any]) -> "Picture":
        """Of a reply of code.get_dependencies."""
        return cls._of(
            reply,
            (
                (row, group["relation"], f"{_verb(group)} ({group['total']})", _is_out(group))
                for group in reply["groups"]
                for row in group["symbols"]
            ),
        )

    @classmethod
    def of_steps(cls, reply: Mapping[str, Any]) -> "Picture":
        """Of a reply of code.trace_lineage."""
        rows = (
            (row, _flow(row), _FLOWS[row["flow"]], row["flow"] == "to") for row in reply["steps"]
        )
        picture = cls._of(reply, rows)
        lines = [line._replace(read=_read(line.row)) for line in picture.lines]
        return cls(picture.root, lines)

    @classmethod
    def of_tiers(cls, reply: Mapping[str, Any]) -> "Picture":
        """Of a reply of code.analyze_impact."""
        counted = ", ".join(f"{n} {level}" for level, n in reply["severities"].items())
        notes = [f"risk {reply['risk']}: {counted or 'nothing'} in {reply['files']} files"]
        rows = (
            (row, tier["relation"], f"{_tier(tier)} ({tier['total']})", _flows_on(tier))
            for tier in reply["tiers"]
            for row in tier["symbols"]
        )
        return cls._of(reply, rows, [*notes, *reply.get("doubts", ())])

    @classmethod
    def _of(
        cls,
        reply: Mapping[str, Any],
        rows: Iterable[tuple[Mapping[str, Any], str, str, bool]],
        notes: Sequence[str] = (),
    ) -> "Picture":
        """Of rows with their relation, heading, and whether the edge leads to them."""
        root = reply["symbol"]
        lines = [
            Line(row, relation, row.get("via", root["id"]), heading, is_out, relation)
            for row, relation, heading, is_out in rows
        ]
        return cls(root, lines, notes)


def _verb(group: Mapping[str, Any]) -> str:
    return verb(group["relation"], group["direction"])


def _is_out(group: Mapping[str, Any]) -> bool:
    return bool(group["direction"] == "out")


def _flow(step: Mapping[str, Any]) -> str:
    """A relation as data sees it, since arrows go its way: a column does not read its reader."""
    words = ("out", "in") if step["flow"] == "to" else ("in", "out")
    return verb(step["relation"], words[is_against(step["relation"], step["flow"])])


def _read(step: Mapping[str, Any]) -> str:
    """A relation as the symbol before it has it: what reads a column stands below as its reader."""
    return verb(step["relation"], "in" if is_against(step["relation"], step["flow"]) else "out")


def _flows_on(tier: Mapping[str, Any]) -> bool:
    """A change follows data, and goes against all else."""
    return bool(tier["relation"] == "FLOWS_TO")


def _tier(tier: Mapping[str, Any]) -> str:
    return f"{_TIERS[tier['tier']]}, {tier['severity']}: {tier['relation']}"


def drawn(picture: Picture, form: str) -> Tree | str:
    """The picture as a tree, or as text of a drawing program."""
    if form == "dot":
        return _dot(picture)
    return _mermaid(picture) if form == "mermaid" else _tree(picture)


def _label(row: Mapping[str, Any], prefix: str = "") -> Text:
    sure = row.get("confidence")
    notes = [f"line {row['where']}"] if row.get("where") else []
    notes += [f"confidence {sure:g}"] if sure is not None else []
    notes += [f"{row['through']} between"] if row.get("through") else []
    return Text.assemble(
        (f"{prefix} " if prefix else "", "dim"),
        (one_line(row["fqn"]), "bold"),
        (f" {row['kind'].lower()}", "dim"),
        (f"  {one_line(row['at'])}" if row.get("at") else "", "cyan"),
        (f"  {', '.join(notes)}" if notes else "", "dim"),
    )


def _tree(picture: Picture) -> Tree:
    """What hangs on what; headings below the root, then each symbol under the one before it."""
    tree = Tree(_label(picture.root))
    for note in picture.notes:
        tree.add(Text(note, style="yellow"))
    known = {line.row["id"] for line in picture.lines}
    below: dict[Hung, list[Line]] = defaultdict(list)
    first: list[Line] = []
    for line in picture.lines:
        is_below = line.parent in known
        (below[_side(line), line.parent] if is_below else first).append(line)
    headings: dict[str, Tree] = {}
    for line in first:
        if line.group not in headings:
            headings[line.group] = tree.add(Text(line.group, style="dim"))
        _grow(headings[line.group], line, below, {line.row["id"]})
    if not picture.lines:
        tree.add(Text("nothing by what was asked for", style="dim"))
    return tree


def _side(line: Line) -> str:
    """What a symbol hangs on is on its side: data comes from a column otherwise than it goes on."""
    return str(line.row.get("flow", ""))


def _grow(tree: Tree, line: Line, below: Mapping[Hung, list[Line]], passed: set[str]) -> None:
    branch = tree.add(_label(line.row, "" if not passed - {line.row["id"]} else line.read))
    for one in below.get((_side(line), line.row["id"]), ()):
        if one.row["id"] not in passed:
            _grow(branch, one, below, passed | {one.row["id"]})


def _edges(picture: Picture) -> list[tuple[str, str, Line]]:
    """From, to and the line of each edge; what hangs on a part of the root hangs on it."""
    known = {line.row["id"] for line in picture.lines}
    root = picture.root["id"]
    ends = []
    for line in picture.lines:
        near, far = line.parent if line.parent in known else root, line.row["id"]
        ends.append((near, far, line) if line.is_out else (far, near, line))
    return ends


def _rows(picture: Picture) -> dict[str, Mapping[str, Any]]:
    rows = {picture.root["id"]: picture.root}
    return rows | {line.row["id"]: line.row for line in picture.lines}


def _quoted(text: str) -> str:
    r"""A label no drawing program reads as its own language.

    >>> _quoted('a "b" <c>')
    "a 'b' ‹c›"
    """
    clean = one_line(text).replace("\\", "/").replace('"', "'")
    return clean.replace("<", "‹").replace(">", "›").replace("`", "'")


def _dot(picture: Picture) -> str:
    lines = ["digraph code {", "  rankdir=LR;", "  node [shape=box, fontname=sans-serif];"]
    for key, row in _rows(picture).items():
        shape = _SHAPES.get(row["kind"])
        more = f", shape={shape}" if shape else ""
        more += ", penwidth=2" if key == picture.root["id"] else ""
        label = f"{_quoted(row['fqn'])}\\n{row['kind']}"
        lines.append(f'  "{_quoted(key)}" [label="{label}"{more}];')
    for near, far, line in _edges(picture):
        style = ", style=dashed" if line.row.get("confidence") is not None else ""
        ends = f'"{_quoted(near)}" -> "{_quoted(far)}"'
        lines.append(f'  {ends} [label="{_quoted(line.relation)}"{style}];')
    return "\n".join([*lines, "}"])


def _mermaid(picture: Picture) -> str:
    rows = _rows(picture)
    called = {key: f"n{number}" for number, key in enumerate(rows)}
    lines = ["flowchart LR"]
    for key, row in rows.items():
        label = f'"{_quoted(row["fqn"])}<br/>{row["kind"]}"'
        is_table = row["kind"] in ("TABLE", "VIEW")
        lines.append(f"  {called[key]}[({label})]" if is_table else f"  {called[key]}[{label}]")
    for near, far, line in _edges(picture):
        arrow = "-.->" if line.row.get("confidence") is not None else "-->"
        lines.append(f"  {called[near]} {arrow}|{_quoted(line.relation)}| {called[far]}")
    return "\n".join(lines)
