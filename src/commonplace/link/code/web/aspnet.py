"""ASP.NET: attribute routing and minimal APIs."""

from commonplace.link.code.web.base import Marks, Verbs, Web

ASPNET = Web(
    name="aspnet",
    languages=frozenset({"csharp"}),
    marks=Marks(
        prefixes=frozenset({"Route", "RoutePrefix"}),
        methods={"HttpGet": "GET", "HttpPost": "POST", "HttpPut": "PUT", "HttpDelete": "DELETE"}
        | {"HttpPatch": "PATCH", "HttpHead": "HEAD", "HttpOptions": "OPTIONS"},
        keys=("template",),
    ),
    verbs=Verbs(
        methods={"MapGet": "GET", "MapPost": "POST", "MapPut": "PUT", "MapDelete": "DELETE"}
        | {"MapPatch": "PATCH", "Map": "*"},
        makers=(
            "WebApplication",
            "IEndpointRouteBuilder",
            "RouteGroupBuilder",
            "Build",
            "MapGroup",
        ),
        usual=frozenset({"app", "endpoints", "group", "routes"}),
        groups=frozenset({"MapGroup"}),
    ),
)
