"""The only way out of the browser: a proxy that dials what the guard lets through.

A page under its own scripts asks for whatever it likes. The browser is told to send all of it
here, loopback too, and looks up no name itself, so every connection is checked where it is dialled,
as those of the fetcher are.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpcore2

from commonplace.domain.errors import ForbiddenOperation
from commonplace.sources.fetching.guard import Guard
from commonplace.sources.fetching.network import GuardedBackend

_HEAD_BYTES = 64 * 1024
_CHUNK = 64 * 1024
_MOST_CONNECTIONS = 64
_DIAL_S = 10.0
_REFUSED = b"HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
# Fields that are about one connection, or that we say ourselves.
_OWN = frozenset(
    {b"host", b"proxy-connection", b"connection", b"keep-alive", b"proxy-authorization"}
)


@dataclass(slots=True)
class Proxy:
    """A proxy on loopback for one rendering; counts what it refused and what came through."""

    guard: Guard
    max_bytes: int
    port: int = 0
    passed: int = 0
    """Bytes that came in; when they are too many, nothing more does."""
    refused: list[str] = field(default_factory=list)
    _tasks: "set[asyncio.Task[None]]" = field(default_factory=set)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of the browser."""
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        try:
            if len(self._tasks) > _MOST_CONNECTIONS or self.passed > self.max_bytes:
                writer.write(_REFUSED % b"503 Too much")
            else:
                await self._answer(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # one side has left
        except asyncio.CancelledError:
            pass  # the rendering is over
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        wish = _read_wish(head)
        if wish is None:
            writer.write(_REFUSED % b"400 Bad Request")
            return
        try:
            stream = await GuardedBackend(self.guard).connect_tcp(
                wish.host, wish.port, timeout=_DIAL_S
            )
        except ForbiddenOperation:
            self.refused.append(f"{wish.host}:{wish.port}")
            writer.write(_REFUSED % b"403 Forbidden")
            return
        except (httpcore2.NetworkError, httpcore2.TimeoutException):
            writer.write(_REFUSED % b"502 Bad Gateway")
            return
        try:
            if wish.head:
                await stream.write(wish.head)
            else:
                writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            await self._pump(wish, reader, writer, stream)
        finally:
            await stream.aclose()

    async def _pump(
        self,
        wish: "_Wish",
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        stream: httpcore2.AsyncNetworkStream,
    ) -> None:
        """Both ways until one ends; of a plain request only its body goes out, never the next."""
        sending = asyncio.create_task(_send(wish, reader, stream))
        try:
            with contextlib.suppress(httpcore2.NetworkError, httpcore2.TimeoutException):
                if wish.head:
                    writer.write(await _reply_head(stream))
                while self.passed <= self.max_bytes and (chunk := await stream.read(_CHUNK)):
                    self.passed += len(chunk)
                    writer.write(chunk)
                    await writer.drain()
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def close(self) -> None:
        """End what is still open."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@dataclass(frozen=True, slots=True)
class _Wish:
    """Where a request goes, and what is sent on to there: nothing for a tunnel."""

    host: str
    port: int
    head: bytes = b""
    body_bytes: int = 0


def _read_wish(head: bytes) -> _Wish | None:
    r"""What a request to a proxy asks for; None for what is none.

    >>> _read_wish(b"CONNECT a.example:443 HTTP/1.1\r\n\r\n")
    _Wish(host='a.example', port=443, head=b'', body_bytes=0)
    >>> _read_wish(b"GET http://b.example/x?y HTTP/1.1\r\nHost: evil\r\n\r\n").head
    b'GET /x?y HTTP/1.1\r\nHost: b.example\r\nConnection: close\r\n\r\n'
    >>> _read_wish(b"GET /only/path HTTP/1.1\r\n\r\n") is None
    True
    """
    first, *lines = head.rstrip(b"\r\n").split(b"\r\n")
    words = first.split(b" ")
    try:
        method, target, version = words
        is_tunnel = method == b"CONNECT"
        address = urlsplit(f"//{target.decode('ascii')}" if is_tunnel else target.decode("ascii"))
        host, port = address.hostname, address.port
    except ValueError:  # also what is not ASCII
        return None
    fields = {_field(line): line.partition(b":")[2].strip() for line in lines}
    length = fields.get(b"content-length", b"0")
    if not host or not length.isdigit() or b"transfer-encoding" in fields:
        return None
    if is_tunnel:
        return _Wish(host, port) if port else None
    if address.scheme != "http":
        return None
    path = (address.path or "/") + (f"?{address.query}" if address.query else "")
    netloc = address.netloc.rpartition("@")[2]
    asked = [b" ".join((method, path.encode("ascii"), version)), b"Host: " + netloc.encode("ascii")]
    named = [line for line in lines if _field(line) not in _OWN]
    forwarded = b"\r\n".join([*asked, *named, b"Connection: close", b"", b""])
    return _Wish(host, port or 80, forwarded, int(length))


async def _send(
    wish: _Wish, reader: asyncio.StreamReader, stream: httpcore2.AsyncNetworkStream
) -> None:
    left = wish.body_bytes if wish.head else None
    while left != 0:
        chunk = await reader.read(_CHUNK if left is None else min(left, _CHUNK))
        if not chunk:
            return
        left = None if left is None else left - len(chunk)
        await stream.write(chunk)


async def _reply_head(stream: httpcore2.AsyncNetworkStream) -> bytes:
    """The beginning of a reply, saying that nothing follows on this connection."""
    head = bytearray()
    while b"\r\n\r\n" not in head and len(head) < _HEAD_BYTES:
        chunk = await stream.read(_CHUNK)
        if not chunk:
            break
        head += chunk
    told, end, body = bytes(head).partition(b"\r\n\r\n")
    if not end:
        return _REFUSED % b"502 Bad Gateway"
    lines = [line for line in told.split(b"\r\n") if _field(line) not in _OWN]
    return b"\r\n".join([*lines, b"Connection: close", b"", body])


def _field(line: bytes) -> bytes:
    return line.partition(b":")[0].strip().lower()


@asynccontextmanager
async def open_proxy(guard: Guard, max_bytes: int) -> AsyncIterator[Proxy]:
    """A proxy on a free port for as long as the block runs."""
    proxy = Proxy(guard, max_bytes)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0, limit=_HEAD_BYTES)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()
