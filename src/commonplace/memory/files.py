"""Contexts as files: lines of JSON, or Markdown people read; both can be read back."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from commonplace.domain.context import Context, Relationship, Similar
from commonplace.domain.errors import CommonplaceError, UserError
from commonplace.memory.record import context_id, dump, from_line, to_line
from commonplace.memory.render import byline, text_of, title_of

Format = Literal["jsonl", "markdown"]
FORMAT = 1
_FENCE = "```json commonplace-context"
_HEAD = re.compile(r"<!-- commonplace-memory (\{.*\}) -->")


def format_of(name: str) -> Format:
    """The format a file's name says.

    >>> format_of("memory.md"), format_of("memory.jsonl")
    ('markdown', 'jsonl')
    """
    return "markdown" if name.lower().endswith((".md", ".markdown")) else "jsonl"


def write_lines(project: str, contexts: Sequence[Context], form: Format) -> Iterator[str]:
    """The text of an export, in a fixed order: the same memory gives the same lines."""
    head = {"commonplace_memory": FORMAT, "project": project, "contexts": len(contexts)}
    if form == "jsonl":
        yield dump(head) + "\n"
        yield from (dump(to_line(context)) + "\n" for context in contexts)
        return
    yield f"<!-- commonplace-memory {dump(head)} -->\n\n# Memory of {project}\n"
    for context in contexts:
        yield _section(context)


def _section(context: Context) -> str:
    """A context to read, quoted, and to read back: the block under it is all of it."""
    body = text_of(context).partition("\n")[2].strip("\n")
    quoted = "\n".join(f"> {line}".rstrip() for line in body.splitlines())
    head = f"\n## {title_of(context)}\n\n*{byline(context)}* · `{context.id}`\n"
    return f"{head}\n{quoted}\n\n{_FENCE}\n{dump(to_line(context))}\n```\n"


def read_lines(lines: Iterable[str], project: str | None) -> tuple[str, list[Context]]:
    """The project and the contexts of an export, JSONL or Markdown.

    With another ``project`` than the export's, contexts get the ids they have there and their
    relationships follow. Raises UserError naming the line that is not as it should be.
    """
    numbered = enumerate(lines, 1)
    head, is_markdown = _read_head(numbered)
    origin = str(head["project"])
    contexts = list(_read_contexts(numbered, origin, is_markdown=is_markdown))
    if len(contexts) != head["contexts"]:
        raise UserError(
            f"the export holds {len(contexts)} contexts and says {head['contexts']}; "
            "it is cut off or was edited, export again"
        )
    if project is None or project == origin:
        return origin, contexts
    return project, _moved(contexts, project)


def _read_head(numbered: Iterator[tuple[int, str]]) -> tuple[Mapping[str, Any], bool]:
    _, first = next(numbered, (1, ""))
    match = _HEAD.match(first)
    head = _parsed(1, match[1] if match else first)
    if not isinstance(head, Mapping) or head.get("commonplace_memory") != FORMAT:
        raise UserError(
            "line 1: not a memory export this version reads; make one with "
            "`commonplace memory export`"
        )
    return head, match is not None


def _read_contexts(
    numbered: Iterator[tuple[int, str]], project: str, *, is_markdown: bool
) -> Iterator[Context]:
    is_next = not is_markdown
    for number, line in numbered:
        if is_next and line.strip():
            yield _context(number, line, project)
        is_next = line.rstrip() == _FENCE if is_markdown else True


def _context(number: int, line: str, project: str) -> Context:
    record = _parsed(number, line)
    try:
        return from_line(record, project)
    except (KeyError, TypeError, ValueError, AttributeError, CommonplaceError) as exc:
        raise UserError(f"line {number}: not a context ({exc!r}); export again") from exc


def _parsed(number: int, line: str) -> Any:  # noqa: ANN401 - JSON
    try:
        return json.loads(line)
    except (json.JSONDecodeError, RecursionError) as exc:
        raise UserError(f"line {number} is not JSON ({exc}); export again") from exc


def _moved(contexts: Sequence[Context], project: str) -> list[Context]:
    """The contexts as another project would have made them."""
    ids = {one.id: context_id(project, one.type, one.content) for one in contexts}

    def moved(context: Context) -> Context:
        return replace(
            context,
            id=ids[context.id],
            project=project,
            relationships=tuple(
                Relationship(one.type, ids.get(one.target, one.target))
                for one in context.relationships
            ),
            similar=tuple(
                Similar(id=ids.get(one.id, one.id), similarity=one.similarity)
                for one in context.similar
            ),
        )

    return [moved(context) for context in contexts]
