"""Express and what is like it: routes by calls, routers put under a path."""

from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.web.base import Verbs, Web

EXPRESS = Web(
    name="express",
    languages=SCRIPTS,
    modules=(
        "express",
        "fastify",
        "koa",
        "@koa",
        "koa-router",
        "hono",
        "@hapi/hapi",
    ),
    verbs=Verbs(
        methods={"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH"}
        | {"all": "*", "head": "HEAD", "options": "OPTIONS"},
        makers=(
            "express",
            "express.Router",
            "express.Express",
            "Router",
            "fastify",
            "koa-router",
            "FastifyInstance",
            "express.Application",
            "@koa/router",
            "Hono",
            "Hono.basePath",
            "hapi.server",
        ),
        usual=frozenset({"app", "router", "server"}),
        mounts=frozenset({"use", "route"}),
        groups=frozenset({"basePath"}),
        plugins=frozenset({"register"}),
        objects=frozenset({"route"}),
        prefix_keys=("prefix",),
    ),
)
