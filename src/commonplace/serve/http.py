"""Serving many clients over Streamable HTTP, both protocol eras at ``/mcp``."""

import ipaddress
import logging
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from commonplace.domain.errors import UserError
from commonplace.serve.guard import OriginGuard, TokenGuard
from commonplace.serve.mcp import assemble
from commonplace.serve.signals import stopping
from commonplace.settings import Settings
from commonplace.tools.app import App
from commonplace.tools.base import Tool

log = logging.getLogger(__name__)

PATH = "/mcp"
MAX_BODY_BYTES = 4 * 1024 * 1024  # the SDK's own default
_SHUTDOWN_S = 3  # open event streams are cut after this
_BACKLOG = 128

Ready = Callable[[str], None]


async def serve_http(
    app: App, tools: Mapping[str, Tool] | None = None, ready: Ready | None = None
) -> None:
    """Serve until a signal asks to stop; ``ready`` is told the address once it is bound."""
    await run_http(assemble(app, tools), app.settings, ready)


async def run_http(server: Server[Any], settings: Settings, ready: Ready | None = None) -> None:
    """Serve any MCP server over HTTP with our guards in front."""
    check_bind(settings)
    listener = _listen(settings)
    host, port = listener.getsockname()[:2]
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}"
    config = uvicorn.Config(
        http_app(server, settings),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_SHUTDOWN_S,
        lifespan="on",
    )
    log.info("listening", extra={"url": url})
    if ready is not None:
        ready(url)
    await _QuietServer(config).serve(sockets=[listener])
    log.info("stopped")


def http_app(server: Server[Any], settings: Settings) -> ASGIApp:
    """The ASGI application: ``/mcp`` and ``/health`` behind the guards."""

    async def health(_request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    app: ASGIApp = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MAX_BODY_BYTES,
        session_idle_timeout=settings.session_ttl_s,
        # Ours checks every path and knows the configured names.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        custom_starlette_routes=[Route("/health", health)],
    )
    app = TokenGuard(app, settings.auth_token, open_paths=("/health",))
    if settings.allow_origins:
        app = CORSMiddleware(
            app,
            allow_origins=settings.allow_origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["*"],
            expose_headers=["Mcp-Session-Id"],
        )
    return OriginGuard(app, settings)


def check_bind(settings: Settings) -> None:
    """Raise UserError for an address others could reach without a token."""
    if settings.auth_token or settings.insecure or is_loopback(settings.host):
        return
    raise UserError(
        f"refusing to listen on {settings.host} without a token: anyone who reaches this machine "
        "could read your documents; set auth_token (COMMONPLACE_AUTH_TOKEN), listen on "
        "127.0.0.1, or say --insecure"
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("box")
    (True, True, False, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _listen(settings: Settings) -> socket.socket:
    host = settings.host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, settings.port), family=family, backlog=_BACKLOG)
        # Connections inherit it. asyncio would set it only where the protocol number is given, and
        # without it every reply waits 40 ms for the client's delayed acknowledgement.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as exc:
        raise UserError(
            f"cannot listen on {settings.host}:{settings.port}: {exc.strerror or exc}; choose "
            "another --port or --host"
        ) from exc


class _QuietServer(uvicorn.Server):
    """Ends normally on a signal, where uvicorn would raise it again afterwards."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ask to stop at the first signal, insist at the second."""
        with stopping(lambda number: self.handle_exit(number, None)):
            yield
