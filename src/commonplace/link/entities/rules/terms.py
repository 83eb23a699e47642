"""Components and concepts in prose: names in capitals that recur, and headings the text uses."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise

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
_PLURAL = re.compile(r"[A-Z]{2,}s")  # of an abbreviation
_LEAST_PASSAGES = 3
_MARKS = re.compile(
    r"\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])?|:[\w:]+:`([^`<]*?)(?: <[^`]*)?`|[*`_]+"
)
_PHRASE = re.compile(r"[A-Z][a-z]+(?: [a-z]+){0,2}|[A-Z][a-z]+(?: [A-Z][a-z]+){1,2}")
_NOT_SAID = (
    r"(?:also|now|not|no|only|still|already|currently|usually|enabled|disabled|available|"
    r"implemented|required|supported|deprecated|removed|configured|set|recommended|optional|"
    r"important|another)\b"
)
_SOFTWARE = re.compile(
    r"^(?:an?|the)\b.*?\b(?:tool|library|software|program|package|database|message broker|"
    r"command-line|client|daemon|web framework|extension for|plugin for)\b"
)
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
        masked = ""
        for found in _NAME.finditer(place.text):
            name = found[1]
            if name.split(" ")[0] in NOT_NAMES or _PLURAL.fullmatch(name):
                continue
            masked = masked or _masked(place)
            if masked[found.start(1) : found.end(1)] != name:
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
    """A heading whose first sentence says what it is: ``Spiders``, then "Spiders are …"."""
    for above, place in pairwise(page.places):
        if above.block.kind != "heading" or place.block.kind != "paragraph":
            continue
        name = above.heading.strip()
        asked = _WHAT_IS.match(name)
        name = asked[1] if asked else name
        said = _said(name, place)
        if not asked and not (_is_topic(name) and said):
            continue
        at = page.text.find(name, above.block.span.start, above.block.span.end)
        start = at if at >= 0 else above.block.span.start
        yield Found(
            kind=COMPONENT if _SOFTWARE.search(said) else CONCEPT,
            name=name,
            span=Span(start, start + len(name)),
            confidence=0.8,
            is_defined=True,
        )


def _said(name: str, place: Place) -> str:
    """What the paragraph says the name is, if it begins by defining it."""
    bare = " ".join(_MARKS.sub(lambda found: found[1] or found[2] or "", place.text).split())
    term = re.escape(name.lower().removesuffix("s"))
    begin = re.match(rf"(?:an? |the )?(?:\w+ )?{term}s? (?:is|are) (?!{_NOT_SAID})", bare.lower())
    return " ".join(bare[begin.end() :].split()[:10]) if begin else ""


def _is_topic(heading: str) -> bool:
    if not _PHRASE.fullmatch(heading) or len(heading) < 4:
        return False
    words = heading.lower().split()
    if words[0] in HOW_TO | IMPERATIVES or words[0] in {"a", "an", "the", "other", "more", "some"}:
        return False
    return not any(word in PLAIN_HEADINGS for word in (words[0], words[-1]))


NAME = Rule("recurring-name", find_names)
TOPIC = Rule("topic-heading", find_topics)
