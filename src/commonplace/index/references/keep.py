"""Records and what they were matched to, kept apart from the text.

So an edit of a bibliography changes citations, and no passage is cut or embedded again.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from commonplace.domain.document import Card
from commonplace.domain.media import is_code_type, media_type_of
from commonplace.domain.reference import Reference
from commonplace.domain.scope import Selection, Source
from commonplace.engines.analysis import clean
from commonplace.engines.base import KeyValue, Store
from commonplace.index.references.match import Matcher
from commonplace.index.references.works import stated_works

_OPENING_PASSAGES = 3
_OPENING_CHARS = 3000  # a paper states its own DOI on its first page


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """What is known of one document beside its card."""

    source_id: str
    tags: tuple[str, ...]
    """Of the document and of its record."""
    reference: Reference | None
    content_hash: str = ""
    is_inherited: bool = False
    """Whether the record was that of the same file under the name it had before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The records of a source, and what they were read from."""

    references: tuple[Reference, ...] = ()
    path: str = ""
    """The bibliography that was named; empty when those beside the documents count."""
    stamp: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Size and time of the files they were read from, by path."""


def records_space(project: str) -> str:
    """Where records are kept, by source."""
    return f"references/{project}"


def citations_space(project: str) -> str:
    """Where citations are kept, by document."""
    return f"citations/{project}"


def owed_space(project: str) -> str:
    """Where it is noted that citations of a source are still to be made."""
    return f"citations-owed/{project}"


def encode_reference(reference: Reference) -> dict[str, Any]:
    """Ready for JSON."""
    return asdict(reference)


def decode_reference(record: Mapping[str, Any]) -> Reference:
    """From JSON; raises KeyError or TypeError for what is no record."""
    lists = {name: tuple(record[name]) for name in ("authors", "tags", "uris") if name in record}
    return Reference(**{**record, **lists})


def decode_cited(value: bytes) -> Cited:
    """As it was kept."""
    record = json.loads(value)
    held = record["reference"]
    return Cited(
        source_id=record["source_id"],
        tags=tuple(record["tags"]),
        reference=decode_reference(held) if held else None,
        content_hash=record.get("content_hash", ""),
        is_inherited=record.get("is_inherited", False),
    )


async def keep_records(keyvalue: KeyValue, source: Source, kept: Kept) -> None:
    """Replace the records of a source."""
    records = [encode_reference(one) for one in kept.references]
    held = {"path": kept.path, "stamp": kept.stamp, "records": records}
    await keyvalue.put(records_space(source.project), source.id, json.dumps(held).encode())


async def kept_records(keyvalue: KeyValue, source: Source) -> Kept | None:
    """The records of a source; None when it never had any."""
    value = await keyvalue.get(records_space(source.project), source.id)
    return decode_kept(value) if value is not None else None


def decode_kept(value: bytes) -> Kept:
    """As they were kept."""
    held = json.loads(value)
    if isinstance(held, list):  # as they were kept before their origin was
        held = {"path": "", "stamp": {}, "records": held}
    references = tuple(decode_reference(record) for record in held["records"])
    return Kept(references=references, path=held["path"], stamp=held["stamp"])


async def all_records(keyvalue: KeyValue, project: str) -> dict[str, Reference]:
    """Every record of a project that has a citekey; of equal keys the first counts."""
    found: dict[str, Reference] = {}
    space = records_space(project)
    for value in (await keyvalue.many(space, await keyvalue.keys(space))).values():
        for one in decode_kept(value).references:
            if one.citekey:
                found.setdefault(one.citekey, one)
    return found


async def forget_references(keyvalue: KeyValue, source: Source) -> None:
    """Remove the records of a source and what they were matched to."""
    await keyvalue.expire(records_space(source.project), source.id)
    await keyvalue.expire(owed_space(source.project), source.id)
    await _forget(keyvalue, source, ())


