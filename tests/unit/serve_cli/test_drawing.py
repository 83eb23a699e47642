"""Arrows of pictures say what is true."""

import pytest
from rich.console import Console

from commonplace.serve.cli.drawing import Picture, drawn

ROOT = {"id": "total", "kind": "COLUMN", "fqn": "orders.total"}


def row(name: str, **told: str) -> dict[str, str]:
    return {"id": name, "kind": "METHOD", "fqn": name, **told}


@pytest.mark.requirement("CODE-T19")
def test_data_flows_the_way_of_its_arrow() -> None:
    steps = [
        row("save", relation="WRITES", flow="from"),
        row("load", relation="READS", flow="to"),
        row("sum", relation="FLOWS_TO", flow="to"),
    ]
    lines = str(drawn(Picture.of_steps({"symbol": ROOT, "steps": steps}), "mermaid")).splitlines()
    assert lines[-3:] == [
        "  n1 -->|Writes| n0",
        "  n0 -->|Read by| n2",
        "  n0 -->|Flows to| n3",
    ]


@pytest.mark.requirement("CODE-T19")
def test_an_impact_goes_with_the_data_and_against_all_else() -> None:
    tiers = [
        {"tier": 1, "severity": "high", "relation": relation, "total": 1, "symbols": [row(name)]}
        for relation, name in (("READS", "load"), ("FLOWS_TO", "sum"))
    ]
    reply = {"symbol": ROOT, "severities": {"high": 2}, "risk": "high", "files": 2, "tiers": tiers}
    dot = str(drawn(Picture.of_tiers(reply), "dot"))
    assert '"load" -> "total" [label="READS"]' in dot
    assert '"total" -> "sum" [label="FLOWS_TO"]' in dot


@pytest.mark.requirement("CODE-T19")
def test_a_tree_of_data_is_read_from_each_symbol_to_those_below_it() -> None:
    steps = [
        row("field", relation="MAPS_TO", flow="from"),
        row("save", relation="WRITES", flow="from", via="field"),
        row("field", relation="MAPS_TO", flow="to"),
        row("load", relation="READS", flow="to", via="field"),
        row("GET /x", relation="HANDLES", flow="to", via="load"),
    ]
    tree = drawn(Picture.of_steps({"symbol": ROOT, "steps": steps}), "text")
    console = Console(width=80, color_system=None)
    with console.capture() as shown:
        console.print(tree)
    assert [line.strip(" │├└─") for line in shown.get().splitlines()] == [
        "orders.total column",
        *("data comes from", "field method", "Written by save method"),
        *("data goes to", "field method", "Read by load method", "Handles GET /x method"),
    ]
