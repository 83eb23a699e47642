"""What was observed beside what is drawn, by full names."""

import ast
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from commonplace.link.code.names.modules import qualified
from eval.calls.drawn import edges_of, first_edges, places_of, program_of
from eval.calls.sites import Definition, module_name, sites_of
from eval.observed.recorder import COMPREHENSIONS

Pair = tuple[str, str]


@dataclass(slots=True)
class Observed:
    """One run of a package's tests."""

    pairs: set[Pair] = field(default_factory=set)
    ran: set[str] = field(default_factory=set)
    """Functions, classes and modules whose code ran."""
    lines: dict[str, set[int]] = field(default_factory=dict)
    resumed: set[str] = field(default_factory=set)
    """Generators and coroutines: not compared."""
    unplaced: int = 0
    """Pairs of which one end is not a definition of the text."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """One of our edges, or of a peer's."""

    caller: str
    callee: str
    confidence: float = 1.0
    path: str = ""
    lines: tuple[int, ...] = ()
    how: str = ""


class Names:
    """Full names of code objects, by where they begin."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files: dict[str, list[Definition]] = {
            path: sites_of(text, path).definitions for path, text in files.items()
        }
        self.lengths = {path: _ends(text) for path, text in files.items()}
        self.resumed = {
            one.name for known in self.files.values() for one in known if one.is_resumed
        }

    def of(self, path: str, line: int, name: str) -> str | None:
        """The definition that begins there; a comprehension is the function around it.

        None for what is not of the package: tests may stand beside it in the archive.
        """
        if path not in self.files:
            return None
        if name == "<module>":
            return module_name(path)
        known = self.files[path]
        if name in COMPREHENSIONS:
            around = [one for one in known if one.kind != "lambda" and self.holds(one, line)]
            return max(around, key=lambda one: one.line).name if around else module_name(path)
        plain = "<lambda" if name == "<lambda>" else name
        found = {
            one.name
            for one in known
            if one.first_line == line and one.name.rpartition(".")[2].startswith(plain)
        }
        return found.pop() if len(found) == 1 else None

    def holds(self, one: Definition, line: int) -> bool:
        """Whether a line stands within a definition."""
        return one.first_line <= line <= self.lengths[one.path].get(one.line, 0)


def _ends(text: str) -> dict[int, int]:
    """The last line of every definition, by its own line."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {
        node.lineno: node.end_lineno or node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, kinds)
    }


def read(seen: Path, names: Names) -> Observed:
    """What a run noted, with our names."""
    noted = json.loads(seen.read_text("utf-8"))
    found = Observed(lines={path: set(lines) for path, lines in noted["lines"].items()})
    classes = {one.name for known in names.files.values() for one in known if one.kind == "class"}
    found.resumed |= names.resumed
    for (path, line, name, _), (to_path, to_line, to_name, is_resumed) in noted["pairs"]:
        caller, callee = names.of(path, line, name), names.of(to_path, to_line, to_name)
        found.ran |= {one for one in (caller, callee) if one is not None}
        if to_name in COMPREHENSIONS or to_name == "<module>" or callee in classes:
            continue  # a body that runs where it stands is not called
        if callee is not None and is_resumed:
            found.resumed.add(callee)
        elif caller is None or callee is None:
            found.unplaced += 1
        else:
            found.pairs.add((caller, callee))
    found.pairs = {pair for pair in found.pairs if pair[1] not in found.resumed}
    return found


def ours(files: Mapping[str, str], *, is_first: bool = False) -> list[Drawn]:
    """Our CALLS edges within the package; those before values are followed, if only they count."""
    program = program_of(files)
    places = places_of(program)
    found = []
    for edge in first_edges(program) if is_first else edges_of(program):
        source, target = places.get(edge.source), places.get(edge.target)
        if edge.relation != "CALLS" or source is None or target is None:
            continue
        at = str(edge.properties.get("at", ""))
        lines = tuple(int(one.partition(":")[0]) for one in at.split(",") if one)
        found.append(
            Drawn(
                qualified(program, source),
                qualified(program, target),
                edge.confidence,
                program.units[source.document_id].path,
                lines,
                str(edge.properties.get("how", "")),
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class Comparison:
    """How well drawn edges fit what was observed."""

    observed: int
    found: int
    drawn: int
    """From callers that ran."""
    confirmed: int
    on_lines: int
    """Of those, on a line that ran."""
    confirmed_on_lines: int

    def row(self, name: str) -> str:
        """A line of the table."""
        return (
            f"| {name} | {self.observed} | {_share(self.found, self.observed)} | {self.drawn} "
            f"| {_share(self.confirmed, self.drawn)} | {self.on_lines} "
            f"| {_share(self.confirmed_on_lines, self.on_lines)} |"
        )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "–"


def compare(observed: Observed, drawn: Iterable[Drawn]) -> Comparison:
    """Recall of observed pairs, and the share of drawn ones that was observed."""
    pairs: dict[Pair, bool] = {}
    for one in drawn:
        if one.callee in observed.resumed:
            continue
        ran = observed.lines.get(one.path, set())
        pair = (one.caller, one.callee)
        pairs[pair] = pairs.get(pair, False) or any(line in ran for line in one.lines)
    executed = {pair for pair in pairs if pair[0] in observed.ran}
    on_lines = {pair for pair in executed if pairs[pair]}
    return Comparison(
        len(observed.pairs),
        len(observed.pairs & pairs.keys()),
        len(executed),
        len(executed & observed.pairs),
        len(on_lines),
        len(on_lines & observed.pairs),
    )
