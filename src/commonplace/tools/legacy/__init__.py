"""Names of seed 000's first server: callable as before, not listed (DESIGN §7).

Signatures and defaults are exactly the old ones.
"""

from commonplace.tools.legacy.bundle import COMPUTE_CONTEXT_BUNDLE
from commonplace.tools.legacy.graph import (
    DESCRIBE_NODES,
    EXPAND_NEIGHBORS,
    GET_ENTITIES_FOR_SECTIONS,
    GET_PATHS_BETWEEN,
    GET_SECTIONS_FOR_ENTITIES,
    LIST_CHILDREN,
    LIST_PARENTS,
    TRAVERSE_RELATIONSHIPS,
)
from commonplace.tools.legacy.neighbourhood import SUMMARIZE_NEIGHBORHOOD
from commonplace.tools.legacy.search import GET_SECTION_TEXT, SEARCH_DOCUMENTATION, SEARCH_SECTIONS

__all__ = [
    "COMPUTE_CONTEXT_BUNDLE",
    "DESCRIBE_NODES",
    "EXPAND_NEIGHBORS",
    "GET_ENTITIES_FOR_SECTIONS",
    "GET_PATHS_BETWEEN",
    "GET_SECTIONS_FOR_ENTITIES",
    "GET_SECTION_TEXT",
    "LIST_CHILDREN",
    "LIST_PARENTS",
    "SEARCH_DOCUMENTATION",
    "SEARCH_SECTIONS",
    "SUMMARIZE_NEIGHBORHOOD",
    "TRAVERSE_RELATIONSHIPS",
]
