"""What the graph's traversal and the tools over it promise."""

REQUIREMENTS: dict[str, str] = {
    "GRAPH-T20": "An index made before nodes had numbers keeps its whole graph.",
    "GRAPH-T21": "A walk keeps to its direction, relations, kinds and hops.",
    "GRAPH-T22": "Sure, near and specific nodes come first, and those near several starts.",
    "GRAPH-T23": "Where a bound leaves edges out, the surest are kept and it is told.",
    "GRAPH-T24": "Paths pass no node twice, best first, by the surest of parallel edges.",
    "GRAPH-T25": "What two hubs have in common is found, however much else each has.",
    "GRAPH-T26": "A description counts a node's edges by relation and direction.",
    "GRAPH-T27": "Nodes and edges outside the selection or project are as if not there.",
    "GRAPH-T28": "A write to the graph ends cursors over earlier lists.",
}
