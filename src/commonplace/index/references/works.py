"""Works that documents cite, led to the documents of the project that are those works.

A list of references is read when its document is; which of its works are here changes with every
document that comes or goes. So the lists are kept, and the edges drawn when the project changed.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from commonplace.domain.fields import folded
from commonplace.domain.graph import Edge
from commonplace.domain.reference import Account, Listed, Reference, work_key
from commonplace.engines.base import KeyValue, Stated, Store
from commonplace.link.works import CITES, cites_edge, titles_in, work_id

_LEAST_TITLE_CHARS = 12  # as a file's: a shorter one may stand in an entry by chance
_PAGE = 500

Titles = dict[tuple[str, ...], list[tuple[str, str]]]


def works_space(project: str) -> str:
    """Where it is kept what documents tell of works."""
    return f"works/{project}"


def _drawn(project: str) -> str:
    return f"works-drawn/{project}"


def decode_account(value: bytes) -> Account:
    """As it was kept."""
    held: dict[str, Any] = json.loads(value)
    return Account(**held | {"cites": tuple(Listed(**one) for one in held["cites"])})


async def keep_works(
    keyvalue: KeyValue, project: str, written: Mapping[str, Account | None]
) -> None:
    """Note what these documents tell of works; in the transaction that writes them."""
    known = await keyvalue.many(works_space(project), list(written))
    made = {one: json.dumps(asdict(told)).encode() for one, told in written.items() if told}
    if made:
        await keyvalue.put_many(works_space(project), made)
    for document_id in known.keys() - made.keys():
        await keyvalue.expire(works_space(project), document_id)


async def forget_works(keyvalue: KeyValue, project: str, document_ids: Sequence[str]) -> None:
    """Forget what documents that are gone told."""
    for space in (works_space(project), _drawn(project)):
        for document_id in await keyvalue.many(space, document_ids):
            await keyvalue.expire(space, document_id)


async def stated_works(
    keyvalue: KeyValue, project: str, document_ids: Collection[str] | None = None
) -> dict[str, Account]:
    """What these documents, or all, tell of works, by id; those that tell nothing are left out."""
    space = works_space(project)
    wanted = await keyvalue.keys(space) if document_ids is None else list(document_ids)
    found: dict[str, Account] = {}
    for start in range(0, len(wanted), _PAGE):
        values = await keyvalue.many(space, wanted[start : start + _PAGE])
        found |= {document_id: decode_account(value) for document_id, value in values.items()}
    return found


async def draw_works(store: Store, project: str, known: Mapping[str, Reference | None]) -> int:
    """Lead every cited work that is a document of the project to it; how many lists changed.

    ``known`` has what bibliographies say of documents, by id.
    """
    told = await stated_works(store.keyvalue, project)
    if not any(one.cites for one in told.values()):
        return 0
    here = _Here(told, known)
    drawn = await _drawn_before(store.keyvalue, project, list(told))
    changed: dict[str, bytes] = {}
    stated: list[Stated] = []
    for document_id, one in told.items():
        targets = here.targets(document_id, one)
        mark = json.dumps([targets, [listed.start for listed in one.cites]]).encode()
        if not one.cites or drawn.get(document_id) == mark:
            continue
        changed[document_id] = mark
        edges = _edges(project, document_id, one, targets)
        stated.append(Stated(document_id=document_id, edges=edges))
    for start in range(0, len(stated), _PAGE):
        await store.graph.relate(project, (CITES,), stated[start : start + _PAGE])
    await store.keyvalue.put_many(_drawn(project), changed)
    return len(changed)


async def _drawn_before(
    keyvalue: KeyValue, project: str, document_ids: Sequence[str]
) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for start in range(0, len(document_ids), _PAGE):
        found |= await keyvalue.many(_drawn(project), document_ids[start : start + _PAGE])
    return found


def _edges(project: str, document_id: str, told: Account, targets: Mapping[str, str]) -> list[Edge]:
    """An edge to every work, and to every document that is one."""
    edges: dict[str, Edge] = {}
    own = work_key(told.doi, told.arxiv, told.title)
    for one in told.cites:
        if one.key == own:
            continue
        ends = (work_id(project, one.key), targets.get(one.key, ""))
        for target in filter(None, ends):
            edges.setdefault(target, cites_edge(project, document_id, target, one))
    return list(edges.values())


class _Here:
    """Which documents of a project are which works."""

    def __init__(self, told: Mapping[str, Account], known: Mapping[str, Reference | None]) -> None:
        self._keys: dict[str, str] = {}
        self._titles: Titles = {}
        # A document with references is the work itself, not its abstract in a bibliography.
        for document_id, one in sorted(told.items(), key=lambda one: (not one[1].cites, one[0])):
            self._add(document_id, one.doi, one.arxiv, one.title)
        for document_id, record in sorted(known.items()):
            if record is not None:
                self._add(document_id, record.doi, record.arxiv, record.title)

    def _add(self, document_id: str, doi: str, arxiv: str, title: str) -> None:
        for key in (work_key(doi, "", "") if doi else "", f"arxiv:{arxiv}" if arxiv else ""):
            if key:
                self._keys.setdefault(key, document_id)
        plain = folded(title)
        words = tuple(plain.split()[:3])
        if len(plain) >= _LEAST_TITLE_CHARS and len(words) == 3:
            held = self._titles.setdefault(words, [])
            if (plain, document_id) not in held:
                held.append((plain, document_id))

    def targets(self, document_id: str, told: Account) -> dict[str, str]:
        """Documents that works of a list are, by the key of the work; never the citing one."""
        found: dict[str, str] = {}
        for one in told.cites:
            target = self._target(one)
            if target and target != document_id:
                found.setdefault(one.key, target)
        return found

    def _target(self, one: Listed) -> str:
        """By its numbers; by its title only where no number says it is another work."""
        numbers = [work_key(one.doi, "", "") if one.doi else "", f"arxiv:{one.arxiv}"]
        by_number = next((self._keys[key] for key in numbers if key in self._keys), "")
        return by_number or next(titles_in(one.text, self._titles), "")
