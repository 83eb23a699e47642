"""The bundled sample: Commonplace's own documentation, in a checkout and in an installed wheel."""

from pathlib import Path

from commonplace.domain.errors import SourceError

# A wheel carries a copy of docs/ beside this file (pyproject: force-include); a checkout does not.
_PLACES = (Path(__file__).parent / "docs", Path(__file__).parents[3] / "docs")


def folder() -> Path:
    """The folder of the sample's Markdown files."""
    for place in _PLACES:
        if (place / "index.md").is_file():
            return place
    raise SourceError("the bundled sample is missing; reinstall commonplace")
