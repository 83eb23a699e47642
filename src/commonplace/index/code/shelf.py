"""The program of a project as it is stored: loaded when needed, kept between syncs by who watches.

Facts stand in the keyvalue port, a record a document. What binding looked at and how many edges it
drew stand in a few records for all documents, because every run reads them all and writes a few.
"""

import asyncio
import gc
import marshal
import secrets
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from commonplace.domain.code import At, Problem
from commonplace.domain.errors import ParseError
from commonplace.engines.base import KeyValue
from commonplace.index.code.facts import Record, decode
from commonplace.index.code.owed import code_space
from commonplace.link.code.program import Program, Scale, Unit

_BUCKETS = 64
_PAGE = 500  # records asked for at a time
TOKEN = "token"  # noqa: S105 - of a state, not of a person


def facts_space(project: str) -> str:
    """Where the facts of a project's documents stand."""
    return f"facts/{project}"


def bound_space(project: str) -> str:
    """Where it stands what binding looked at."""
    return f"bound/{project}"


@dataclass(slots=True)
class Held:
    """The program of a project at one state of the store."""

    project: str
    token: bytes = b""
    """Of that state; another process may have gone further."""
    program: Program = field(default_factory=Program)
    marks: dict[str, Sequence[int]] = field(default_factory=dict)
    edges: dict[str, int] = field(default_factory=dict)
    """How many edges binding drew for each document."""
    crossing: set[str] = field(default_factory=set)
    """Documents that state what other languages may state too: tables, columns, routes."""
    late: dict[str, str] = field(default_factory=dict)
    """What following values from file to file found for each document, as a digest; a document
    without one is due."""
    unread: set[str] = field(default_factory=set)
    """Documents whose facts another version wrote: to be extracted again."""
    classes: object = None
    """The hierarchy of classes that is stored (``classes.py``)."""

    def put(self, document_id: str, record: Record) -> None:
        """Add a file, or replace what it said before."""
        unit = Unit(
            document_id=document_id,
            source_id=record.source_id,
            path=record.path,
            facts=record.facts,
            project=self.project,
            words=record.words,
        )
        self.program.put(unit)
        self.marks[document_id] = record.marks

    def remove(self, document_ids: Iterable[str]) -> None:
        """Forget files."""
        for document_id in document_ids:
            self.program.remove([document_id])
            self.program.reads.pop(document_id, None)
            self.program.unparsed.pop(document_id, None)
            self.marks.pop(document_id, None)
            self.edges.pop(document_id, None)
            self.late.pop(document_id, None)
            self.crossing.discard(document_id)


@dataclass(slots=True)
class Shelf:
    """Where a program stays between syncs: who watches wants that, and has the memory."""

    keeps: bool = False
    held: Held | None = None
    scale: Scale = field(default_factory=Scale)
    """Of the programs that are opened."""

    def put_away(self) -> None:
        """Keep the program for the next sync, or let it go."""
        if not self.keeps:
            if self.held is not None:
                self.held.program.memo.clear()  # solvers know their program: it would stay
            self.held = None
            gc.unfreeze()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Nobody looks for cycles meanwhile.

    Among a million new tuples, none of them in a cycle, that took three quarters of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


async def open_held(shelf: Shelf, keyvalue: KeyValue, project: str) -> Held:
    """The program of a project as it is stored now."""
    token = await keyvalue.get(code_space(project), TOKEN) or b""
    known, shelf.held = shelf.held, None
    if known is not None and (known.project, known.token) == (project, token):
        return known
    held = Held(project, token, Program(scale=shelf.scale))
    keys = await keyvalue.keys(facts_space(project))
    for start in range(0, len(keys), _PAGE):
        page = await keyvalue.many(facts_space(project), keys[start : start + _PAGE])
        await asyncio.to_thread(_fill, held, page)
    buckets = [_bucket_key(number) for number in range(_BUCKETS)] if keys else []
    for value in (await keyvalue.many(bound_space(project), buckets)).values():
        for document_id, (edges, reads, late, crosses, *unparsed) in _load(value).items():
            if document_id in held.program.units:
                held.edges[document_id] = edges
                if crosses:
                    held.crossing.add(document_id)
                if late:
                    held.late[document_id] = late
                if unparsed:
                    held.program.unparsed[document_id] = tuple(
                        Problem(what, At(*at)) for what, at in unparsed
                    )
                held.program.reads[document_id] = frozenset(reads)
    # A million tuples, none of them in a cycle: looking through them took half of a cold update.
    gc.freeze()
    return held


def _fill(held: Held, page: Mapping[str, bytes]) -> None:
    with uninterrupted():
        for document_id, value in page.items():
            try:
                held.put(document_id, decode(value))
            except ParseError:
                held.unread.add(document_id)


def new_token() -> bytes:
    """Of a state nobody has seen yet."""
    return secrets.token_bytes(8)


def _load(value: bytes) -> Any:  # noqa: ANN401 - what was dumped
    return marshal.loads(zlib.decompress(value))  # noqa: S302 - of our own store; runs no code


def _bucket(document_id: str) -> int:
    return int(document_id[-4:]) % _BUCKETS if document_id[-4:].isdecimal() else 0


def _bucket_key(number: int) -> str:
    return f"{number:02}"


async def keep_bound(keyvalue: KeyValue, held: Held, document_ids: Iterable[str]) -> None:
    """Store what came of binding these documents; to be called in a transaction."""
    wanted = {_bucket(one) for one in document_ids}
    content: dict[int, dict[str, tuple[Any, ...]]] = defaultdict(dict)
    for document_id, edges in held.edges.items():
        number = _bucket(document_id)
        if number in wanted:
            reads = held.program.reads.get(document_id, frozenset())
            late = held.late.get(document_id, "")
            crosses = document_id in held.crossing
            problems = held.program.unparsed.get(document_id, ())
            unparsed = ((what, tuple(at)) for what, at in problems)
            content[number][document_id] = (edges, tuple(reads), late, crosses, *unparsed)
    for number in sorted(wanted):
        value = zlib.compress(marshal.dumps(content[number], 4), 1)
        await keyvalue.put(bound_space(held.project), _bucket_key(number), value)
