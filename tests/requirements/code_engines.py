"""What engines promise of symbols and of edges between documents."""

REQUIREMENTS = {
    "ENG-40": "Edges a document states about others are replaced by relation, atomically; the "
    "document, its passages and its other edges stay.",
    "ENG-41": "A shared node goes with the last document that states it, also when the statement "
    "is replaced.",
    "ENG-42": "A symbol is found by full name, end of full name, name, beginning, words of its "
    "name and of its doc text, in this order, whatever the size of letters.",
    "ENG-43": "Finding keeps to kinds, languages, project and selection, and tells how many fit.",
    "ENG-44": "Following a course reaches every node once, nearest first, and stops at kinds, "
    "depth, confidence and limit.",
    "ENG-45": "Finding and following answer as the reference engine does, on random graphs.",
    "ENG-46": "Many values are read and set at once; absent and expired keys are left out.",
    "ENG-47": "Ids are found by their beginnings, those of nodes of the project only.",
}
