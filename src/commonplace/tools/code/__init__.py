"""The code family: symbols, dependencies, lineage, impact, source, usages, snapshots.

Its tenth tool, ``query_graph``, is ``graph.query``.
"""

from commonplace.tools.code.contents import CONTENTS
from commonplace.tools.code.dependencies import DEPENDENCIES
from commonplace.tools.code.details import DETAILS
from commonplace.tools.code.impact import IMPACT
from commonplace.tools.code.lineage import LINEAGE
from commonplace.tools.code.overview import OVERVIEW
from commonplace.tools.code.search import SEARCH
from commonplace.tools.code.snapshots import COMPARE
from commonplace.tools.code.usages import USAGES

__all__ = [
    "COMPARE",
    "CONTENTS",
    "DEPENDENCIES",
    "DETAILS",
    "IMPACT",
    "LINEAGE",
    "OVERVIEW",
    "SEARCH",
    "USAGES",
]
