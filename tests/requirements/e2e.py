"""What whole conversations with real processes promise."""

REQUIREMENTS = {
    "E2E-01": "Three servers answer without error while a fourth process indexes, for a minute; "
    "after the writer is done no answer is stale.",
}
