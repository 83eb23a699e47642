"""What the code tools, their command line and the structural summaries promise."""

REQUIREMENTS: dict[str, str] = {
    "CODE-T01": "`code.search_symbols` finds by name, full name, words and meaning, best first.",
    "CODE-T02": "summary, standard and full are projections: the same symbols, more of each.",
    "CODE-T03": "A symbol is named by id, full name or name; several are candidates, none is told.",
    "CODE-T04": "`code.get_symbol_details` shows parts, connections and a whole source or none.",
    "CODE-T05": "`code.get_dependencies` keeps to direction, depth, relations, kinds, confidence.",
    "CODE-T06": "`code.trace_lineage` goes from a column to who reads and writes it, and back.",
    "CODE-T07": "cross_language_only shows where the language changes, and what it left out.",
    "CODE-T08": "`code.analyze_impact` judges by kind of change, relation, distance and certainty.",
    "CODE-T09": "Impact is incomplete, not low, where calls or files are not understood.",
    "CODE-T10": "`code.get_file_contents` gives exact lines of indexed files, tells changes.",
    "CODE-T11": "`code.find_usages` gives every place by type, with the lines around if asked for.",
    "CODE-T12": "`code.list_project_overview` tells what there is and what was investigated.",
    "CODE-T13": "`code.compare_snapshots` tells what changed between two runs and whom it reaches.",
    "CODE-T14": "What was shown is not shown again in full; what is near the focus comes first.",
    "CODE-T15": "Code lists keep budgets; their cursors cover them exactly once.",
    "CODE-T16": "No code tool shows anything of another project or scope.",
    "CODE-T17": "The core of code is listed by default when code is indexed, within its price.",
    "CODE-T20": "Schemas, namespaces, sources and services have summaries; same code, same words.",
    "CODE-T21": "Text of code is quoted as such: no line of it can pass for one of ours.",
}
