"""FastAPI: routes as decorators, routers included under a prefix."""

from commonplace.link.code.web.base import Verbs, Web

FASTAPI = Web(
    name="fastapi",
    languages=frozenset({"python"}),
    modules=("fastapi",),
    verbs=Verbs(
        methods={"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH"}
        | {"head": "HEAD", "options": "OPTIONS", "api_route": ""},
        makers=("fastapi.FastAPI", "fastapi.APIRouter", "fastapi.routing.APIRouter"),
        mounts=frozenset({"include_router"}),
        prefix_keys=("prefix",),
        unsaid="GET",
    ),
)
