"""The graph family: describe, expand, paths, parents, children, entities of texts, queries."""

from commonplace.tools.graph.describe import DESCRIBE
from commonplace.tools.graph.entities import ENTITIES_FOR_SECTIONS, SECTIONS_FOR_ENTITIES
from commonplace.tools.graph.expand import EXPAND
from commonplace.tools.graph.paths import PATHS
from commonplace.tools.graph.query import QUERY
from commonplace.tools.graph.tree import CHILDREN, PARENTS

__all__ = [
    "CHILDREN",
    "DESCRIBE",
    "ENTITIES_FOR_SECTIONS",
    "EXPAND",
    "PARENTS",
    "PATHS",
    "QUERY",
    "SECTIONS_FOR_ENTITIES",
]
