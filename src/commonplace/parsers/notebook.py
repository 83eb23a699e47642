"""Jupyter notebooks: Markdown cells as they are, code cells fenced, printed output shortened."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from commonplace.domain.document import Block, Document, Resource, Span
from commonplace.domain.encoding import clean, decode
from commonplace.domain.errors import ParseError
from commonplace.domain.media import NOTEBOOK, suffixes_of
from commonplace.parsers.base import Parser
from commonplace.parsers.drafting import (
    Slugs,
    fill_gaps,
    make_sections,
    make_title,
    one_line,
)
from commonplace.parsers.guard import guarded
from commonplace.parsers.markdown import draft
from commonplace.parsers.rendering import Margin, Writer

_MOST_OUTPUT_CHARS = 2000  # what a reader skims of an output; the rest is data
_TERMINAL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_DATA_IMAGE = re.compile(r"\(data:[^)\s]{100,}\)")

Cell = Mapping[str, Any]


def _text(value: object) -> str:
    """A multiline string of the notebook format: a string, or a list of them."""
    if isinstance(value, list):
        value = "".join(part for part in value if isinstance(part, str))
    return clean(value) if isinstance(value, str) else ""


def _entries(value: object) -> Iterator[Cell]:
    for entry in value if isinstance(value, list) else []:
        if isinstance(entry, dict):
            yield entry


def _cells(notebook: Cell) -> Iterator[Cell]:
    """Cells of format 4, or of all worksheets of format 3."""
    yield from _entries(notebook.get("cells"))
    for sheet in _entries(notebook.get("worksheets")):
        yield from _entries(sheet.get("cells"))


def _language(notebook: Cell) -> str:
    metadata = notebook.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    for name, key in (("language_info", "name"), ("kernelspec", "language")):
        found = metadata.get(name)
        if isinstance(found, dict) and isinstance(found.get(key), str) and found[key].strip():
            return one_line(found[key]).split(" ")[0]
    return "python"


def _outputs(cell: Cell) -> Iterator[str]:
    """What a cell printed, as text."""
    for output in _entries(cell.get("outputs")):
        bundle = output.get("data")
        bundle = bundle if isinstance(bundle, dict) else {}
        shown = _text(output.get("text")) or _text(bundle.get("text/plain"))
        if output.get("output_type") in {"error", "pyerr"}:
            shown = f"{output.get('ename', '')}: {output.get('evalue', '')}"
        shown = _TERMINAL.sub("", shown).strip("\n")
        if len(shown) > _MOST_OUTPUT_CHARS:
            shown = shown[:_MOST_OUTPUT_CHARS].rpartition("\n")[0] or shown[:_MOST_OUTPUT_CHARS]
            shown += "\n…"
        if shown.strip():
            yield clean(shown)


def _write_markdown(writer: Writer, source: str, slugs: Slugs) -> None:
    """A Markdown cell, read on its own: an open fence ends with its cell."""
    source = _DATA_IMAGE.sub("()", source).strip()
    if not source:
        return
    base = writer.begin("paragraph")
    writer.put(source)
    read = draft(source, base, slugs)
    writer.blocks.extend(read.blocks or [Block(kind="other", span=Span(base, writer.length))])
    writer.headings.extend(read.headings)
    writer.links.extend(read.links)


def _write_cell(writer: Writer, cell: Cell, language: str, slugs: Slugs) -> None:
    source = _text(cell.get("source")) or _text(cell.get("input"))
    kind = cell.get("cell_type")
    if kind == "heading":
        level = cell.get("level")
        depth = min(max(level, 1), 6) if isinstance(level, int) else 1
        _write_markdown(writer, "#" * depth + " " + one_line(source), slugs)
    elif kind == "code":
        writer.code(source, language, Margin())
        for output in _outputs(cell):
            writer.code(output, "text", Margin())
    else:
        _write_markdown(writer, source, slugs)


def parse_notebook(resource: Resource) -> Document:
    """A notebook; its text is rendered."""
    decoded = decode(resource.content)
    notebook = json.loads(decoded.text) if decoded.text.strip() else {}
    if not isinstance(notebook, dict):
        raise ParseError("it is JSON but no notebook: it has no cells")
    writer, slugs, language = Writer(), Slugs(), _language(notebook)
    for cell in _cells(notebook):
        _write_cell(writer, cell, language, slugs)
    text, headings = writer.text, writer.headings
    first = next((one.text for one in headings if one.level == 1), "")
    return Document(
        title=make_title(resource.path, first, headings[0].text if headings else ""),
        text=text,
        sections=make_sections(headings, len(text)),
        blocks=fill_gaps(text, writer.blocks),
        links=tuple(writer.links),
        attributes={"language": language},
        is_rendered=True,
        warnings=decoded.warnings,
    )


PARSER = Parser(
    name="notebook",
    media_types=(NOTEBOOK,),
    suffixes=suffixes_of(NOTEBOOK),
    parse=guarded(parse_notebook),
)
