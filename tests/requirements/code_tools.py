"""What the code tools, their command line and the structural summaries promise."""

REQUIREMENTS: dict[str, str] = {
    "CODE-T20": "Schemas, namespaces, sources and services have summaries; same code, same words.",
}
