"""The passes: one file draws one kind of edges; a new kind is a new file here."""

import sys
from functools import lru_cache

from commonplace.catalog import collect
from commonplace.link.code.base import Pass


@lru_cache(maxsize=1)
def passes() -> dict[str, Pass]:
    """Every pass by name."""
    return collect(sys.modules[__name__], Pass)
