"""Which kinds and relations code has, and how much each matters."""

import re
from collections.abc import Mapping
from functools import lru_cache

from commonplace.domain.graph import Node

CONTAINS = "CONTAINS"
RELATIONS = (
    "CALLS",
    "INSTANTIATES",
    "INHERITS",
    "IMPLEMENTS",
    "OVERRIDES",
    "IMPORTS",
    "REFERENCES",
    "READS",
    "WRITES",
    "MAPS_TO",
    "HANDLES",
    "REQUESTS",
    "TESTS",
    "FLOWS_TO",
    "DOCUMENTS",
)
"""In the order replies show them."""
DEPENDENCY = frozenset(RELATIONS) - {"FLOWS_TO", "DOCUMENTS", "TESTS"}
"""What it means that one needs the other."""
CERTAIN = 0.9
"""Edges at least this sure are shown without their confidence."""
GUESS = 0.3
"""Edges at most this sure rest on the name alone."""

# Tables and classes before columns and fields (003).
_PRIORITY: Mapping[str, int] = {
    kind: place
    for place, kinds in enumerate(
        (
            ("Table", "View", "Class", "Interface", "Struct", "Record", "Enum", "Schema", "Route"),
            ("Procedure", "Function", "Namespace", "Module", "Type", "Trigger"),
            ("Method", "Constructor", "Property"),
            ("Constant", "Sequence", "Index", "Test"),
            ("File", "Variable", "Field", "Column"),
            ("External",),
        )
    )
    for kind in kinds
}
CONTAINERS = frozenset(
    {"Class", "Interface", "Struct", "Record", "Enum", "Table", "View", "Type", "Trait"}
)
FILES = frozenset({"Module", "File"})
WHOLES = CONTAINERS | FILES | {"Namespace", "Schema"}
"""Kinds that are used by using their parts."""
KINDS = frozenset(_PRIORITY) | WHOLES

_OF_TESTS = re.compile(
    r"(^|/)(tests|__tests__|spec|specs|src/test)/|(^|/)test_[^/]*\.py$|_test\.\w+$"
    r"|\.(test|spec)\.\w+$|[a-z0-9]Tests?\.(cs|java)$"
)

FORWARD: Mapping[str, str] = {
    "CALLS": "Calls",
    "INSTANTIATES": "Creates",
    "INHERITS": "Inherits",
    "IMPLEMENTS": "Implements",
    "OVERRIDES": "Overrides",
    "IMPORTS": "Imports",
    "REFERENCES": "Refers to",
    "READS": "Reads",
    "WRITES": "Writes",
    "MAPS_TO": "Maps to",
    "HANDLES": "Handled by",
    "REQUESTS": "Requests",
    "TESTS": "Tests",
    "FLOWS_TO": "Flows to",
    "DOCUMENTS": "Documents",
    CONTAINS: "Contains",
}
BACKWARD: Mapping[str, str] = {
    "CALLS": "Called by",
    "INSTANTIATES": "Created by",
    "INHERITS": "Inherited by",
    "IMPLEMENTS": "Implemented by",
    "OVERRIDES": "Overridden by",
    "IMPORTS": "Imported by",
    "REFERENCES": "Referred to by",
    "READS": "Read by",
    "WRITES": "Written by",
    "MAPS_TO": "Mapped by",
    "HANDLES": "Handles",
    "REQUESTS": "Requested by",
    "TESTS": "Tested by",
    "FLOWS_TO": "Flows from",
    "DOCUMENTS": "Documented in",
    CONTAINS: "Part of",
}


def priority(node: Node) -> int:
    """0 is shown first; tests, and what stands in their files, come after what they test."""
    own = _PRIORITY.get(node.kind, len(_PRIORITY))
    is_test = node.properties.get("test") or is_of_tests(str(node.properties.get("file", "")))
    return own + (3 if is_test and node.kind != "Test" else 0)


@lru_cache(maxsize=4096)
def is_of_tests(path: str) -> bool:
    """Whether a file is of tests, by how it is called.

    >>> [is_of_tests(one) for one in ("tests/Data/A.cs", "src/AppTests.java", "test/client.py")]
    [True, True, False]
    """
    return bool(path) and bool(_OF_TESTS.search(path))


def order(relation: str) -> int:
    """The place of a relation among the groups of a reply.

    >>> order("CALLS") < order("FLOWS_TO") < order("SOMETHING")
    True
    """
    return RELATIONS.index(relation) if relation in RELATIONS else len(RELATIONS)


def verb(relation: str, way: str) -> str:
    """A relation in words, seen from the symbol asked about.

    >>> verb("READS", "in"), verb("READS", "out"), verb("SEES", "in")
    ('Read by', 'Reads', '← SEES')
    """
    known = (FORWARD if way == "out" else BACKWARD).get(relation)
    return known or f"{'→' if way == 'out' else '←'} {relation}"
