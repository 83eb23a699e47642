"""Text forms of replies: what a person or a model reads.

Everything that came from a document is shown as quotation with its source (DESIGN D12): quoted
lines start with ``> ``, so nothing in them can pass for a line of ours.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_SHORT_ID_CHARS = 9  # ids of sessions that their connection vouches for
_LINE_BREAKS = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029](?:(?<=\r)\n)?")
# C0 and C1 controls but tab and line breaks, and the characters that reorder text.
_UNSAFE = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]")


def neutral(text: str) -> str:
    r"""The text with control and bidirectional characters made visible and harmless.

    >>> neutral("a\x1b[31mb\u202ec")
    'a\ufffd[31mb\ufffdc'
    """
    return _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text)


def one_line(text: str) -> str:
    r"""Text of ours built from theirs stays on one line.

    >>> one_line("Install\n  on Linux")
    'Install on Linux'
    """
    return " ".join(neutral(text).split())


def quotation(text: str) -> str:
    r"""Document text as a block quotation.

    >>> quotation("one\ntwo")
    '> one\n> two'
    """
    lines = _LINE_BREAKS.split(neutral(text).strip("\n\r"))
    return "\n".join(f"> {line}".rstrip() for line in lines)


def place(title: str, headings: Iterable[str]) -> str:
    """Where something stands: the title and the headings below it.

    >>> place("Guide", ["Guide", "Install", "Linux"])
    'Guide › Install › Linux'
    """
    chain = [one_line(heading) for heading in headings]
    if chain and chain[0] == one_line(title):
        chain = chain[1:]
    return " › ".join([one_line(title), *chain])


def closing(tail: Mapping[str, Any], noun: str) -> str:
    """The last line of a list-like reply: how much there is and how to get the rest.

    >>> closing({"returned_count": 1, "total_count": 3, "next_cursor": "AAA"}, "quotes")
    '1 of 3 quotes; more with cursor=AAA'
    >>> closing({"returned_count": 3, "total_count": 3, "next_cursor": None}, "quotes")
    '3 of 3 quotes'
    """
    line = f"{tail['returned_count']} of {tail['total_count']} {noun}"
    cursor = tail.get("next_cursor")
    line = f"{line}; more with cursor={cursor}" if cursor else line
    return line + session_note(tail.get("session_id", ""))


def listing(lines: Sequence[str], nothing: str, structured: Mapping[str, Any], noun: str) -> str:
    r"""A list-like reply as text: its lines, or that there are none, and how it ends.

    >>> tail = {"returned_count": 0, "total_count": 0, "degraded": ["dense: off"]}
    >>> listing([], "Nothing.", tail, "quotes")
    'Nothing.\n0 of 0 quotes\ndegraded: dense: off'
    """
    told = [f"degraded: {note}" for note in structured.get("degraded", [])]
    return "\n".join([*(lines or [nothing]), closing(structured, noun), *told])


def session_note(session_id: str) -> str:
    """How to stay in the session, where no connection does it (an id of its own is long).

    >>> session_note("123456789"), session_note("0" * 32)[:14]
    ('', '; session_id=0')
    """
    return f"; session_id={session_id}" if len(session_id) > _SHORT_ID_CHARS else ""
