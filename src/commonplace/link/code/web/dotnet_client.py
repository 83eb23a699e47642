"""HttpClient of .NET, and the interfaces of Refit."""

from collections.abc import Iterator

from commonplace.link.code.orm.base import Sight
from commonplace.link.code.web.annotated import annotated
from commonplace.link.code.web.base import Marks, Sends, Sent, Web

_REFIT = Marks(methods={one.capitalize(): one for one in ("GET", "POST", "PUT", "DELETE", "PATCH")})


def _asks(sight: Sight) -> Iterator[Sent]:
    """``[Get("/orders")] Task<Order[]> All();``."""
    if any(one.module == "Refit" for one in sight.unit.facts.imports):
        for one in annotated(sight, _REFIT):
            yield Sent(one.handler.number, one.method, one.path, one.at)


DOTNET_CLIENT = Web(
    name="dotnet_client",
    languages=frozenset({"csharp"}),
    sends=Sends(
        methods={"GetAsync": "GET", "GetStringAsync": "GET", "GetFromJsonAsync": "GET"}
        | {"GetStreamAsync": "GET", "GetByteArrayAsync": "GET", "PostAsync": "POST"}
        | {"PostAsJsonAsync": "POST", "PutAsync": "PUT", "PutAsJsonAsync": "PUT"}
        | {"DeleteAsync": "DELETE", "DeleteFromJsonAsync": "DELETE", "PatchAsync": "PATCH"}
        | {"PatchAsJsonAsync": "PATCH"},
        bare=frozenset({"HttpRequestMessage"}),
        method_place=0,
        makers=("HttpClient", "CreateClient"),
        usual=frozenset({"_http", "_httpClient", "_client", "httpClient", "client"}),
    ),
    asks=_asks,
)
