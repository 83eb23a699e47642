"""The three ports an engine implements: passages, graph, keyvalue.

Above: ``index/`` writes and ``retrieve/`` reads through these Protocols and nothing else.
Below: an engine may keep the three in one file (SQLite) or on three machines. No read needs two
ports at once; ``Store.transaction`` groups writes where the engine can.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from commonplace.domain.course import Course, Findings, Followed, Naming
from commonplace.domain.document import Card
from commonplace.domain.graph import Edge, Neighbour, Node
from commonplace.domain.passage import Located, Passage
from commonplace.domain.query import Hit, Query
from commonplace.domain.scope import Selection
from commonplace.domain.walk import Described, Expansion, Reach, Trails

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from commonplace.cypher.reading import Answer, Inquiry

# In quotation marks: tools are listed before numpy, a tenth of a second, and Cypher are imported.
Vectors: TypeAlias = "npt.NDArray[np.float32]"


Part = Literal["whole", "graph", "text"]
"""What of a document is replaced. ``graph`` leaves passages, the nodes of kind Passage and the
document's edges that touch these; ``text`` replaces exactly those. So code is known by its symbols
before its text is cut, and an edit keeps the vectors of text that stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Everything the index holds of one document, written or replaced as a whole."""

    card: Card
    passages: Sequence[Passage]
    vectors: Mapping[str, Vectors] = field(default_factory=dict)
    """By model: one unit-length row per passage, in their order."""
    nodes: Sequence[Node] = ()
    edges: Sequence[Edge] = ()
    part: Part = "whole"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What tells whether a resource changed, without reading it and after reading it."""

    document_id: str
    content_hash: str
    size_bytes: int
    modified_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How many passages have a vector of a model."""

    model: str
    dimension: int
    embedded: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """How much a project holds, and its generation: a number that grows with every write."""

    documents: int
    passages: int
    generation: int
    coverage: tuple[Coverage, ...] = ()
    """One entry per model that has at least one vector."""
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What one document states about what stands in others."""

    document_id: str
    edges: Sequence[Edge]
    nodes: Sequence[Node] | None = None
    """Every shared node it states; None leaves those it stated before."""


class Passages(Protocol):
    """Text and vectors of documents. Every method sees one project only."""

    async def write(self, entries: Sequence[Entry]) -> None:
        """Replace these documents, their passages, vectors, nodes and edges, atomically.

        Vectors of passages whose id did not change are kept for models not in the entry. Nodes
        without a document are shared: each entry that holds one states it, and it is removed with
        the last of them. Edges may lead to nodes that come later.
        """
        ...

    async def remove(self, project: str, document_ids: Sequence[str]) -> None:
        """Remove documents and all that belongs to them, atomically. Unknown ids are ignored."""
        ...

    async def label(self, project: str, labels: Mapping[str, Sequence[str]]) -> None:
        """Let documents, by id, be selected by these tags beside those of their cards, atomically.

        They take the place of the labels a document had, and go when it is written again. Cards
        stay as they are; the generation grows where a label changed. Unknown ids are ignored.
        """
        ...

    async def inherit(self, project: str, heirs: Mapping[str, str]) -> None:
        """Give passages the vectors of others, of every model they have none of, atomically.

        ``heirs`` has the passage to take from, by the passage that is given. Unknown ids are
        ignored.
        """
        ...

    async def get(self, selection: Selection, passage_ids: Sequence[str]) -> list[Located]:
        """These passages in the order asked; unknown or unselected ones are left out."""
        ...

    async def read(self, selection: Selection, document_id: str, ordinals: range) -> list[Located]:
        """Passages of one document by ordinal, in order; absent ordinals are left out."""
        ...

    async def lexical(self, query: Query, selection: Selection, limit: int) -> list[Hit]:
        """Best passages by BM25 over title, headings, body and split identifiers, best first.

        Ties are broken by passage id. Terms are combined with OR; every phrase must occur.
        """
        ...

    async def dense(
        self, model: str, vector: Vectors, selection: Selection, limit: int
    ) -> list[Hit]:
        """Nearest passages by cosine among those with a vector of ``model``, best first."""
        ...

    async def fingerprints(self, project: str, source_id: str) -> dict[str, Fingerprint]:
        """What is indexed of a source, by resource URI."""
        ...

    async def entries(self, project: str, document_ids: Sequence[str]) -> list[Entry]:
        """These documents with all that belongs to them but vectors, in the order asked.

        What ``write`` makes the same index of; unknown ones are left out. Passages by ordinal,
        nodes by id, edges by source, relation and target.
        """
        ...

    async def pending(
        self, project: str, model: str, limit: int, among: Sequence[str] | None = None
    ) -> list[Located]:
        """Passages without a vector of ``model``, most recently written first.

        With ``among``, only these, in their order.
        """
        ...

    async def embed(
        self, project: str, model: str, passage_ids: Sequence[str], vectors: Vectors
    ) -> None:
        """Add vectors to passages that still exist; does not change the generation's meaning."""
        ...

    async def forget(self, project: str, model: str) -> None:
        """Remove all vectors of a model, atomically. An unknown model is ignored."""
        ...

    async def prepare(self, project: str) -> None:
        """Make ready what searches read, so that the first one after many writes need not."""
        ...

    async def stats(self, project: str) -> Stats:
        """How much the project holds; all zeros for a project never written to."""
        ...

    async def projects(self) -> list[str]:
        """Projects with at least one document, sorted."""
        ...


