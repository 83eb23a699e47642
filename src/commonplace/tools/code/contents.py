"""``code.get_file_contents``: exact lines of an indexed file."""

import re
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AliasChoices, Field, model_validator

from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import closing, neutral, one_line
from commonplace.domain.errors import InvalidArgument
from commonplace.domain.evidence import Reply
from commonplace.domain.scope import Selection
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.code.args import IS_TOLD, CodeArgs
from commonplace.tools.code.cards import CodeReply, lean
from commonplace.tools.code.files import MOST_LINES, find_file, home
from commonplace.tools.code.naming import Several, choose, resolve
from commonplace.tools.code.sources import Text, read_text
from commonplace.tools.paging import Continuation, CursorText, budget, response_tokens
from commonplace.tools.scope import Name

_TICKS = re.compile(r"`{3,}")
LineNumber = Annotated[int, Field(ge=1, le=MOST_LINES, json_schema_extra=IS_TOLD)]


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
        document, first, last = await find_file(app, selection, args.path), 1, MOST_LINES
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
            **lean(going.fields(tail)),
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


CONTENTS = Tool(
    name="code.get_file_contents",
    description=DESCRIPTION,
    args=ContentsArgs,
    output=ContentsReply,
    run=run_contents,
    bare="get_file_contents",
)
