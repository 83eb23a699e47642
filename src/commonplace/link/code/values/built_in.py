"""What objects of Python's own types have: a list is not asked for what no list has."""

import asyncio
import collections
import queue
import types

_MADE = (
    *(list, dict, set, frozenset, tuple, map, filter, zip, enumerate, reversed, range),
    *(collections.deque, collections.OrderedDict, collections.defaultdict, collections.Counter),
    *(queue.Queue, queue.SimpleQueue, asyncio.Queue),
    *(types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, types.MethodType),
)
OF_BUILT_IN = frozenset(name for one in _MADE for name in dir(one)) | {"mutex", "queue"}
"""Members of lists, dicts, queues, generators and what else holds values."""
_PLAIN = {
    one.__name__: frozenset(dir(one)) for one in (str, bytes, int, float, bool, complex, bytearray)
}


def is_lacking(dotted: str) -> bool:
    """Whether a member of a built-in type is one it is known not to have.

    >>> is_lacking("str.token_next"), is_lacking("str.upper"), is_lacking("Path.upper")
    (True, False, False)
    """
    type_name, _, member = dotted.partition(".")
    known = _PLAIN.get(type_name)
    return known is not None and member not in known
