"""What the graph promises: its entities (E), and the tools that walk it (T)."""

REQUIREMENTS: dict[str, str] = {
    "GRAPH-E01": "A node several documents state stays until the last of them goes.",
}
