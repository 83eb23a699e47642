"""Naming a document leads to it."""

import pytest

from commonplace.domain.graph import Edge
from tests.unit.link.telling import graph_of


def _leads(text: str, name: str, rule: str) -> list[Edge]:
    _nodes, edges = graph_of(text, name)
    return [edge for edge in edges if edge.properties.get("rule") == rule]


@pytest.mark.requirement("GRAPH-E20")
def test_a_passage_that_names_a_title_is_drawn_to_the_document_of_that_title() -> None:
    valve = "# Lindqvist Valve (water works)\n\nIt was built in 1912.\n"
    sluice = "# Sluice\n\nIt is opened by the lower of two Lindqvist Valves, says Ada.\n"
    sluice = sluice.replace("Valves", "Valve")
    (own,) = _leads(valve, "valve.md", "title")
    named = _leads(sluice, "sluice.md", "named")
    assert own.source in {edge.target for edge in named}
    (edge,) = [edge for edge in named if edge.target == own.source]
    start, end = edge.properties["start"], edge.properties["end"]
    assert isinstance(start, int)
    assert isinstance(end, int)
    assert sluice[start:end] == "Lindqvist Valve"
    assert edge.confidence < 0.5


@pytest.mark.requirement("GRAPH-E20")
@pytest.mark.parametrize("title", ["Introduction", "How to install it", "a b", "It", "1.2"])
def test_a_title_that_only_says_what_kind_of_page_it_is_is_no_label(title: str) -> None:
    assert _leads(f"# {title}\n\nText.\n", "a.md", "title") == []


@pytest.mark.requirement("GRAPH-E20")
def test_the_first_word_of_a_sentence_is_no_name() -> None:
    named = _leads("Before it rains, close it. Then call Ada at once.", "a.md", "named")
    assert len(named) == 0
    assert len(_leads("Then call Adalbert at once.", "a.md", "named")) == 1


@pytest.mark.requirement("GRAPH-E20")
def test_a_passage_leads_to_a_bounded_number_of_titles() -> None:
    names = " and ".join(f"Alpha{n} Beta{n}" for n in range(40)).replace(" and ", ", then ")
    assert len(_leads(f"Here {names} follow.", "a.md", "named")) == 6
