"""How quotes, hits and texts look in a terminal."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from commonplace.answer.render import neutral, place
from commonplace.domain.encoding import decode
from commonplace.domain.media import PLAIN, is_code_type, is_text, media_type_of
from commonplace.retrieve.analyse import analyse
from commonplace.serve.cli.output import count, local_path, place_of

_BAR = "▌ "
_SEAM = " › "  # between headings, in ``place``
_WIDEST = 96  # columns; longer lines are hard to read
_FENCES = ("```", "~~~")
_WHOLE = re.compile(r"\s*[|#]| {4,}\S|\s*[=~-]{3,}\s*$")
_OWN_LINE = re.compile(rf"{_WHOLE.pattern}|\s*(?:[-*+>]|\d+[.)])\s")
_PADDING = re.compile(r"(?<= ) +|(?<=---)-+")
_LEAST_WORD = 3  # shorter ones are the beginning of too many others


def show_quotes(console: Console, question: str, evidence: Mapping[str, Any]) -> None:
    """Quotes with their places, best first."""
    for number, row in enumerate(evidence["quotes"], 1):
        _show_passage(console, row, row["quote"], question)
        _show_place(console, number, row, row["quote"])
    if not evidence["quotes"]:
        console.print(Text("Nothing found that answers this.", style="yellow"))


def show_hits(console: Console, query: str, found: Mapping[str, Any]) -> None:
    """Search results with previews, best first."""
    for row in found["results"]:
        _show_passage(console, row, row["preview"], query)
        _show_place(console, row["rank"], row, row["preview"])
    if not found["results"]:
        console.print(Text("Nothing found.", style="yellow"))


def show_tail(console: Console, structured: Mapping[str, Any], meta: Mapping[str, Any]) -> None:
    """How much there is, what it cost, and what did not run."""
    shown, total = structured["returned_count"], structured["total_count"]
    some = f"{shown} of {total:,}" if shown != total else f"{total:,}"
    parts = [
        f"{some} {'quote' if 'quotes' in structured else 'result'}{'' if total == 1 else 's'}",
        count(meta["tokens"], "token"),
        f"{meta['elapsed_ms']:,.0f} ms",
    ]
    console.print(Text(" · ".join(parts), style="dim"))
    for note in structured.get("degraded", []):
        console.print(Text(f"degraded: {note}", style="yellow"))


def _show_passage(console: Console, row: Mapping[str, Any], text: str, question: str) -> None:
    width = min(console.width, _WIDEST) - len(_BAR)
    lines = neutral(text).strip("\r\n")
    is_code = is_code_type(_media_type(row["source_uri"]))
    for line in lines.splitlines() if is_code else unwrapped(lines):
        shown = line.expandtabs(4)
        if cell_len(shown) > width and shown.lstrip().startswith("|"):
            shown = _PADDING.sub("", shown)  # aligned for a wider place than this
        words = Text(shown)
        words.highlight_regex(_pattern(question), "bold")
        for part in words.wrap(console, width) if line.strip() else [words]:
            part.rstrip()
            console.print(Text.assemble((_BAR, "green"), part), soft_wrap=True)


def unwrapped(text: str) -> list[str]:
    r"""Lines to show: those an author wrapped are joined; code, tables and lists stay.

    >>> unwrapped("Run it\nonce.\n\n- one\n- two")
    ['Run it once.', '', '- one', '- two']
    """
    shown: list[str] = []
    fences = [line.strip() for line in text.splitlines() if line.lstrip().startswith(_FENCES)]
    # A quote may start inside a code block: its first fence then closes, and names no language.
    is_code = len(fences) % 2 == 1 and fences[0] in _FENCES and not text.startswith(_FENCES)
    joins = False
    for line in text.splitlines():
        is_fence = line.lstrip().startswith(_FENCES)
        keeps = is_code or is_fence or not line.strip() or _OWN_LINE.match(line) is not None
        if joins and not keeps:
            shown[-1] = f"{shown[-1].rstrip()} {line.strip()}"
        else:
            shown.append(line)
        is_code ^= is_fence
        # A list entry keeps its own first line but takes its continuation in.
        joins = not (is_code or is_fence) and bool(line.strip()) and not _WHOLE.match(line)
    return shown


def _show_place(console: Console, number: int, row: Mapping[str, Any], verbatim: str) -> None:
    uri, start = row["source_uri"], row["start_char"]
    where = place_of(uri, line_at(uri, start, verbatim))
    width = min(console.width, _WIDEST)
    headings = place(row["title"], row["heading_path"])
    label = Text(f"[{number}] ", style="dim")
    one_line = Text.assemble("  ", label, (headings, "dim"), "  ", where)
    if one_line.cell_len <= width:
        console.print(one_line)
    else:
        room = width - 2 - label.cell_len
        heading = Text(shortened(headings, room), style="dim")
        heading.truncate(room, overflow="ellipsis")
        console.print(Text.assemble("  ", label, heading))
        console.print(Text.assemble(" " * (2 + label.cell_len), where), soft_wrap=True)
    console.print()


def shortened(headings: str, width: int) -> str:
    """Headings that fit: the first and the last say most, those between are left out first.

    >>> shortened("Configuration › Directives › Task settings › task_acks_late", 36)
    'Configuration › … › task_acks_late'
    """
    first, *rest = headings.split(_SEAM)
    shorter = (_SEAM.join([first, "…", *rest[left:]]) for left in range(1, len(rest)))
    return next((one for one in (headings, *shorter) if cell_len(one) <= width), headings)


@lru_cache(maxsize=8)
def _pattern(question: str) -> re.Pattern[str]:
    words = [re.escape(term) for term in analyse(question).terms if len(term) >= _LEAST_WORD]
    return re.compile(rf"(?i)\b(?:{'|'.join(words)})\w*" if words else r"(?!)")


def line_at(uri: str, start_char: int, verbatim: str) -> int | None:
    """The line of a local text file at which a quote starts; None if the file says otherwise."""
    path = local_path(uri)
    text = _read(path) if path else None
    if text is None or text[start_char : start_char + len(verbatim)] != verbatim:
        return None
    return text.count("\n", 0, start_char) + 1


@lru_cache(maxsize=32)
def _read(path: Path) -> str | None:
    """The text of a file as it was indexed, whatever its encoding."""
    if not is_text(_media_type(path.name)):
        return None
    try:
        return decode(path.read_bytes()).text
    except OSError:
        return None


def _media_type(uri: str) -> str:
    return media_type_of(urlsplit(uri).path.rpartition("/")[2]) or PLAIN


def show_texts(console: Console, texts: Sequence[str]) -> None:
    """Passages of one document, as they stand in it."""
    console.print(Text(neutral("".join(texts))), soft_wrap=True, end="")
    if texts and not texts[-1].endswith("\n"):
        console.print()
