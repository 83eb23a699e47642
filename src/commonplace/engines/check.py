"""What no engine can keep, refused before anything is written, with the name of the culprit."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from commonplace.domain.errors import InvalidArgument
from commonplace.domain.graph import Edge, Node, Value
from commonplace.engines.analysis import clean, is_storable
from commonplace.engines.base import Entry, Vectors

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def check_texts(owner: str, texts: Iterable[str | None]) -> None:
    """Refuse NUL and lone surrogates; parsers keep them out, this names who did not.

    >>> check_texts("a.md", ["fine", None])
    """
    if not all(text is None or is_storable(text) for text in texts):
        raise InvalidArgument(
            f"{clean(owner)!r} holds NUL or lone surrogate characters; "
            "decode it with errors='replace' before it is stored"
        )


def check_graph(nodes: Sequence[Node], edges: Sequence[Edge]) -> None:
    """Refuse nodes and edges with text no engine can keep.

    All texts are looked at as one; only where that will not do, one by one for the culprit.
    """
    texts: list[str] = []
    for node in nodes:
        texts += (node.id, node.project, node.kind, node.name, node.document_id or "")
        texts += _texts(node.properties)
    for edge in edges:
        texts += (edge.source, edge.target, edge.relation, edge.project, edge.document_id or "")
        texts += _texts(edge.properties)
    if is_storable("".join(texts)):
        return
    for node in nodes:
        own = (node.id, node.project, node.kind, node.name, node.document_id)
        check_texts(node.id, (*own, *_texts(node.properties)))
    for edge in edges:
        ends = (edge.source, edge.target, edge.relation, edge.project, edge.document_id)
        check_texts(edge.source, (*ends, *_texts(edge.properties)))


def _texts(properties: Mapping[str, Value]) -> list[str]:
    """Names, and values that are text: numbers hold nothing that cannot be kept."""
    if not properties:
        return []
    return [*properties, *[value for value in properties.values() if isinstance(value, str)]]


def check_entry(entry: Entry) -> None:
    """Refuse an entry no engine can keep: its text, its ids, its vectors."""
    card = entry.card
    check_texts(card.uri, (card.id, card.project, card.source_id, card.uri, card.path, card.title))
    check_texts(card.uri, (card.media_type, card.content_hash, card.repository, card.environment))
    check_texts(card.uri, card.tags)
    for passage in entry.passages:
        check_texts(card.uri, (passage.id, passage.text, passage.anchor, *passage.headings))
    if len({passage.id for passage in entry.passages}) != len(entry.passages):
        raise InvalidArgument(f"{card.uri!r} has two passages of one id; ids must differ")
    if card.modified_at.tzinfo is None or card.indexed_at.tzinfo is None:
        raise InvalidArgument(f"{card.uri!r} has a moment without time zone; add one")
    check_graph(entry.nodes, entry.edges)
    for model, rows in entry.vectors.items():
        check_texts(card.uri, (model,))
        half(rows, len(entry.passages))


def half(rows: Vectors, count: int) -> "npt.NDArray[np.float16]":
    """Vectors as they are stored; refuses another count, and values that are no number."""
    import numpy as np  # noqa: PLC0415 - whoever has vectors has imported it

    if rows.ndim != 2 or len(rows) != count:
        raise InvalidArgument(f"{count} passages need a vector each, not {rows.shape}")
    with np.errstate(over="ignore"):
        stored = rows.astype(np.float16)
    if not np.isfinite(stored).all():
        raise InvalidArgument("vectors must be of unit length; these hold infinite values or NaN")
    return stored


def unit(vector: Vectors) -> Vectors:
    """A query's vector as one line of unit length; the zero vector stays zero."""
    import numpy as np  # noqa: PLC0415 - whoever has vectors has imported it

    line = np.asarray(vector, np.float32).reshape(-1)
    if not np.isfinite(line).all():
        raise InvalidArgument("the query's vector holds infinite values or NaN")
    length = float(np.linalg.norm(line))
    return line / np.float32(length) if length > 0 else line
