"""Every tool as clients see it, known without importing what runs it.

A client lists tools before it asks anything, and a server starts with every client: so what a
list shows is a file, made from the catalog by ``make docs`` and compared with it by ``make check``.
A family is imported when one of its tools is first called, or when the server has settled.
"""

import importlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from commonplace.tools.base import Tool, family_of, listed_name_of

FILE = Path(__file__).with_name("listing.json")


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A tool on the list."""

    name: str
    place: str
    """Where its record is: ``package:NAME``."""
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]
    bare: str = ""
    aliases: tuple[str, ...] = ()
    is_legacy: bool = False
    writes: bool = False
    open_world: bool = False

    @property
    def family(self) -> str:
        """The part before the dot."""
        return family_of(self.name)

    @property
    def listed_name(self) -> str:
        """The name clients see."""
        return listed_name_of(self.name)

    @cached_property
    def tool(self) -> Tool:
        """The record itself, imported now."""
        module, _, name = self.place.partition(":")
        found = getattr(importlib.import_module(module), name)
        if not isinstance(found, Tool):
            raise TypeError(f"{self.place} is no tool; run `make docs`")
        return found


def offers() -> dict[str, Offer]:
    """All tools by name, read from the file."""
    rows = json.loads(FILE.read_bytes())
    return {row["name"]: Offer(**{**row, "aliases": tuple(row.get("aliases", ()))}) for row in rows}


def make_offer(tool: Tool) -> Offer:
    """What the list shows of a tool."""
    from commonplace.serve.schemas import input_schema, output_schema  # noqa: PLC0415 - see above

    return Offer(
        name=tool.name,
        place=_place(tool),
        description=tool.description,
        input_schema=input_schema(tool.args),
        output_schema=output_schema(tool.output),
        bare=tool.bare,
        aliases=tool.aliases,
        is_legacy=tool.is_legacy,
        writes=tool.writes,
        open_world=tool.open_world,
    )


def _place(tool: Tool) -> str:
    """The shortest module of the catalog that has the record; none for one made on the spot."""
    modules = [name for name in sys.modules if name.startswith("commonplace.tools.")]
    for module in sorted(modules, key=lambda name: (name.count("."), name)):
        for name, found in vars(sys.modules[module]).items():
            if found is tool:
                return f"{module}:{name}"
    return ""


def write_offers(tools: Mapping[str, Tool]) -> str:
    """The file's text: one line a tool, fields that are as usual left out."""
    lines = []
    for tool in tools.values():
        row = {name: value for name, value in vars(make_offer(tool)).items() if value}
        lines.append(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
    return "[\n" + ",\n".join(lines) + "\n]\n"
