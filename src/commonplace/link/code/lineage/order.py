"""Which statements of a script run together, in order."""

from collections.abc import Callable

from commonplace.domain.code import Query
from commonplace.link.code.program import Unit


def home(unit: Unit, scope: int) -> int:
    """Where a statement runs: what makes a table or view runs where its definition stands."""
    is_made = unit.facts.symbols[scope].kind in {"Table", "View"}
    return 0 if is_made else scope


def run_together(unit: Unit, number: int) -> list[Query]:
    """The statements that run in a symbol, in order, those of what it makes among them."""
    return _grouped(unit, "lineage.homes", lambda query: home(unit, query.scope)).get(number, [])


def scope_queries(unit: Unit, number: int) -> list[Query]:
    """The statements that stand in a symbol, in order."""
    return _grouped(unit, "lineage.scopes", lambda query: query.scope).get(number, [])


def _grouped(unit: Unit, key: str, of: Callable[[Query], int]) -> dict[int, list[Query]]:
    known = unit.notes.get(key)
    if not isinstance(known, dict):
        scopes: dict[int, list[Query]] = {}
        for query in unit.facts.queries:
            scopes.setdefault(of(query), []).append(query)
        unit.notes[key] = known = scopes
    return known
