"""What reading books promises."""

REQUIREMENTS: dict[str, str] = {
    "EPB-01": "An EPUB is read in the order of its spine, headed by its table of contents.",
    "EPB-02": "Its title, authors, language and DOI are told; links lead to anchors within it.",
    "EPB-03": "Bombs, entities, paths out of the book, locks and damage end in ParseError or a"
    " warning.",
    "EPB-04": "EPUB, DOCX, HTML and Markdown books are ingested and cited like papers.",
}
"""By id."""
