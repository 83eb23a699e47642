"""Commands: what shell blocks run, with their flags, and commands in inline code."""

from collections.abc import Iterator

from commonplace.domain.document import Span
from commonplace.link.entities.found import (
    COMMAND,
    CONFIGURATION,
    HAS_PARAMETER,
    PARAMETER,
    Found,
    Rule,
    Tie,
)
from commonplace.link.entities.naming import flags, is_loud, is_placeholder
from commonplace.link.entities.page import Page, Place
from commonplace.link.entities.shell import Call, Line, assigned, calls, command_lines, place_of
from commonplace.link.entities.vocabulary import SHELLS, SUBCOMMANDED

_UNNAMED = frozenset({"", "text", "none", "default", "python"})
"""Languages of blocks that may be shell all the same, if every command has a prompt."""


def _lines(place: Place) -> list[Line]:
    language = (place.block.language or "").lower()
    if language in SHELLS:
        return command_lines(place.text, language)
    if language in _UNNAMED and "$ " in place.text:
        found = command_lines(place.text, "console")
        begun = [place.text[: line.start].rpartition("\n")[2] for line in found]
        return [line for line, prompt in zip(found, begun, strict=True) if "$" in prompt]
    return []


def _is_sure(call: Call, line: Line, number: int) -> bool:
    """An unprompted line may be output: then its program must be known, or it comes first."""
    if line.is_prompted or call.is_known or call.name in SUBCOMMANDED:
        return True
    has_flag = any(word.startswith("-") for word in call.arguments)
    return has_flag or number == 0


def find_in_blocks(page: Page) -> Iterator[Found | Tie]:
    """Every program a shell block calls, and the variables it sets."""
    for place in page.programs:
        for number, line in enumerate(_lines(place)):
            span = place_of(line, place.block.span)
            for call in calls(line.text):
                if _is_sure(call, line, number):
                    yield from _told(call, span, 0.95 if line.is_prompted else 0.85)
            for name in assigned(line.text):
                if is_loud(name):
                    yield Found(kind=CONFIGURATION, name=name, span=span, confidence=0.7)


def _told(call: Call, span: Span, confidence: float) -> Iterator[Found | Tie]:
    command = Found(kind=COMMAND, name=call.name, span=span, confidence=confidence)
    yield command
    for flag, _at in flags(" ".join(call.arguments)):
        if is_placeholder(flag[2:]):
            continue
        parameter = Found(kind=PARAMETER, name=flag, span=span, confidence=confidence)
        yield parameter
        yield Tie(
            relation=HAS_PARAMETER,
            source=command,
            target=parameter,
            span=span,
            confidence=confidence,
        )


def find_inline(page: Page) -> Iterator[Found | Tie]:
    """Inline code of several words that calls a program this page or everybody knows."""
    known = {
        call.name.split(" ")[0]
        for place in page.programs
        for line in _lines(place)
        for call in calls(line.text)
    }
    known = (known | SUBCOMMANDED) - {"service"}
    for place in page.places:
        for code in place.codes:
            head, _, rest = code.text.removeprefix("$ ").partition(" ")
            if not rest or code.role or (head not in known and head not in {"python", "python3"}):
                continue
            for call in calls(code.text.removeprefix("$ ")):
                if call.is_known or any(word.startswith("-") for word in call.arguments):
                    yield from _told(call, code.span, 0.85)


IN_BLOCKS = Rule("shell-block", find_in_blocks)
INLINE = Rule("inline-command", find_inline)
