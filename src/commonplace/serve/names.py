"""Which tools are listed, under which names, and which names find a tool (DESIGN D2)."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Protocol, TypeVar

from commonplace.domain.errors import UserError
from commonplace.engines.base import KeyValue
from commonplace.index.code.snapshots import is_kept
from commonplace.settings import Settings


class Named(Protocol):
    """What names a tool: of its record, or of what the list shows of it."""

    @property
    def name(self) -> str: ...  # noqa: D102 - see Tool
    @property
    def listed_name(self) -> str: ...  # noqa: D102
    @property
    def family(self) -> str: ...  # noqa: D102
    @property
    def bare(self) -> str: ...  # noqa: D102
    @property
    def aliases(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def is_legacy(self) -> bool: ...  # noqa: D102


AnyTool = TypeVar("AnyTool", bound=Named)

# Small on purpose: every listed schema costs tokens on every turn.
DEFAULT = (
    *("kb", "verify_quote", "web.answer", "web.search"),
    *("memory.store_context", "memory.retrieve_context"),
)
"""Families, and single tools of families that are not needed whole."""
CODE = ("code.search_symbols", "code.get_symbol_details", "code.get_dependencies")
"""What the default profile has of code, where code is indexed when the server starts (ADR 31)."""
ALL_FAMILIES = ("kb", "graph", "web", "papers", "code", "memory", "verify_quote")
"""Every family there will be: naming one that has no tools yet is no mistake."""


def tools_by_name(tools: Iterable[AnyTool]) -> dict[str, AnyTool]:
    """Every accepted name: canonical, listed, bare, aliases.

    A short name two tools claim belongs to the one that is not legacy.
    """
    ranked = sorted(tools, key=lambda tool: tool.is_legacy)
    found: dict[str, AnyTool] = {}
    for tool in ranked:
        if found.setdefault(tool.name, tool) is not tool:
            raise ValueError(f"two tools are named {tool.name!r}")
        found.setdefault(tool.listed_name, tool)
    for tool in ranked:
        for name in (tool.bare, *tool.aliases):
            if name:
                found.setdefault(name, tool)
    return found


async def has_code(keyvalue: KeyValue, settings: Settings) -> bool:
    """Whether any project this server may speak of holds code."""
    known = settings.projects or await keyvalue.keys("projects")
    for project in (*known, settings.default_project):
        if await is_kept(keyvalue, project):
            return True
    return False


def served_tools(
    tools: Mapping[str, AnyTool], settings: Settings, *, with_code: bool = False
) -> list[AnyTool]:
    """The tools clients may call: the chosen families, and the legacy names always."""
    families = {tool.family for tool in tools.values() if not tool.is_legacy}
    chosen: set[str] = set()
    if not settings.toolsets:
        raise UserError("toolsets is empty; name families such as kb, or default")
    for name in settings.toolsets:
        if name == "all":
            chosen |= families
        elif name == "default":
            chosen |= {*DEFAULT, *(CODE if with_code else ())}
        elif name in families or name in ALL_FAMILIES or name in tools:
            chosen.add(name)
        else:
            known = ", ".join(["default", "all", *ALL_FAMILIES])
            raise UserError(f"no toolset {name!r}; known: {known}")
    return [
        tool
        for tool in tools.values()
        if tool.is_legacy or tool.name in chosen or _families(tool) & chosen
    ]


def _families(tool: Named) -> set[str]:
    """Its own, and those it has another name in: ``memory.query_graph`` is ``graph.query``."""
    return {tool.family} | {name.partition(".")[0] for name in tool.aliases if "." in name}


def listed_tools(tools: Iterable[AnyTool], settings: Settings) -> dict[str, AnyTool]:
    """What ``tools/list`` shows, by shown name; the same for every connection."""
    hidden = "legacy" if settings.kb_v2_enabled else "kb"
    shown = [tool for tool in tools if hidden != ("legacy" if tool.is_legacy else tool.family)]
    if settings.tool_names == "bare":
        return {tool.bare or tool.listed_name: tool for tool in shown}
    return {tool.listed_name: tool for tool in shown}


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The known name most like this one.

    >>> nearest_name("kb_serch", ["kb_search", "verify_quote"])
    'kb_search'
    """
    return next(iter(difflib.get_close_matches(name[:80], list(known), n=1)), None)
