"""What sources promise."""

REQUIREMENTS: dict[str, str] = {
    "SRC-01": "A folder lists every file a parser reads, in path order, with one stat per file.",
    "SRC-02": "Ignore rules rank built-in < .gitignore < .commonplaceignore, nested and negated.",
    "SRC-03": "Symbolic links inside the folder are followed once; circles end; exits are skipped.",
    "SRC-04": "What cannot be read is a reported skip, and the walk goes on.",
    "SRC-05": "A file over max_file_bytes is reported and never read.",
    "SRC-06": "Binary data under a text suffix is refused; UTF-16 is text.",
    "SRC-07": "A file that vanishes or changes kind between listing and reading is a SourceError.",
    "SRC-08": "Pipes, sockets and devices never block a walk or a read.",
    "SRC-09": "File names of any bytes give a percent-encoded address or a printable skip.",
    "SRC-10": "A git work tree knows its repository's name, without credentials.",
    "SRC-11": "In a git work tree the ignore rules above the added folder count too.",
    "SRC-12": "A single file can be added, whatever its suffix.",
    "SRC-13": "A location that is not there is an error that names the fix.",
}
