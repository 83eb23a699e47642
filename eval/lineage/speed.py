"""How much of real scripts is understood, and how fast.

    python -m eval.lineage.speed FILE...

Beside it, how many of the files the parser takes whole, without our splitter.
"""

import logging
import sys
import time
from pathlib import Path

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, SqlglotError

from commonplace.sql.dialects import detect
from commonplace.sql.read import read_script


def takes_whole(text: str, dialect: str) -> bool:
    """Whether the parser alone understands every statement of a file."""
    try:
        trees = sqlglot.parse(text, read=dialect, error_level=ErrorLevel.IMMEDIATE)
    except (SqlglotError, RecursionError):
        return False
    return not any(isinstance(tree, exp.Command) for tree in trees)


def main() -> None:
    """Print one line for all files."""
    logging.getLogger("sqlglot").disabled = True
    texts = [(one, Path(one).read_text("utf-8", "replace")) for one in sys.argv[1:]]
    statements = unparsed = whole = clean = 0
    begin = time.process_time()
    for path, text in texts:
        facts = read_script(text, path)
        bad = sum(one.what.startswith("unparsed") for one in facts.problems)
        statements += len(facts.queries) + bad
        unparsed += bad
        clean += not facts.problems
    seconds = time.process_time() - begin
    whole = sum(takes_whole(text, detect(text, path)) for path, text in texts)
    size = sum(len(text) for _path, text in texts) / 1e6
    print(
        f"{len(texts)} files, {size:.2f} MB: {statements} statements, {unparsed} not parsed, "
        f"{statements / seconds:.0f} statements and {size / seconds:.2f} MB a CPU-second; "
        f"without a problem {clean} files, by the parser alone {whole}"
    )


if __name__ == "__main__":
    main()
