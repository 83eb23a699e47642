"""Spring MVC, and JAX-RS's way of the same."""

from commonplace.link.code.web.base import Marks, Web

SPRING = Web(
    name="spring",
    languages=frozenset({"java"}),
    modules=(
        "org.springframework",
        "jakarta.ws",
        "javax.ws",
    ),
    marks=Marks(
        prefixes=frozenset({"RequestMapping", "Path"}),
        methods={"GetMapping": "GET", "PostMapping": "POST", "PutMapping": "PUT"}
        | {"DeleteMapping": "DELETE", "PatchMapping": "PATCH", "RequestMapping": ""}
        | {"GET": "GET", "POST": "POST", "PUT": "PUT", "DELETE": "DELETE", "PATCH": "PATCH"},
    ),
)
