"""Seven questions about a codebase: bytes and tokens of our replies and of peers' to the same.

    python -m bench.code_answers FOLDER [--peers WORK_FOLDER] [--show]

The folder is copied and indexed; the peers (npm packages, installed into the work folder if they
are not there) index copies of their own. Everyone is asked through MCP, with the defaults of the
tool that answers the question, and what counts is the text of the reply; of ours, the larger of its
two forms. Bytes without how much was told say little: symbols are counted where a reply is JSON,
and a second table has our replies when asked for as many symbols as such a peer told, in brief:
each with its kind, full name, file and lines, which is what the peer tells, and its id.
The names asked for are Django's; ``--names`` takes others as JSON.
"""

import argparse
import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mcp import Client, StdioServerParameters
from mcp.types import TextContent

from bench.code import PEERS
from commonplace.answer.pack import minify
from commonplace.settings import Settings
from commonplace.tokens import TokenCounter, token_counter

NAMES: Mapping[str, str] = {
    "class": "QuerySet",
    "called": "get_object_or_404",
    "calling": "bulk_create",
    "changed": "save_base",
    "file": "django/db/models/manager.py",
    "constant": "LOOKUP_SEP",
}
QUESTIONS = (
    "where is {class} defined",
    "who calls {called}",
    "what does {calling} call",
    "impact of changing {changed}",
    "what is in {file}",
    "usages of {constant}",
    "overview of the project",
)
Asked = tuple[str, dict[str, Any]]
_MUST = ("id", "kind", "name", "fqn", "at", "prefix", "file", "folder")
"""What a reply must tell of symbols, in each or once for all."""
_SYMBOL = ({"name", "line"}, {"id", "fqn"}, {"id", "name"}, {"file", "dir"})
"""What an object has that tells of a symbol, a peer's or ours, or of a file."""


def ours(names: Mapping[str, str]) -> list[Asked]:
    """Our tools, with their defaults."""
    return [
        ("code_search_symbols", {"query": names["class"]}),
        ("code_get_dependencies", {"symbol": names["called"], "direction": "inbound"}),
        ("code_get_dependencies", {"symbol": names["calling"], "direction": "outbound"}),
        ("code_analyze_impact", {"symbol": names["changed"]}),
        ("code_get_symbol_details", {"symbol": names["file"]}),
        ("code_find_usages", {"symbol": names["constant"]}),
        ("code_list_project_overview", {}),
    ]


def ours_as_long(names: Mapping[str, str], told: list[int]) -> list[Asked]:
    """Our tools, asked for so many symbols in brief; the symbol asked about is one of them."""
    brief = {"verbosity": "summary"}
    within = {"direction": "outbound", "relationship_types": ["CONTAINS"], "depth": 4}
    asked = ours(names)
    asked[4] = ("code_get_dependencies", {"symbol": names["file"], **within})
    made: list[Asked] = []
    for (tool, arguments), count in zip(asked, told, strict=True):
        is_list = tool in ("code_search_symbols", "code_list_project_overview")
        limit = max(1, min(200, count if is_list else count - 1))
        more = {} if tool == "code_find_usages" else brief
        made.append((tool, {**arguments, **more, "limit": limit, "max_response_tokens": 10_000}))
    return made


def optave(names: Mapping[str, str]) -> list[Asked]:
    """The tools of @optave/codegraph that answer the same."""
    return [
        ("where", {"target": names["class"]}),
        ("query", {"name": names["called"], "depth": 1}),
        ("query", {"name": names["calling"], "depth": 1}),
        ("fn_impact", {"name": names["changed"]}),
        ("where", {"target": names["file"], "file_mode": True}),
        ("where", {"target": names["constant"]}),
        ("module_map", {}),
    ]


def colbymchenry(names: Mapping[str, str]) -> list[Asked]:
    """The one tool of @colbymchenry/codegraph, which takes a question."""
    return [("codegraph_explore", {"query": one.format(**names)}) for one in QUESTIONS]


ASKED = {"optave": optave, "colbymchenry": colbymchenry}
SERVE = {"optave": ["mcp"], "colbymchenry": ["serve", "--mcp"]}


