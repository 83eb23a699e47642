"""Requests, httpx, aiohttp, and the test clients of frameworks."""

from commonplace.link.code.web.base import Sends, Web

PYTHON_CLIENTS = Web(
    name="python_clients",
    languages=frozenset({"python"}),
    modules=(
        "requests",
        "httpx",
        "aiohttp",
        "fastapi",
        "flask",
        "starlette",
        "django",
    ),
    sends=Sends(
        methods={"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH"}
        | {"head": "HEAD", "options": "OPTIONS", "request": "", "stream": ""},
        makers=(
            "requests",
            "requests.Session",
            "requests.session",
            "httpx",
            "httpx.Client",
            "httpx.AsyncClient",
            "aiohttp.ClientSession",
            "TestClient",
            "test_client",
        ),
        method_place=0,
        base_keys=("base_url",),
    ),
)
