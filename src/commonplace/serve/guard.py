"""Who may talk to the HTTP server: Host and Origin checks, and the bearer token."""

import hashlib
import hmac
import logging
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from commonplace.serve.mcp import PRINCIPAL
from commonplace.settings import Settings

log = logging.getLogger(__name__)

_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_WILDCARDS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to


class OriginGuard:
    """Refuses a request a web page made by DNS rebinding or from another site.

    A page cannot choose Host or Origin, so both must name this machine or what the settings allow.
    With a token and a wildcard bind any Host will do: the page does not have the token.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._names = {*_LOOPBACK_NAMES, settings.host.strip("[]").lower()} - _WILDCARDS
        self._hosts = frozenset(host.lower() for host in settings.allow_hosts)
        self._origins = frozenset(origin.rstrip("/").lower() for origin in settings.allow_origins)
        is_wild = settings.host.strip("[]") in _WILDCARDS
        self._takes_any_host = is_wild and bool(settings.auth_token) and not self._hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 421 or 403."""
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            if not self._is_host(headers.get("host", "")):
                log.warning("refused a Host header", extra={"host": headers.get("host", "")})
                return await _refuse(421, "Host not allowed; see allow_hosts", scope, receive, send)
            origin = headers.get("origin")
            if origin is not None and not self._is_origin(origin):
                log.warning("refused an Origin header", extra={"origin": origin})
                return await _refuse(
                    403, "Origin not allowed; see allow_origins", scope, receive, send
                )
        return await self._app(scope, receive, send)

    def _is_host(self, host: str) -> bool:
        host = host.lower()
        if self._takes_any_host or host in self._hosts:
            return True
        name = _hostname(f"//{host}")
        return name is not None and (name in self._names or name in self._hosts)

    def _is_origin(self, origin: str) -> bool:
        origin = origin.lower()
        if origin in self._origins:
            return True
        return origin.startswith(("http://", "https://")) and _hostname(origin) in _LOOPBACK_NAMES


class TokenGuard:
    """Refuses a request without the bearer token and notes who asks."""

    def __init__(self, app: ASGIApp, token: str, open_paths: tuple[str, ...]) -> None:
        self._app = app
        self._token = token.encode("utf-8")
        self._open_paths = open_paths
        self._principal = principal_of(token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its principal, or answer 401."""
        if scope["type"] == "http" and scope["path"] not in self._open_paths:
            if self._token and not self._has_token(scope):
                return await _refuse(401, "send Authorization: Bearer TOKEN", scope, receive, send)
            scope[PRINCIPAL] = self._principal
        return await self._app(scope, receive, send)

    def _has_token(self, scope: Scope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        scheme, _, token = (given[0] if len(given) == 1 else b"").partition(b" ")
        # Both are always compared in full, so the time taken tells nothing about the token.
        is_same = hmac.compare_digest(token.strip(), self._token)
        return scheme.lower() == b"bearer" and is_same


def principal_of(token: str) -> str:
    """Who holds this token, without the token; ``local`` when there is none.

    >>> principal_of(""), len(principal_of("t0ken"))
    ('local', 16)
    """
    return hashlib.sha256(token.encode("utf-8")).hexdigest()[:16] if token else "local"


def _hostname(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises for anything but a number
        return parts.hostname if not parts.username else None
    except ValueError:
        return None


async def _refuse(status: int, message: str, scope: Scope, receive: Receive, send: Send) -> None:
    headers = {"WWW-Authenticate": 'Bearer realm="commonplace"'} if status == 401 else None
    error = {"code": -32600, "message": message}
    body = {"jsonrpc": "2.0", "id": None, "error": error}
    await JSONResponse(body, status, headers)(scope, receive, send)
