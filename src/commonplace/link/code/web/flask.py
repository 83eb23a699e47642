"""Flask and what is like it: routes as decorators of an application or blueprint."""

from commonplace.link.code.web.base import Verbs, Web

FLASK = Web(
    name="flask",
    languages=frozenset({"python"}),
    modules=(
        "flask",
        "quart",
        "sanic",
    ),
    verbs=Verbs(
        methods={"route": "", "get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE"}
        | {"patch": "PATCH"},
        makers=("flask.Flask", "flask.Blueprint", "quart.Quart", "quart.Blueprint", "sanic.Sanic"),
        usual=frozenset({"blueprint", "bp"}),
        mounts=frozenset({"register_blueprint"}),
        prefix_keys=("url_prefix",),
        is_replaced=True,
        unsaid="GET",
    ),
)
