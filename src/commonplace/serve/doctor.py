"""Checks everything Commonplace stands on; each finding that is not well names its fix."""

import importlib.metadata
import os
import re
import shutil
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import apsw

from commonplace.domain.errors import CommonplaceError
from commonplace.domain.scope import Selection
from commonplace.embedders.base import Embedder
from commonplace.engines.base import Store
from commonplace.serve.build import make_embedders, open_store
from commonplace.serve.install import CLIENTS, SERVER_NAME, Client, read_config
from commonplace.settings import Settings
from commonplace.sources.rendering.process import Browser
from commonplace.tokens import token_counter

State = Literal["ok", "warn", "fail"]
_LEAST_PYTHON = (3, 11)
_LEAST_FREE_BYTES = 100_000_000  # below, a write of a few documents may already fail
_WANTED_FREE_BYTES = 1_000_000_000  # 100k passages take about a quarter of this (DESIGN §10)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found; ``fix`` is empty when all is well."""

    about: str
    state: State
    detail: str
    fix: str = ""


def ok(about: str, detail: str) -> Finding:
    """All is well."""
    return Finding(about, "ok", detail)


async def examine(settings: Settings) -> list[Finding]:
    """Every check, in the order a failure of one would explain the next."""
    return [
        *_python(),
        *_packages(),
        *_tokens(settings),
        *await _models(settings),
        *_sqlite(),
        *_home(settings.home),
        *await _index(settings),
        *_port(settings),
        *_rendering(settings),
        *_clients(Path.home(), Path.cwd()),
    ]


def _python() -> Iterator[Finding]:
    version = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info < _LEAST_PYTHON:
        yield Finding("Python", "fail", version, "install Python 3.11 or newer")
    else:
        yield ok("Python", version)


def required_packages() -> list[str]:
    """Names of the packages this one needs, from its own metadata."""
    wanted = importlib.metadata.requires("commonplace") or []
    plain = (line for line in wanted if "extra ==" not in line)
    return [match.group() for line in plain if (match := re.match(r"[\w.-]+", line))]


def _packages() -> Iterator[Finding]:
    missing = []
    names = required_packages()
    for name in names:
        try:
            importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    if missing:
        fix = "run `make setup`, or `pip install --force-reinstall commonplace`"
        yield Finding("packages", "fail", f"missing: {', '.join(missing)}", fix)
    else:
        yield ok("packages", f"all {len(names)} installed")


def _tokens(settings: Settings) -> Iterator[Finding]:
    try:
        token_counter(settings.tokenizer)("one two three")
    except CommonplaceError as exc:
        yield Finding("token counter", "fail", exc.message, "run `make setup`")
    else:
        yield ok("token counter", f"{settings.tokenizer}, rank file checked")


async def _models(settings: Settings) -> list[Finding]:
    try:
        made = make_embedders(settings)
    except CommonplaceError as exc:
        return [Finding("model", "fail", exc.message, "set `embedder` to one of the known ones")]
    return [await _model(tier, embedder) for tier, embedder in made.items()]


async def _model(tier: str, embedder: Embedder) -> Finding:
    about = f"model {tier}"
    try:
        rows = await embedder.embed(["a commonplace book"])
    except CommonplaceError as exc:
        return Finding(about, "fail", exc.message, "mend what the message names, or set another")
    return ok(about, f"{embedder.model}, {rows.shape[1]} dimensions, runs")


def _sqlite() -> Iterator[Finding]:
    version = apsw.sqlite_lib_version()
    if "ENABLE_FTS5" in apsw.compile_options:
        yield ok("SQLite", f"{version} with full-text search")
    else:
        fix = "install apsw from PyPI instead of a build without FTS5"
        yield Finding("SQLite", "fail", f"{version} has no full-text search", fix)


