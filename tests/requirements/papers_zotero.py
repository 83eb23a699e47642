"""What is promised of Zotero libraries (issue 6)."""

REQUIREMENTS = {
    "ZOT-01": "A running Zotero and its data folder give the same documents and records.",
    "ZOT-02": "The database is read while Zotero holds it, with what is only in its log.",
    "ZOT-03": "A collection counts with those below it, and tags must all be there.",
    "ZOT-04": "Annotations are passages with their page, notes are passages.",
    "ZOT-05": "Citations have Zotero's citekey, language, tags, authors, year and DOI.",
    "ZOT-06": "Linked files are followed; a missing one is reported, and stays indexed.",
    "ZOT-07": "A library that did not change costs a look at its state and nothing more.",
    "ZOT-08": "Edited metadata changes citations and embeds nothing.",
    "ZOT-09": "What is in the trash, or in another library, is left out.",
    "ZOT-10": "What cannot be read is told with what to do, and no source is added.",
    "ZOT-11": "ingest_from_source takes Zotero with collection and tags, over HTTP only if added.",
    "ZOT-12": "The same item in two collections is one document, and stays with the other.",
    "ZOT-13": "`add zotero:Collection --tag` narrows on the command line.",
    "ZOT-14": "A group is a library of its own, by name or number, with its own addresses.",
    "ZOT-15": "A saved search narrows: run by Zotero, or here when it asks for what we can judge.",
}
