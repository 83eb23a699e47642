"""Python."""

from commonplace.domain import media
from commonplace.domain.code import Facts
from commonplace.languages.base import Language


def extract(text: str, path: str) -> Facts:
    """Facts of one file."""
    from commonplace.languages.pythonic.extract import extract as read  # noqa: PLC0415 - loads a grammar

    return read(text, path)


PYTHON = Language(
    name="python",
    media_types=(media.PYTHON,),
    suffixes=(".py", ".pyi", ".pyw"),
    extract=extract,
)