async def cite(
    store: Store,
    source: Source,
    also: Sequence[Reference] = (),
    among: Collection[str] | None = None,
) -> list[str]:
    """Match documents of a source to its records; the paths of those no record tells of.

    What its own records do not tell, those ``also`` given may. With ``among``, only these
    documents are matched; what is known of the others stays.
    """
    project = source.project
    kept = await kept_records(store.keyvalue, source)
    matcher = Matcher([*(kept.references if kept else ()), *also])
    fingerprints = await store.passages.fingerprints(project, source.id)
    known = [one.document_id for uri, one in fingerprints.items() if not _is_code(uri)]
    wanted = known if among is None else [one for one in known if one in among]
    made: dict[str, Cited] = {}
    paths: dict[str, str] = {}
    works = await stated_works(store.keyvalue, project, wanted)
    bequeathed = await _bequeathed(store.keyvalue, source, known)
    for document_id in wanted:
        found = await store.passages.read(
            Selection(project=project), document_id, range(_OPENING_PASSAGES)
        )
        if not found:
            continue
        card = found[0].card
        opening = "".join(each.passage.text for each in found)[:_OPENING_CHARS]
        own = matcher.match(card, opening, works.get(document_id))
        before = None if own else bequeathed.get(card.content_hash)
        again = matcher.again(before) if before else None
        made[document_id] = _cited(source, card, own, again)
        paths[document_id] = card.path
    values = {one: json.dumps(asdict(told)).encode() for one, told in made.items()}
    await store.keyvalue.put_many(citations_space(project), values)
    await label(store, project, made)
    if among is None:
        await _forget(store.keyvalue, source, known)
    return sorted(paths[one] for one, told in made.items() if told.reference is None)


async def label(store: Store, project: str, told: Mapping[str, Cited]) -> None:
    """Let documents, by id, be found by the tags of their records, with every tool."""
    tags = {one: [clean(tag) for tag in cited.tags] for one, cited in told.items()}
    await store.passages.label(project, tags)


def _is_code(uri: str) -> bool:
    """Whether an address is that of code, which no bibliography tells of."""
    return is_code_type(media_type_of(uri.rpartition("/")[2]) or "")


def _cited(source: Source, card: Card, own: Reference | None, inherited: Reference | None) -> Cited:
    reference = own or inherited
    tags = dict.fromkeys((*card.tags, *(reference.tags if reference else ())))
    return Cited(
        source_id=source.id,
        tags=tuple(tags),
        reference=reference,
        content_hash=card.content_hash,
        is_inherited=own is None and inherited is not None,
    )


async def _bequeathed(
    keyvalue: KeyValue, source: Source, known: Collection[str]
) -> dict[str, Reference]:
    """Records of files the source has no more, by their content: they may have another name now."""
    there = frozenset(known)
    return {
        one.content_hash: one.reference
        for document_id, one in (await all_cited(keyvalue, source.project)).items()
        if one.source_id == source.id and one.reference and one.content_hash
        if one.is_inherited or document_id not in there
    }


async def forget_gone(store: Store, source: Source) -> None:
    """Let go of what is known of documents the source no longer has."""
    known = await store.passages.fingerprints(source.project, source.id)
    await _forget(store.keyvalue, source, [one.document_id for one in known.values()])


async def _forget(keyvalue: KeyValue, source: Source, known: Collection[str]) -> None:
    """Let go of what was known of documents the source no longer has."""
    kept = frozenset(known)
    for document_id, one in (await all_cited(keyvalue, source.project)).items():
        if one.source_id == source.id and document_id not in kept:
            await keyvalue.expire(citations_space(source.project), document_id)


async def all_cited(keyvalue: KeyValue, project: str) -> dict[str, Cited]:
    """What is known of every document of a project, by id."""
    return await cited(keyvalue, project, await keyvalue.keys(citations_space(project)))


async def cited(keyvalue: KeyValue, project: str, document_ids: Iterable[str]) -> dict[str, Cited]:
    """What is known of these documents, as far as something is."""
    wanted = list(dict.fromkeys(document_ids))
    values = await keyvalue.many(citations_space(project), wanted)
    return {document_id: decode_cited(value) for document_id, value in values.items()}


async def references_of(
    keyvalue: KeyValue, project: str, document_ids: Sequence[str]
) -> dict[str, Reference]:
    """Records of documents, by id; of one without, the DOI it states itself."""
    known = await cited(keyvalue, project, document_ids)
    found = {one: told.reference for one, told in known.items() if told.reference}
    others = [one for one in document_ids if one not in found]
    stated = await stated_works(keyvalue, project, others) if others else {}
    return found | {one: Reference(doi=told.doi, arxiv=told.arxiv) for one, told in stated.items()}
