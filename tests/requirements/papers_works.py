"""What is promised of the works that papers cite (issue 6)."""

REQUIREMENTS = {
    "CIT-01": "The references of a paper are nodes of kind Work, each cited with its entry.",
    "CIT-02": "CITES leads to documents of the project by DOI, arXiv or title, in any order.",
    "CIT-03": "A work goes with the last document that cites it.",
    "CIT-04": "Lists of references are cut into entries by numbers, paragraphs or names.",
}
