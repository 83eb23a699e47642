"""What the read path promises."""

REQUIREMENTS = {
    "RET-01": "Any text can be asked: hostile, huge, empty or unreadable input gives a query.",
    "RET-02": "Stop words are left out of a query unless it has nothing else.",
    "RET-03": "Identifiers are kept whole and also matched by their parts.",
    "RET-04": "A compound question is also asked part by part.",
    "RET-05": "Chinese, Japanese and Korean questions find their passages.",
    "RET-06": "Fusion is deterministic; ties are broken by passage id.",
    "RET-07": "A channel that fails is told in degraded and the others answer.",
    "RET-08": "When no channel can answer, the store's own error is raised.",
    "RET-09": "Vectors of another model only are EMBEDDING_MISMATCH with the command to run.",
    "RET-10": "Partial coverage of a model is told, and a faster model helps out.",
    "RET-11": "Passages that say the same are collapsed and counted; differing numbers are not.",
    "RET-12": "No document gives more passages than max_per_doc.",
    "RET-13": "A larger limit extends the ranking and never reorders it.",
    "RET-14": "vector_only uses vectors alone, and says so when it had to match words.",
    "RET-15": "A passage with the quoted phrase ranks above one with only its words.",
    "RET-16": "Nothing outside the selection is ever found.",
    "RET-17": "Neighbours of the best hits in reading order are found.",
    "RET-18": "An empty project answers with nothing and says that it is empty.",
    "RET-30": "In hybrid_local, what speaks of the same things or is linked to is found too.",
    "RET-19": "German questions find other forms of their words in German text.",
}
