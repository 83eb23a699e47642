"""Read cases: the format is told in ``eval.calls``."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent


class Expected(NamedTuple):
    """One edge of a case by full names."""

    caller: str
    relation: str
    callee: str

    def __str__(self) -> str:
        return f"{self.caller} {'=>' if self.relation == 'INSTANTIATES' else '->'} {self.callee}"


@dataclass(slots=True)
class Case:
    """A small program and the edges its text says."""

    language: str
    theme: str
    title: str
    files: dict[str, str] = field(default_factory=dict)
    expected: set[Expected] = field(default_factory=set)
    allowed: set[Expected] = field(default_factory=set)
    """Edges that count neither way: both drawing them and leaving them out can be defended."""

    @property
    def numbered(self) -> frozenset[str]:
        """Names of which the first, the second … definition is told apart: ``Box.put#2``."""
        edges = self.expected | self.allowed
        named = {name for edge in edges for name in (edge.caller, edge.callee)}
        return frozenset(name.rpartition("#")[0] for name in named if "#" in name)


def parse_edge(line: str) -> Expected | None:
    """An edge from its line; None for an empty one.

    >>> str(parse_edge("main.f => main.C  # made here"))
    'main.f => main.C'
    """
    line = line.split(" #")[0].strip()
    if not line or line.startswith("#"):
        return None
    for sign, relation in (("=>", "INSTANTIATES"), ("->", "CALLS")):
        caller, found, callee = line.partition(f" {sign} ")
        if found:
            return Expected(caller.strip(), relation, callee.strip())
    raise ValueError(f"not an edge: {line!r}")


def parse(text: str, language: str, theme: str) -> list[Case]:
    """All cases of one file."""
    found: list[Case] = []
    lines: list[str] | None = None
    place = ""
    for line in text.splitlines():
        if line.startswith("=== "):
            found.append(Case(language, theme, line[4:].strip()))
            lines, place = None, ""
        elif line.startswith("--- "):
            place = line[4:].strip()
            lines = []
            if place != "calls":
                if place in found[-1].files:
                    raise ValueError(f"{theme}: {found[-1].title}: {place} twice")
                found[-1].files[place] = ""
        elif place == "calls":
            edge = parse_edge(line.removeprefix("? "))
            if edge is not None:
                kept = found[-1].allowed if line.startswith("? ") else found[-1].expected
                kept.add(edge)
        elif lines is not None:
            lines.append(line)
            found[-1].files[place] = "\n".join(lines) + "\n"
    return found


def languages() -> list[str]:
    """Those with a folder of cases."""
    return sorted({path.parent.name for path in FOLDER.glob("*/*.cases")})


def load(language: str, theme: str | None = None) -> list[Case]:
    """The cases of a language in the order of themes."""
    found: list[Case] = []
    for path in sorted((FOLDER / language).glob(f"{theme or '*'}.cases")):
        found.extend(parse(path.read_text("utf-8"), language, path.stem))
    return found
