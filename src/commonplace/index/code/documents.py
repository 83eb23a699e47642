"""Prose and the symbols it names: drawn when either side changes."""

import asyncio
import marshal
from collections.abc import Collection, Iterable, Mapping, Sequence

from commonplace.engines.base import KeyValue, Stated
from commonplace.index.code.owed import code_space
from commonplace.index.code.shelf import TOKEN, Held, open_held
from commonplace.index.writer import Writer
from commonplace.link.code.mentions import Mention
from commonplace.link.code.passes.documents import DOCUMENTS_PASS

_PAGE = 500


def _space(project: str) -> str:
    return f"mentions/{project}"


async def keep_mentions(
    keyvalue: KeyValue, project: str, written: Mapping[str, Sequence[Mention]]
) -> None:
    """Note the names in these documents; to be called in the transaction that writes them."""
    known = await keyvalue.many(_space(project), list(written))
    for document_id, found in written.items():
        if found:
            value = marshal.dumps([tuple(one) for one in found], 4)
            await keyvalue.put(_space(project), document_id, value)
        elif document_id in known:
            await keyvalue.expire(_space(project), document_id)


async def forget_mentions(keyvalue: KeyValue, project: str, document_ids: Sequence[str]) -> None:
    """Forget the names in documents that are gone."""
    for document_id in await keyvalue.many(_space(project), document_ids):
        await keyvalue.expire(_space(project), document_id)


async def draw_documents(
    writer: Writer, project: str, changed: Collection[str], names: frozenset[str]
) -> int:
    """Edges from prose to symbols, for changed prose and for all that has one of these names.

    To be called while holding the lease of the project's code; how many documents were drawn.
    """
    keyvalue = writer.store.keyvalue
    if not changed and not names:
        return 0
    if await keyvalue.get(code_space(project), TOKEN) is None:
        return 0  # no code: what prose names is drawn when it comes
    held = await open_held(writer.shelf, keyvalue, project)
    writer.shelf.held = held
    await _load(held, keyvalue)
    chosen = [*changed, *_naming(held.program.mentions, names, changed)]
    for start in range(0, len(chosen), _PAGE):
        page = chosen[start : start + _PAGE]
        found = await asyncio.to_thread(DOCUMENTS_PASS.run, held.program, page)
        stated = [
            Stated(document_id=one, edges=found[one].edges if one in found else ()) for one in page
        ]
        await writer.store.graph.relate(project, DOCUMENTS_PASS.relations, stated)
    return len(chosen)


async def _load(held: Held, keyvalue: KeyValue) -> None:
    """All names of all prose, as they are stored now."""
    space = _space(held.project)
    keys = await keyvalue.keys(space)
    mentions = held.program.mentions
    mentions.clear()
    for start in range(0, len(keys), _PAGE):
        for document_id, value in (await keyvalue.many(space, keys[start : start + _PAGE])).items():
            rows = marshal.loads(value)  # noqa: S302 - of our own store; runs no code
            mentions[document_id] = tuple(Mention(*row) for row in rows)


def _naming(
    mentions: Mapping[str, Sequence[Mention]], names: frozenset[str], but: Collection[str]
) -> Iterable[str]:
    """Documents that name one of these; of a path any part counts, for modules are named too."""
    for document_id, written in mentions.items():
        parts = (one.path.split(".") for one in written)
        if document_id not in but and not all(names.isdisjoint(one) for one in parts):
            yield document_id
