"""Facts as bytes: small, quick to make and to read, and read no further than asked.

A record is three parts, each marshalled and, where it is large, compressed: the outline (symbols,
imports, exports), which every binding looks at; the body (flows, calls, queries, texts of SQL),
which it looks at in few files when one has changed; and the uses, which only the file's own binding
looks at. Between them stand marks and words as they are: numbers of hashes cannot be compressed.
Marshal, because it keeps tuples and shared strings as they are; JSON would have every expression
rebuilt. Named tuples, which it does not know, stand as columns, field by field as
``domain/code.py`` declares them. A record of other fields is not read: its file is.
"""

import marshal
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from itertools import repeat
from operator import attrgetter
from typing import Any, get_args, get_origin, get_type_hints

from commonplace.domain import code
from commonplace.domain.bulk import filled
from commonplace.domain.code import At, Facts, Parameter, Symbol
from commonplace.domain.errors import ParseError
from commonplace.domain.ids import stable_id
from commonplace.link.code.program import WORDS

_MARSHAL = 4  # read by every Python since 3.4
_LEVEL = 1  # a third larger than the best and five times as fast
# Most parts are no larger (4,028 of viem's 4,515), and hold a third of all or less: to leave them
# as they are saves half of the time and costs 2 MB of viem's 19 (docs/adr/0069).
_SMALL_BYTES = 4000
_ZIPPED = b"x"  # how zlib begins, and marshal neither a list nor a tuple
_LENGTH_BYTES = 4
_NUMBERS = "I"
_MARKS = "Q"

Row = type[tuple[Any, ...]]
Columns = list[Any]

_SYMBOL = tuple(one.name for one in fields(Symbol))
USES = ("uses",)
BODY = ("flows", "calls", "queries", "texts")
"""Fields that are unpacked together."""
_PARTS = (BODY, USES)
_PART_OF = {name: at for at, part in enumerate(_PARTS) for name in part}
_OUTLINE = tuple(one.name for one in fields(Facts) if one.name not in _PART_OF)


def _row_of(hint: object) -> tuple[Row | None, bool]:
    """The named tuple a field holds, if it does, and whether it holds many."""
    many = get_origin(hint) is tuple
    inner = get_args(hint)[0] if many and get_args(hint) else hint
    is_row = isinstance(inner, type) and issubclass(inner, tuple) and hasattr(inner, "_fields")
    return (inner if is_row else None), many  # type: ignore[return-value]


def _rows_in(kind: type) -> dict[str, Row]:
    """Fields that hold many named tuples."""
    hints = get_type_hints(kind, vars(code)).items()
    return {name: row for name, hint in hints for row, many in [_row_of(hint)] if row and many}


def _nested(row: Row) -> tuple[list[tuple[int, Row]], list[tuple[int, Row]]]:
    """Places of a row's fields that are rows themselves: one, and many."""
    found: tuple[list[tuple[int, Row]], list[tuple[int, Row]]] = ([], [])
    for at, hint in enumerate(get_type_hints(row, vars(code)).values()):
        inner, many = _row_of(hint)
        if inner is not None:
            found[many].append((at, inner))
    return found


_FACTS_ROWS = _rows_in(Facts)
_SYMBOL_ROWS = _rows_in(Symbol)
_KINDS: tuple[Row, ...] = tuple(
    one for one in vars(code).values() if isinstance(one, type) and hasattr(one, "_fields")
)
_SHAPES = {one: _nested(one) for one in _KINDS}
_RULES = "2"
"""Raised when languages read other facts out of the same bytes: files are then read anew once."""
LAYOUT = stable_id(
    "f",
    _RULES,
    *("|".join(part) for part in _PARTS),
    *_SYMBOL,
    *(one.name for one in fields(Facts)),
    *(name for row in _KINDS for name in (row.__name__, *row._fields)),  # type: ignore[attr-defined]
)
"""Differs when facts have other fields, or are read by other rules."""


@dataclass(frozen=True, eq=False)
class Kept(Facts):
    """Facts whose body and uses are unpacked when first asked for."""

    @property
    def call_count(self) -> int:
        """How many calls there are."""
        count: int = self.__dict__["calls_packed"]
        return count

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - of several fields
        # Reached only for a field that is not set yet.
        at = _PART_OF.get(name)
        if at is None:
            raise AttributeError(name)
        for one, columns in zip(_PARTS[at], _load(self.__dict__["packed"][at]), strict=True):
            object.__setattr__(self, one, tuple(_rows(_FACTS_ROWS[one], columns)))
        return getattr(self, name)


