"""What read-only Cypher promises: the language, its limits, the tool."""

REQUIREMENTS = {
    "CYP-01": "Reading clauses and expressions give the rows openCypher says, on every engine.",
    "CYP-02": "A fault in a query is INVALID_ARGUMENT with line, column and a hint.",
    "CYP-03": "Whatever does not read is FORBIDDEN_OPERATION naming the clause, in every disguise.",
    "CYP-04": "A query sees its selection only: no id, name or parameter reaches another project.",
    "CYP-05": "No query changes the store: its data version and content stay.",
    "CYP-06": "The engine itself denies writes and tables: the connection, not the parser.",
    "CYP-07": "Time, work, rows and memory are bounded, whatever the query; the error says which.",
    "CYP-08": "Any text at all gives rows or a typed error.",
    "CYP-09": "A query sees one consistent state while others write.",
    "CYP-10": "A cancelled query ends at once.",
    "CYP-11": "graph.query has the seeds' fields, defaults and limits, under all their names.",
    "CYP-12": "graph.query replies in the seed's shape: whole rows inside the budget, resumable.",
    "CYP-13": "A graph.query error carries success, message and the seed's error_type.",
    "CYP-14": "max_depth and relationship_filter bound what a query walks.",
    "CYP-15": "The TCK program tells passing scenarios from failing ones.",
    "CYP-16": "Values in a reply are quoted data, whatever they hold.",
}