class Graph(Protocol):
    """Nodes and edges. Every method sees one project only."""

    async def merge(self, nodes: Sequence[Node], edges: Sequence[Edge]) -> None:
        """Add or replace nodes by id and edges by (source, relation, target, document)."""
        ...

    async def relate(
        self, project: str, relations: Collection[str], stated: Sequence[Stated]
    ) -> None:
        """Replace the edges of these relations that each of these documents states, atomically.

        How names bound across documents are drawn anew without writing the documents again.
        """
        ...

    async def remove(self, project: str, node_ids: Sequence[str]) -> None:
        """Remove nodes and the edges that touch them."""
        ...

    async def find(self, selection: Selection, naming: Naming, limit: int) -> Findings:
        """Symbols by name, best first, ties by id: nodes that have the property ``fqn``.

        The whole name before its end, its end before its words, its words before its doc text;
        small and capital letters count alike.
        """
        ...

    async def follow(
        self, selection: Selection, node_ids: Sequence[str], course: Course
    ) -> Followed:
        """Every node reached along a course, nearest first, each once; ties by confidence, id.

        Unlike ``expand`` it leaves no edge out before its limit, so that a count is a count.
        """
        ...

    async def nodes(self, project: str, node_ids: Sequence[str]) -> list[Node]:
        """These nodes in the order asked; unknown ones are left out."""
        ...

    async def complete(self, project: str, beginnings: Sequence[str]) -> dict[str, list[str]]:
        """Ids of nodes that begin so, sorted, at most ten of each beginning.

        A beginning no node has is left out.
        """
        ...

    async def neighbours(
        self, project: str, node_ids: Sequence[str], relations: Sequence[str], hops: int
    ) -> list[Neighbour]:
        """What can be reached within ``hops`` along either direction; no relation means any.

        Nearest first, then by id; each node once per origin, never the origin itself.
        """
        ...

    async def matching(
        self, project: str, kind: str, words: Sequence[str], limit: int
    ) -> list[Node]:
        """Nodes of a kind whose name or properties hold any of these lower-case words.

        Those with most of them first, ties by id. Every node of the kind is looked at: it is for
        when the passages port does not answer.
        """
        ...

    async def describe(self, selection: Selection, node_ids: Sequence[str]) -> list[Described]:
        """These nodes with their edges counted, in the order asked; unseen ones are left out.

        A selection narrower than its project sees edges its documents state, nodes of its
        documents, and nodes of no document that its documents state or connect.
        """
        ...

    async def expand(
        self, selection: Selection, node_ids: Sequence[str], reach: Reach
    ) -> Expansion:
        """What can be reached from these nodes: each once, best first, ties by id.

        Unseen nodes and edges are as if they were not there. Work is bounded by the reach,
        whatever the graph: where a bound leaves edges out, the surest are kept and it is told.
        """
        ...

    async def paths(
        self, selection: Selection, starts: Sequence[str], goals: Sequence[str], reach: Reach
    ) -> Trails:
        """Paths from one of the starts to one of the goals, best first, ties by ids.

        Of several edges between two nodes the surest is taken. Direct edges and nodes both ends
        are connected to are found between hubs too; for longer paths the bounds of ``expand``
        hold.
        """
        ...

    async def query(self, selection: Selection, inquiry: "Inquiry") -> "Answer":
        """The rows of a read-only Cypher query over the nodes and edges the selection sees.

        Nothing outside the selection can be named, nothing can be written, and the inquiry's
        limits end it: raises InvalidArgument with the place of a fault, ForbiddenOperation,
        DeadlineExceeded, BudgetExceeded.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What an append keeps to."""

    joint: bytes = b""
    """Put between what is there and what is added."""
    most_bytes: int | None = None
    """A value may not grow beyond this."""
    ttl_s: float | None = None
    """The value lives at least this much longer: an append never shortens its life. None leaves
    it as it is."""


