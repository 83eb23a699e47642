"""What all list-like replies share: their arguments, their tail, their degradation note."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from commonplace.answer.pack import Budget, Tail
from commonplace.session.cursors import Cursors
from commonplace.tools.app import App
from commonplace.tools.base import UNBOUNDED, ToolArgs, ToolOutput

# The envelope of an empty reply with a UUID session takes about 90 tokens.
LEAST_TOKENS = 100
MOST_TOKENS = 10_000  # 45,000 characters are reached before

ResponseTokens = Annotated[
    int, Field(ge=LEAST_TOKENS, le=MOST_TOKENS, json_schema_extra={UNBOUNDED: True})
]
SessionId = Annotated[str, Field(min_length=1, max_length=64)]
CursorText = Annotated[str, Field(min_length=1, max_length=64)]

_UNBOUND = {"cursor", "session_id", "page_size", "max_response_tokens"}
"""Arguments a caller may change from page to page."""


class Listed(ToolOutput):
    """The tail of every list-like reply."""

    next_cursor: str | None = Field(description="Send it back with the same arguments.")
    limit_reason: Literal["none", "page_size", "token_cap", "byte_cap"]
    truncated: bool = Field(description="The budget, not the page size, ended the list.")
    has_more: bool
    returned_count: int
    remaining_count: int
    total_count: int
    session_id: str
    degraded: list[str] = Field(default=[], description="Channels that did not run, and why.")


def fingerprint(args: ToolArgs) -> dict[str, Any]:
    """The arguments a cursor is bound to."""
    return args.model_dump(mode="json", exclude=_UNBOUND)


class BudgetedArgs(ToolArgs):
    """What every retrieval tool takes to bound its reply."""

    max_response_tokens: ResponseTokens = 800
    session_id: SessionId | None = None


def response_tokens(app: App, args: BudgetedArgs) -> int:
    """What the call names, else the server's setting, else the tool's own default."""
    is_named = "max_response_tokens" in args.model_fields_set
    chosen = app.settings.response_tokens
    return args.max_response_tokens if is_named or not chosen else max(LEAST_TOKENS, chosen)


def budget(app: App, tokens: int) -> Budget:
    """A reply's budget with the server's own limit on characters."""
    return Budget(tokens=tokens, chars=app.settings.response_chars, count=app.tokens)


class Continuation:
    """Turns offsets into cursors for one list."""

    def __init__(self, cursors: Cursors, generation: int, facts: Mapping[str, Any]) -> None:
        self._cursors = cursors
        self._generation = generation
        self._facts = dict(facts)

    def offset(self, cursor: str | None) -> int:
        """Where the page starts."""
        return self._cursors.read(cursor, self._generation, **self._facts)

    def cursor(self, offset: int) -> str:
        """What goes on from there."""
        return self._cursors.make(offset, self._generation, **self._facts)

    def fields(self, tail: Tail) -> dict[str, Any]:
        """The tail as reply fields."""
        cursor = self.cursor(tail.next_offset) if tail.next_offset is not None else None
        return {
            "next_cursor": cursor,
            "limit_reason": tail.limit_reason,
            "truncated": tail.truncated,
            "has_more": tail.has_more,
            "returned_count": tail.returned_count,
            "remaining_count": tail.remaining_count,
            "total_count": tail.total_count,
        }
