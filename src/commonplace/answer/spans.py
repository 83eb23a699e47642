"""A passage becomes spans: the pieces a quote may begin and end at.

The default method knows sentences (with abbreviations, decimals, initials, addresses), list
entries, table rows, code, headings, marks of reStructuredText and lines of a dialogue.
``overlap_spans`` is the splitting of seed 000 §4.6.1, to the letter. Offsets count characters of
the passage's text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from commonplace.answer.ornaments import is_ornament

SpanKind = Literal["sentence", "heading", "row", "code", "mark"]
"""A mark is a line for the typesetter, such as ``.. module:: json``."""

_FENCE = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,})")
_FRONT_MATTER = re.compile(
    r"---[ \t]*\r?\n[A-Za-z_][\w-]*[ \t]*:.*?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL
)
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t]|$)")
_WIKI_DEEPEST = 6
_UNDERLINE = re.compile(r"^(?P<mark>[=\-~^\"'`#*+.:_])(?P=mark){2,}[ \t]*$")
_RULE = re.compile(r"^ {0,3}(?:[-*_=~^+#|:][ \t]*){3,}$")
_BULLET = re.compile(r"^[ \t>]*(?:[-*+•‣–]|\(?\d{1,3}[.)]|[a-zA-Z][.)])[ \t]+")
_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$")
_SPEAKER = re.compile(r"^[ \t]*(?:\[[^\]\n]{1,40}\][ \t]*)?[^\W\d_][\w .'’-]{0,38}:[ \t]+\S")

_DIRECTIVE = re.compile(r"^[ \t]*\.\. (?:py:)?(?P<name>[\w-]+)::[ \t]*(?P<argument>.*)")
_UNSHOWN = re.compile(r"^[ \t]*(?:\.\. (?!\[|[\w:-]+::)|__ )")  # labels, comments, targets
_CODE = """
code code-block console doctest math parsed-literal prompt sourcecode testcode
"""
_CODE_DIRECTIVES = frozenset(_CODE.split())
_MARKS = """
contents currentmodule default-domain default-role highlight index module moduleauthor role
sectionauthor toctree
"""
_MARK_DIRECTIVES = frozenset(_MARKS.split())
_NAME = re.compile(r"[^\W\d][\w.:/-]*")
_PROMPT = re.compile(r"^[ \t]*>>> ")

# Begins with one set of characters: looking for it then takes a quarter of the time.
_END = re.compile(
    r"[.!?…。！？｡](?:"
    r"(?<=[.!?…])[.!?…]*[\"'”’»)\]*_`]*(?=\s)"  # punctuation, closing marks, then white space
    r"|(?<=[。！？｡])[。！？｡]*[」』”）]*)"  # no space follows in Chinese and Japanese
)
_BEFORE_WORD = re.compile(r".*[\s(\[\"'“„«/–—-]", re.DOTALL)
_WORD_CHARS_MOST = 24
_INITIALS = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")
_ABBREVIATED = """
al approx art assn ave bros c ca cap cf ch co col corp dept dr ed eds e.g eg eq esp est et etc
ex fig figs fr ft gen gov hon i.e ie inc jr lat lt ltd maj messrs mr mrs ms mt no nos nr op pl
pp prof pt ref refs rep resp rev sec sect sen sgt sr st tab u.k u.n u.s v viz vol vols vs
jan feb mar apr jun jul aug sep sept oct nov dec
abb abs allg anm aufl bd bspw bzgl bzw chr d.h dipl dt evtl ggf hl hrsg ing inkl insb jh jhd
kap lfd max min mio mrd nr o.ä s.o s.u sog std str tel u.a usw v.a vgl z.b z.t zzgl
"""
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
_ABBREVIATION_MOST = max(map(len, _ABBREVIATIONS))
_MONTHS = (
    "januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember"
    "|jahrhundert|jahrtausend|auflage|klasse|platz|tag|runde"
)
_AFTER_ORDINAL = re.compile(rf"\s+(?:{_MONTHS})\b", re.IGNORECASE)


class Piece(NamedTuple):  # a reply makes hundreds, a frozen dataclass in twice the time
    """A span of a passage and what it is."""

    start: int
    end: int
    kind: SpanKind = "sentence"


@lru_cache(maxsize=4)  # asked at every full stop
def _is_lower(text: str) -> bool:
    """Whether a text has no capitals, which then begin no sentence."""
    return text.islower()


def _is_end(text: str, start: int, end: int) -> bool:
    """Whether the punctuation at ``start`` ends a sentence, and not an abbreviation."""
    if text[start] not in "." or (end - start > 1 and text[start : start + 2] == ".."):
        return True
    following = text[end : end + 24].lstrip()
    if following[:1].islower() and not _is_lower(text):
        return False
    if start > _ABBREVIATION_MOST and text[start - _ABBREVIATION_MOST - 1 : start].isalpha():
        return True
    word = _last_word(text, start)
    if word.lower() in _ABBREVIATIONS:
        # "etc." and "Inc." do end sentences; a capital then begins the next one
        return (
            word.lower() in {"etc", "usw", "inc", "ltd", "co", "corp"} and following[:1].isupper()
        )
    is_initial = len(word) == 1 and (word.isupper() or _is_lower(text))
    if is_initial or _INITIALS.fullmatch(word):
        return False  # an initial: J. Smith, U.S.A.
    if word.isdigit() and len(word) <= 2:
        return not _AFTER_ORDINAL.match(text, end)
    return True


def _last_word(text: str, end: int) -> str:
    """The word that ends here; none when it is longer than any abbreviation."""
    first = max(0, end - _WORD_CHARS_MOST)
    before = _BEFORE_WORD.match(text, first, end)
    if before:
        return text[before.end() : end]
    return "" if first else text[:end]


def _sentences(text: str, start: int, end: int) -> Iterator[Piece]:
    """Cut one paragraph or list entry into sentences."""
    begin = start
    bullet = _BULLET.match(text[start:end])  # the number of an entry is no sentence
    for match in _END.finditer(text, start + (bullet.end() if bullet else 0), end):
        if _is_end(text, match.start(), match.end()):
            yield from _trimmed(text, begin, match.end(), "sentence")
            begin = match.end()
    yield from _trimmed(text, begin, end, "sentence")


def _trimmed(text: str, start: int, end: int, kind: SpanKind) -> Iterator[Piece]:
    """The stretch without white space around it; nothing when nothing is left."""
    stretch = text[start:end]
    body = stretch.lstrip()
    if body:
        start += len(stretch) - len(body)
        yield Piece(start, start + len(body.rstrip()), kind)


def is_entry(text: str, piece: Piece) -> bool:
    """Whether a piece begins an entry of a list or is a row of a table."""
    return piece.kind == "row" or _BULLET.match(text[piece.start : piece.end]) is not None


def is_wiki_heading(line: str) -> bool:
    """Whether a line is a heading as wikis write it: between as many equals signs.

    >>> is_wiki_heading("== Early life =="), is_wiki_heading("= = Music = ="), is_wiki_heading("=a")
    (True, True, False)
    """
    line = line.strip()
    before = line[: len(line) - len(line.lstrip("= "))].count("=")
    after = line[len(line.rstrip("= ")) :].count("=")
    return 0 < before == after <= _WIKI_DEEPEST and any(map(str.isalnum, line))


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each line, line break included."""
    start = 0
    while start < len(text):
        cut = text.find("\n", start)
        end = len(text) if cut < 0 else cut + 1
        yield start, end
        start = end


