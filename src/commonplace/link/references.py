"""Links of a document, resolved to the documents and sections they lead to.

Ids are made from addresses, so a link is drawn whether its target is indexed yet or not: the edge
is walked as soon as the target is there.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

from commonplace.domain.document import Card, Document, Link
from commonplace.domain.graph import Edge, Node, Value
from commonplace.domain.ids import document_id, stable_id
from commonplace.domain.media import CODE_SUFFIXES, PLAIN, RESTRUCTURED, SUFFIXES
from commonplace.domain.passage import Passage
from commonplace.link.structure import section_id

LINKS_TO = "LINKS_TO"
ANCHOR = "Anchor"
_MOST_IN_PASSAGE = 30  # a passage with more is a table of contents or an index
_GUESSED = 0.8  # of a target whose file the link does not name in full
_REFERENCED = frozenset({RESTRUCTURED, PLAIN})


def anchor_id(card: Card, label: str) -> str:
    """The id of a label that documents of one source refer to without naming its file."""
    return stable_id("a", card.project, card.source_id, label)


def references(
    document: Document, card: Card, passages: Sequence[Passage]
) -> tuple[list[Node], list[Edge]]:
    """An edge from each passage to what it links to; a labelled section also has an anchor."""
    nodes: list[Node] = []
    edges: list[Edge] = []
    for label, anchor in document.labels.items():
        node_id = anchor_id(card, label)
        nodes.append(Node(id=node_id, project=card.project, kind=ANCHOR, name=label))
        edges.append(
            link_edge(card, (node_id, section_id(card.id, anchor)), 1.0, {"rule": "label"})
        )
    starts = [passage.span.start for passage in passages]
    own = {section.anchor for section in document.sections if section.anchor}
    drawn: set[tuple[str, str]] = set()
    counts: Counter[str] = Counter()
    for link in document.links if passages else ():
        if not len(link.span):  # of a sidebar: no words of the text prove it
            continue
        passage = passages[max(0, bisect_right(starts, link.span.start) - 1)]
        for target, confidence in _targets(link, document, card, own):
            pair = (passage.id, target)
            if pair in drawn or counts[passage.id] >= _MOST_IN_PASSAGE:
                continue
            drawn.add(pair)
            counts[passage.id] += 1
            proof: dict[str, Value] = {
                "rule": "link",
                "start": link.span.start,
                "end": link.span.end,
            }
            edges.append(link_edge(card, pair, confidence, proof))
    return nodes, edges


def link_edge(
    card: Card, ends: tuple[str, str], confidence: float, proof: Mapping[str, Value]
) -> Edge:
    """A link a document proves."""
    return Edge(
        source=ends[0],
        target=ends[1],
        relation=LINKS_TO,
        project=card.project,
        document_id=card.id,
        confidence=confidence,
        properties=proof,
    )


def _targets(
    link: Link, document: Document, card: Card, own: set[str]
) -> Iterator[tuple[str, float]]:
    """Ids a link may lead to: of its document and, with a fragment, of the section too."""
    if link.target.startswith("#"):
        label = link.target[1:]
        anchor = document.labels.get(label, label)
        if anchor in own:
            yield section_id(card.id, anchor), 1.0
        elif card.media_type in _REFERENCED:
            yield anchor_id(card, label), 1.0
        return
    for uri, confidence in addresses(link.target, card):
        address, fragment = urldefrag(uri)
        target = document_id(card.project, address)
        if target != card.id:
            yield target, confidence
        if fragment:
            yield section_id(target, unquote(fragment)), confidence


def addresses(target: str, card: Card) -> list[tuple[str, float]]:
    """The full addresses a link as written may mean, with how sure each is."""
    scheme = urlsplit(target).scheme if ":" in target[:12] else ""
    if scheme and len(scheme) > 1:
        return [(target, 1.0)] if scheme in {"http", "https", "file"} else []
    if not card.uri.startswith("file:"):
        return [(urljoin(card.uri, target), 1.0)]
    path, hash_mark, fragment = target.partition("#")
    path = path.partition("?")[0]
    if not path:
        return []
    tail = hash_mark + fragment
    names = _names(unquote(path), PurePosixPath(card.path).suffix)
    bases = _bases(card) if path.startswith("/") else [card.uri]
    is_sure = len(names) * len(bases) == 1
    return [
        (urljoin(base, quote(name.lstrip("/"))) + tail, 1.0 if is_sure else _GUESSED)
        for base in bases
        for name in names
    ]


def _names(path: str, suffix: str) -> list[str]:
    """The file a path may name: itself, or a page whose suffix is left out or rendered."""
    plain = path.rstrip("/")
    known = PurePosixPath(plain).suffix.lower()
    if path.endswith("/"):
        return [f"{plain}{suffix}", f"{plain}/index{suffix}"]
    if known == ".html" and suffix != ".html":
        return [plain, plain.removesuffix(".html") + suffix]
    is_named = known in SUFFIXES or known in CODE_SUFFIXES
    return [plain] if is_named else [f"{plain}{suffix}"]


def _bases(card: Card) -> list[str]:
    """Where a path from the root begins: the source's root, or its first folder on the way."""
    root = card.uri.removesuffix(quote(card.path))
    first, slash, _rest = card.path.partition("/")
    return [root, f"{root}{quote(first)}/"] if slash else [root]