class Answer(NamedTuple):
    """What a model would read of a reply, and how many symbols it tells of; None where unknown."""

    text: str
    symbols: int | None
    other: str
    """The other of our two forms, where there are two: what clients read that show only that."""
    floor_bytes: int = 0
    """What ids, kinds, full names and places alone take, without a mark or a field's name."""

    @property
    def size_bytes(self) -> int:
        """How long it is."""
        return len(self.text.encode())


class Size(NamedTuple):
    """How long a text is."""

    size_bytes: int
    tokens: int

    @classmethod
    def of(cls, text: str, count: TokenCounter) -> "Size":
        """The size of a text."""
        return cls(len(text.encode()), count(text))

    def plus(self, other: "Size") -> "Size":
        """Both together."""
        return Size(self.size_bytes + other.size_bytes, self.tokens + other.tokens)

    def share(self, whole: "Size") -> str:
        """What part of another this is."""
        return f"{self.size_bytes / whole.size_bytes:.3f} / {self.tokens / whole.tokens:.3f}"

    def __str__(self) -> str:
        return f"{self.size_bytes:,} / {self.tokens:,}"


async def answers(server: StdioServerParameters, asked: list[Asked]) -> list[Answer]:
    """Answers to all questions, each in a session of its own."""
    found = []
    for name, arguments in asked:
        async with Client(server, mode="legacy") as client:
            reply = await client.call_tool(name, arguments)
            blocks = [one.text for one in reply.content if isinstance(one, TextContent)]
            data = minify(reply.structured_content) if reply.structured_content else ""
            text = "\n".join(blocks)
            told = ("ERROR " if reply.is_error else "") + max(text, data, key=len)
            other = min(text, data, key=len) if data else text
            found.append(Answer(told, symbols(data or text), other, floor(data)))
    return found


def own_server(folder: Path, home: Path) -> StdioServerParameters:
    """Our server over a fresh index of the folder."""
    command = [sys.executable, "-m", "commonplace.serve.cli", "--home", str(home)]
    subprocess.run([*command, "add", str(folder), "--no-wait", "-q"], check=True)
    flags = ["serve", "--toolsets", "code"]
    return StdioServerParameters(command=command[0], args=[*command[1:], *flags])


def peer_server(name: str, folder: Path, work: Path) -> StdioServerParameters | None:
    """A peer's server over its own index; None when it does not install or run."""
    package, build, _ = PEERS[name]
    place = work / name
    place.mkdir(parents=True, exist_ok=True)
    program = place / "node_modules" / ".bin" / "codegraph"
    if not program.exists():
        npm = [shutil.which("npm") or "npm", "install", "--no-audit", "--no-fund", package]
        subprocess.run(npm, cwd=place, check=False, capture_output=True)
    if not program.exists():
        return None
    done = subprocess.run([str(program), *build], cwd=folder, check=False, capture_output=True)
    if done.returncode:
        return None
    return StdioServerParameters(command=str(program), args=SERVE[name], cwd=folder)


