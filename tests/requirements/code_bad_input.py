"""Code as it is found: broken, half-written, huge, in any encoding, in circles."""

REQUIREMENTS: dict[str, str] = {
    "BAD-01": "A syntax error costs what stands at it; the rest is read, and status tells where.",
    "BAD-02": "A half-written file of any language keeps what was written before, and is counted.",
    "BAD-03": "A minified file of 50 MB is left out and counted; a small one is known as minified.",
    "BAD-04": "Files of mixed encodings are read as far as possible; lost characters are counted.",
    "BAD-05": "CRLF changes neither names nor lines nor edges.",
    "BAD-06": "Imports in a circle are bound.",
    "BAD-07": "Inheritance in a circle ends.",
    "BAD-08": "Of duplicate definitions each is there, with its own lines.",
    "BAD-09": "Names of SQL mean the same however they are capitalised.",
    "BAD-10": "SQL that cannot be parsed is recorded as unparsed, with its range.",
    "BAD-11": "Links in a circle are passed by, and told.",
    "BAD-12": "Submodules are read as part of the tree; one that is not checked out is told.",
    "BAD-13": "Vendored and generated code is recognised, and told.",
    "BAD-14": "Ignore rules keep code out, and status counts it.",
    "BAD-15": "SQL in a string of code that cannot be parsed is recorded with its file and range, "
    "counted by status and told by the overview; a sentence that begins like SQL is not.",
    "BAD-16": "Escapes of NUL and of lone surrogates in strings and docstrings cost those "
    "characters, not the source they stand in.",
}
