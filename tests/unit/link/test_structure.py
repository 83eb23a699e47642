"""The skeleton of a document in the graph."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.domain.graph import Edge, Node
from commonplace.link.structure import structure
from commonplace.split.prose import split_prose
from commonplace.tokens import token_counter
from tests.golden.reading import card_of, read

COUNT = token_counter("cl100k_base")


def skeleton(text: str) -> tuple[list[Node], list[Edge]]:
    document = read("a.md", text)
    card = card_of("a.md", document)
    return structure(document, card, split_prose(document, card, COUNT, 32))


@pytest.mark.requirement("SPL-08")
def test_sections_form_a_tree_and_passages_hang_on_them() -> None:
    words = "Every pool holds one volume and a name of its own, which nobody else may use here. "
    nodes, edges = skeleton(
        f"{words}\n\n# A\n\n{words}\n\n## B\n\n{words}\n\n# C\n\n{words}{words}"
    )
    names = {node.id: f"{node.kind} {node.name}" for node in nodes}
    drawn = [(names[edge.source], edge.relation, names[edge.target]) for edge in edges]
    assert ("Document A", "HAS_SECTION", "Section A") in drawn
    assert ("Document A", "HAS_SECTION", "Section C") in drawn
    assert ("Section A", "PARENT_OF", "Section B") in drawn
    assert ("Section B", "HAS_PASSAGE", "Passage B") in drawn
    assert ("Document A", "HAS_PASSAGE", "Passage A") in drawn
    assert Counter(relation for _source, relation, _target in drawn)["NEXT"] == 4


@pytest.mark.requirement("SPL-08")
def test_equal_headings_are_different_sections() -> None:
    nodes, _edges = skeleton("# A\n\nx\n\n## B\n\ny\n\n## B\n\nz\n")
    assert [node.name for node in nodes if node.kind == "Section"] == ["A", "B", "B"]
    assert len({node.id for node in nodes}) == len(nodes)


@pytest.mark.requirement("SPL-08")
@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.integers(1, 4), st.sampled_from("ABC"), st.sampled_from(["", "x", "word " * 60])
        ),
        max_size=12,
    )
)
def test_every_node_is_reached_from_the_document_by_one_way(
    parts: list[tuple[int, str, str]],
) -> None:
    nodes, edges = skeleton(
        "\n\n".join(f"{'#' * level} {name}\n\n{text}" for level, name, text in parts)
    )
    ids = {node.id for node in nodes}
    assert len(ids) == len(nodes)
    tree = [edge for edge in edges if edge.relation != "NEXT"]
    assert {edge.source for edge in edges} <= ids
    assert Counter(edge.target for edge in tree) == Counter(ids - {"d1"})
    passages = [node.id for node in nodes if node.kind == "Passage"]
    following = {edge.source: edge.target for edge in edges if edge.relation == "NEXT"}
    assert following == dict(pairwise(passages))
