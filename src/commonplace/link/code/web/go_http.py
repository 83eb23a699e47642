"""Go: the standard library, chi, gin, echo and gorilla."""

from commonplace.link.code.web.base import Sends, Verbs, Web

_PLAIN = {"Get": "GET", "Post": "POST", "Put": "PUT", "Delete": "DELETE", "Patch": "PATCH"}
_LOUD = {"GET": "GET", "POST": "POST", "PUT": "PUT", "DELETE": "DELETE", "PATCH": "PATCH"}

GO_HTTP = Web(
    name="go_http",
    languages=frozenset({"go"}),
    modules=(
        "net/http",
        "github.com/gin-gonic",
        "github.com/labstack",
        "github.com/go-chi",
        "github.com/gorilla",
    ),
    verbs=Verbs(
        methods=_PLAIN | _LOUD | {"HandleFunc": "", "Handle": "", "Any": "*"},
        makers=(
            "net/http",
            "net/http.NewServeMux",
            "net/http.ServeMux",
            "chi.NewRouter",
            "chi.Router",
            "chi.Mux",
            "chi/v5.NewRouter",
            "chi/v5.Router",
            "chi/v5.Mux",
            "gin.Default",
            "gin.New",
            "gin.Engine",
            "gin.RouterGroup",
            "gin.IRouter",
            "echo.New",
            "echo.Echo",
            "echo/v4.New",
            "echo/v4.Echo",
            "mux.NewRouter",
            "mux.Router",
            "Group",
            "Subrouter",
        ),
        usual=frozenset({"mux", "router", "r"}),
        mounts=frozenset({"Mount"}),
        groups=frozenset({"Route", "Group", "PathPrefix"}),
    ),
    sends=Sends(
        methods=_PLAIN
        | {"Head": "HEAD", "PostForm": "POST", "NewRequest": "", "NewRequestWithContext": ""},
        makers=("net/http", "net/http.Client"),
        method_place=0,
    ),
)
