"""Query text to tokens. Only ASCII spells a keyword; anything else in its place is a name."""

import re
from dataclasses import dataclass
from typing import Literal

from commonplace.cypher.faults import CompileFault, compile_fault, too_much

MOST_CHARS = 100_000
MOST_INT = 2**63

TokenKind = Literal["name", "quoted", "number", "string", "parameter", "symbol", "end"]


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the query and where it stands."""

    kind: TokenKind
    text: str
    """As a keyword: capitals, ASCII only; of names: as written; of strings: what they mean."""
    at: int
    stop: int

    @property
    def word(self) -> str:
        """What it is as a keyword; empty for all that cannot be one."""
        return self.text.upper() if self.kind == "name" and self.text.isascii() else ""


_SPACE = re.compile(r"(?:\s+|//[^\r\n]*|/\*.*?\*/)+", re.DOTALL)
_NAME = re.compile(r"[^\W\d]\w*")
_QUOTED = re.compile(r"`((?:[^`]|``)*)`")
_NUMBER = re.compile(
    r"0[xX]\w*|0[oO]\w*|(?:\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?(?:[^\W\d]\w*)?", re.ASCII
)
_INTEGER = re.compile(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|\d+", re.ASCII)
_FLOAT = re.compile(r"(?:\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_STRING = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)
_PARAMETER = re.compile(r"\$(?:`((?:[^`]|``)*)`|(\w+))")
_SYMBOL = re.compile(r"<>|<=|>=|=~|\+=|\.\.|[-+*/%^=<>()\[\]{},:.|;!&]")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_SIMPLE = {
    "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f",
    "\\": "\\", "'": "'", '"': '"', "`": "`", "/": "/",
}  # fmt: skip


def lex(text: str) -> list[Token]:
    """All tokens, the last one of kind ``end``; raises CompileFault with the place.

    >>> [token.text for token in lex("RETURN $x + 0.5 // done")]
    ['RETURN', 'x', '+', '0.5', '']
    """
    if len(text) > MOST_CHARS:
        raise too_much("is too long in characters", MOST_CHARS, "split it, or pass parameters")
    tokens: list[Token] = []
    at = 0
    while True:
        space = _SPACE.match(text, at)
        at = space.end() if space else at
        if at >= len(text):
            tokens.append(Token("end", "", at, at))
            return tokens
        token = _token(text, at)
        tokens.append(token)
        at = token.stop


def _token(text: str, at: int) -> Token:
    match = _NAME.match(text, at)
    if match:
        return Token("name", match.group(), at, match.end())
    first = text[at]
    if first.isascii() and (first.isdigit() or (first == "." and text[at + 1 : at + 2].isdigit())):
        return _number(text, at)
    for kind, pattern in (("quoted", _QUOTED), ("string", _STRING), ("parameter", _PARAMETER)):
        match = pattern.match(text, at)
        if match:
            return _delimited(text, kind, match)
    match = _SYMBOL.match(text, at)
    if match:
        return Token("symbol", match.group(), at, match.end())
    raise _stray(text, at)


def _delimited(text: str, kind: str, match: re.Match[str]) -> Token:
    inner = next((group for group in match.groups() if group is not None), "")
    if kind == "string":
        return Token("string", _unescaped(text, match.start() + 1, inner), *match.span())
    if kind == "quoted":
        return Token("quoted", inner.replace("``", "`"), *match.span())
    return Token("parameter", inner.replace("``", "`"), *match.span())


def _number(text: str, at: int) -> Token:
    match = _NUMBER.match(text, at)
    written = match.group() if match else text[at]
    if not (_INTEGER.fullmatch(written) or _FLOAT.fullmatch(written)):
        raise compile_fault(text, at, f"{written[:40]!r} is no number", "InvalidNumberLiteral")
    return Token("number", written, at, at + len(written))


def number(text: str, token: Token, *, is_negative: bool = False) -> int | float:
    """The value of a number token; raises CompileFault when it is out of range."""
    written = token.text
    if not _INTEGER.fullmatch(written):
        value = float(written)
        if value == float("inf"):
            raise compile_fault(text, token.at, f"{written[:40]} is too large",
                                "FloatingPointOverflow")  # fmt: skip
        return -value if is_negative else value
    if len(written) > 70:
        whole = MOST_INT + 1
    elif written[:2] in ("0x", "0X", "0o", "0O"):
        whole = int(written, 0)
    else:
        whole = int(written)
    if whole > MOST_INT - (0 if is_negative else 1):
        raise compile_fault(text, token.at, f"{written[:40]} needs more than 64 bits",
                            "IntegerOverflow")  # fmt: skip
    return -whole if is_negative else whole


def _unescaped(text: str, at: int, inner: str) -> str:
    def replace(match: re.Match[str]) -> str:
        code = match.group(1)
        if code[0] in "uU" and len(code) > 1:
            point = int(code[1:], 16)
            if point <= 0x10FFFF and not 0xD800 <= point <= 0xDFFF:
                return chr(point)
        elif code in _SIMPLE:
            return _SIMPLE[code]
        kind = "InvalidUnicodeLiteral" if code[0] in "uU" else "UnexpectedSyntax"
        raise compile_fault(text, at + match.start(), "unknown escape in a string", kind)

    return _ESCAPE.sub(replace, inner) if "\\" in inner else inner


def _stray(text: str, at: int) -> CompileFault:
    first = text[at]
    if first in "'\"`":
        return compile_fault(text, at, f"the {first} opened here is never closed",
                             "UnexpectedSyntax")  # fmt: skip
    if text.startswith("/*", at):
        return compile_fault(text, at, "the comment opened here is never closed",
                             "UnexpectedSyntax")  # fmt: skip
    if not first.isascii():
        return compile_fault(text, at, f"character U+{ord(first):04X} means nothing here",
                             "InvalidUnicodeCharacter")  # fmt: skip
    return compile_fault(text, at, f"character {first!r} means nothing here", "UnexpectedSyntax")
