"""``code.get_file_contents``: exact lines of an indexed file."""

import re
from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import quote

from pydantic import AliasChoices, Field, model_validator

from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import closing, neutral, one_line
from commonplace.domain.errors import InvalidArgument, NotFound
from commonplace.domain.evidence import Reply
from commonplace.domain.graph import Node
from commonplace.domain.ids import document_id
from commonplace.domain.scope import Selection
from commonplace.index.sources import list_sources
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.code.args import IS_TOLD, CodeArgs
from commonplace.tools.code.cards import CodeReply
from commonplace.tools.code.naming import Several, choose, resolve
from commonplace.tools.code.sources import Text, read_text
from commonplace.tools.paging import Continuation, CursorText, budget, response_tokens
from commonplace.tools.scope import Name

_LINES = re.compile(r"(\d+)-(\d+)")
_TICKS = re.compile(r"`{3,}")
_MOST_LINES = 10_000_000
_MOST_NAMED = 5
LineNumber = Annotated[int, Field(ge=1, le=_MOST_LINES, json_schema_extra=IS_TOLD)]


class ContentsArgs(CodeArgs):
    """Arguments of code.get_file_contents."""

    path: Name | None = Field(
        default=None,
        description="As replies show it, or its end.",
        validation_alias=AliasChoices("path", "file", "file_path"),
    )
    symbol: Name | None = Field(default=None, description="Instead: this definition's lines.")
    symbol_id: Name | None = None
    start_line: LineNumber | None = None
    end_line: LineNumber | None = None
    cursor: CursorText | None = None

    @model_validator(mode="after")
    def _is_named(self) -> "ContentsArgs":
        if not (self.path or self.symbol or self.symbol_id):
            raise ValueError("name a file: path as replies show it, or a symbol")
        if self.start_line and self.end_line and self.start_line > self.end_line:
            raise ValueError("start_line is after end_line")
        return self


class ContentsReply(CodeReply):
    """Reply of code.get_file_contents; counts are of lines."""

    path: str
    language: str
    start_line: int
    end_line: int
    content: str = Field(description="Verbatim.")
    note: str | None = Field(default=None, description="Whether it has changed since.")


DESCRIPTION = """\
Use when you need source text: lines of a file, or one definition.
Do not use when names and connections are enough: code_get_symbol_details.
Returns at most the lines asked for, inside max_response_tokens.
If you need more, send next_cursor back or name other lines.
Defaults: all of it. Max: 10,000 tokens."""

_EMPTY = {"path": "", "language": "", "start_line": 0, "end_line": 0, "content": ""}


async def run_contents(app: App, call: Call, args: ContentsArgs) -> Reply:
    """Find the file, read it, pack whole lines."""
    selection = await args.select(app)
    if args.path:
        document, first, last = await find_file(app, selection, args.path), 1, _MOST_LINES
    else:
        target = await resolve(app, call, selection, args)
        if isinstance(target, Several):
            return choose(app, call, args, target, dict(_EMPTY))
        document, first, last = await home(app, selection, target.node)
    text = await read_text(app, selection, document)
    first = args.start_line or first
    last = min(args.end_line or last, len(text.lines))
    if first > max(1, len(text.lines)):
        raise InvalidArgument(
            f"start_line {first} is behind the end; {text.path} has {len(text.lines)} lines",
            field="start_line",
        )
    return await _packed(app, call, args, (selection, text, range(first, last + 1)))


async def _packed(
    app: App, call: Call, args: ContentsArgs, what: tuple[Selection, Text, range]
) -> Reply:
    selection, text, wanted = what
    stats = await app.store.passages.stats(selection.project)
    facts = {"tool": "code.get_file_contents", **args.facts()}
    going = Continuation(app.cursors, stats.generation, facts)
    page = Page(going.offset(args.cursor), max(1, len(wanted)))

    def shape(numbers: Sequence[int], tail: Tail) -> Form:
        lines = [text.lines[number - 1] for number in numbers]
        start = numbers[0] if numbers else wanted.start
        structured: dict[str, Any] = {
            "path": text.path,
            "language": text.language,
            "start_line": start,
            "end_line": start + len(lines) - 1,
            "content": "\n".join(lines),
            **({"note": text.note} if text.note else {}),
            **going.fields(tail),
            **app.marks(call, ()),
        }
        head = f"{one_line(text.path)}:{start}-{structured['end_line']} of {len(text.lines)}"
        told = [head, *([f"Note: {text.note}"] if text.note else [])]
        told += [fenced(structured["content"], text.language), closing(structured, "lines")]
        return Form("\n".join(told), structured)

    return pack(wanted, page, budget(app, response_tokens(app, args)), shape)


def fenced(source: str, language: str) -> str:
    r"""Source as a code block no line of it can end.

    >>> fenced("a = '```'", "python")
    "````python\na = '```'\n````"
    """
    ticks = max((len(found) for found in _TICKS.findall(source)), default=2)
    fence = "`" * (ticks + 1)
    return f"{fence}{language}\n{neutral(source)}\n{fence}"


async def home(app: App, selection: Selection, node: Node) -> tuple[Node, int, int]:
    """The file a symbol stands in and its lines; raises NotFound for what stands in none."""
    found = _LINES.fullmatch(str(node.properties.get("lines", "")))
    first, last = (int(found[1]), int(found[2])) if found else (1, _MOST_LINES)
    if node.document_id is not None:
        documents = await app.store.graph.describe(selection, [node.document_id])
        if documents:
            return documents[0].node, first, last
    path = node.properties.get("file")
    if not path:
        raise NotFound(f"{node.name} stands in no indexed file; see code_find_usages")
    return await find_file(app, selection, str(path)), first, last


async def find_file(app: App, selection: Selection, path: str) -> Node:
    """The document of a path within its source, or of the end of one; raises NotFound."""
    asked = path.replace("\\", "/").removeprefix("./").strip("/")
    sources = await list_sources(app.store.keyvalue, selection.project)
    roots = [f"file://{quote(one.location)}" for one in sources]
    exact = [f"{root}/{quote(asked)}" for root in roots]
    exact += [root for root in roots if root.endswith(f"/{quote(asked)}")]
    ids = [document_id(selection.project, uri) for uri in exact]
    found = await app.store.graph.describe(selection, ids)
    if not found:
        found = await app.store.graph.describe(selection, await _ending(app, selection, asked))
    if not found:
        raise NotFound(
            f"no indexed file {path[:100]!r}; use `at` of a code reply, without the lines"
        )
    if len(found) > 1:
        names = ", ".join(str(one.node.properties.get("file")) for one in found[:_MOST_NAMED])
        raise InvalidArgument(f"{path[:100]!r} is the end of several: {names}", field="path")
    return found[0].node


async def _ending(app: App, selection: Selection, path: str) -> list[str]:
    """Documents whose address ends so."""
    ending = f"/{quote(path)}"
    found = []
    for source in await list_sources(app.store.keyvalue, selection.project):
        known = await app.store.passages.fingerprints(selection.project, source.id)
        found += [one.document_id for uri, one in known.items() if uri.endswith(ending)]
    return found


CONTENTS = Tool(
    name="code.get_file_contents",
    description=DESCRIPTION,
    args=ContentsArgs,
    output=ContentsReply,
    run=run_contents,
    bare="get_file_contents",
)
