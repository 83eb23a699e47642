"""What code tools take: a symbol by id or name, how much to show, where to stop."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, model_validator
from pydantic.config import JsonDict
from pydantic.json_schema import SkipJsonSchema

from commonplace.domain.errors import InvalidArgument
from commonplace.domain.scope import Selection
from commonplace.tools.app import App
from commonplace.tools.base import BRIEF
from commonplace.tools.code.kinds import CONTAINS, KINDS, RELATIONS
from commonplace.tools.paging import BudgetedArgs, CursorText, ResponseTokens
from commonplace.tools.scope import Name, Scope, select

MOST_DEPTH = 20
IS_TOLD: JsonDict = {BRIEF: True}
_BOUND = {"cursor", "session_id", "limit", "offset", "max_response_tokens", "verbosity"}
"""Arguments a caller may change from page to page."""
_KINDS = sorted(KINDS | {"Document", "Passage", "Section", "Source"})
_RELATIONS = (*RELATIONS, CONTAINS)
_OTHER_WAYS = {
    "out": "outbound",
    "outgoing": "outbound",
    "downstream": "outbound",
    "forward": "outbound",
    "in": "inbound",
    "incoming": "inbound",
    "upstream": "inbound",
    "backward": "inbound",
}

Level = Literal["summary", "standard", "full"]
Direction = Annotated[
    Literal["outbound", "inbound", "both"],
    BeforeValidator(lambda value: _OTHER_WAYS.get(value, value) if _is_text(value) else value),
]
Verbosity = Annotated[Level, Field(json_schema_extra=IS_TOLD)]
_OneIsList = BeforeValidator(lambda value: [value] if _is_text(value) else value)
Names = Annotated[list[Name], _OneIsList, Field(max_length=30)]
Certainty = Annotated[float, Field(ge=0, le=1, json_schema_extra=IS_TOLD)]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _unfold(schema: dict[str, Any]) -> None:
    """Nine tools would repeat four fields: kb_search tells them."""
    schema.pop("properties", None)
    schema.pop("additionalProperties", None)


class CodeScope(Scope):
    """As in kb_search."""

    model_config = ConfigDict(json_schema_extra=_unfold)


class CodeArgs(BudgetedArgs):
    """What every code tool takes."""

    scope: CodeScope | None = None
    project: SkipJsonSchema[Name | None] = Field(default=None, exclude=True)
    """003's name for ``scope.project_id``."""
    max_response_tokens: ResponseTokens = Field(default=2000, json_schema_extra=IS_TOLD)

    async def select(self, app: App) -> Selection:
        """What the call may see."""
        scope = self.scope or CodeScope()
        if self.project and not scope.project_id:
            scope = scope.model_copy(update={"project_id": self.project})
        return await select(app, scope)

    def facts(self) -> dict[str, Any]:
        """The arguments a cursor is bound to."""
        return {"project": self.project, **self.model_dump(mode="json", exclude=_BOUND)}


class ListArgs(CodeArgs):
    """What code tools take that list something."""

    limit: int = Field(default=20, ge=1, le=200, json_schema_extra=IS_TOLD)
    offset: int = Field(default=0, ge=0, le=10_000, json_schema_extra=IS_TOLD)
    cursor: CursorText | None = None


class SymbolArgs(ListArgs):
    """The symbol a tool is asked about."""

    symbol: Name | None = Field(default=None, description="FQN or name.")
    symbol_id: Name | None = None

    @model_validator(mode="after")
    def _is_named(self) -> "SymbolArgs":
        if not (self.symbol_id or self.symbol):
            raise ValueError("name the symbol: symbol (a full name or its end) or symbol_id")
        return self


class PrunedArgs(SymbolArgs):
    """How traversals are kept to what is needed."""

    stop_at_kinds: Names = Field(default=[], description="Reached, not left.")
    exclude_kinds: Names = Field(default=[], description="Passed, not shown.")
    cross_language_only: bool = Field(default=False, json_schema_extra=IS_TOLD)
    min_confidence: Certainty = 0.0


def kinds(names: list[str]) -> frozenset[str]:
    """Kinds as stored, however they are spelled.

    >>> sorted(kinds(["TABLE", "class"]))
    ['Class', 'Table']
    """
    return _known(frozenset(name.capitalize() for name in names), _KINDS, "kind")


def relations(names: list[str]) -> frozenset[str]:
    """Relations as stored.

    >>> sorted(relations(["calls", "FLOWS-TO"]))
    ['CALLS', 'FLOWS_TO']
    """
    asked = frozenset(name.upper().replace("-", "_") for name in names)
    return _known(asked, _RELATIONS, "relation")


def _known(asked: frozenset[str], known: Sequence[str], what: str) -> frozenset[str]:
    """A name nothing has would filter everything away, or nothing, without a word."""
    for name in sorted(asked.difference(known)):
        told = ", ".join(one.upper() for one in known)
        raise InvalidArgument(f"no {what} {name.upper()!r}; known: {told}")
    return asked
