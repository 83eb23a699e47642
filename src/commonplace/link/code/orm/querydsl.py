"""Querydsl: paths of the classes it generates for entities, named Q and the entity."""

from collections.abc import Iterator

from commonplace.domain.code import At
from commonplace.domain.expr import Expr
from commonplace.link.code.orm.base import (
    Access,
    Asked,
    Orm,
    Sight,
    argument,
    never,
    no_claims,
    no_columns,
    tail,
)
from commonplace.link.code.orm.jpa import JAVA
from commonplace.link.code.program import Place
from commonplace.link.code.queries.chains import chains

_MODULE = "com.querydsl"
_WRITES = frozenset({"update", "delete", "insert"})


def _defines(sight: Sight) -> Iterator[tuple[int, At, Asked]]:
    facts = sight.unit.facts
    if not any(one.module.startswith(_MODULE) for one in facts.imports):
        return
    for use in facts.uses:
        found = _entity(sight, use.scope, use.expr[1]) if use.expr[0] == "attr" else None
        if found is not None and use.expr[2] in sight.mapped[found].columns:
            yield use.scope, use.at, Asked(found, "READS", (use.expr[2],), how="attribute")
    for chain in chains(sight.unit):
        for step in chain.steps:
            first = argument(step.call, 0)
            found = _entity(sight, chain.scope, first) if first is not None else None
            if found is not None:
                access: Access = "WRITES" if step.name in _WRITES else "READS"
                yield chain.scope, chain.at, Asked(found, access, how="attribute")
            is_set = step.name == "set" and first is not None and first[0] == "attr"
            owner = _entity(sight, chain.scope, first[1]) if is_set and first else None
            if owner is not None and first is not None:
                yield chain.scope, chain.at, Asked(owner, "WRITES", (first[2],), how="attribute")


def _entity(sight: Sight, scope: int, expr: Expr) -> Place | None:
    """The entity of ``QOrder.order``, or of a variable that is one."""
    named = [tail(one.base) for one in sight.look.types(sight.unit, scope, expr)]
    if expr[0] == "attr":
        named.append(tail(expr[1]))
    for name in named:
        if name[:1] == "Q" and name[1:2].isupper():
            found = [
                one for one in sight.look.program.named.get(name[1:], ()) if one in sight.mapped
            ]
            return found[0] if len(found) == 1 else None
    return None


QUERYDSL = Orm(
    name="querydsl",
    languages=JAVA,
    may=never,
    claims=no_claims,
    columns=no_columns,
    of=frozenset({"jpa"}),
    defines=_defines,
)
