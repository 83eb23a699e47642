"""How bad a change is for who depends on what is changed."""

from collections.abc import Mapping
from typing import Literal

from commonplace.tools.code.kinds import GUESS, RELATIONS
from commonplace.tools.code.traverse import Reached

Severity = Literal["low", "medium", "high"]
LEVELS: tuple[Severity, ...] = ("low", "medium", "high")

CHANGES: Mapping[str, str] = {
    "signature": "Changing the signature of",
    "delete": "Deleting",
    "rename": "Renaming",
    "type": "Changing the type of",
    "behaviour": "Changing the behaviour of",
    "add": "Adding to",
}

_HIGH = ("CALLS", "INSTANTIATES", "OVERRIDES", "IMPLEMENTS", "INHERITS", "READS", "WRITES")
_BROKEN = dict.fromkeys((*_HIGH, "MAPS_TO", "HANDLES", "IMPORTS", "REFERENCES", "REQUESTS"), 2)
_TOLD = {"TESTS": 1, "DOCUMENTS": 0}
_BASE: Mapping[str, Mapping[str, int]] = {
    # Who names it, or passes something to it, must change.
    "delete": {**_BROKEN, **_TOLD, "TESTS": 2, "FLOWS_TO": 2},
    "rename": {**_BROKEN, **_TOLD, "TESTS": 2, "FLOWS_TO": 1},
    "signature": {
        **dict.fromkeys(_HIGH, 2),
        **_TOLD,
        "HANDLES": 2,
        "MAPS_TO": 1,
        "REFERENCES": 1,
        "REQUESTS": 1,
        "IMPORTS": 0,
        "FLOWS_TO": 1,
    },
    # Whoever holds its value may no longer fit.
    "type": {
        **_TOLD,
        "READS": 2,
        "WRITES": 2,
        "MAPS_TO": 2,
        "FLOWS_TO": 2,
        "CALLS": 1,
        "REFERENCES": 1,
        "OVERRIDES": 2,
        "IMPLEMENTS": 2,
        "INHERITS": 1,
        "INSTANTIATES": 1,
        "HANDLES": 1,
        "REQUESTS": 1,
    },
    # Nothing breaks when it is compiled; what it does may differ.
    "behaviour": {
        **_TOLD,
        "CALLS": 1,
        "INSTANTIATES": 1,
        "INHERITS": 1,
        "OVERRIDES": 0,
        "HANDLES": 1,
        "REQUESTS": 0,
        "READS": 1,
        "FLOWS_TO": 1,
        "TESTS": 1,
    },
    # Whoever must say it too, or lists all there is.
    "add": {
        **_TOLD,
        "IMPLEMENTS": 2,
        "OVERRIDES": 2,
        "WRITES": 1,
        "MAPS_TO": 1,
        "CALLS": 1,
        "INSTANTIATES": 1,
        "INHERITS": 0,
        "READS": 0,
    },
}


def followed(change: str) -> frozenset[str]:
    """Relations by which such a change is felt."""
    return frozenset(_BASE[change])


def severity(change: str, one: Reached) -> Severity | None:
    """How bad it is at one place: less with every hop, and less where only a name speaks for it.

    None when it is not felt there at all.
    """
    known = _BASE[change].get(one.edge.relation)
    if known is None and one.edge.relation in RELATIONS:
        return None
    level = (1 if known is None else known) - (one.depth - 1) - (one.sureness <= GUESS)
    return LEVELS[max(0, level)]
