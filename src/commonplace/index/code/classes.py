"""The hierarchy of classes as it is stored: for who loads a program to take up one edit.

Working it out reads the bodies of half the files, and takes a third of such an update.
"""

import marshal
import zlib

from commonplace.engines.base import KeyValue
from commonplace.index.code.shelf import Held, bound_space
from commonplace.link.code.names.descent import Descent
from commonplace.link.code.values.solving import outside

_KEY, _TOKEN = "classes", "classes.token"
_MEMO = "descent"


async def load_classes(keyvalue: KeyValue, held: Held) -> None:
    """Put the hierarchy into a program just loaded, if it was stored for the same state."""
    space = bound_space(held.project)
    found = await keyvalue.many(space, [_KEY, _TOKEN])
    if held.unread or found.get(_TOKEN, b"") != held.token or _KEY not in found:
        return
    known = marshal.loads(zlib.decompress(found[_KEY]))  # noqa: S302 - of our own store
    held.classes = held.program.memo[_MEMO] = Descent(outside(held.program), known)


async def keep_classes(keyvalue: KeyValue, held: Held, token: bytes) -> None:
    """Store it if it is known and not stored yet; to be called in a transaction."""
    space, found = bound_space(held.project), held.program.memo.get(_MEMO)
    told = found.told() if isinstance(found, Descent) else None
    if told is None:
        await keyvalue.put(space, _TOKEN, b"-")  # of no state
        return
    if found is not held.classes:
        await keyvalue.put(space, _KEY, zlib.compress(marshal.dumps(told, 4), 1))
        held.classes = found
    await keyvalue.put(space, _TOKEN, token)
