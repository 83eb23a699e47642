"""Half-written files: a bracket left open must not swallow the definitions after it.

The grammar recovers from most errors by itself, but an open bracket takes all lines up to the next
closing one into an expression. No line inside brackets begins with ``def``, ``class`` or
``return``; where one does, the statement with the open bracket is blanked, byte for byte, so that
everything else keeps its place.
"""

import re

MOST_BYTES = 500_000  # of a file that is repaired: half-written ones are written by hand
_TOKEN = re.compile(
    rb"#[^\n]*"
    rb'|"""(?:\\.|[^\\])*?"""'
    rb"|'''(?:\\.|[^\\])*?'''"
    rb"|(?P<open>(?:\"\"\"|''').*\Z)"
    rb'|"(?:\\.|[^"\\\n])*"'
    rb"|'(?:\\.|[^'\\\n])*'"
    rb"|(?P<open_line>[\"'][^\n]*)"
    rb"|[()\[\]{}]"
    rb"|^[ \t]*(?:async[ \t]+def|def|class|return|import|raise|while|try|with|pass|break|continue"
    rb"|del|global|nonlocal|assert|elif|except|finally)\b",
    re.MULTILINE | re.DOTALL,
)
_BLANKS = bytes(one if one in b"\r\n" else 0x20 for one in range(256))
_HEADER = re.compile(rb"[ \t]*(?:async[ \t]+)?(?:def[ \t]+\w+[ \t]*\([^()]*\)[^:]*|class\b[^:]*):")
_OPEN_HEADER = re.compile(rb"[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+\w+[ \t]*\(")


def repaired(source: bytes) -> bytes | None:
    r"""The source with statements blanked that leave a bracket open; None where there are none.

    >>> repaired(b"x = f(1,\ndef g(): pass\n")
    b'pass    \ndef g(): pass\n'
    """
    if len(source) > MOST_BYTES:
        return None
    found = bytearray(source)
    is_changed = False
    opened: list[int] = []
    for match in _TOKEN.finditer(source):
        token = match.group()
        if match.lastgroup is not None:  # a text without its end
            found[match.start() : match.end()] = token.translate(_BLANKS)
            is_changed = True
        elif token in b"([{" and len(token) == 1:
            opened.append(match.start())
        elif token in b")]}" and len(token) == 1:
            if opened:
                opened.pop()
        elif opened and token[:1] not in b"#\"'":
            _blank(found, opened[0], match.start())
            is_changed = True
            opened.clear()
    if opened:  # the file ends within
        _blank(found, opened[0], len(source))
        is_changed = True
    return bytes(found) if is_changed else None


def _blank(found: bytearray, bracket: int, end: int) -> None:
    """Blank the statement of a bracket up to the line at ``end``, its header kept."""
    start = found.rfind(b"\n", 0, bracket) + 1
    newline = found.find(b"\n", bracket, end)
    first = end if newline < 0 else newline
    header = _HEADER.match(found, start, bracket)
    open_header = _OPEN_HEADER.match(found, start, bracket + 1)
    if header is not None:
        start, filling = header.end(), b" pass"
    elif open_header is not None and first - open_header.end() >= 2:
        start, filling = open_header.end(), b"):"
    else:
        while found[start] in b" \t":
            start += 1
        filling = b"pass"
    if first - start < len(filling):
        filling = b""
    for place in range(start, end):
        if found[place] not in b"\r\n":
            found[place] = 0x20
    found[start : start + len(filling)] = filling
