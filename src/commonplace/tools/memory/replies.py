"""What every reply of the family carries beside the common fields: success, message, error_type."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from commonplace.tools.base import ToolOutput
from commonplace.tools.scope import Name, Scope


class Place(Scope):
    """Whose memory. The other parts of a scope are accepted and mean nothing here."""

    doc_tags: SkipJsonSchema[list[Name]] = Field(default=[])
    repositories: SkipJsonSchema[list[Name]] = Field(default=[])


class MemoryReply(ToolOutput):
    """The fields of every memory tool."""

    success: bool = Field(description="Whether what was asked is done.")
    message: str = Field(description="What was done, or what to do about it.")
    error_type: str | None = Field(default=None, description="Of a failure.")


_VALIDATION = "validation_error"
_OF_CODE = {
    "RATE_LIMITED": "rate_limit",
    "INVALID_ARGUMENT": _VALIDATION,
    "SCOPE_VIOLATION": _VALIDATION,
    "EMBEDDING_MISMATCH": _VALIDATION,
    "BUDGET_EXCEEDED": _VALIDATION,
}


def explain(
    empty: Mapping[str, Any], codes: Mapping[str, str], fields: Mapping[str, str]
) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    """What an error reply of a tool carries beside ``error``, as seed 004 names it.

    ``empty`` stands where a success has its answer, ``codes`` are error types by code (``""`` for
    all others), ``fields`` those of a fault in one argument.
    """
    known = {**_OF_CODE, **codes}

    def extra(error: Mapping[str, Any]) -> Mapping[str, Any]:
        details = error["details"]
        faults = (fields.get(str(name).partition(".")[0]) for name in details.get("fields", ()))
        kind = details.get("error_type") or next((one for one in faults if one), None)
        kind = kind or known.get(error["code"], known[""])
        return {"success": False, **empty, "message": error["message"], "error_type": kind}

    return extra
