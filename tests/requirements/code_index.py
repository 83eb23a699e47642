"""The write path of code: facts, binding, text, snapshots."""

REQUIREMENTS = {
    "CIX-01": "Symbols of a document are replaced without its text, its text without its symbols; "
    "vectors of text that stays are kept.",
}
