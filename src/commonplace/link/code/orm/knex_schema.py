"""Knex's and Sequelize's migrations: tables built by calls."""

from collections.abc import Iterator

from commonplace.domain.code import Call
from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.orm.asking import lambdas
from commonplace.link.code.orm.base import Sight, argument, keys
from commonplace.link.code.orm.migration import Change, Migrations
from commonplace.link.code.program import Unit
from commonplace.link.code.queries.chains import Chain, below, chains, words

_TABLE_VERBS = {"createTable": "create", "createTableIfNotExists": "create", "dropTable": "drop"}
_TABLE_VERBS |= {"alterTable": "add", "table": "add", "dropTableIfExists": "drop"}
_COLUMN_VERBS = {"addColumn": "add", "removeColumn": "drop", "changeColumn": "alter"}
_NO_COLUMNS = frozenset(
    {"primary", "unique", "index", "foreign", "timestamps", "dropIndex", "dropForeign", "comment"}
)


def _may(unit: Unit) -> bool:
    return bool({"schema", "queryInterface"} & words(unit))


def _changes(sight: Sight) -> Iterator[Change]:
    for chain in chains(sight.unit):
        names = chain.names()
        is_knex = "schema" in names
        if not is_knex and not (chain.root and str(chain.root[-1]) == "queryInterface"):
            continue
        for step in chain.steps:
            table = sight.said(chain.scope, argument(step.call, 0))
            if step.call is None or not table:
                continue
            if step.name in _TABLE_VERBS:
                columns = tuple(_built(sight, step.call, lambdas(step)))
                yield Change(chain.scope, chain.at, _TABLE_VERBS[step.name], table, columns)
            elif step.name in _COLUMN_VERBS and not is_knex:
                column = sight.said(chain.scope, argument(step.call, 1))
                if column:
                    verb = _COLUMN_VERBS[step.name]
                    yield Change(chain.scope, chain.at, verb, table, (column,))


def _built(sight: Sight, call: Call, builders: list[int]) -> Iterator[str]:
    """Columns of an object, or by calls of the builder a function is given."""
    yield from keys(argument(call, 1))
    for number in builders:
        parameters = sight.unit.facts.symbols[number].parameters
        for chain in chains(sight.unit):
            if parameters and below(sight.unit.facts, number, chain.scope):
                yield from _column(sight, chain, parameters[0].name)


def _column(sight: Sight, chain: Chain, builder: str) -> Iterator[str]:
    first = chain.steps[0]
    if chain.root == ("name", builder) and first.name not in _NO_COLUMNS:
        name = sight.said(chain.scope, argument(first.call, 0))
        if name:
            yield name


KNEX_SCHEMA = Migrations(name="knex_schema", languages=SCRIPTS, may=_may, changes=_changes)
