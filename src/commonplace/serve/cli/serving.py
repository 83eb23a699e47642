"""Commands that connect clients: serve, install."""

import asyncio
import json
from pathlib import Path
from typing import Any

import click
from mcp.server.lowlevel import Server

from commonplace.domain.errors import StoreError
from commonplace.serve import install as clients
from commonplace.serve.accounts import kept
from commonplace.serve.background import improving
from commonplace.serve.build import build
from commonplace.serve.cli.choices import Choices, Command
from commonplace.serve.dispatch import Dispatcher
from commonplace.serve.late import open_late
from commonplace.serve.listing import offers
from commonplace.serve.logs import start_logging
from commonplace.serve.mcp import make_server
from commonplace.serve.names import has_code, served_tools
from commonplace.serve.stdio import run_stdio
from commonplace.settings import Settings
from commonplace.tools.app import App


@click.command("serve", cls=Command)
@click.option("--transport", type=click.Choice(["stdio", "http"]), help="How to serve.")
@click.option("--host", help="Address to bind, for http.")
@click.option("--port", type=int, help="Port to bind, for http; 0 takes a free one.")
@click.option("--toolsets", metavar="NAMES", help="Tool families to list: all, or kb,code,….")
@click.option(
    "--project", "projects", multiple=True, metavar="ID", help="Serve only this; repeatable."
)
@click.option("--insecure", is_flag=True, default=None, help="Bind publicly without a token.")
@click.pass_obj
def serve(choices: Choices, /, projects: tuple[str, ...], **flags: Any) -> None:  # noqa: ANN401 - any setting's value
    """Serve the tools over MCP.

    On stdio, the default, a client starts this itself; see `commonplace install`. Over HTTP it
    listens on loopback until stopped.
    """
    if choices.project and choices.project not in projects:
        projects = (choices.project, *projects)
    settings = choices.settings(**flags, projects=projects or None)
    start_logging(settings)
    asyncio.run(_serve(settings, choices.as_json))


async def _serve(settings: Settings, as_json: bool) -> None:
    app = build(settings, open_late(settings))
    try:
        with_code = await _has_code(app)
        dispatcher = Dispatcher(app, served_tools(offers(), settings, with_code=with_code))
        async with improving(app, dispatcher), kept(app.store, dispatcher.ledger):
            await _run(make_server(dispatcher), settings, as_json)
    finally:
        await app.close()


async def _has_code(app: App) -> bool:
    try:
        return await has_code(app.store.keyvalue, app.settings)
    except StoreError:  # told when the store was opened; see serve/late.py
        return False


async def _run(server: Server[Any], settings: Settings, as_json: bool) -> None:
    if settings.transport == "stdio":
        await run_stdio(server)
        return
    from commonplace.serve.http import run_http  # noqa: PLC0415 - stdio starts without it

    def ready(url: str) -> None:
        click.echo(json.dumps({"url": url}) if as_json else f"serving {url}", err=not as_json)

    await run_http(server, settings, ready)


@click.command("install", cls=Command)
@click.argument("client", type=click.Choice(list(clients.CLIENTS)))
@click.option("--yes", is_flag=True, help="Write it into the client's configuration file.")
@click.option("--here", is_flag=True, help="Configure the client for this folder only.")
@click.option("--path", type=click.Path(path_type=Path), help="Another configuration file.")
@click.pass_obj
def install(choices: Choices, client: str, yes: bool, here: bool, path: Path | None) -> None:
    """Set up an MCP client to use this server.

    Prints the entry and the file it belongs in. With --yes merges it into that file: other
    servers stay, the old file is kept beside the new one, a broken file is left alone.
    """
    chosen = clients.CLIENTS[client]
    projects = [choices.project] if choices.project else []
    entry = clients.server_entry(chosen, choices.settings(), projects)
    file = path or clients.config_file(chosen, Path.cwd() if here else None)
    written = clients.write_entry(file, chosen, entry) if yes else None
    if choices.as_json:
        told = {"client": client, "path": str(file), "entry": entry, "written": bool(written)}
        if written and written.backup:
            told["backup"] = str(written.backup)
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
        return
    if written is None:
        click.echo(f"Add this to {file}, or run again with --yes:", err=True)
        shown = {chosen.servers_key: {clients.SERVER_NAME: entry}}
        click.echo(json.dumps(shown, ensure_ascii=False, indent=2))
        return
    if not written.changed:
        click.echo(f"{file} already has this entry.")
        return
    click.echo(f"Wrote {file}")
    if written.backup:
        click.echo(f"Kept the old file as {written.backup.name}")
    click.echo(f"Now {chosen.reload}.")
