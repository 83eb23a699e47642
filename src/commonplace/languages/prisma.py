"""Prisma schemas: models and their fields, with what they are called in the database."""

import re
from collections.abc import Iterator

from commonplace.domain import expr
from commonplace.domain.code import At, Call, Facts, Problem, Symbol
from commonplace.domain.expr import Expr
from commonplace.domain.media import PRISMA as MEDIA_TYPE
from commonplace.languages.base import Language

_BLOCK = re.compile(r"^\s*(model|view|enum|type)\s+(\w+)\s*\{")
_OTHER = re.compile(r"^\s*(?:datasource|generator)\s+\w+\s*\{")
_FIELD = re.compile(r"^\s*(\w+)\s+(\w+)(\[\])?(\?)?")
_MARK = re.compile(r"@@?([\w.]+)(?:\(\s*(?:name:\s*)?\"((?:[^\"\\]|\\.)*)\")?")
_COMMENT = re.compile(r'(?<!:)//.*$|"(?:[^"\\]|\\.)*"')


class _Reader:
    """Gathers symbols line by line."""

    def __init__(self, path: str, lines: list[str]) -> None:
        self.lines = lines
        end = At(1, 0, len(lines), len(lines[-1]))
        name = path.rpartition("/")[2]
        self.symbols = [Symbol(kind="File", name=name, path="", parent=0, at=end)]
        self.calls: list[Call] = []
        self.problems: list[Problem] = []

    def read(self) -> None:
        """Every block of the file."""
        number = 0
        while number < len(self.lines):
            line = self.lines[number]
            opened = _BLOCK.match(line)
            end = self._end(number) if opened or _OTHER.match(line) else number
            if opened is not None:
                self._block(opened.group(1), opened.group(2), number, end)
            number = end + 1

    def _end(self, number: int) -> int:
        for place in range(number, len(self.lines)):
            if _bare(self.lines[place]).rstrip().endswith("}"):
                return place
        at = At(number + 1, 0, number + 1, len(self.lines[number]))
        self.problems.append(Problem("a block is not closed", at))
        return len(self.lines) - 1

    def _block(self, word: str, name: str, start: int, end: int) -> None:
        place = len(self.symbols)
        at = At(start + 1, 0, end + 1, len(self.lines[end]))
        marks: list[Expr] = []
        self.symbols.append(Symbol(kind="Class", name=name, path=name, parent=0, at=at))
        for number in range(start + 1, end):
            line = _bare(self.lines[number])
            if line.lstrip().startswith("@@"):
                marks += self._marks(place, number)
            elif word != "enum":
                self._field(place, name, number)
            elif line.strip():
                self._member(place, name, number)
        self.symbols[place] = Symbol(
            kind="Enum" if word == "enum" else "Class",
            name=name,
            path=name,
            parent=0,
            at=at,
            signature=f"{word} {name}",
            decorators=tuple(marks),
        )

    def _member(self, parent: int, name: str, number: int) -> None:
        member = _bare(self.lines[number]).split()[0]
        self._add("Constant", member, (parent, name, number), None)

    def _field(self, parent: int, name: str, number: int) -> None:
        found = _FIELD.match(_bare(self.lines[number]))
        if found is None:
            return
        declared = expr.name(found.group(2))
        if found.group(3):
            declared = expr.generic(expr.name("List"), declared)
        self._add("Field", found.group(1), (parent, name, number), declared)

    def _add(self, kind: str, name: str, where: tuple[int, str, int], type_: Expr | None) -> None:
        parent, around, number = where
        line = self.lines[number]
        start = len(line) - len(line.lstrip())
        self.symbols.append(
            Symbol(
                kind=kind,
                name=name,
                path=f"{around}.{name}",
                parent=parent,
                at=At(number + 1, start, number + 1, len(line.rstrip())),
                signature=" ".join(_bare(line).split()),
                type=type_,
                decorators=tuple(self._marks(len(self.symbols), number)),
            )
        )

    def _marks(self, scope: int, number: int) -> Iterator[Expr]:
        line = _kept(self.lines[number])
        for found in _MARK.finditer(line):
            arguments = (expr.text(found.group(2)),) if found.group(2) is not None else ()
            at = At(number + 1, found.start(1), number + 1, found.end(1))
            self.calls.append(Call(scope, expr.name(found.group(1)), arguments, (), at))
            yield expr.call(len(self.calls) - 1)


def _bare(line: str) -> str:
    """A line without its comment and without what strings say."""
    return _COMMENT.sub(lambda one: '""' if one.group().startswith('"') else "", line)


def _kept(line: str) -> str:
    """A line without its comment."""
    return _COMMENT.sub(lambda one: one.group() if one.group().startswith('"') else "", line)


def extract(text: str, path: str) -> Facts:
    """The facts of one schema."""
    reader = _Reader(path, text.split("\n"))
    reader.read()
    return Facts(
        language="prisma",
        symbols=tuple(reader.symbols),
        calls=tuple(reader.calls),
        problems=tuple(reader.problems),
    )


PRISMA = Language(name="prisma", media_types=(MEDIA_TYPE,), suffixes=(".prisma",), extract=extract)
