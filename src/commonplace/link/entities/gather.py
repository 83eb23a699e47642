"""What all rules find of a document, as nodes and edges with provenance."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from commonplace.catalog import collect
from commonplace.domain.document import Card, Document, Span
from commonplace.domain.graph import Edge, Node, Value
from commonplace.domain.ids import stable_id
from commonplace.domain.passage import Passage
from commonplace.link.entities import rules
from commonplace.link.entities.found import (
    CONCEPT,
    DEFINES,
    EXAMPLE,
    MENTIONS,
    STEP,
    SURE,
    Found,
    Rule,
    Tie,
)
from commonplace.link.entities.page import Page
from commonplace.link.entities.spelling import same_things

_MOST_IN_PASSAGE = 24  # entities a passage of usual length can speak of
_MOST_WEAK = 6  # of them, those no rule is sure of
_MOST_INSIDE = 8  # entities of one step or example

Key = tuple[str, str, int]


def entity_id(project: str, kind: str, name: str) -> str:
    """The id of an entity that documents of a project share.

    >>> entity_id("p", "Concept", "Spiders") == entity_id("p", "Concept", "spider")
    True
    >>> entity_id("p", "Configuration", "A") == entity_id("p", "Configuration", "a")
    False
    """
    return stable_id("e", project, kind, normal_name(kind, name))


def normal_name(kind: str, name: str) -> str:
    """What counts of a name: of a concept neither case nor plural, of the others all."""
    if kind != CONCEPT:
        return name
    folded = name.casefold()
    is_plural = len(folded) > 4 and folded.endswith("s") and not folded.endswith(("ss", "us", "is"))
    return folded[:-1] if is_plural else folded


@cache
def _rules() -> tuple[Rule, ...]:
    return tuple(collect(rules, Rule).values())


@dataclass(slots=True)
class _Seen:
    """An entity in one passage."""

    found: Found
    rule: str
    times: int = 1


@dataclass(slots=True)
class _Gathering:
    """One document under way."""

    card: Card
    passages: Sequence[Passage]
    starts: list[int]
    ids: dict[Key, str] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)

    def passage_at(self, offset: int) -> Passage:
        """The passage that holds this character."""
        return self.passages[max(0, bisect_right(self.starts, offset) - 1)]

    def link(self, ends: tuple[str, str, str], confidence: float, proof: dict[str, Value]) -> None:
        """Add an edge this document proves."""
        source, relation, target = ends
        edge = Edge(
            source=source,
            target=target,
            relation=relation,
            project=self.card.project,
            document_id=self.card.id,
            confidence=confidence,
            properties=proof,
        )
        self.edges.append(edge)


def gather(
    document: Document, card: Card, passages: Sequence[Passage]
) -> tuple[list[Node], list[Edge]]:
    """Entities of one document and how its passages, steps and examples speak of them."""
    if not passages:
        return [], []
    here = _Gathering(card, passages, [passage.span.start for passage in passages])
    told = list(_apply(Page(document, card)))
    found = [(one, rule) for one, rule in told if isinstance(one, Found)]
    found.sort(key=lambda pair: pair[0].span.start)
    _name(here, [one for one, _rule in found])
    _mention(here, found)
    _mention_inside(here, found)
    _tie(here, [(one, rule) for one, rule in told if isinstance(one, Tie)])
    _equate(here, [one for one, _rule in found])
    linked = {end for edge in here.edges for end in (edge.source, edge.target)}
    return [node for node in here.nodes.values() if node.id in linked], here.edges


def _apply(page: Page) -> Iterator[tuple[Found | Tie, str]]:
    for rule in _rules():
        for one in rule.find(page):
            yield one, rule.name


def _name(here: _Gathering, found: Sequence[Found]) -> None:
    """Ids for all, nodes for those this document is sure of."""
    seen: Counter[tuple[str, str]] = Counter()
    card = here.card
    for one in found:
        if one.key not in here.ids:
            if one.is_own:
                ordinal = str(seen[one.kind, one.name])
                seen[one.kind, one.name] += 1
                here.ids[one.key] = stable_id("e", card.id, one.kind, one.name, ordinal)
            else:
                here.ids[one.key] = entity_id(card.project, one.kind, one.name)
        if one.confidence < SURE:
            continue
        node_id = here.ids[one.key]
        if node_id not in here.nodes:
            here.nodes[node_id] = Node(
                id=node_id,
                project=card.project,
                kind=one.kind,
                name=one.name,
                document_id=card.id if one.is_own else None,
            )


def _proof(span: Span, rule: str, **more: Value) -> dict[str, Value]:
    return {"rule": rule, "start": span.start, "end": span.end, **more}


def _mention(here: _Gathering, found: Sequence[tuple[Found, str]]) -> None:
    """An edge from each passage to what it speaks of: the surest first, up to the cap."""
    by_passage: defaultdict[str, dict[Key, _Seen]] = defaultdict(dict)
    for one, rule in found:
        entities = by_passage[here.passage_at(one.span.start).id]
        known = entities.get(one.key)
        if known is None:
            entities[one.key] = _Seen(one, rule)
            continue
        known.times += 1
        if (one.is_defined, one.confidence) > (known.found.is_defined, known.found.confidence):
            known.found, known.rule = one, rule
    for passage_id, entities in by_passage.items():
        for seen in _capped(here, entities.values()):
            one = seen.found
            relation = DEFINES if one.is_defined else MENTIONS
            proof = _proof(one.span, seen.rule)
            if seen.times > 1:
                proof["times"] = seen.times
            here.link((passage_id, relation, here.ids[one.key]), one.confidence, proof)


def _capped(here: _Gathering, entities: Iterable[_Seen]) -> list[_Seen]:
    ranked = sorted(
        entities,
        key=lambda s: (not s.found.is_defined, -s.found.confidence, -s.times, s.found.span.start),
    )
    is_stated = [here.ids[seen.found.key] in here.nodes for seen in ranked]
    sure = [seen for seen, stated in zip(ranked, is_stated, strict=True) if stated]
    weak = [seen for seen, stated in zip(ranked, is_stated, strict=True) if not stated]
    own = sum(seen.found.is_own for seen in sure)
    return sure[: _MOST_IN_PASSAGE + own] + weak[:_MOST_WEAK]


def _mention_inside(here: _Gathering, found: Sequence[tuple[Found, str]]) -> None:
    """Steps and examples mention the entities that stand inside them."""
    starts = [one.span.start for one, _rule in found]
    for owner, _rule in found:
        if owner.kind not in {STEP, EXAMPLE}:
            continue
        first, last = (
            bisect_right(starts, owner.span.start - 1),
            bisect_right(starts, owner.span.end),
        )
        inside: dict[Key, tuple[Found, str]] = {}
        for one, rule in found[first:last]:
            if not one.is_own and one.confidence >= SURE and one.span.start < owner.span.end:
                inside.setdefault(one.key, (one, rule))
        for one, rule in list(inside.values())[:_MOST_INSIDE]:
            ends = (here.ids[owner.key], MENTIONS, here.ids[one.key])
            here.link(ends, min(owner.confidence, one.confidence), _proof(one.span, rule))


def _tie(here: _Gathering, ties: Sequence[tuple[Tie, str]]) -> None:
    drawn: set[tuple[str, str, str]] = set()
    for tie, rule in ties:
        ends = (here.ids[tie.source.key], tie.relation, here.ids[tie.target.key])
        if ends in drawn or ends[0] == ends[2]:
            continue
        drawn.add(ends)
        proof = _proof(tie.span, rule, passage=here.passage_at(tie.span.start).id)
        if tie.order is not None:
            proof["order"] = tie.order
        here.link(ends, tie.confidence, proof)


def _equate(here: _Gathering, found: Sequence[Found]) -> None:
    """SAME_AS between spellings, also to those another document may state."""
    for same in same_things(found):
        (kind, name), (other_kind, other_name) = same.one, same.other
        project = here.card.project
        ends = (
            entity_id(project, kind, name),
            "SAME_AS",
            entity_id(project, other_kind, other_name),
        )
        if ends[0] != ends[2]:
            proof = _proof(same.span, "spelling", passage=here.passage_at(same.span.start).id)
            here.link(ends, same.confidence, proof)
