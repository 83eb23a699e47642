"""The error tree.

CommonplaceError
├── UserError             the caller can fix it
│   ├── InvalidArgument     INVALID_ARGUMENT
│   ├── ScopeViolation      SCOPE_VIOLATION
│   ├── InvalidProject      INVALID_PROJECT
│   ├── NotFound            NOT_FOUND
│   ├── BudgetExceeded      BUDGET_EXCEEDED
│   ├── RateLimited         RATE_LIMITED
│   ├── ForbiddenOperation  FORBIDDEN_OPERATION
│   ├── EmbeddingMismatch   EMBEDDING_MISMATCH
│   └── HybridNotSupported  HYBRID_NOT_SUPPORTED
├── SourceError           a source or one of its resources cannot be read
├── ParseError            a resource is not what it says it is
├── EmbedError            a model is missing or a remote embedder failed
├── StoreError            the index cannot answer: BACKEND_UNAVAILABLE
│   └── IndexUnavailable    INDEX_UNAVAILABLE: missing, corrupt, or of a newer version
└── DeadlineExceeded      TIMEOUT

A message says what to do next. Only ``serve/`` turns errors into protocol replies.
"""

from collections.abc import Mapping
from typing import Any, ClassVar


class CommonplaceError(Exception):
    """Anything this program reports on purpose."""

    code: ClassVar[str] = "INTERNAL_ERROR"

    def __init__(self, message: str, **details: Any) -> None:  # noqa: ANN401 - JSON values
        super().__init__(message)
        self.message = message
        self.details: Mapping[str, Any] = details


class UserError(CommonplaceError):
    """The caller can fix it; the message says how."""

    code = "INVALID_ARGUMENT"


class InvalidArgument(UserError):
    """An argument is missing, malformed or out of range."""


class ScopeViolation(UserError):
    """The scope names what this server does not serve."""

    code = "SCOPE_VIOLATION"


class InvalidProject(UserError):
    """No such project; the message lists the served ones."""

    code = "INVALID_PROJECT"


class NotFound(UserError):
    """No such passage, document or resource in this session and project."""

    code = "NOT_FOUND"


class BudgetExceeded(UserError):
    """Not even one whole entry fits the budget; details give the least that would do."""

    code = "BUDGET_EXCEEDED"


class RateLimited(UserError):
    """Too many calls; details give ``retry_after_s``."""

    code = "RATE_LIMITED"


class ForbiddenOperation(UserError):
    """The operation is not allowed here."""

    code = "FORBIDDEN_OPERATION"


class EmbeddingMismatch(UserError):
    """The index was made with another model; the message gives the command that re-embeds."""

    code = "EMBEDDING_MISMATCH"


class HybridNotSupported(UserError):
    """The project has no lexical index to combine with."""

    code = "HYBRID_NOT_SUPPORTED"


class SourceError(CommonplaceError):
    """A source or one of its resources cannot be read."""

    code = "BACKEND_UNAVAILABLE"


class ParseError(CommonplaceError):
    """A resource is not what it says it is."""

    code = "INVALID_ARGUMENT"


class EmbedError(CommonplaceError):
    """A model is missing or a remote embedder failed."""

    code = "BACKEND_UNAVAILABLE"


class StoreError(CommonplaceError):
    """The store cannot answer."""

    code = "BACKEND_UNAVAILABLE"


class IndexUnavailable(StoreError):
    """The index is missing, corrupt, or of a newer version."""

    code = "INDEX_UNAVAILABLE"


class DeadlineExceeded(CommonplaceError):
    """The time limit ran out."""

    code = "TIMEOUT"