def fold(facts: Facts, names: Iterable[str] = _PART_OF) -> None:
    """Let go of what was unpacked; it is unpacked again when asked for."""
    if isinstance(facts, Kept):
        for name in names:
            with suppress(AttributeError):  # not unpacked
                object.__delattr__(facts, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What is kept of one file: where it is, what it says, and a mark for each symbol."""

    source_id: str
    path: str
    content_hash: str
    facts: Facts
    marks: Sequence[int] = ()
    """Of each symbol's own text without its name; 0 where there is too little of it."""
    words: "array[int]" = field(default_factory=lambda: array(WORDS))
    """Of the text, as numbers (``Unit.words``)."""


def encode(record: Record) -> bytes:
    """The record as bytes."""
    facts = record.facts
    outline: list[Any] = [getattr(facts, name) for name in _OUTLINE]
    for at, name in enumerate(_OUTLINE):
        if name == "symbols":
            outline[at] = _symbol_columns(facts.symbols)
        elif name in _FACTS_ROWS:
            outline[at] = _columns(_FACTS_ROWS[name], outline[at])
    head = (LAYOUT, record.source_id, record.path, record.content_hash)
    first = _dump((head, outline, facts.call_count))
    numbers = (array(_MARKS, record.marks).tobytes(), record.words.tobytes())
    if isinstance(facts, Kept):
        parts = (first, *numbers, *facts.__dict__["packed"])
    else:
        parts = (first, *numbers, *(_part(facts, names) for names in _PARTS))
    return b"".join(len(one).to_bytes(_LENGTH_BYTES, "little") + one for one in parts)


def _part(facts: Facts, names: Iterable[str]) -> bytes:
    return _dump([_columns(_FACTS_ROWS[name], getattr(facts, name)) for name in names])


def _cut(value: memoryview) -> Iterator[memoryview]:
    """The parts of a record, not copied: who reads facts holds the record until it is stored."""
    start = 0
    while start < len(value):
        end = start + _LENGTH_BYTES
        end += int.from_bytes(value[start:end], "little")
        yield value[start + _LENGTH_BYTES : end]
        start = end


def decode(value: bytes) -> Record:
    """The record of these bytes; raises ParseError when another version wrote them."""
    try:
        first, marks, words, *packed = _cut(memoryview(value))
        head, outline, calls = _load(first)
    except (ValueError, EOFError, TypeError, zlib.error) as exc:
        raise ParseError("facts of another version; they are made anew") from exc
    if head[0] != LAYOUT:
        raise ParseError("facts of another version; they are made anew")
    facts = object.__new__(Kept)
    for name, columns in zip(_OUTLINE, outline, strict=True):
        if name == "symbols":
            columns = tuple(_symbols(columns))
        elif name in _FACTS_ROWS:
            columns = tuple(_rows(_FACTS_ROWS[name], columns))
        object.__setattr__(facts, name, columns)
    facts.__dict__.update(packed=tuple(packed), calls_packed=calls)
    return Record(
        source_id=head[1],
        path=head[2],
        content_hash=head[3],
        facts=facts,
        marks=_numbers(_MARKS, marks),
        words=_numbers(WORDS, words),
    )


def _dump(content: list[Any] | tuple[Any, ...]) -> bytes:
    value = marshal.dumps(content, _MARSHAL)
    return zlib.compress(value, _LEVEL) if len(value) > _SMALL_BYTES else value


def _load(value: bytes | memoryview) -> Any:  # noqa: ANN401 - what was dumped
    if value[:1] == _ZIPPED:
        value = zlib.decompress(value)
    return marshal.loads(value)  # noqa: S302 - of our own store; runs no code


def _columns(row: Row, rows: Sequence[tuple[Any, ...]]) -> Columns:
    """Rows field by field; places as plain numbers."""
    columns: Columns = [list(one) for one in zip(*rows, strict=True)]
    if not columns:
        return []
    if row is At:
        return [array(_NUMBERS, one).tobytes() for one in columns]
    single, many = _SHAPES[row]
    for at, inner in single:
        columns[at] = _columns(inner, columns[at])
    for at, inner in many:
        columns[at] = [_columns(inner, below) for below in columns[at]]
    return columns


def _rows(row: Row, columns: Columns) -> Iterable[Any]:
    """The rows of these columns."""
    if row is At:
        columns = [_numbers(_NUMBERS, one) for one in columns]
    elif columns:
        single, many = _SHAPES[row]
        columns = list(columns)
        for at, inner in single:
            columns[at] = _rows(inner, columns[at])
        for at, inner in many:
            columns[at] = [tuple(_rows(inner, below)) for below in columns[at]]
    return list(map(tuple.__new__, repeat(row), zip(*columns, strict=True)))


def _numbers(kind: str, packed: bytes | memoryview) -> "array[int]":
    numbers = array(kind)
    numbers.frombytes(packed)
    return numbers


_symbol_fields = attrgetter(*_SYMBOL)


def _symbol_columns(symbols: Sequence[Symbol]) -> Columns:
    columns: Columns = [list(one) for one in zip(*map(_symbol_fields, symbols), strict=True)]
    for at, name in enumerate(_SYMBOL):
        if name == "at":
            columns[at] = _columns(At, columns[at])
        elif name in _SYMBOL_ROWS:
            columns[at] = [_columns(Parameter, below) if below else 0 for below in columns[at]]
    return columns


def _symbols(columns: Columns) -> Iterable[Symbol]:
    columns = list(columns)
    for at, name in enumerate(_SYMBOL):
        if name == "at":
            columns[at] = _rows(At, columns[at])
        elif name in _SYMBOL_ROWS:
            columns[at] = [tuple(_rows(Parameter, one)) if one else () for one in columns[at]]
    return filled(Symbol, len(columns[0]), dict(zip(_SYMBOL, columns, strict=True)))
