"""Web frameworks and HTTP clients: a new one is a new file here."""

import sys
from functools import lru_cache

from commonplace.catalog import collect
from commonplace.link.code.web.base import Web


@lru_cache(maxsize=1)
def webs() -> dict[str, Web]:
    """Every framework and client by name."""
    return collect(sys.modules[__name__], Web)
