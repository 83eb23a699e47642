"""A real web server on loopback that says exactly the bytes a test wants said."""

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

Handler = Callable[["Asked", asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it came."""

    method: str
    path: str
    headers: Mapping[str, str]


@dataclass(slots=True)
class Site:
    """What is served, by path, and what was asked for."""

    port: int = 0
    scheme: str = "http"
    pages: dict[str, Handler] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0

    def url(self, path: str = "/") -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}{path}"

    @property
    def paths(self) -> list[str]:
        """Paths asked for, robots.txt left out."""
        return [one.path for one in self.asked if one.path != "/robots.txt"]

    def serve(self, path: str, body: bytes | str = b"", status: int = 200, **headers: str) -> None:
        """Serve a page; header names are written with underscores."""
        content = body.encode() if isinstance(body, str) else body
        self.pages[path] = plain(content, status, **headers)


def plain(body: bytes, status: int = 200, **headers: str) -> Handler:
    """A handler that says this, and all at once."""

    async def handle(asked: Asked, writer: asyncio.StreamWriter) -> None:
        del asked
        writer.write(head(status, {"content-length": str(len(body)), **_dashed(headers)}) + body)

    return handle


def head(status: int, headers: Mapping[str, str]) -> bytes:
    """The beginning of a reply."""
    named = {"content-type": "text/html; charset=utf-8", **headers}
    lines = [f"HTTP/1.1 {status} Some", *(f"{key}: {value}" for key, value in named.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _dashed(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def own_certificate(folder: Path) -> ssl.SSLContext:
    """A certificate nobody vouches for; skips the test where none can be made."""
    key, certificate = folder / "key.pem", folder / "own.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=own"]
    files = ["-keyout", str(key), "-out", str(certificate), "-days", "2"]
    try:
        subprocess.run([*command, *files], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl is not installed, so no certificate can be made")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    return context


@asynccontextmanager
async def open_site(
    context: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> AsyncIterator[Site]:
    """A server on a free port for as long as the block runs."""
    site = Site(scheme="https" if context else "http")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        site.connections += 1
        try:
            while asked := await _request(reader):
                site.asked.append(asked)
                handler = site.pages.get(asked.path.partition("?")[0]) or plain(b"", 404)
                await handler(asked, writer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client has left, or the test is over
        finally:
            writer.close()

    server = await asyncio.start_server(serve, host, 0, ssl=context)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        server.close()


async def _request(reader: asyncio.StreamReader) -> Asked | None:
    try:
        raw = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = raw.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines if line)
    return Asked(method, path, {name.lower(): value.strip() for name, _, value in pairs})
