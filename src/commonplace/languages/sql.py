"""SQL: scripts, views, routines and migrations in four dialects."""

from commonplace.domain import media
from commonplace.domain.code import Facts
from commonplace.languages.base import Language


def extract(text: str, path: str) -> Facts:
    """The facts of one script; its dialect is told by its words and its path."""
    from commonplace.sql.read import read_script  # noqa: PLC0415 - the parser takes 150 ms to load

    return read_script(text, path)


SQL = Language(name="sql", media_types=(media.SQL,), suffixes=(".sql",), extract=extract)
