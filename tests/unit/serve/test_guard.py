"""Hosts, origins and principals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Receive, Scope, Send

from commonplace.domain.errors import UserError
from commonplace.serve.guard import OriginGuard, TokenGuard, principal_of
from commonplace.serve.http import check_bind
from commonplace.serve.mcp import PRINCIPAL
from commonplace.settings import Settings


class Seen:
    """An application that remembers what reached it."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del receive, send
        self.scopes.append(scope)


async def passes(guard: OriginGuard | TokenGuard, **headers: bytes) -> bool:
    app = Seen()
    guard._app = app
    raw = [(name.encode(), value) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": raw}

    async def receive() -> dict[str, object]:
        return {"type": "http.request"}

    async def send(_message: object) -> None:
        return None

    await guard(scope, receive, send)
    return bool(app.scopes)


@pytest.mark.requirement("SRV-22")
@given(st.binary(max_size=40))
async def test_no_host_but_loopback_passes_whatever_it_is(host: bytes) -> None:
    guard = OriginGuard(Seen(), Settings())
    name = host.decode("latin-1").lower()
    expected = name.startswith(("localhost", "127.0.0.1", "[::1]"))
    assert expected or not await passes(guard, host=host)


@pytest.mark.requirement("SRV-22")
async def test_with_a_token_and_a_wildcard_bind_any_host_will_do_but_not_any_origin() -> None:
    settings = Settings(host="0.0.0.0", auth_token="secret")  # noqa: S104, S106 - not bound
    guard = OriginGuard(Seen(), settings)
    assert await passes(guard, host=b"docs.example")
    assert not await passes(guard, host=b"docs.example", origin=b"https://docs.example")
    strict = OriginGuard(Seen(), settings.model_copy(update={"allow_hosts": ("docs.example",)}))
    assert await passes(strict, host=b"docs.example:8080")
    assert not await passes(strict, host=b"other.example")


@pytest.mark.requirement("SRV-21")
@given(st.text(min_size=1, max_size=20), st.binary(max_size=30))
async def test_only_the_token_itself_passes(token: str, given_token: bytes) -> None:
    guard = TokenGuard(Seen(), token, open_paths=())
    is_same = given_token.strip() == token.encode()
    assert await passes(guard, authorization=b"Bearer " + given_token) is is_same


@pytest.mark.requirement("SRV-12")
async def test_the_principal_is_told_apart_by_the_token_without_holding_it() -> None:
    guard = TokenGuard(Seen(), "secret", open_paths=())
    assert await passes(guard, authorization=b"bearer secret")
    app = guard._app
    assert isinstance(app, Seen)
    assert app.scopes[0][PRINCIPAL] == principal_of("secret") != principal_of("other")
    assert "secret" not in principal_of("secret")


@pytest.mark.requirement("SRV-23")
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "docs.example", ""])  # noqa: S104
def test_a_reachable_address_needs_a_token_or_courage(host: str) -> None:
    with pytest.raises(UserError, match="auth_token"):
        check_bind(Settings(host=host))
    check_bind(Settings(host=host, auth_token="secret"))  # noqa: S106 - invented
    check_bind(Settings(host=host, insecure=True))


@pytest.mark.requirement("SRV-23")
@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"])
def test_loopback_needs_none(host: str) -> None:
    check_bind(Settings(host=host))
