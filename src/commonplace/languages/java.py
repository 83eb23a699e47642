"""Java."""

from commonplace.domain import media
from commonplace.domain.code import Facts
from commonplace.languages.base import Language


def extract(text: str, path: str) -> Facts:
    """What a Java file says."""
    from commonplace.languages.typed.java import extract as read  # noqa: PLC0415 - loads a grammar

    return read(text, path)


JAVA = Language(name="java", media_types=(media.JAVA,), suffixes=(".java",), extract=extract)
