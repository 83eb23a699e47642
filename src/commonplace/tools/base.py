"""What a tool is: arguments, a function, a record. Transports, CLI and docs follow from it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, model_validator

from commonplace.domain.evidence import Reply

if TYPE_CHECKING:
    from commonplace.tools.app import App, Call


BRIEF = "x-brief"
"""Marks an argument whose default and bounds the tool's description tells: its schema does not."""

UNBOUNDED = "x-unbounded"
"""Marks an argument whose bounds are the same in every tool: its schema tells the default only."""


class ToolArgs(BaseModel):
    """Base of every argument model: unknown fields are refused, strings stay strings."""

    # Built at their first use: most tools of a family not served, and legacy ones, never are.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: object) -> object:
        """Null is as good as left out: some clients send it for everything that may be."""
        if not isinstance(given, Mapping) or None not in given.values():
            return given
        fields = cls.model_fields
        return {
            name: value
            for name, value in given.items()
            if value is not None or name not in fields or fields[name].is_required()
        }


class ToolOutput(BaseModel):
    """Base of every output model; its schema is the tool's ``outputSchema``."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A catalog record: everything transports, the CLI, the docs and the tests need."""

    name: str
    """Canonical and dotted: ``kb.search``; advertised as ``kb_search``."""
    description: str
    """Five parts (000 §7.1): use when, do not use when, returns at most, follow-up, defaults."""
    args: type[ToolArgs]
    output: type[ToolOutput]
    run: Callable[["App", "Call", Any], Awaitable[Reply]]
    bare: str = ""
    """The seeds' bare name, accepted in calls and listed when ``tool_names = "bare"``."""
    aliases: tuple[str, ...] = ()
    """Further names accepted in calls."""
    is_legacy: bool = False
    """Callable but not listed, unless the kb_v2 flag is off."""
    writes: bool = False
    open_world: bool = False
    timeout_s: float | None = field(default=None)
    error_text: Callable[[Mapping[str, Any]], str] | None = None
    """From ``{code, message, details}`` to the text of an error reply in the family's own words."""
    explain: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    """From ``{code, message, details}`` to what an error reply of it carries beside ``error``."""

    @property
    def family(self) -> str:
        """The part before the dot; tools without one are their own family."""
        return family_of(self.name)

    @property
    def listed_name(self) -> str:
        """The name clients see."""
        return listed_name_of(self.name)


def family_of(name: str) -> str:
    """The family of a tool.

    >>> family_of("kb.search"), family_of("verify_quote")
    ('kb', 'verify_quote')
    """
    return name.partition(".")[0]


def listed_name_of(name: str) -> str:
    """The name clients see: Claude Desktop takes no dots (DESIGN D2).

    >>> listed_name_of("kb.search")
    'kb_search'
    """
    return name.replace(".", "_")
