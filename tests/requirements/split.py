"""What splitting and the graph's skeleton promise."""

REQUIREMENTS: dict[str, str] = {
    "SPL-01": "Passages, joined, are the document's text; spans and ordinals have no gaps.",
    "SPL-02": "No code fence, table row or word is split, except one too long for any passage.",
    "SPL-03": "A passage is at most twice the target, unless a word or a whole fence is longer.",
    "SPL-04": "A heading stands with what follows it.",
    "SPL-05": "A passage knows its heading chain, anchor and kind.",
    "SPL-06": "A passage's id survives edits elsewhere in its document.",
    "SPL-07": "A blank document has no passages.",
    "SPL-08": "The graph's skeleton is a tree of sections with every passage once, in order.",
}
