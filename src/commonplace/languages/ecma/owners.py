"""Which symbol an object is: members may be set on it from outside."""

from commonplace.domain.expr import Expr
from commonplace.languages.walk import Walk


def owner_number(walk: Walk, owner: Expr) -> int | None:
    """The symbol an object is: the class or function of a name, or of ``this``."""
    if owner[0] == "self":
        return _around(walk)
    if owner[0] != "name":
        return None
    scope = walk.scope
    while True:
        number = walk.named.get((scope.number, owner[1]))
        if number is not None:
            return number
        if scope.outer is None:
            return None
        scope = scope.outer


def _around(walk: Walk) -> int | None:
    """The class around, or else the function whose ``this`` is meant."""
    scope, last = walk.scope, None
    while scope.number:
        draft = walk.drafts[scope.number]
        if draft.kind == "Class":
            return scope.number
        if draft.kind in ("Function", "Method") and last is None:
            last = draft.parent if draft.kind == "Method" else scope.number
        if scope.outer is None:
            break
        scope = scope.outer
    return last or None
