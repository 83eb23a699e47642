"""What the tools promise: budgets, rendering, scratch, cursors, the kb family."""

REQUIREMENTS = {
    "BUD-01": "A reply never exceeds its budget and holds a prefix of the ranked page.",
    "BUD-02": "A reply holds as many whole entries as fit.",
    "BUD-03": "The tail says whether page size, tokens or bytes ended the list.",
    "BUD-04": "A budget too small for one entry is refused with the budget that would do.",
    "REN-01": "Document text in a reply is marked as quotation on every line.",
    "REN-02": "Control and bidirectional characters are neutralised in text of ours.",
    "SCR-01": "A scratch note is read back by its handle in its session.",
    "SCR-02": "Another session's handle and an invented one fail in the same words.",
    "SCR-03": "Handles are random, not derived from content.",
    "SCR-04": "A passage keeps its handle within a session.",
    "SCR-05": "Scratch notes expire after their time without use.",
    "SCR-06": "Scratch memory is bounded; the oldest note goes first.",
    "SCR-07": "Concurrent sessions never see each other's notes.",
    "CUR-01": "A cursor gives back its offset.",
    "CUR-02": "A cursor of another query or of an older index generation is refused with the fix.",
    "CUR-03": "A forged cursor is refused with a typed error.",
    "CUR-04": "Another server's cursor is refused.",
}
