"""Setting up MCP clients: the entry each wants, and a merge that loses nothing of theirs."""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonplace.domain.errors import UserError
from commonplace.settings import Settings

SERVER_NAME = "commonplace"


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """An MCP client: where its configuration lives and how it spells an entry."""

    name: str
    title: str
    servers_key: str
    """The key of the file under which servers stand by name."""
    user_file: Callable[[Path], Path]
    """Its configuration for everything the user does, given the home folder."""
    folder_file: str | None = None
    """Its configuration for one folder, relative to it; None where there is no such thing."""
    says_type: bool = False
    """Whether an entry names its transport."""
    reload: str
    """What makes the client read the file again."""


def _application_folder(home: Path, platform: str = sys.platform) -> Path:
    """Where desktop programs keep their settings.

    >>> _application_folder(Path("/h"), "darwin").as_posix()
    '/h/Library/Application Support'
    """
    if platform == "darwin":
        return home / "Library" / "Application Support"
    if platform == "win32":
        return home / "AppData" / "Roaming"
    return home / ".config"


CLIENTS: Mapping[str, Client] = {
    client.name: client
    for client in (
        Client(
            name="claude-desktop",
            title="Claude Desktop",
            servers_key="mcpServers",
            user_file=lambda home: (
                _application_folder(home) / "Claude" / "claude_desktop_config.json"
            ),
            reload="quit Claude Desktop and start it again",
        ),
        Client(
            name="claude-code",
            title="Claude Code",
            servers_key="mcpServers",
            user_file=lambda home: home / ".claude.json",
            folder_file=".mcp.json",
            says_type=True,
            reload="start a new session of Claude Code; /mcp shows the server",
        ),
        Client(
            name="cursor",
            title="Cursor",
            servers_key="mcpServers",
            user_file=lambda home: home / ".cursor" / "mcp.json",
            folder_file=".cursor/mcp.json",
            reload="turn the server on in Cursor's settings under MCP",
        ),
        Client(
            name="vscode",
            title="VS Code",
            servers_key="servers",
            user_file=lambda home: _application_folder(home) / "Code" / "User" / "mcp.json",
            folder_file=".vscode/mcp.json",
            says_type=True,
            reload="run `MCP: List Servers` in VS Code and start the server",
        ),
    )
}


def program() -> list[str]:
    """The command that starts this very installation; clients do not share the shell's PATH."""
    script = Path(sys.executable).with_name("commonplace")
    if script.is_file():
        return [str(script)]
    found = shutil.which("commonplace")
    if found:
        return [str(Path(found).absolute())]
    return [sys.executable, "-m", "commonplace.serve.cli"]


def server_entry(client: Client, settings: Settings, projects: Sequence[str]) -> dict[str, Any]:
    """The client's entry: how to start the server on this home and, if given, these projects."""
    command, *arguments = program()
    arguments += ["serve"]
    if settings.home != Settings().home:
        arguments += ["--home", str(settings.home)]
    for project in projects:
        arguments += ["--project", project]
    kind = {"type": "stdio"} if client.says_type else {}
    return {**kind, "command": command, "args": arguments}


def config_file(client: Client, folder: Path | None) -> Path:
    """The file to change: the user's, or the one of ``folder``."""
    if folder is None:
        return client.user_file(Path.home())
    if client.folder_file is None:
        raise UserError(f"{client.title} has no settings per folder; leave out --here")
    return folder / client.folder_file


def read_config(path: Path) -> dict[str, Any]:
    """The file as JSON, empty when there is none; raises UserError rather than lose anything."""
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as exc:
        raise UserError(f"cannot read {path}: {exc}; mend the file, then try again") from exc
    if not text.strip():
        return {}
    try:
        config = json.loads(text)
    except json.JSONDecodeError as exc:
        raise UserError(
            f"{path} is not plain JSON (line {exc.lineno}: {exc.msg}) and was left alone; mend "
            "it, or run without --yes and paste the entry yourself"
        ) from exc
    if not isinstance(config, dict):
        raise UserError(f"{path} holds no JSON object and was left alone; mend it, then try again")
    return config


def merge(config: Mapping[str, Any], client: Client, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration with our entry added or replaced; everything else as it was."""
    servers = config.get(client.servers_key, {})
    if not isinstance(servers, dict):
        raise UserError(f"{client.servers_key!r} is no JSON object; mend the file, then try again")
    return {**config, client.servers_key: {**servers, SERVER_NAME: dict(entry)}}


@dataclass(frozen=True, slots=True)
class Written:
    """What a merge did."""

    path: Path
    backup: Path | None
    changed: bool


def write_entry(path: Path, client: Client, entry: Mapping[str, Any]) -> Written:
    """Merge the entry into the file: the old file is kept beside it, the new one put in whole."""
    config = read_config(path)
    merged = merge(config, client, entry)
    if merged == config:
        return Written(path, None, changed=False)
    target = path.resolve()  # a linked dotfile stays a link
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        backup = _back_up(target)
        _replace(target, json.dumps(merged, indent=2, ensure_ascii=False) + "\n")
    except OSError as exc:
        raise UserError(f"cannot write {path}: {exc.strerror}; check its permissions") from exc
    return Written(path, backup, changed=True)


def _back_up(path: Path) -> Path | None:
    if not path.exists():
        return None
    backup = path.with_name(f"{path.name}.before-commonplace")
    number = 1
    while backup.exists():
        number += 1
        backup = path.with_name(f"{path.name}.before-commonplace-{number}")
    shutil.copy2(path, backup)
    return backup


def _replace(path: Path, text: str) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        if path.exists():
            shutil.copymode(path, temporary)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
