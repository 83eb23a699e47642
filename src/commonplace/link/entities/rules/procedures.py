"""Procedures: ordered lists of instructions, each item a step."""

import re
from collections.abc import Iterator, Sequence

from commonplace.domain.document import Span
from commonplace.link.entities.found import HAS_STEP, PROCEDURE, STEP, Found, Rule, Tie
from commonplace.link.entities.page import Page, Place
from commonplace.link.entities.vocabulary import HOW_TO, IMPERATIVES

_NUMBER = re.compile(r"([ \t]*)(?:(\d{1,3})|(#))[.)][ \t]+")
_MARKS = re.compile(
    r"\*\*|__|``?|(?<!\w)[*_]|[*_](?!\w)|:[\w:]+:(?=`)|\[([^\[\]]*)\]\([^()]*\)| <[^<>]+>(?=`)"
)
_FIRST = re.compile(
    r"(?:(?:first|then|next|now|finally|optionally|afterwards|lastly|second|third|"
    r"once [^,]{1,60}|if [^,]{1,80}|when [^,]{1,60}|in [^,]{1,60}|on [^,]{1,60}|"
    r"from [^,]{1,60}|to [^,]{1,60}|after [^,]{1,60}|before [^,]{1,60}|for [^,]{1,60}|"
    r"\([^()]{1,30}\)|please|you (?:should|must|need to|have to)|let's),? +)+",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^:{3,}.*$", re.MULTILINE)  # of an admonition
_REFERENCE = re.compile(r"(\w)_{1,2}(?=[\s.,;:)]|$)")
_SENTENCE = re.compile(r"(?<=[.!?:])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)(?<!vs\.)\s")
_LEAST_SHARE = 0.6  # of the items that must read as instructions
_ABOUT = frozenset(
    {"process", "flow", "overview", "architecture", "options", "reference", "report", "results"}
    | {
        "guidelines",
        "rules",
        "policy",
        "policies",
        "conventions",
        "conflict",
        "conflicts",
        "order",
        "strategy",
        "cycle",
        "algorithm",
        "behavior",
        "behaviour",
    }
)
_DOES = re.compile(
    r"\b(?:will|does|performs|would|works|happens?|this|stages|phases|goes through|"
    r"following actions)\b"
    r"|\b(?:is|are) \w+ed\b",
    re.IGNORECASE,
)
_CHOICES = re.compile(
    r"\b(?:ways|options|methods|kinds|types|reasons|cases|approaches|alternatives|rules|either|"
    r"order|one of|situations|scenarios|different|able to|can|may|could|allows?|involves?|"
    r"includes?|features|goals|tips|benefits|reasons|advantages|wants?)\b",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r"(?:In order )?to |How to |For ", re.IGNORECASE)
_NAMELESS = re.compile(r"(?:summary of )?(?:the )?(?:steps|instructions|procedure)", re.IGNORECASE)
_LEAST_WORDS = 4
_MOST_STEPS = 50
_LONGEST = 120
_TELLS_STEPS = re.compile(
    r"\bsteps?\b|\bfollow(?:ing)? (?:these|this|the|those)\b|\bdo the following\b|"
    r"\bhow (?:to|do)\b|"
    r"\binstructions?\b|\bprocedure\b|\bas follows\b",
    re.IGNORECASE,
)


def _plain(text: str) -> str:
    """A block's words without its marks."""
    text = _FENCE.sub("", text)
    bare = _MARKS.sub(lambda found: found[1] or "", _NUMBER.sub("", text, count=1))
    return _REFERENCE.sub(r"\1", " ".join(bare.split())).replace("::", ":")


def step_words(item: str) -> str:
    """An item's first sentence without its marks.

    >>> step_words("1. Run **this**. Then wait.")
    'Run this.'
    """
    sentence = _SENTENCE.split(_plain(item), maxsplit=1)[0]
    return sentence if len(sentence) <= _LONGEST else sentence[: _LONGEST - 1].rstrip() + "…"


def is_instruction(words: str) -> bool:
    """Whether a sentence tells the reader to do something.

    >>> is_instruction("Then, click Save."), is_instruction("The server answers.")
    (True, False)
    """
    plain = _FIRST.sub("", words)
    first = re.match(r"[A-Za-z-]+", plain)
    if first is None or (first[0].isupper() and len(first[0]) > 1):
        return False
    return first[0].lower() in IMPERATIVES


def is_how_to(heading: str) -> bool:
    """Whether a heading promises instructions.

    >>> is_how_to("Installing the server"), is_how_to("How to deploy"), is_how_to("Pools")
    (True, True, False)
    >>> is_how_to("Download process")
    False
    """
    words = heading.lower().split()
    if not words or words[-1] in _ABOUT:
        return False
    return words[0] in HOW_TO | IMPERATIVES or bool(_TELLS_STEPS.search(heading))


def _runs(page: Page) -> Iterator[list[Place]]:
    """Ordered items of one list: it goes on while the numbers do, whatever stands between."""
    run: list[Place] = []
    indent = last = 0
    is_noted = False  # whether the numbers stand for marks in the code block above
    for place in page.places:
        number = _NUMBER.match(place.text) if place.block.kind == "list_item" else None
        if number is None:
            is_noted = "(1)" in place.text if place.block.kind == "code" else False
            continue
        depth = _indent(page, place)
        value = int(number[2]) if number[2] else last + 1
        is_next = bool(run) and run[0].headings == place.headings
        if is_next and depth > indent:
            continue
        if not (is_next and depth == indent and value in {last + 1, last}):
            if run:
                yield run
            run = []
        indent, last = depth, value
        if not is_noted and (run or value <= 1 or number[3]):
            run.append(place)
    if run:
        yield run


def _indent(page: Page, place: Place) -> int:
    """How far the block stands from the margin; its span may begin at its first letter."""
    start = place.block.span.start
    line = page.text.rfind("\n", 0, start) + 1
    return start - line + len(place.text) - len(place.text.lstrip())


def find_procedures(page: Page) -> Iterator[Found | Tie]:
    """Two or more items, most of them instructions, each a step in its order."""
    for run in _runs(page):
        if not 2 <= len(run) <= _MOST_STEPS:
            continue
        told = [step_words(place.text) for place in run]
        share = sum(map(is_instruction, told)) / len(told)
        heading = _title(run[0], page)
        is_promised = any(map(is_how_to, run[0].headings[-2:])) or _promises(run[0].lead)
        is_other = _tells_program(run[0].lead) or "example" in f"{heading} {run[0].lead}".lower()
        if is_promised and not is_other and share >= _LEAST_SHARE:
            yield from _procedure(run, told, heading, 0.7 + 0.2 * share)


def _title(first: Place, page: Page) -> str:
    """What the steps are for: a how-to heading, the words before them, or two headings."""
    if is_how_to(first.heading) and not _NAMELESS.fullmatch(first.heading):
        return first.heading
    lead = _SENTENCE.split(_plain(first.lead))[-1]
    if _PURPOSE.match(lead) and lead.endswith(":") and len(lead.split()) >= _LEAST_WORDS:
        return lead.rstrip(":")
    above = first.headings[-2] if len(first.headings) > 1 else page.card.title
    return f"{above}: {first.heading}" if first.heading not in {"", above} else above


def _promises(lead: str) -> bool:
    """Whether the last sentence before the list announces instructions."""
    last = _SENTENCE.split(_plain(lead))[-1]
    return bool(_TELLS_STEPS.search(last) or _PURPOSE.match(last))


def _tells_program(lead: str) -> bool:
    """Whether the list says what a program does, or gives choices, not what the reader is to do."""
    last = _SENTENCE.split(" ".join(lead.split()))[-1]
    if _CHOICES.search(last):
        return True
    return _DOES.search(last) is not None and "you" not in last.lower().split()


def _procedure(
    run: Sequence[Place], told: Sequence[str], heading: str, confidence: float
) -> Iterator[Found | Tie]:
    whole = Span(run[0].block.span.start, run[-1].block.span.end)
    procedure = Found(
        kind=PROCEDURE,
        name=heading[:_LONGEST],
        span=whole,
        confidence=confidence,
        is_defined=True,
        is_own=True,
    )
    yield procedure
    ends = [place.block.span.start for place in run[1:]] + [whole.end]
    for order, (place, words, end) in enumerate(zip(run, told, ends, strict=True), 1):
        span = Span(place.block.span.start, end)
        step = Found(
            kind=STEP, name=words, span=span, confidence=confidence, is_defined=True, is_own=True
        )
        yield step
        yield Tie(
            relation=HAS_STEP,
            source=procedure,
            target=step,
            span=span,
            confidence=confidence,
            order=order,
        )


STEPS = Rule("ordered-list", find_procedures)
