"""A file under another name: the vectors of its passages are those it had."""

from collections.abc import Collection, Mapping, Sequence

from commonplace.domain.scope import Selection
from commonplace.engines.base import Entry, Fingerprint, Passages
from commonplace.index.embed_text import embed_text


def given_up(known: Mapping[str, Fingerprint], gone: Collection[str]) -> dict[str, str]:
    """Documents whose resource disappeared, by the hash of their content."""
    return {known[uri].content_hash: known[uri].document_id for uri in gone}


async def inherit_vectors(
    passages: Passages, entries: Sequence[Entry], given: Mapping[str, str]
) -> None:
    """Let new documents take the vectors of those given up that have the same bytes.

    To be called before these are removed. A passage whose text for the embedder is another, for
    it names the file, takes nothing.
    """
    for entry in entries:
        old_id = given.get(entry.card.content_hash)
        if old_id is None:
            continue
        project = entry.card.project
        ordinals = range(len(entry.passages))
        old = await passages.read(Selection(project=project), old_id, ordinals)
        texts = {embed_text(one.card.title, one.passage): one.passage.id for one in old}
        made = ((one.id, texts.get(embed_text(entry.card.title, one))) for one in entry.passages)
        await passages.inherit(project, {new: before for new, before in made if before})
