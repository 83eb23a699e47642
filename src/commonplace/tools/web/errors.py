"""The words of seed 001 §8 for what went wrong: an error is told, never answered around."""

from collections.abc import Mapping
from typing import Any

from commonplace.answer.render import neutral
from commonplace.domain.errors import DeadlineExceeded

_TIMEOUT = """\
[ERROR]
Commonplace timed out after {seconds}s.

{message}

The orchestration pipeline did not complete within the allowed time. This may indicate:
- A very large page requiring extensive indexing.
- Many expansion iterations with slow servers.
- Network latency.

Suggestion: Retry with expansion_budget=0 to skip expansion, or try a more specific URL."""
_FAILURE = """\
[ERROR]
Commonplace encountered an error during retrieval.

Error type: {code}
Details: {message}

The knowledge retrieval service was unable to complete this query. Possible causes:
- The URL may be unreachable, may not be allowed, or may return an error.
- The index may not be available.

Please inform the user of this error. Do not attempt to answer from memory — the tool was called \
because specific source material was needed."""


def error_text(error: Mapping[str, Any]) -> str:
    """The text of an error reply of the web family."""
    message = neutral(error["message"])
    if error["code"] == DeadlineExceeded.code:
        return _TIMEOUT.format(seconds=error["details"].get("timeout_s", "?"), message=message)
    return _FAILURE.format(code=error["code"], message=message)
