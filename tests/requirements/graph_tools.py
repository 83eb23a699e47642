"""What the graph's traversal and the tools over it promise."""

REQUIREMENTS: dict[str, str] = {
    "GRAPH-T20": "An index made before nodes had numbers keeps its whole graph.",
}
