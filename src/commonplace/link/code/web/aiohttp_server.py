"""aiohttp: tables of routes as decorators or lists, and calls of an application's router."""

from commonplace.link.code.web.base import Verbs, Web

_METHODS = ("get", "post", "put", "delete", "patch", "head", "options")

AIOHTTP_SERVER = Web(
    name="aiohttp_server",
    languages=frozenset({"python"}),
    modules=("aiohttp",),
    verbs=Verbs(
        methods={one: one.upper() for one in _METHODS}
        | {f"add_{one}": one.upper() for one in _METHODS}
        | {"view": "*", "add_view": "*", "route": "", "add_route": ""},
        makers=("aiohttp.web", "aiohttp.web.RouteTableDef", "web.Application.router"),
        usual=frozenset({"router", "routes"}),
        mounts=frozenset({"add_subapp"}),
    ),
)
