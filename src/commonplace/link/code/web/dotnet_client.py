"""HttpClient of .NET."""

from commonplace.link.code.web.base import Sends, Web

DOTNET_CLIENT = Web(
    name="dotnet_client",
    languages=frozenset({"csharp"}),
    sends=Sends(
        methods={"GetAsync": "GET", "GetStringAsync": "GET", "GetFromJsonAsync": "GET"}
        | {"GetStreamAsync": "GET", "GetByteArrayAsync": "GET", "PostAsync": "POST"}
        | {"PostAsJsonAsync": "POST", "PutAsync": "PUT", "PutAsJsonAsync": "PUT"}
        | {"DeleteAsync": "DELETE", "DeleteFromJsonAsync": "DELETE", "PatchAsync": "PATCH"}
        | {"PatchAsJsonAsync": "PATCH"},
        makers=("HttpClient", "CreateClient"),
        usual=frozenset({"_http", "_httpClient", "_client", "httpClient", "client"}),
    ),
)
