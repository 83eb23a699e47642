"""NestJS: decorated controllers."""

from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.web.base import Marks, Web

NEST = Web(
    name="nest",
    languages=SCRIPTS,
    modules=("@nestjs",),
    marks=Marks(
        prefixes=frozenset({"Controller"}),
        methods={"Get": "GET", "Post": "POST", "Put": "PUT", "Delete": "DELETE", "Patch": "PATCH"}
        | {"Head": "HEAD", "Options": "OPTIONS", "All": "*"},
        keys=(),
    ),
)
