"""C# whose directives cut through statements: read again with the directives blanked out.

The grammar takes ``#if`` where a whole statement or member may stand, and only there. Blanks keep
every place what it was.
"""

import re
from collections.abc import Iterator

_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(\w+)[^\n]*", re.MULTILINE)
_CHARACTER = re.compile(rb"[^\r\n]")


def without_directives(encoded: bytes) -> Iterator[bytes]:
    """The text with both sides of every condition, then with the first side only."""
    found = list(_DIRECTIVE.finditer(encoded))
    if not any(one.group(1) == b"if" for one in found):
        return
    yield _blanked(encoded, [one.span() for one in found])
    yield _blanked(encoded, [*(one.span() for one in found), *_other_sides(found)])


def _other_sides(found: list[re.Match[bytes]]) -> Iterator[tuple[int, int]]:
    """From each ``#else`` or ``#elif`` to the ``#endif`` of its condition."""
    starts: list[int | None] = []
    for one in found:
        word = one.group(1)
        if word == b"if":
            starts.append(None)
        elif word in (b"else", b"elif") and starts and starts[-1] is None:
            starts[-1] = one.start()
        elif word == b"endif" and starts:
            start = starts.pop()
            if start is not None:
                yield start, one.end()


def _blanked(encoded: bytes, spans: list[tuple[int, int]]) -> bytes:
    parts: list[bytes] = []
    end = 0
    for start, stop in sorted(spans):
        start = max(start, end)
        if stop > start:
            parts += [encoded[end:start], _CHARACTER.sub(b" ", encoded[start:stop])]
            end = stop
    return b"".join([*parts, encoded[end:]])
