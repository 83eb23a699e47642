"""Syntax the grammars do not know: something as long that they know stands in for it.

Names are read from the text, trees only say where they stand: what stands in is never seen.
"""

import re

# ``interface Box<in out T>``: how a type varies binds no name.
_VARIANCE = re.compile(
    rb"(?P<before>[<,]\s*(?:const\s+)?|\*/\s*|^[ \t]*(?=out\b|in[ \t]+out\b))"
    rb"(?P<modifier>in[ \t]+out|in|out)(?=[ \t]+[A-Za-z_$][\w$]*\s*(?:extends\b|[=,>]))",
    re.MULTILINE,
)
# ``export { nullType as null }``: any word may be a name outside.
_LISTED = re.compile(rb"\b(?:im|ex)port\s*(?:type\s*)?\{[^{}]*\}")
_RESERVED = re.compile(
    rb"\b(?:break|case|catch|class|const|continue|debugger|delete|do|else|enum|export|extends|false"
    rb"|finally|for|function|if|import|in|instanceof|new|null|return|super|switch|this|throw|true"
    rb"|try|typeof|var|void|while|with)\b(?!\s*\{)"
)
# ``export type * from "./m"``
_TYPES = re.compile(rb"^([ \t]*export[ \t]+)type(?=[ \t]*\*)", re.MULTILINE)
# ``using += 1``: a name that also begins a declaration.
_USING = re.compile(rb"(?<![\w$.])using(?=\s*(?:[-+*/|&]?=|[:,);.?\[(]))")
# ``using x = …``, ``await using x = …``: constants, of which the text says more.
_DISPOSED = re.compile(
    rb"^([ \t]*)((?:await[ \t]+)?using)(?=[ \t]+[A-Za-z_$][\w$]*[ \t]*(?::[^=;\n]*)?=[^=>])",
    re.MULTILINE,
)
# ``export default function (): T;`` of a declaration file: with a body, it is known.
_DECLARED = re.compile(
    rb"^(export default function ?\*?\((?:[^{}();]|\([^()]*\)|\{[^{}]*\})*\)"
    rb"(?:[^{}();]|\([^()]*\)|\{[^{}]*\})*);(?:\r?\n|[ \t])",
    re.MULTILINE,
)


def older(source: bytes) -> bytes:
    r"""The source of a file that was not understood, as far as we know what the grammar lacks.

    >>> older(b"interface Box<in out T, out U = T> { in: T }")
    b'interface Box<       T,     U = T> { in: T }'
    >>> older(b"export type * from './m'")
    b"export      * from './m'"
    >>> older(b"export { nullType as null, a }")
    b'export { nullType as _ull, a }'
    >>> older(b"export default function (): {\n  a: T;\n};\n")
    b'export default function (): {\n  a: T;\n}{}'
    """
    if b"in " in source or b"out " in source:
        source = _VARIANCE.sub(
            lambda match: match["before"] + b" " * len(match["modifier"]), source
        )
    source = _USING.sub(b"_sing", source)
    source = _TYPES.sub(rb"\1    ", source)
    source = _DECLARED.sub(lambda match: match[1] + b"{}".ljust(match.end() - match.end(1)), source)
    return _LISTED.sub(_renamed, source)


def disposed(source: bytes) -> bytes:
    """A source of TypeScript whose ``using`` is not read as if it were not there.

    >>> disposed(b"await using file = open()")
    b'const       file = open()'
    """
    return _DISPOSED.sub(lambda match: match[1] + b"const".ljust(len(match[2])), source)


def _renamed(listed: re.Match[bytes]) -> bytes:
    whole = listed.group()
    begin = whole.index(b"{")
    return whole[:begin] + _RESERVED.sub(lambda word: b"_" + word.group()[1:], whole[begin:])
