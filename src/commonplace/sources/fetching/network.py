"""The one place a connection to the web is opened: names are looked up, checked, then dialled."""

import asyncio
import socket
import ssl
from collections.abc import Iterable

import anyio
import httpcore2
import httpx2

from commonplace.domain.errors import ForbiddenOperation
from commonplace.sources.fetching.guard import Guard

_MOST_CONNECTIONS = 16
_KEPT_ALIVE_S = 20.0


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Dials only what the guard lets through, by number: no second look-up can change it."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._inner = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's signature
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to the first address of the host that is allowed and answers."""
        refused: ForbiddenOperation | None = None
        failed: Exception | None = None
        for address in await _look_up(host, port, timeout):
            try:
                self._guard.check_address(host, port, address)
            except ForbiddenOperation as exc:
                refused = exc
                continue
            try:
                return await self._inner.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as exc:
                failed = exc
        raise failed or refused or httpcore2.ConnectError(f"{host} has no address")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's signature
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Never: a page has no business with sockets of this machine."""
        del timeout, socket_options
        raise ForbiddenOperation(f"{path} is a socket of this machine")

    async def sleep(self, seconds: float) -> None:
        """Wait, as the library asks before it tries again."""
        await anyio.sleep(seconds)


async def _look_up(host: str, port: int, timeout_s: float | None) -> list[str]:
    """The addresses of a host, each once, in the order the system gives them."""
    try:
        with anyio.fail_after(timeout_s):
            found = await asyncio.get_running_loop().getaddrinfo(
                host, port, type=socket.SOCK_STREAM
            )
    except TimeoutError as exc:
        raise httpcore2.ConnectTimeout(f"looking up {host} took too long") from exc
    except (OSError, UnicodeError) as exc:
        raise httpcore2.ConnectError(f"{host} cannot be looked up: {exc}") from exc
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """HTTP over guarded connections. Proxies of the environment are not used: they dial unseen."""

    def __init__(self, guard: Guard, context: ssl.SSLContext | None = None) -> None:
        super().__init__(trust_env=False)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=context or httpx2.create_ssl_context(),
            max_connections=_MOST_CONNECTIONS,
            max_keepalive_connections=_MOST_CONNECTIONS,
            keepalive_expiry=_KEPT_ALIVE_S,
            network_backend=GuardedBackend(guard),
        )
