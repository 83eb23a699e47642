"""Records and what they were matched to, kept apart from the text.

So an edit of a bibliography changes citations, and no passage is cut or embedded again.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from commonplace.domain.reference import Reference
from commonplace.domain.scope import Selection, Source
from commonplace.engines.base import KeyValue, Store
from commonplace.index.references.match import Matcher

_OPENING_PASSAGES = 3
_OPENING_CHARS = 3000  # a paper states its own DOI on its first page


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """What is known of one document beside its card."""

    source_id: str
    tags: tuple[str, ...]
    """Of the document and of its record."""
    reference: Reference | None


def _records(project: str) -> str:
    return f"references/{project}"


def _citations(project: str) -> str:
    return f"citations/{project}"


def _decode(record: Mapping[str, Any]) -> Reference:
    lists = {name: tuple(record[name]) for name in ("authors", "tags")}
    return Reference(**{**record, **lists})


def _decode_cited(value: bytes) -> Cited:
    record = json.loads(value)
    held = record["reference"]
    return Cited(
        source_id=record["source_id"],
        tags=tuple(record["tags"]),
        reference=_decode(held) if held else None,
    )


async def keep_references(
    keyvalue: KeyValue, source: Source, references: Sequence[Reference]
) -> None:
    """Replace the records of a source."""
    value = json.dumps([asdict(one) for one in references]).encode()
    await keyvalue.put(_records(source.project), source.id, value)


async def kept_references(keyvalue: KeyValue, source: Source) -> list[Reference]:
    """The records of a source."""
    value = await keyvalue.get(_records(source.project), source.id)
    return [_decode(record) for record in json.loads(value)] if value else []


async def cite_again(store: Store, source: Source) -> None:
    """Match anew after a sync, where the source has records."""
    if await store.keyvalue.get(_records(source.project), source.id) is not None:
        await cite(store, source)


async def forget_references(keyvalue: KeyValue, source: Source) -> None:
    """Remove the records of a source and what they were matched to."""
    await keyvalue.expire(_records(source.project), source.id)
    await _forget(keyvalue, source, ())


async def cite(store: Store, source: Source) -> list[str]:
    """Match every document of a source anew; the paths of those that no record tells of."""
    project = source.project
    matcher = Matcher(await kept_references(store.keyvalue, source))
    known = await store.passages.fingerprints(project, source.id)
    made: dict[str, bytes] = {}
    unmatched: list[str] = []
    for one in known.values():
        found = await store.passages.read(
            Selection(project=project), one.document_id, range(_OPENING_PASSAGES)
        )
        if not found:
            continue
        card = found[0].card
        opening = "".join(each.passage.text for each in found)[:_OPENING_CHARS]
        reference = matcher.match(card, opening)
        tags = dict.fromkeys((*card.tags, *(reference.tags if reference else ())))
        cited = Cited(source_id=source.id, tags=tuple(tags), reference=reference)
        made[one.document_id] = json.dumps(asdict(cited)).encode()
        unmatched += [] if reference else [card.path]
    await store.keyvalue.put_many(_citations(project), made)
    await _forget(store.keyvalue, source, made)
    return sorted(unmatched)


async def _forget(keyvalue: KeyValue, source: Source, made: Collection[str]) -> None:
    """Let go of what was known of documents the source no longer has."""
    for document_id, one in (await all_cited(keyvalue, source.project)).items():
        if one.source_id == source.id and document_id not in made:
            await keyvalue.expire(_citations(source.project), document_id)


async def all_cited(keyvalue: KeyValue, project: str) -> dict[str, Cited]:
    """What is known of every document of a project, by id."""
    return await cited(keyvalue, project, await keyvalue.keys(_citations(project)))


async def cited(keyvalue: KeyValue, project: str, document_ids: Iterable[str]) -> dict[str, Cited]:
    """What is known of these documents, as far as something is."""
    wanted = list(dict.fromkeys(document_ids))
    values = await keyvalue.many(_citations(project), wanted)
    return {document_id: _decode_cited(value) for document_id, value in values.items()}
