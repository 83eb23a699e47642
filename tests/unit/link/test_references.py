"""Where links lead."""

import pytest

from commonplace.domain.document import Card
from commonplace.domain.ids import document_id
from commonplace.link.references import addresses, anchor_id
from commonplace.link.structure import section_id
from tests.golden.reading import card_of, read
from tests.unit.link.telling import graph_of


def card_at(path: str) -> Card:
    return card_of(path, read(path, "x"))


def targets(text: str, name: str = "guide/a.md") -> set[str]:
    _nodes, edges = graph_of(text, name)
    written = {"link", "label"}
    return {edge.target for edge in edges if edge.properties.get("rule") in written}


def at(path: str) -> str:
    return document_id("default", f"file:///docs/{path}")


@pytest.mark.requirement("GRAPH-E11")
@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("b.md", "guide/b.md"),
        ("./b.md?plain=1", "guide/b.md"),
        ("../c%20d.md", "c d.md"),
        ("sub/", "guide/sub.md"),
        ("sub/", "guide/sub/index.md"),
        ("page", "guide/page.md"),
        ("page.html", "guide/page.md"),
        ("page.html", "guide/page.html"),
        ("/top.md", "top.md"),
        ("/top.md", "guide/top.md"),
    ],
)
def test_a_path_is_read_from_where_it_stands(written: str, path: str) -> None:
    document = at(path.replace(" ", "%20"))
    assert document in targets(f"[x]({written})")


@pytest.mark.requirement("GRAPH-E11")
def test_a_fragment_leads_to_the_section_and_its_document() -> None:
    assert targets("[x](b.md#the-end)") == {
        at("guide/b.md"),
        section_id(at("guide/b.md"), "the-end"),
    }
    assert targets("# The end\n\n[x](#the-end) [y](#nowhere)\n") == {section_id("d1", "the-end")}
    assert targets("see [the *end*][e]\n\n[e]: b.md\n") == {at("guide/b.md")}


@pytest.mark.requirement("GRAPH-E11")
def test_sections_are_found_by_their_anchor_when_they_come() -> None:
    nodes, _edges = graph_of("# The end\n\nx\n\n# The end\n\ny\n")
    sections = [node.id for node in nodes if node.kind == "Section"]
    assert sections == [section_id("d1", "the-end"), section_id("d1", "the-end-1")]


@pytest.mark.requirement("GRAPH-E11")
def test_addresses_of_the_web_and_of_pages_are_whole() -> None:
    card = card_at("a.md")
    assert addresses("https://x.org/y#z", card) == [("https://x.org/y#z", 1.0)]
    assert addresses("mailto:a@b.c", card) == []
    assert addresses("javascript:void(0)", card) == []
    (page,) = {"https://x.org/docs/a.html"}
    web = Card(**{name: getattr(card, name) for name in card.__slots__} | {"uri": page})
    assert addresses("../b", web) == [("https://x.org/b", 1.0)]


@pytest.mark.requirement("GRAPH-E11")
def test_a_label_is_an_anchor_documents_of_one_source_share() -> None:
    card = card_at("guide/a.rst")
    text = ".. _one:\n.. _two:\n\nEnd\n===\n\nx\n\n.. _three:\n\nparagraph\n"
    nodes, edges = graph_of(text, "guide/a.rst")
    anchors = {node.name: node.id for node in nodes if node.kind == "Anchor"}
    assert anchors == {name: anchor_id(card, name) for name in ("one", "two", "three")}
    end = section_id("d1", "one")
    led = {(edge.source, edge.target) for edge in edges if edge.relation == "LINKS_TO"}
    assert led == {(node_id, end) for node_id in anchors.values()}
    assert [node.name for node in nodes if node.id == end] == ["End"]


@pytest.mark.requirement("GRAPH-E11")
def test_references_of_restructured_text_are_resolved() -> None:
    card = card_at("guide/a.rst")
    text = "See :ref:`far`, :doc:`b`, :doc:`/top` and `here`_.\n\n.. _here: c.rst\n"
    assert targets(text, "guide/a.rst") == {
        anchor_id(card, "far"),
        at("guide/b.rst"),
        at("top.rst"),
        at("guide/top.rst"),
        at("guide/c.rst"),
    }
