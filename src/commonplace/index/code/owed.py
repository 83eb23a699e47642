"""Code files whose symbols are stored and whose text is not: what is owed to searches."""

from commonplace.engines.base import KeyValue


def code_space(project: str) -> str:
    """Where the state of a project's code stands: token, due work, counts by source."""
    return f"code/{project}"


def text_key(source_id: str = "", first: str = "") -> str:
    """Where it is noted which documents of a source, or of all, still lack their text."""
    return f"text/{source_id}/{first}" if source_id else "text/"


async def text_owed(keyvalue: KeyValue, project: str, source_id: str = "") -> list[str]:
    """Ids of documents whose text is not cut yet, each once: several runs may owe the same."""
    space = code_space(project)
    found = await keyvalue.many(space, await keyvalue.keys(space, text_key(source_id)))
    owed = (one for value in found.values() for one in value.decode().split("\n"))
    return list(dict.fromkeys(owed))


async def files_without_text(keyvalue: KeyValue, project: str) -> int:
    """How many there are."""
    space = code_space(project)
    if not await keyvalue.keys(space, text_key()):
        return 0
    return len(await text_owed(keyvalue, project))
