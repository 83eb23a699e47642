"""Command lines of a shell block, and the program each runs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from commonplace.domain.document import Span
from commonplace.link.entities.vocabulary import BUILTINS, DEEP, SESSIONS, SUBCOMMANDED, VERBS

_PROMPT = re.compile(
    r"\s*(?:\([\w.-]+\) ?)?(?:[\w.@~:/\\-]{0,40}[$%>]|[\w.-]+@[\w.:~/-]+#|PS [^>]{0,40}>) +(?=\S)"
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_SCRIPT = re.compile(r"^\s*(?:#!|if\b|for\b|while\b|case\b|function\b|\w+\(\)\s*\{)", re.MULTILINE)
_HEREDOC = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?")
_ASSIGNED = re.compile(r"(?:export |set |setx |\$env:)?([A-Za-z_]\w*) ?=\S*\s*")
_PIECES = re.compile(r"\s*(?:&&|\|\|)\s*|\s+\|\s+|\s*;\s+")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_PROGRAM = re.compile(r"[a-z][a-z0-9]+(?:[._+-][a-z0-9]+)*")
_SECOND = re.compile(r"[a-z][a-z0-9]*(?:[:_-][a-z0-9]+)*")
_PYTHON = re.compile(r"(?:python|py)(?:3(?:\.\d+)?)?|pypy3?")
_MODULE = re.compile(r"[a-z_][\w.]*")
_FILE = re.compile(r".*\.(?:py|js|ts|sh|md|txt|toml|ya?ml|json|cfg|ini|html|rst|ipynb|xml|csv|sql)")


@dataclass(frozen=True, slots=True)
class Line:
    """One command line, without prompt and comment."""

    text: str
    start: int
    """Where it begins in its block."""
    is_prompted: bool


def command_lines(block: str, language: str | None) -> list[Line]:
    r"""The lines of a block a reader would type.

    Where some lines have a prompt, the others are output.

    >>> [line.text for line in command_lines("$ pip install x\nCollecting x\n", "console")]
    ['pip install x']
    """
    has_prompts = any(_PROMPT.match(line) for line in block.split("\n") if not _is_fence(line))
    if not has_prompts and ((language or "") in SESSIONS or _SCRIPT.search(block)):
        return []
    return [line for line in _logical(block) if line.is_prompted or not has_prompts]


def _is_fence(line: str) -> bool:
    bare = line.strip()
    return bare.startswith(("```", "~~~", ".. ", ":")) or not bare


def _logical(block: str) -> Iterator[Line]:
    """Lines with their continuations; here-documents and comments are left out."""
    at = 0
    until = ""
    held: Line | None = None
    for raw in block.split("\n"):
        start, at = at, at + len(raw) + 1
        if until:
            until = "" if raw.strip() == until else until
            continue
        prompt = _PROMPT.match(raw)
        text = raw[prompt.end() :] if prompt else raw.strip()
        text = _TAG.sub("", text).strip() if "<" in text else text.strip()
        heredoc = _HEREDOC.search(text)
        until = heredoc[1] if heredoc else ""
        if held is not None:
            held = Line(f"{held.text} {text}", held.start, held.is_prompted)
        elif _is_fence(raw) or text.startswith("#"):
            continue
        else:
            offset = raw.find(text.split(" ")[0], prompt.end() if prompt else 0) if text else 0
            held = Line(text, start + max(offset, 0), prompt is not None)
        if held.text.endswith(("\\", "^", "`")):
            held = Line(held.text[:-1].rstrip(), held.start, held.is_prompted)
            continue
        yield held
        held = None
    if held is not None:
        yield held


@dataclass(frozen=True, slots=True)
class Call:
    """One program as called: its name with its command, and the rest of its words."""

    name: str
    arguments: tuple[str, ...]
    is_known: bool
    """Whether its second word is certainly a command of it."""


def calls(line: str) -> Iterator[Call]:
    """The programs a command line runs, without builtins.

    >>> [call.name for call in calls("FOO=1 sudo pip install x && cd y | python -m venv z")]
    ['pip install', 'python -m venv']
    """
    bare = _QUOTED.sub("''", line).split(" # ")[0]
    for piece in _PIECES.split(bare):
        words = piece.split()
        while words and (
            _ASSIGNED.fullmatch(words[0] + " ") or words[0] in {"sudo", "env", "time"}
        ):
            words = words[1:]
        call = _call(words)
        if call is not None:
            yield call


def assigned(line: str) -> list[str]:
    """The variables a line exports or sets for one command; others are a script's own.

    >>> assigned("export A_B=1"), assigned("A_B=1 run"), assigned("A_B=1")
    (['A_B'], ['A_B'], [])
    """
    names: list[str] = []
    words = line.split()
    is_export = bool(words) and words[0] in {"export", "set", "setx"}
    for word in words[1:] if is_export else words:
        name, equals, _value = word.removeprefix("$env:").partition("=")
        if not equals or not re.fullmatch(r"[A-Za-z_]\w*", name):
            break
        names.append(name)
    is_prefix = len(names) < len(words) and "$(" not in line
    return names if is_export or is_prefix else []


def _call(words: list[str]) -> Call | None:
    if not words or not _PROGRAM.fullmatch(words[0]) or words[0] in BUILTINS:
        return None
    program, rest = words[0], words[1:]
    if _PYTHON.fullmatch(program):
        return _python_call(rest)
    if _FILE.fullmatch(program) and program != "manage.py":
        return None
    second = rest[0] if rest and _SECOND.fullmatch(rest[0]) else ""
    if not second or (program not in SUBCOMMANDED and second not in VERBS):
        return Call(program, tuple(rest), False)
    third = rest[1] if len(rest) > 1 and _SECOND.fullmatch(rest[1]) else ""
    is_group = second in DEEP.get(program, ()) or (second not in VERBS and third in VERBS)
    if third and is_group:
        return Call(f"{program} {second} {third}", tuple(rest[2:]), True)
    return Call(f"{program} {second}", tuple(rest[1:]), True)


def _python_call(rest: list[str]) -> Call | None:
    if rest[:1] == ["-m"] and len(rest) > 1 and _MODULE.fullmatch(rest[1]):
        inner = _call(rest[1:])
        name = inner.name if inner and inner.is_known else rest[1]
        return Call(f"python -m {name}", tuple(rest[2:]), True)
    if rest[:1] == ["manage.py"]:
        return _call(rest)
    return Call("python", tuple(rest), False) if rest else None


def place_of(line: Line, block: Span) -> Span:
    """Where a line stands in the document."""
    start = block.start + line.start
    return Span(start, min(start + len(line.text), block.end))
