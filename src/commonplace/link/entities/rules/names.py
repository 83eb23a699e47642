"""Components: names of software in prose, written in capitals and recurring."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from commonplace.domain.document import Span
from commonplace.link.entities.found import COMPONENT, Found, Rule
from commonplace.link.entities.naming import is_error
from commonplace.link.entities.page import Page
from commonplace.link.entities.vocabulary import IMPERATIVES, NOT_NAMES

# Only inside a sentence does a capital mean a name.
_NAME = re.compile(
    r"(?<=[a-z,;()] )([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9+#]*(?: [A-Z][A-Za-z0-9]*[a-z0-9]\w*){0,2})"
)
_HUMPS = re.compile(r"[A-Z]?[a-z]+[A-Z]|[A-Z]{2,}[a-z]{2}")
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
_SMALL = re.compile(r"\b[a-z]+\b")
_PLURAL = re.compile(r"[A-Z]{2,}s")  # of an abbreviation
_LEAST_PASSAGES = 3


def find_names(page: Page) -> Iterator[Found]:
    """Names of software: inner capitals, or a noun that says so, in three places of the page.

    Seldom named, they are only linked to where another document shows them to be components.
    """
    at: defaultdict[str, list[Span]] = defaultdict(list)
    places: defaultdict[str, set[int]] = defaultdict(set)
    nouns: Counter[str] = Counter()
    for number, place in enumerate(page.prose):
        for found in _NAME.finditer(place.text):
            name = found[1]
            if (
                name.split(" ")[0] in NOT_NAMES
                or name.lower() in IMPERATIVES
                or _PLURAL.fullmatch(name)
                or is_error(name)
            ):
                continue
            if place.words[found.start(1) : found.end(1)] != name:
                continue
            start = place.block.span.start + found.start()
            at[name].append(Span(start, start + len(name)))
            places[name].add(number)
            nouns[name] += _KINDS.match(place.words, found.end()) is not None
    small = {word for place in page.prose for word in _SMALL.findall(place.words)} if at else set()
    for name, spans in at.items():
        is_word = name.lower() in small  # in small letters too, so it is no name
        is_part = name.rpartition(" ")[2] in _PARTS and " " in name
        is_shown = bool(len(name) > 3 and _HUMPS.search(name)) or is_part or nouns[name] > 0
        is_sure = is_shown and not is_word and len(places[name]) >= _LEAST_PASSAGES
        for span in spans:
            confidence = 0.7 if is_sure else 0.3
            yield Found(kind=COMPONENT, name=name, span=span, confidence=confidence)


NAME = Rule("recurring-name", find_names)