PLAIN = Terms()


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """How a value stands after an append."""

    is_added: bool
    """False when it would have grown too long: then nothing has changed."""
    size_bytes: int
    ttl_s: float | None = None
    """How long it still lives; None is for ever."""


class KeyValue(Protocol):
    """Small values with an optional time to live, in namespaces."""

    async def get(self, namespace: str, key: str) -> bytes | None:
        """The value, or None when absent or expired."""
        ...

    async def many(self, namespace: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The values of these keys, as far as they are there."""
        ...

    async def put(self, namespace: str, key: str, value: bytes, ttl_s: float | None = None) -> None:
        """Set the value; without ``ttl_s`` it stays until removed."""
        ...

    async def put_many(self, namespace: str, values: Mapping[str, bytes]) -> None:
        """Set many values, to stay until removed: all or none."""
        ...

    async def claim(self, namespace: str, key: str, value: bytes, ttl_s: float) -> bool:
        """Set the value if absent, expired, or already this value: how a lease is taken."""
        ...

    async def append(
        self, namespace: str, key: str, value: bytes, terms: Terms = PLAIN
    ) -> Appended:
        """Add to the end of the value (absent counts as empty), or change nothing at all.

        Length, end and life are compared and set in one step, so that of many who append at
        once nobody's addition is lost and the limit holds to the byte.
        """
        ...

    async def keys(self, namespace: str, prefix: str = "") -> list[str]:
        """Live keys with this prefix, sorted."""
        ...

    async def expire(self, namespace: str, key: str, ttl_s: float = 0.0) -> bool:
        """Let the key live this much longer; 0 removes it. Whether it was there."""
        ...


class Store(Protocol):
    """One opened store: the three ports over the same home."""

    @property
    def passages(self) -> Passages: ...  # noqa: D102 - the port
    @property
    def graph(self) -> Graph: ...  # noqa: D102
    @property
    def keyvalue(self) -> KeyValue: ...  # noqa: D102

    def transaction(self) -> AbstractAsyncContextManager[None]:
        """Group writes of this task: all or none, where the engine can."""
        ...

    async def size_bytes(self) -> int:
        """How much the store takes on disk, all projects together."""
        ...

    async def close(self) -> None:
        """Release files and threads; further calls raise StoreError."""
        ...


@dataclass(frozen=True, slots=True)
class Engine:
    """A catalog record: how to open a store for an address like ``sqlite:///path``."""

    name: str
    """The scheme of its addresses."""
    open: Callable[[str], Store]
    """Opens quickly and lazily; raises IndexUnavailable naming the fix."""
