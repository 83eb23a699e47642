"""What a language is: the files it reads and one pure function."""

from collections.abc import Callable
from dataclasses import dataclass

from commonplace.domain.code import Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A catalog record. ``extract`` never raises for bad input: it tells it in ``Facts.problems``.

    Heavy imports (grammars) stand inside ``extract``: the catalog is read where nothing is parsed.
    """

    name: str
    media_types: tuple[str, ...]
    suffixes: tuple[str, ...]
    extract: Callable[[str, str], Facts]
    """From the text of a file and its path within the source."""
