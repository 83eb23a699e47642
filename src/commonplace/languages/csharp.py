"""C#."""

from commonplace.domain import media
from commonplace.domain.code import Facts
from commonplace.languages.base import Language


def extract(text: str, path: str) -> Facts:
    """What a C# file says."""
    from commonplace.languages.typed.csharp import extract as read  # noqa: PLC0415 - loads a grammar

    return read(text, path)


CSHARP = Language(name="csharp", media_types=(media.CSHARP,), suffixes=(".cs",), extract=extract)
