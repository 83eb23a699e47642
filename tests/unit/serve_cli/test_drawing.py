"""Arrows of pictures say what is true."""

import pytest

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