def _home(home: Path) -> Iterator[Finding]:
    nearest = next(place for place in (home, *home.parents) if place.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        fix = "make it writable, or name another folder with --home or COMMONPLACE_HOME"
        yield Finding("data folder", "fail", f"{home} cannot be written", fix)
        return
    yield ok("data folder", str(home) if nearest == home else f"{home}, made when needed")
    free = shutil.disk_usage(nearest).free
    detail = f"{free / 1e9:.1f} GB free" if free >= 1e9 else f"{free / 1e6:.0f} MB free"
    if free < _LEAST_FREE_BYTES:
        yield Finding("disk", "fail", detail, "free some space; nothing can be written")
    elif free < _WANTED_FREE_BYTES:
        yield Finding("disk", "warn", detail, "free some space before adding much")
    else:
        yield ok("disk", detail)


async def _index(settings: Settings) -> list[Finding]:
    file = settings.home / "index.db"
    if not settings.store and not file.exists():
        return [Finding("index", "warn", "nothing indexed yet", "run `commonplace add FOLDER`")]
    findings = [] if settings.store else list(_integrity(file))
    if any(finding.state == "fail" for finding in findings):
        return findings
    try:
        store = open_store(settings)
        try:
            return [*findings, *await _projects(store, settings)]
        finally:
            await store.close()
    except CommonplaceError as exc:
        problem, _, fix = exc.message.partition("; ")
        return [*findings, Finding("index", "fail", problem, fix or "mend what the message names")]


def _integrity(file: Path) -> Iterator[Finding]:
    try:
        connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            faults = [str(row[0]) for row in connection.execute("PRAGMA quick_check(3)")]
        finally:
            connection.close()
    except (apsw.CorruptError, apsw.NotADBError, apsw.FormatError) as exc:
        faults = [str(exc)]
    except apsw.Error as exc:  # as in a folder that cannot be written: the file may be whole
        fix = f"make {file.parent} and what is in it readable and writable"
        yield Finding("index", "fail", f"{file.name} cannot be opened: {exc}", fix)
        return
    if faults == ["ok"]:
        yield ok("index", f"{file.name} is whole, {file.stat().st_size / 1e6:.1f} MB")
    else:
        fix = f"move {file} away and add your sources again"
        yield Finding("index", "fail", f"damaged: {'; '.join(faults)}", fix)


async def _projects(store: Store, settings: Settings) -> list[Finding]:
    findings = []
    for project in await store.passages.projects():
        stats = await store.passages.stats(project)
        findings.append(
            ok(f"project {project}", f"{stats.documents:,} documents, {stats.passages:,} passages")
        )
        made = make_embedders(settings).values()
        findings += [await _vectors(store, project, embedder) for embedder in made]
    return findings


async def _vectors(store: Store, project: str, embedder: Embedder) -> Finding:
    """Whether a search with the model works, and how many passages it can find."""
    about = f"vectors {project}"
    stats = await store.passages.stats(project)
    embedded = next((c.embedded for c in stats.coverage if c.model == embedder.model), 0)
    share = f"{embedder.model}: {embedded:,} of {stats.passages:,}"
    try:
        row = (await embedder.embed(["a commonplace book"], is_query=True))[0]
        await store.passages.dense(embedder.model, row, Selection(project=project), 1)
    except CommonplaceError as exc:
        return Finding(about, "fail", exc.message, "mend what the message names")
    if embedded < stats.passages:
        return Finding(about, "warn", share, f"run `commonplace embed --project {project}`")
    return ok(about, f"{share}, snapshot answers")


def _port(settings: Settings) -> Iterator[Finding]:
    address = f"{settings.host}:{settings.port}"
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        with socket.create_server((settings.host.strip("[]"), settings.port), family=family):
            yield ok("port", f"{address} is free")
    except OSError as exc:
        fix = "fine if that is your own server; else choose another with --port"
        yield Finding("port", "warn", f"{address}: {exc.strerror}", fix)


def _rendering(settings: Settings) -> Iterator[Finding]:
    """Whether pages can be rendered, where they are to be."""
    if settings.web_render == "never":
        return
    found = Browser(path=settings.web_chromium).find()
    if found:
        yield ok("rendering", found)
    else:
        yield Finding(
            "rendering",
            "warn",
            f"web_render is {settings.web_render!r}, and no Chromium is found",
            "install Chromium or name it in web_chromium",
        )


def _clients(home: Path, folder: Path) -> Iterator[Finding]:
    found = [finding for client in CLIENTS.values() for finding in _client(client, home, folder)]
    if not found:
        fix = f"run `commonplace install CLIENT`; clients: {', '.join(CLIENTS)}"
        found = [Finding("clients", "warn", "none is set up", fix)]
    yield from found


def _client(client: Client, home: Path, folder: Path) -> Iterator[Finding]:
    files = [client.user_file(home)]
    if client.folder_file:
        files.append(folder / client.folder_file)
    again = f"run `commonplace install {client.name} --yes`"
    for file in files:
        try:
            servers = read_config(file).get(client.servers_key)
        except CommonplaceError as exc:
            yield Finding(client.title, "warn", exc.message, "mend the file")
            continue
        entry = servers.get(SERVER_NAME) if isinstance(servers, dict) else None
        if entry is None:
            continue
        command = str(entry.get("command", "")) if isinstance(entry, dict) else ""
        if shutil.which(command) or (isinstance(entry, dict) and "url" in entry):
            yield ok(client.title, f"set up in {file}")
        else:
            yield Finding(client.title, "fail", f"{file} starts {command!r}: no program", again)
