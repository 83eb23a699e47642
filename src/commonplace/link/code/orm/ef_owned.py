"""Entity Framework Core: objects kept in columns of the table of the entity that owns them."""

from collections.abc import Iterator

from commonplace.link.code.orm.asking import in_lambdas, lambdas
from commonplace.link.code.orm.base import Claim, Column, Sight, argument
from commonplace.link.code.program import Place
from commonplace.link.code.queries.chains import Chain, chains

OWNING = frozenset({"OwnsOne", "ComplexProperty"})


def owned(sight: Sight, chain: Chain, subject: Place) -> Iterator[Claim]:
    """``e.OwnsOne(o => o.Address, a => a.Property(x => x.City).HasColumnName("city"))``."""
    for step in chain.steps:
        field = next(iter(in_lambdas(sight, step)), "") if step.name in OWNING else ""
        member = sight.look.member(subject, field) if field else None
        declared = sight.look.symbol(member).type if member is not None else None
        if member is None or declared is None:
            continue
        unit = sight.look.program.units[member.document_id]
        kept = sight.look.class_of(unit, member.number, declared)
        named = dict(_configured(sight, lambdas(step)[-1]))
        for place in sight.look.members(kept) if kept is not None else ():
            symbol = sight.look.symbol(place)
            if symbol.kind == "Property" and "auto" in symbol.modifiers:
                said = named.get(symbol.name, "")
                column = Column(
                    f"{field}.{symbol.name}",
                    said or f"{field}_{symbol.name}",
                    "declared" if said else "convention",
                )
                yield Claim(subject, columns=(column,), rank=3)


def _configured(sight: Sight, number: int) -> Iterator[tuple[str, str]]:
    """Names given to columns inside the function that configures an owned object."""
    for chain in chains(sight.unit):
        if chain.scope != number:
            continue
        field = ""
        for step in chain.steps:
            if step.name == "Property":
                field = next(iter(in_lambdas(sight, step)), "")
            elif step.name == "HasColumnName" and field:
                yield field, sight.said(number, argument(step.call, 0))
