"""What is known of papers beside their text, for a project that moves to another home."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from commonplace.engines.base import KeyValue
from commonplace.index.references.keep import citations_space, decode_cited, decode_kept
from commonplace.index.references.keep import records_space as records_of
from commonplace.index.references.works import decode_account, works_space

_KINDS: Mapping[str, tuple[Callable[[str], str], Callable[[bytes], object]]] = {
    "records": (records_of, decode_kept),
    "citation": (citations_space, decode_cited),
    "works": (works_space, decode_account),
}
"""Where each is kept, and what reads it: a line that it cannot read is refused."""


async def paper_records(keyvalue: KeyValue, project: str) -> AsyncIterator[Mapping[str, Any]]:
    """Bibliographies by source, citations and cited works by document, in a fixed order."""
    for kind, (space, _) in _KINDS.items():
        for key in await keyvalue.keys(space(project)):
            value = await keyvalue.get(space(project), key)
            if value is not None:
                yield {"kind": kind, "key": key, "value": json.loads(value)}


async def put_paper_record(keyvalue: KeyValue, project: str, record: Mapping[str, Any]) -> None:
    """Keep one of them; raises KeyError, TypeError or ValueError for what is none."""
    space, read = _KINDS[record["kind"]]
    value = json.dumps(record["value"]).encode()
    read(value)
    await keyvalue.put(space(project), str(record["key"]), value)