@dataclass(slots=True)
class _Block:
    """Lines that belong together because they are indented, or because no blank line parts them."""

    kind: SpanKind
    start: int
    end: int
    indent: int
    """What is indented deeper belongs to it."""
    is_session: bool = False
    """A session at a prompt, which goes on to the next blank line."""

    def holds(self, line: str) -> bool:
        if self.is_session:
            return bool(line.strip())
        return not line.strip() or _indent(line) > self.indent


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


class _Cutter:
    """Walks the lines of a passage; prose gathers until something else begins."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[Piece] = []
        self._prose_start: int | None = None
        self._prose_end = 0
        self._fence = ""
        self._fence_start = 0
        self._block: _Block | None = None

    def take(self, start: int, end: int) -> None:
        line = self.text[start:end].rstrip("\r\n")
        if self._fence:
            fence = _FENCE.match(line)
            if fence and fence["mark"].startswith(self._fence) and line.strip() == fence["mark"]:
                self._close(end)
        elif not self._goes_on(line, end) and not self._heads(line):
            self._begin(line, start, end)

    def _goes_on(self, line: str, end: int) -> bool:
        """Whether the line belongs to the block above it."""
        block = self._block
        if block is None or not block.holds(line):
            self._close_block()
            return False
        if line.strip():
            block.end = end
        return True

    def _heads(self, line: str) -> bool:
        """Whether the line makes the single one above it a heading."""
        rule = _UNDERLINE.match(line)
        if rule is None or self._prose_start is None:
            return False
        title = self.text[self._prose_start : self._prose_end].strip()
        # Markdown's lines may be short; other marks are as long as what they underline.
        is_long = rule["mark"] in "=-" or len(line.rstrip()) >= len(title)
        if "\n" in title or not is_long or _BULLET.match(title):
            return False
        self.pieces.extend(_trimmed(self.text, self._prose_start, self._prose_end, "heading"))
        self._prose_start = None
        return True

    def _begin(self, line: str, start: int, end: int) -> None:
        fence = _FENCE.match(line)
        if fence:
            self.flush()
            self._fence, self._fence_start = fence["mark"], start
        elif not line.strip() or _RULE.match(line):
            self.flush()
        elif _HEADING.match(line) or is_wiki_heading(line):
            self.flush()
            self.pieces.extend(_trimmed(self.text, start, end, "heading"))
        elif _ROW.match(line):
            self.flush()
            self.pieces.extend(_trimmed(self.text, start, end, "row"))
        elif not self._opens(line, start, end):
            if _BULLET.match(line) or _SPEAKER.match(line):
                self.flush()
            self._gather(start, end)
            if line.rstrip().endswith("::"):  # what is indented below is literal
                self.flush()
                self._block = _Block("code", end, end, _indent(line))

    def _opens(self, line: str, start: int, end: int) -> bool:
        """Whether the line begins a block of code or of marks, or is a directive."""
        directive = _DIRECTIVE.match(line)
        name = directive["name"] if directive else ""
        if name in _CODE_DIRECTIVES or _PROMPT.match(line):
            kind: SpanKind = "code"
        elif name in _MARK_DIRECTIVES or _UNSHOWN.match(line):
            kind = "mark"
        elif directive is None:
            return False
        else:  # its body is prose
            self.flush()
            kind = "mark" if self._only_names(directive["argument"], line, end) else "sentence"
            self.pieces.extend(_trimmed(self.text, start, end, kind))
            return True
        self.flush()
        is_session = kind == "code" and directive is None
        self._block = _Block(kind, start, end, _indent(line), is_session)
        return True

    def _only_names(self, argument: str, line: str, end: int) -> bool:
        """Whether a directive says nothing but what its section is called: ``.. setting:: X``."""
        if not argument.strip():
            return True
        below = self.text[end : end + len(line) + 4].lstrip("\r\n")
        has_body = bool(below.strip()) and _indent(below) > _indent(line)
        return not has_body and _NAME.fullmatch(argument.strip()) is not None

    def _gather(self, start: int, end: int) -> None:
        if self._prose_start is None:
            self._prose_start = start
        self._prose_end = end

    def _close(self, end: int) -> None:
        """A fence is one piece: half a fence is broken code."""
        self.pieces.extend(_trimmed(self.text, self._fence_start, end, "code"))
        self._fence = ""

    def _close_block(self) -> None:
        if self._block is not None:
            block, self._block = self._block, None
            self.pieces.extend(_trimmed(self.text, block.start, block.end, block.kind))

    def flush(self) -> None:
        if self._fence:
            self._close(len(self.text))
        self._close_block()
        if self._prose_start is not None:
            self.pieces.extend(_sentences(self.text, self._prose_start, self._prose_end))
            self._prose_start = None


def split_spans(text: str) -> list[Piece]:
    r"""The pieces of a passage, in order, not overlapping.

    Between them stand only white space and rules, and before the first a document's front matter.

    >>> text = "Dr. No costs 3.5 € (e.g. at www.a.b). Bye!\n- one\n- two"
    >>> [text[piece.start : piece.end] for piece in split_spans(text)]
    ['Dr. No costs 3.5 € (e.g. at www.a.b).', 'Bye!', '- one', '- two']
    """
    cutter = _Cutter(text)
    head = _FRONT_MATTER.match(text)
    first = head.end() if head else 0
    for start, end in _lines(text):
        if start >= first:
            cutter.take(start, end)
    cutter.flush()
    return cutter.pieces


def quotable(text: str) -> list[Piece]:
    r"""The pieces worth a quote: replies carry headings, nobody reads marks and ornaments.

    >>> text = "Title\n=====\n\n.. module:: json\n\nIt reads files."
    >>> [text[piece.start : piece.end] for piece in quotable(text)]
    ['It reads files.']
    """
    pieces = split_spans(text)
    worthy = [piece for piece in pieces if _is_worthy(text, piece)]
    return worthy or [piece for piece in pieces if piece.kind == "heading"]


def _is_worthy(text: str, piece: Piece) -> bool:
    if piece.kind == "sentence":
        return not is_ornament(text[piece.start : piece.end])
    return piece.kind not in {"heading", "mark"}


def sentences(text: str, piece: Piece) -> list[Piece]:
    """The sentences of a piece, such as a row of a table; code has none but itself."""
    if piece.kind == "code":
        return [piece]
    return [Piece(one.start, one.end, piece.kind) for one in _sentences(text, *piece[:2])]


_OVERLAP_FENCE = re.compile(r"^[ \t]*```.*?(?:^[ \t]*```[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_OVERLAP_CUT = re.compile(
    r"\n[ \t\r]*\n\s*"  # blank lines
    r"|\n(?=[ \t]*(?:[-*+•]|\d+[.)])[ \t]+)"  # before a bullet
    r"|(?<=[.?!])\s+"  # after sentence-ending punctuation
)


def overlap_spans(text: str) -> list[Piece]:
    r"""Spans as seed 000 §4.6.1 cuts them: fences whole, then blank lines, bullets, ``.?!``.

    >>> text = "One. Two e.g. three\n\n```\na. b\n```\n* four"
    >>> [text[piece.start : piece.end] for piece in overlap_spans(text)]
    ['One.', 'Two e.g.', 'three', '```\na. b\n```', '* four']
    """
    pieces: list[Piece] = []
    place = 0
    for fence in _OVERLAP_FENCE.finditer(text):
        pieces.extend(_overlap_prose(text, place, fence.start()))
        pieces.extend(_trimmed(text, fence.start(), fence.end(), "code"))
        place = fence.end()
    pieces.extend(_overlap_prose(text, place, len(text)))
    return pieces


def _overlap_prose(text: str, start: int, end: int) -> Iterator[Piece]:
    begin = start
    for cut in _OVERLAP_CUT.finditer(text, start, end):
        yield from _trimmed(text, begin, cut.start(), "sentence")
        begin = cut.end()
    yield from _trimmed(text, begin, end, "sentence")