async def measure(
    folder: Path, names: Mapping[str, str], work: Path | None
) -> tuple[dict[str, list[Answer]], dict[str, list[Answer]]]:
    """Everyone's answers; and ours that are as long as those of peers that answer in JSON."""
    found: dict[str, list[Answer]] = {}
    alike: dict[str, list[Answer]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        # Below a root of its own: a package is imported by the name of its folder.
        copy = Path(temporary) / "own"
        shutil.copytree(folder, copy / folder.name)
        server = own_server(copy, Path(temporary) / "home")
        found["commonplace"] = await answers(server, ours(names))
        for name in PEERS if work else ():
            copy = Path(temporary) / name
            shutil.copytree(folder, copy / folder.name)
            assert work is not None
            peer = peer_server(name, copy, work)
            if peer is None:
                continue
            theirs = found[PEERS[name][0]] = await answers(peer, ASKED[name](names))
            told = [one.symbols for one in theirs if one.symbols is not None]
            if len(told) == len(theirs):
                alike[PEERS[name][0]] = await answers(server, ours_as_long(names, told))
    return found, alike


def symbols(text: str) -> int | None:
    """How many symbols, or files, an answer in JSON tells of; None where it is prose."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return sum(any(keys <= one.keys() for keys in _SYMBOL) for one in _objects(found))


def floor(text: str) -> int:
    """Bytes of what an answer of ours must tell of its symbols, a blank between.

    >>> floor('{"prefix":"a.","results":[{"id":"s1","name":"b","counts":{"calls":3}}]}')
    8
    """
    rows = _objects(json.loads(text)) if text else ()
    told = (str(one[name]) for one in rows for name in _MUST if isinstance(one.get(name), str))
    return sum(len(one.encode()) + 1 for one in told)


def _objects(found: object) -> Iterator[dict[str, Any]]:
    """Every object in a value of JSON."""
    waiting = [found]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield one
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def table(found: Mapping[str, list[Answer]], names: Mapping[str, str]) -> str:
    """Bytes and tokens of each answer."""
    count = token_counter(Settings().tokenizer)
    lines = [
        "| question | " + " | ".join(f"{one}, bytes / tokens / symbols" for one in found) + " |"
    ]
    lines.append("|---|" + "--:|" * len(found))
    sums = dict.fromkeys(found, (0, 0))
    for number, question in enumerate(QUESTIONS):
        cells = []
        for name, own in found.items():
            size, tokens = own[number].size_bytes, count(own[number].text)
            sums[name] = (sums[name][0] + size, sums[name][1] + tokens)
            told = own[number].symbols
            mark = f" / {told}" if told is not None else " / –"
            cells.append(f"{size:,} / {tokens:,}{mark}")
        lines.append(f"| {question.format(**names)} | " + " | ".join(cells) + " |")
    cells = [f"{size:,} / {tokens:,}" for size, tokens in sums.values()]
    return "\n".join([*lines, "| together | " + " | ".join(cells) + " |"])


def table_alike(theirs: list[Answer], own: list[Answer], names: Mapping[str, str]) -> str:
    """A peer's answers beside ours of as many symbols, where there are so many.

    The last columns are bytes a symbol, as a share of the peer's: as it is, and if ours told ids,
    kinds, full names and places without a mark or a field's name. The last row has the shares of
    bytes and of tokens.
    """
    count = token_counter(Settings().tokenizer)
    heads = ("question", "peer, bytes / tokens / symbols", "ours", "its shorter form")
    lines = [f"| {' | '.join(heads)} | a symbol | least |", "|---|--:|--:|--:|--:|--:|"]
    sums = [Size(0, 0)] * 3
    for question, other, one in zip(QUESTIONS, theirs, own, strict=True):
        sizes = [Size.of(text, count) for text in (other.text, one.text, one.other)]
        sums = [size.plus(more) for size, more in zip(sums, sizes, strict=True)]
        told = (f" / {other.symbols}", f" / {one.symbols}", "")
        cells = [f"{size}{mark}" for size, mark in zip(sizes, told, strict=True)]
        each = sizes[0].size_bytes / max(1, other.symbols or 0)
        shares = (n / max(1, one.symbols or 0) / each for n in (one.size_bytes, one.floor_bytes))
        cells += [f"{share:.2f}" for share in shares]
        lines.append(f"| {question.format(**names)} | {' | '.join(cells)} |")
    lines.append(f"| together | {' | '.join(map(str, sums))} | | |")
    own_shares = " | ".join(one.share(sums[0]) for one in sums)
    return "\n".join([*lines, f"| share | {own_shares} | | |"])


def main() -> None:
    """Print the table, and with ``--show`` the answers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--peers", type=Path)
    parser.add_argument("--names", type=json.loads, default={})
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    names = {**NAMES, **given.names}
    found, alike = asyncio.run(measure(given.folder.resolve(), names, given.peers))
    print(table(found, names))
    for name, own in alike.items():
        print(f"\n{name}\n\n{table_alike(found[name], own, names)}")
        found[f"commonplace, as long as {name}"] = own
    for name, every in found.items() if given.show else ():
        for question, one in zip(QUESTIONS, every, strict=True):
            print(f"\n===== {name}: {question.format(**names)}\n{one.text}")


if __name__ == "__main__":
    main()
