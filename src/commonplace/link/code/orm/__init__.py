"""Object-relational mappers and query builders: a new one is a new file here."""

import sys
from functools import lru_cache

from commonplace.catalog import collect
from commonplace.link.code.orm.base import Orm


@lru_cache(maxsize=1)
def orms() -> dict[str, Orm]:
    """Every mapper by name."""
    return collect(sys.modules[__name__], Orm)
