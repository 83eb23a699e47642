"""Components and concepts in prose: names in capitals that recur, and headings the text uses."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from commonplace.domain.document import Span
from commonplace.link.entities.found import COMPONENT, CONCEPT, Found, Rule
from commonplace.link.entities.page import Page, Place
from commonplace.link.entities.vocabulary import HOW_TO, IMPERATIVES, NOT_NAMES, PLAIN_HEADINGS

# Only inside a sentence does a capital mean a name.
_NAME = re.compile(
    r"(?<=[a-z,;()] )([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9+#]*(?: [A-Z][A-Za-z0-9]*[a-z0-9]\w*){0,2})"
)
_MASKED = re.compile(r"`[^`\n]*`+_{0,2}|\]\([^()\n]*\)|<[^<>\n]*>|https?://\S+|:\w[\w:-]*:")
_HUMPS = re.compile(r"[A-Z]?[a-z0-9]+[A-Z]|[A-Z]{2,}[a-z]|[a-z]\d|\dto\d")
_PARTS = frozenset(
    {"API", "Backend", "Cache", "Client", "Cluster", "Console", "Controller", "Daemon"}
    | {"Database", "Engine", "Extension", "Framework", "Gateway", "Handler", "Interface"}
    | {"Library", "Loader", "Manager", "Middleware", "Module", "Pipeline", "Platform"}
    | {"Plugin", "Pool", "Processor", "Proxy", "Queue", "Registry", "Router", "Runner"}
    | {"Runtime", "Scheduler", "SDK", "Server", "Service", "Shell", "Store", "Toolkit"}
    | {"Worker", "CLI", "UI"}
)
_KINDS = re.compile(
    r"'?s? (?:server|service|database|library|framework|plugin|extension|backend|broker|client|"
    r"cluster|module|middleware|package|daemon|engine|platform|tool|toolkit|app|application|"
    r"API|CLI|SDK|driver|adapter|container|scheduler|worker|browser|compiler|interpreter|shell)s?\b"
)
_LEAST_PASSAGES = 3
_PHRASE = re.compile(r"[A-Z][a-z]+(?: [a-z]+){0,2}|[A-Z][a-z]+(?: [A-Z][a-z]+){1,2}")
_WHAT_IS = re.compile(r"what (?:is|are) (?:an? |the )?(.{3,50}?)\??$", re.IGNORECASE)


def _masked(place: Place) -> str:
    return _MASKED.sub(lambda found: "." * len(found[0]), place.text)


def find_names(page: Page) -> Iterator[Found]:
    """Names of software: inner capitals, or a noun that says so, in three places of the page.

    Seldom named, they are only linked to where another document shows them to be components.
    """
    at: defaultdict[str, list[Span]] = defaultdict(list)
    places: defaultdict[str, set[int]] = defaultdict(set)
    nouns: Counter[str] = Counter()
    for number, place in enumerate(page.prose):
        masked = _masked(place)
        for found in _NAME.finditer(masked):
            name = found[1]
            if name.split(" ")[0] in NOT_NAMES:
                continue
            start = place.block.span.start + found.start()
            at[name].append(Span(start, start + len(name)))
            places[name].add(number)
            nouns[name] += _KINDS.match(masked, found.end()) is not None
    for name, spans in at.items():
        is_part = name.rpartition(" ")[2] in _PARTS and " " in name
        is_shown = bool(_HUMPS.search(name)) or is_part or nouns[name] > 0
        is_sure = is_shown and len(places[name]) >= _LEAST_PASSAGES
        for span in spans:
            confidence = 0.7 if is_sure else 0.3
            yield Found(kind=COMPONENT, name=name, span=span, confidence=confidence)


def find_topics(page: Page) -> Iterator[Found]:
    """A heading of one to three words that the text below it uses again and again."""
    prose = [_masked(place).lower() for place in page.prose]
    for section in page.document.sections:
        name = section.heading.strip()
        asked = _WHAT_IS.match(name)
        confidence = 0.85
        if asked:
            name = asked[1]
        elif _is_topic(name):
            term = re.compile(rf"\b{re.escape(name.lower().removesuffix('s'))}s?\b")
            uses = sum(term.search(text) is not None for text in prose)
            if uses < _LEAST_PASSAGES:
                continue
            confidence = 0.65
        else:
            continue
        at = page.text.find(name, section.span.start, section.span.end)
        start = at if at >= 0 else section.span.start
        yield Found(
            kind=CONCEPT,
            name=name,
            span=Span(start, start + len(name)),
            confidence=confidence,
            is_defined=True,
        )


def _is_topic(heading: str) -> bool:
    if not _PHRASE.fullmatch(heading) or len(heading) < 4:
        return False
    words = heading.lower().split()
    if words[0] in HOW_TO | IMPERATIVES or words[0] in {"a", "an", "the", "other", "more", "some"}:
        return False
    return not any(word in PLAIN_HEADINGS for word in (words[0], words[-1]))


NAME = Rule("recurring-name", find_names)
TOPIC = Rule("topic-heading", find_topics)
