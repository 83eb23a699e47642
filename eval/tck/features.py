"""Scenarios of the TCK: Gherkin files to setup, query and what must come of it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_WRITES = re.compile(r"\b(CREATE|MERGE|DELETE|SET|REMOVE|CALL|DROP)\b", re.IGNORECASE)
_QUOTED = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//.*")
_ERROR = re.compile(r"an? (\w+) should be raised at (.*): (\S+)")
_STEP = re.compile(r"^(Given|When|Then|And|But) ")


@dataclass
class Scenario:
    """One scenario, its examples filled in."""

    area: str
    feature: str
    name: str
    graph: str = ""
    setup: list[str] = field(default_factory=list)
    query: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    header: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    is_ordered: bool = False
    ignores_list_order: bool = False
    error: tuple[str, str, str] | None = None
    """Type, phase, detail."""
    needs_procedure: bool = False

    @property
    def reads(self) -> bool:
        """Whether its query only reads."""
        return not _WRITES.search(_QUOTED.sub(" ", self.query)) and not self.needs_procedure


def read_features(folder: Path) -> Iterator[Scenario]:
    """Every scenario below a folder of feature files."""
    for path in sorted(folder.rglob("*.feature")):
        area = path.relative_to(folder).parent.as_posix()
        yield from _feature(path, area)


def _feature(path: Path, area: str) -> Iterator[Scenario]:
    background: list[str] = []
    blocks: list[list[str]] = []
    current: list[str] | None = None
    for line in path.read_text("utf-8").splitlines():
        text = line.strip()
        if text.startswith(("Scenario:", "Scenario Outline:")):
            current = [text]
            blocks.append(current)
        elif text.startswith("Background:"):
            current = background
        elif current is not None and not text.startswith(("#", "@")):
            current.append(line)
    for title, *body in blocks:
        name = title.partition(":")[2].strip()
        filled = _examples(body) if title.startswith("Scenario Outline") else [body]
        for number, lines in enumerate(filled, 1):
            label = f"{name} #{number}" if len(filled) > 1 else name
            yield _Reader([*background, *lines], Scenario(area, path.stem, label)).read()


def _examples(body: Sequence[str]) -> list[list[str]]:
    starts = [at for at, line in enumerate(body) if line.strip().startswith("Examples:")]
    outline, found = body[: starts[0]], []
    for start, stop in zip(starts, [*starts[1:], len(body)], strict=True):
        table = [_cells(line) for line in body[start:stop] if line.strip().startswith("|")]
        for row in table[1:]:
            lines = list(outline)
            for key, value in zip(table[0], row, strict=True):
                lines = [line.replace(f"<{key}>", value) for line in lines]
            found.append(lines)
    return found


def _cells(line: str) -> list[str]:
    cells = re.split(r"(?<!\\)\|", line.strip())[1:-1]
    return [cell.strip().replace("\\|", "|").replace("\\\\", "\\") for cell in cells]


class _Reader:
    """Reads the steps of one scenario."""

    def __init__(self, lines: Sequence[str], scenario: Scenario) -> None:
        self._lines, self._at, self._scenario = lines, 0, scenario

    def read(self) -> Scenario:
        while self._at < len(self._lines):
            text = _STEP.sub("", self._lines[self._at].strip())
            self._at += 1
            if text:
                self._step(text)
        return self._scenario

    def _step(self, text: str) -> None:
        found = self._scenario
        if text.startswith("having executed"):
            found.setup.append(self._block())
        elif text.startswith("executing query"):
            found.query = self._block()
        elif text.startswith("parameters are"):
            found.parameters = {row[0]: row[1] for row in self._table()}
        elif text.startswith("there exists a procedure"):
            found.needs_procedure = True
            self._table()
        elif text.startswith("the result should be"):
            self._result(text)
        elif (error := _ERROR.match(text)) is not None:
            found.error = (error[1], error[2], error[3])
        elif text.endswith("graph"):
            found.graph = text
        elif text.startswith("the side effects"):
            self._table()

    def _result(self, text: str) -> None:
        table = self._table()
        if table:
            self._scenario.header, self._scenario.rows = table[0], table[1:]
        self._scenario.is_ordered = "in order" in text
        self._scenario.ignores_list_order = "ignoring element order" in text

    def _block(self) -> str:
        marks = [
            at
            for at in range(self._at, len(self._lines))
            if self._lines[at].strip().startswith('"""')
        ]
        self._at = marks[1] + 1
        return "\n".join(self._lines[marks[0] + 1 : marks[1]])

    def _table(self) -> list[list[str]]:
        rows = []
        while self._at < len(self._lines):
            text = self._lines[self._at].strip()
            if text and not text.startswith("|"):
                break
            if text:
                rows.append(_cells(text))
            self._at += 1
        return rows
