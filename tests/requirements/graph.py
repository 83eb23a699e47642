"""What the graph promises: its entities (E), and the tools that walk it (T)."""

REQUIREMENTS: dict[str, str] = {
    "GRAPH-E01": "A node several documents state stays until the last of them goes.",
    "GRAPH-E02": "Indexing finds entities of all nine kinds from the structure of documents.",
    "GRAPH-E03": "Every edge tells its confidence, the document that proves it, place and rule.",
    "GRAPH-E04": "An ordered list of instructions is a procedure with its steps in order.",
    "GRAPH-E05": "Spellings of one name are tied, with a confidence that says it is a guess.",
    "GRAPH-E06": "An entity is one node of a project; a removed document takes only its own edges.",
    "GRAPH-E07": "Links lead to documents and sections, also to those indexed later.",
    "GRAPH-E08": "Blocks, inline code, tables, lists, roles and directives tell what a name is.",
    "GRAPH-E09": "What nothing shows to be an entity is none; a passage names a bounded number.",
    "GRAPH-E10": "Code introduced as an example is one, with the entities inside it.",
    "GRAPH-E20": "A passage that names a document's title leads to that document.",
    "GRAPH-E11": "Relative links, anchors, references and labels are resolved across files.",
    "GRAPH-E12": "Precision of entities is labelled by hand on sets of others, and told as it is.",
}
