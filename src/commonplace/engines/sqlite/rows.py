"""Rows to nouns and back: cards, passages, moments, and a selection as SQL."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import apsw

from commonplace.domain.document import Card, Span
from commonplace.domain.errors import InvalidArgument
from commonplace.domain.passage import Located, Passage, PassageKind
from commonplace.domain.scope import Selection
from commonplace.engines.analysis import clean

LIMIT_MOST = 10_000  # more hits than any page of any tool asks for
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

CARD = """d.id, d.source_id, d.uri, d.path, d.title, d.media_type, d.content_hash, d.tags,
    d.repository, d.environment, d.modified_at, d.indexed_at, d.size_bytes"""
"""The columns ``card_of`` reads, of ``documents AS d``."""

LOCATED = f"""p.id, p.ordinal, p.text, p.start, p.stop, p.headings, p.anchor, p.kind, p.tokens,
    p.first_page, p.last_page, d.number, {CARD}"""
"""The columns ``locate`` reads, of ``passages AS p`` and ``documents AS d``."""


def micros(moment: datetime) -> int:
    """A moment as whole microseconds since 1970, for exact comparison.

    >>> moment_of(micros(datetime(2024, 5, 1, 12, 30, 0, 7, tzinfo=UTC))).microsecond
    7
    """
    if moment.tzinfo is None:
        raise InvalidArgument(f"{moment.isoformat()} has no time zone; add one, such as +00:00")
    return (moment - _EPOCH) // timedelta(microseconds=1)


def moment_of(number: int) -> datetime:
    """The moment ``micros`` made this number of, in UTC."""
    return _EPOCH + timedelta(microseconds=number)


def as_json(values: Iterable[str]) -> str:
    """A list as one bound parameter, read back with ``json_each``."""
    return json.dumps([clean(value) for value in values], ensure_ascii=False)


def project_number(connection: apsw.Connection, name: str) -> int | None:
    """The number of a project, or None when it was never written to."""
    found = connection.execute("SELECT number FROM projects WHERE name=?", (clean(name),)).get
    return cast("int | None", found)


def open_project(connection: apsw.Connection, name: str) -> int:
    """The number of a project, made on first use."""
    number = project_number(connection, name)
    if number is None:
        connection.execute("INSERT INTO projects (name) VALUES (?)", (name,))
        number = connection.last_insert_rowid()
    return number


def selected(selection: Selection, project: int) -> tuple[str, dict[str, Any]]:
    """The conditions on ``documents AS d`` a selection means, and their parameters.

    >>> selected(Selection(project="x"), 7)
    ('d.project = :project', {'project': 7})
    """
    terms = ["d.project = :project"]
    bound: dict[str, Any] = {"project": project}
    for place, choice in enumerate(selection.tags):
        terms.append(
            "d.number IN (SELECT document FROM tags WHERE tag IN "  # noqa: S608 - our own text
            f"(SELECT value FROM json_each(:tags{place})))"
        )
        bound[f"tags{place}"] = as_json(choice)
    if selection.path_prefix is not None:
        column = "uri" if selection.is_prefix_of_address else "path"
        terms.append(f"substr(d.{column}, 1, length(:prefix)) = :prefix")
        bound["prefix"] = clean(selection.path_prefix)
    if selection.updated_after is not None:
        terms.append("d.modified_at > :after")
        bound["after"] = micros(selection.updated_after)
    if selection.repositories:
        terms.append("d.repository IN (SELECT value FROM json_each(:repositories))")
        bound["repositories"] = as_json(selection.repositories)
    if selection.environment is not None:
        terms.append("(d.environment IS NULL OR d.environment = :environment)")
        bound["environment"] = clean(selection.environment)
    if selection.documents is not None:
        terms.append("d.id IN (SELECT value FROM json_each(:documents))")
        bound["documents"] = as_json(selection.documents)
    return " AND ".join(terms), bound


def locate(project: str, rows: Iterable[tuple[Any, ...]]) -> list[Located]:
    """Passages with their cards; passages of one document share its card."""
    cards: dict[int, Card] = {}
    return [_located(project, row, cards) for row in rows]


def _located(project: str, row: tuple[Any, ...], cards: dict[int, Card]) -> Located:
    number = row[11]
    card = cards.get(number)
    if card is None:
        card = cards[number] = card_of(project, row[12:])
    first, last = row[9], row[10]
    passage = Passage(
        id=row[0],
        document_id=card.id,
        ordinal=row[1],
        text=row[2],
        span=Span(row[3], row[4]),
        headings=_texts(row[5]),
        anchor=row[6],
        kind=cast("PassageKind", row[7]),
        tokens=row[8],
        pages=None if first is None else (first, last),
    )
    return Located(card, passage)


def _texts(column: str) -> tuple[str, ...]:
    """A list of texts kept as JSON; most are empty, and that is quicker seen than read."""
    return () if column == "[]" else tuple(json.loads(column))


def card_of(project: str, row: tuple[Any, ...]) -> Card:
    """A catalogue card from the columns ``CARD``."""
    return Card(
        id=row[0],
        project=project,
        source_id=row[1],
        uri=row[2],
        path=row[3],
        title=row[4],
        media_type=row[5],
        content_hash=row[6],
        tags=_texts(row[7]),
        repository=row[8],
        environment=row[9],
        modified_at=moment_of(row[10]),
        indexed_at=moment_of(row[11]),
        size_bytes=row[12],
    )
