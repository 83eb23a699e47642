"""The HTTP transport: who may talk to it, and what it does with nonsense."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.e2e.processes import DEMO, ROOT, WAIT_S, environ, http_server

TOKEN = "a token of some length"  # noqa: S105 - invented
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
MODERN = JSON | {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with http_server(tmp_path_factory.mktemp("open")) as (url, _):
        yield url


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with http_server(tmp_path_factory.mktemp("guarded"), auth_token=TOKEN) as (url, _):
        yield url


async def post(url: str, headers: dict[str, str], content: Any = None) -> httpx2.Response:  # noqa: ANN401
    async with httpx2.AsyncClient(timeout=WAIT_S) as client:
        body = json.dumps(LIST) if content is None else content
        return await client.post(url, headers=headers, content=body)


async def is_healthy(url: str) -> bool:
    answer = (await post(url, MODERN)).json()
    return bool(answer["result"]["tools"])


@pytest.mark.requirement("SRV-21")
@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        TOKEN,
        "Bearer",
        "Bearer wrong",
        f"Basic {TOKEN}",
        f"Bearer {TOKEN}x",
        "Bearer \xe9",
    ],
)
async def test_a_request_without_the_token_is_refused(
    guarded: str, authorization: str | None
) -> None:
    headers: Any = dict(MODERN)
    if authorization is not None:
        headers["Authorization"] = authorization.encode("latin-1")
    response = await post(guarded, headers)
    assert response.status_code == 401
    assert response.headers["www-authenticate"].startswith("Bearer")
    assert TOKEN not in response.text


@pytest.mark.requirement("SRV-21")
@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_a_client_with_the_token_is_served(guarded: str, era: Any) -> None:  # noqa: ANN401
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(guarded, http_client=http)
        async with Client(transport, mode=era) as client:
            assert not (await client.call_tool("demo_echo", {"text": "a"})).is_error


@pytest.mark.requirement("SRV-21")
async def test_health_needs_no_token_and_tells_nothing(guarded: str) -> None:
    async with httpx2.AsyncClient() as client:
        response = await client.get(guarded.replace("/mcp", "/health"))
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.requirement("SRV-22")
@pytest.mark.parametrize(
    ("header", "given_value", "status"),
    [
        ("Host", "evil.example", 421),
        ("Host", "evil.example:80", 421),
        ("Host", "localhost.evil.example", 421),
        ("Host", "localhost@evil.example", 421),
        ("Host", "127.0.0.1:port", 421),
        ("Origin", "http://evil.example", 403),
        ("Origin", "http://localhost.evil.example:80", 403),
        ("Origin", "http://localhost@evil.example", 403),
        ("Origin", "null", 403),
        ("Origin", "file://", 403),
        ("Host", "localhost:1234", 200),
        ("Host", "[::1]:1234", 200),
        ("Origin", "http://localhost:3000", 200),
    ],
)
async def test_only_this_machine_may_be_named_by_host_and_origin(
    address: str, header: str, given_value: str, status: int
) -> None:
    for path in ("/mcp", "/health"):
        async with httpx2.AsyncClient() as client:
            url = address.replace("/mcp", path)
            request = client.build_request(
                "POST" if path == "/mcp" else "GET", url, headers=MODERN, content=json.dumps(LIST)
            )
            request.headers[header] = given_value
            assert (await client.send(request)).status_code == status


@pytest.mark.requirement("SRV-22")
async def test_names_the_settings_allow_are_served_and_told_to_browsers(tmp_path: Path) -> None:
    settings = {"allow_hosts": "docs.example:80", "allow_origins": "https://app.example"}
    with http_server(tmp_path, **settings) as (url, _):
        headers = MODERN | {"Host": "docs.example:80", "Origin": "https://app.example"}
        response = await post(url, headers)
        assert response.status_code == 200
        assert response.headers["access-control-allow-origin"] == "https://app.example"
        assert (await post(url, MODERN | {"Origin": "https://other.example"})).status_code == 403


@pytest.mark.requirement("SRV-23")
def test_a_public_address_without_a_token_is_refused_with_the_fix(tmp_path: Path) -> None:
    settings = {"transport": "http", "port": "0", "host": "0.0.0.0"}  # noqa: S104 - must be refused
    done = subprocess.run(
        [sys.executable, "-m", DEMO],
        capture_output=True,
        env=environ(tmp_path, **settings),
        cwd=ROOT,
        timeout=WAIT_S,
        check=False,
    )
    assert done.returncode != 0
    assert b"COMMONPLACE_AUTH_TOKEN" in done.stderr


@pytest.mark.requirement("SRV-24")
async def test_nonsense_is_refused_and_the_next_request_works(address: str) -> None:
    oversized = b'{"jsonrpc":"2.0","id":1,"method":"tools/list","x":"' + b"a" * 5_000_000
    plain = MODERN | {"Content-Type": "text/plain"}
    tried = [
        (await post(address, MODERN, oversized), 413),
        (await post(address, JSON, oversized), 413),
        (await post(address, plain), 400),
        (await post(address, MODERN, b"{oops"), 400),
        (await post(address, JSON, b"{oops"), 400),
        (await post(address, MODERN, b"[" * 100_000), 400),
        (await post(address, MODERN, b"\xff\xfe"), 400),
        (await post(address, MODERN, b"[]"), 400),
        (await post(address, JSON | {"Mcp-Session-Id": "invented"}), 404),
        (await post(address, MODERN | {"MCP-Protocol-Version": "1999-01-01"}), 400),
        (await post(address.replace("/mcp", "/nowhere"), MODERN), 404),
    ]
    for response, status in tried:
        assert response.status_code == status
        assert "Traceback" not in response.text
        assert "site-packages" not in response.text
    assert await is_healthy(address)


@pytest.mark.requirement("SRV-03")
@pytest.mark.requirement("SRV-04")
@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_bad_arguments_over_http_are_typed_errors(address: str, era: Any) -> None:  # noqa: ANN401
    async with Client(address, mode=era) as client:
        for arguments in (
            {"text": "x" * 1_000_000},
            {"text": "a\0"},
            {"text": "a", "options": {"times": 10**30}},
            {"txt": "a"},
        ):
            result = await client.call_tool("demo_echo", arguments)
            assert result.structured_content["error"]["code"] == "INVALID_ARGUMENT"
        assert not (await client.call_tool("demo_echo", {"text": "healthy"})).is_error


@pytest.mark.requirement("SRV-04")
async def test_a_lone_surrogate_in_a_request_body_is_a_typed_error(address: str) -> None:
    call = b'{"name":"demo_echo","arguments":{"text":"a\\ud800"},"_meta":%s}'
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}'
    content = body % (call % json.dumps(META).encode())
    headers = MODERN | {"Mcp-Method": "tools/call", "Mcp-Name": "demo_echo"}
    response = await post(address, headers, content)
    assert response.json()["result"]["structuredContent"]["error"]["code"] == "INVALID_ARGUMENT"
    assert await is_healthy(address)


@pytest.mark.requirement("SRV-14")
async def test_a_stateless_request_cannot_borrow_a_session_by_its_header(address: str) -> None:
    greeting = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": greeting}
    keep = {"name": "demo_keep", "arguments": {}}
    call: dict[str, Any] = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": keep}
    opened = await post(address, JSON, json.dumps(hello))
    session = {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
    legacy = JSON | session | {"MCP-Protocol-Version": "2025-11-25"}
    kept = await post(address, legacy, json.dumps(call))
    uri = json.loads(kept.text.partition("data: ")[2])["result"]["structuredContent"]["said"]
    read = {"uri": uri, "_meta": META}
    asked = {"jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": read}
    headers = MODERN | session | {"Mcp-Method": "resources/read", "Mcp-Name": uri}
    stolen = await post(address, headers, json.dumps(asked))
    assert stolen.json()["error"]["code"] == -32602
    modern = call | {"params": keep | {"_meta": META}}
    headers = MODERN | session | {"Mcp-Method": "tools/call", "Mcp-Name": "demo_keep"}
    other = await post(address, headers, json.dumps(modern))
    assert other.json()["result"]["structuredContent"]["session_id"] not in uri


@pytest.mark.requirement("SRV-25")
async def test_sigterm_ends_the_server_with_a_client_connected(tmp_path: Path) -> None:
    with http_server(tmp_path) as (url, process):
        async with httpx2.AsyncClient() as client:
            assert (await client.post(url, headers=MODERN, json=LIST)).status_code == 200
            process.send_signal(signal.SIGTERM)
            assert process.wait(WAIT_S) == 0
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


@pytest.mark.requirement("SRV-23")
def test_a_port_that_is_taken_is_named_with_the_fix(address: str, tmp_path: Path) -> None:
    port = address.rpartition(":")[2].removesuffix("/mcp")
    done = subprocess.run(
        [sys.executable, "-m", DEMO],
        capture_output=True,
        env=environ(tmp_path, transport="http", port=port),
        cwd=ROOT,
        timeout=WAIT_S,
        check=False,
    )
    assert b"choose another --port" in done.stderr
