"""Next.js: routes by the folders of their files, methods by the names of what those export."""

from collections.abc import Iterator

from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.orm.base import Sight
from commonplace.link.code.program import Place
from commonplace.link.code.web.annotated import METHODS
from commonplace.link.code.web.base import Handled, Web
from commonplace.link.code.web.paths import joined


def _serves(sight: Sight) -> Iterator[Handled]:
    """``app/api/orders/[id]/route.ts`` with ``export async function GET``."""
    folders, _slash, file = sight.unit.path.rpartition("/")
    parts = folders.split("/")
    if file.partition(".")[0] != "route" or "app" not in parts:
        return
    below = parts[parts.index("app") + 1 :]
    path = "/".join(_segment(one) for one in below if not one.startswith(("(", "@")))
    for number, symbol in enumerate(sight.unit.facts.symbols):
        if symbol.name in METHODS and symbol.parent == 0 and "exported" in symbol.modifiers:
            place = Place(sight.unit.document_id, number)
            yield Handled(symbol.name, joined(path), place, symbol.at, "file")


def _segment(folder: str) -> str:
    """A folder as a path has it: ``[id]`` is a parameter, ``[...rest]`` all that follows."""
    if folder.startswith(("[...", "[[...")):
        return "{*rest}"
    return "{id}" if folder.startswith("[") else folder


NEXT = Web(name="next", languages=SCRIPTS, modules=("next", "next/server"), serves=_serves)
