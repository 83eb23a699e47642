"""What can be wrong with a query, in the words of the openCypher TCK and of our error tree."""

from typing import Any

from commonplace.domain.errors import BudgetExceeded, ForbiddenOperation, InvalidArgument


class QueryFault(InvalidArgument):
    """The query cannot be run as written; ``kind`` is the TCK's name for the reason."""

    def __init__(self, message: str, kind: str, **details: Any) -> None:  # noqa: ANN401 - JSON values
        super().__init__(message, kind=kind, field="query", **details)
        self.kind = kind


class CompileFault(QueryFault):
    """Seen before anything was read, with the place in the text."""


class RunFault(QueryFault):
    """Seen while running: a value of the wrong type, a number out of range."""


def place(text: str, at: int) -> tuple[int, int]:
    r"""Line and column of an offset, both counted from one.

    >>> place("RETURN 1\nFOO", 9)
    (2, 1)
    """
    before = text[:at]
    return before.count("\n") + 1, at - (before.rfind("\n") + 1) + 1


def compile_fault(text: str, at: int, message: str, kind: str) -> CompileFault:
    """A fault that names its line and column."""
    line, column = place(text, at)
    near = " ".join(text[at : at + 30].split())
    where = f"line {line}, column {column}" + (f", near {near!r}" if near else ", at the end")
    return CompileFault(f"{message} ({where})", kind, line=line, column=column)


def forbidden(text: str, at: int, clause: str) -> ForbiddenOperation:
    """The refusal of a clause that does something else than read."""
    line, column = place(text, at)
    return ForbiddenOperation(
        f"{clause} is not allowed: graph.query only reads. Use MATCH, OPTIONAL MATCH, UNWIND, "
        f"WITH, WHERE, RETURN, ORDER BY, SKIP, LIMIT, UNION (line {line}, column {column})",
        clause=clause,
        line=line,
        column=column,
    )


def too_much(what: str, limit: int, fix: str) -> BudgetExceeded:
    """The refusal of a query that would take more than its share."""
    return BudgetExceeded(f"the query {what} (limit {limit:,}); {fix}", limit=limit)
