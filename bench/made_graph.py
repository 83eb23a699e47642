"""A property graph of any size, the same every time: documents, passages, and shared entities.

Entities follow a power law: the n-th is mentioned by a tenth of ``edges`` over n to the 1.3,
so a graph of a million edges has one entity with 100,000 of them.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from bench.made import PROJECT, card, edges
from commonplace.domain.document import Card, Span
from commonplace.domain.graph import Node
from commonplace.domain.ids import stable_id
from commonplace.domain.passage import Passage
from commonplace.engines.base import Entry

SEED = 20_26
PASSAGES_A_DOCUMENT = 8
KINDS = ("Concept", "Command", "Configuration", "Component", "Error")


@dataclass(frozen=True, slots=True)
class MadeGraph:
    """So many edges: a quarter structure, a tenth links, the rest mentions."""

    edges: int

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return self.edges // 60

    @property
    def passages(self) -> int:
        """How many passages there are."""
        return self.documents * PASSAGES_A_DOCUMENT

    def document_id(self, number: int) -> str:
        """The id of a document by its number."""
        return stable_id("d", PROJECT, str(number))

    def passage_id(self, number: int) -> str:
        """The id of a passage by its number in the whole graph."""
        return stable_id("p", PROJECT, str(number))

    def entity_id(self, number: int) -> str:
        """The id of an entity; 0 is the largest hub."""
        return stable_id("e", PROJECT, str(number))

    def mentions(self) -> list[tuple[int, int]]:
        """Pairs of passage and entity, in the order of passages; entity 0 has the most."""
        chance = random.Random(SEED)
        wanted = self.edges - 2 * self.passages - self.documents * 6
        pairs: list[tuple[int, int]] = []
        entity = 0
        while len(pairs) < wanted:
            share = max(4, int(self.edges / 10 / (entity + 1) ** 1.3))
            share = min(share, wanted - len(pairs), self.passages)
            pairs += [(place, entity) for place in chance.sample(range(self.passages), share)]
            entity += 1
        return sorted(pairs)

    def entities(self, mentions: list[tuple[int, int]]) -> list[Node]:
        """The shared nodes: of no document."""
        return [
            Node(
                id=self.entity_id(number),
                project=PROJECT,
                kind=KINDS[number % len(KINDS)],
                name=f"entity {number}",
            )
            for number in range(1 + max(entity for _, entity in mentions))
        ]

    def entries(self, mentions: list[tuple[int, int]]) -> Iterator[Entry]:
        """Every document with its passages, links and mentions."""
        chance = random.Random(SEED + 1)
        at = 0
        for number in range(self.documents):
            own: list[tuple[int, int]] = []
            last = (number + 1) * PASSAGES_A_DOCUMENT
            while at < len(mentions) and mentions[at][0] < last:
                own.append(mentions[at])
                at += 1
            links = [chance.randrange(self.documents) for _ in range(6)]
            yield self._entry(number, own, links, chance)

    def _entry(
        self, number: int, mentions: list[tuple[int, int]], links: list[int], chance: random.Random
    ) -> Entry:
        own = card(self.document_id(number), number, f"{number}.md", f"tag{number % 10}")
        places = range(number * PASSAGES_A_DOCUMENT, (number + 1) * PASSAGES_A_DOCUMENT)
        passages = [_passage(own, self.passage_id(place), place % 8) for place in places]
        nodes = [_node(own, own.id, "Document", own.title)]
        nodes += [_node(own, p.id, "Passage", f"Part {p.ordinal}") for p in passages]
        steps = [(own.id, "HAS_PASSAGE", p.id, 1.0) for p in passages]
        steps += [(one.id, "NEXT", two.id, 1.0) for one, two in pairwise(passages)]
        steps += [(own.id, "LINKS_TO", self.document_id(link), 0.9) for link in links]
        steps += [
            (self.passage_id(place), "MENTIONS", self.entity_id(entity), chance.randint(5, 9) / 10)
            for place, entity in mentions
        ]
        return Entry(card=own, passages=passages, nodes=nodes, edges=edges(own, steps))


def _passage(card: Card, passage_id: str, ordinal: int) -> Passage:
    text = f"Part {ordinal} of {card.title}. It says little.\n\n"
    start = ordinal * 64
    return Passage(
        id=passage_id,
        document_id=card.id,
        ordinal=ordinal,
        text=text,
        span=Span(start, start + len(text)),
        headings=(card.title,),
    )


def _node(card: Card, node_id: str, kind: str, name: str) -> Node:
    return Node(id=node_id, project=PROJECT, kind=kind, name=name, document_id=card.id)
