"""``fetch``, axios and what is like them."""

from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.web.base import Sends, Web

SCRIPT_CLIENTS = Web(
    name="script_clients",
    languages=SCRIPTS,
    sends=Sends(
        methods={"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH"}
        | {"head": "HEAD", "request": "", "fetch": "", "getJSON": "GET", "ajax": ""},
        makers=(
            "axios",
            "axios.create",
            "axios.AxiosInstance",
            "AxiosInstance",
            "ky",
            "got",
            "superagent",
            "supertest",
            "HttpClient",
            "ky.create",
            "window",
        ),
        base_keys=("baseURL", "prefixUrl"),
        usual=frozenset({"$", "jQuery"}),
        bare=frozenset({"fetch", "axios", "$fetch"}),
    ),
)
