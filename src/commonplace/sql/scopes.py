"""What a name means in a query: the columns of every scope, and the scopes around it."""

from collections.abc import Sequence
from typing import Any

from commonplace.sql.names import fold, parts
from commonplace.sql.shapes import (
    CALLED,
    MAYBE_VARIABLE,
    NOWHERE,
    VARIABLES,
    Block,
    Output,
    Ref,
    Relation,
    Shape,
)
from commonplace.sql.sources import (
    AMBIGUOUS,
    ANY,
    CANDIDATE,
    CERTAIN,
    ELSEWHERE,
    INDIRECT,
    ONLY_TABLE,
    PARAMETERS,
    STAR,
    UNLISTED,
    Out,
    Sources,
    Tables,
    merge,
    united,
)

_WORTH_AN_INDEX = 8
_ROW_NUMBER = "rowid"
# Functions of PostgreSQL that give rows of one column, which is called as they are.
_OF_ONE_COLUMN = frozenset(
    {
        *("generate_series", "generate_subscripts", "unnest", "regexp_matches", "string_to_table"),
        *("regexp_split_to_table", "json_array_elements", "json_array_elements_text"),
        *("jsonb_array_elements", "jsonb_array_elements_text", "json_object_keys"),
        *("jsonb_object_keys", "jsonb_path_query"),
    }
)


class Scopes:
    """The scopes of one shape, and what names mean in them."""

    def __init__(self, shape: Shape, tables: Tables) -> None:
        self.blocks: Sequence[Block] = shape[0] if shape else ()
        self.sets = shape[1] if shape else ()
        told = shape[3] if len(shape) > 3 else ()
        self.unnamed = next((frozenset(op[1]) for op in told if op[0] == "unnamed"), frozenset())
        """Names columns have for want of one, where rows are put into a table by place."""
        self.tables = tables
        self._outs: dict[int, list[Out]] = {}
        self._relations: dict[int, list[tuple[str, list[Out], str]]] = {}
        self._named: dict[int, tuple[list[Out], dict[str, Sources]]] = {}
        for number in range(len(self.blocks)):
            self._prepare(number)
            self.outs(number)

    def _prepare(self, number: int) -> None:
        """Work out the blocks below first, deepest first: queries nest deeper than calls may."""
        waiting, found = [number], []
        seen = set(self._outs)
        while waiting:
            here = waiting.pop()
            if here in seen:
                continue
            seen.add(here)
            found.append(here)
            waiting += self._below(here)
        for here in reversed(found):
            self.outs(here)

    def _below(self, number: int) -> list[int]:
        """The blocks this one is made from that do not look at it."""
        block = self.blocks[number]
        if block is None:
            return []
        if block[0] == "u":
            return list(block[1])
        used = [one[2] for one in block[2] if one[1] == "b"]
        return [one for one in used if self.blocks[one] and self.blocks[one][1] != number]

    def outs(self, number: int) -> list[Out]:
        """The columns a block gives, in order."""
        known = self._outs.get(number)
        if known is not None:
            return known
        self._outs[number] = []
        block = self.blocks[number]
        if block is None:
            return []
        if block[0] == "u":
            return self._union(number, block[1])
        found: list[Out] = []
        for output in block[3]:
            if output[0] == STAR:
                found += self._star(number, output[1][0][0])
            else:
                found.append(self.output(number, output))
        self._outs[number] = found
        return found

    def output(self, number: int, output: Output) -> Out:
        """A column with all it comes from."""
        name, refs, how = output
        sources: Sources = {}
        for ref in refs:
            merge(sources, self.ref(number, ref), how)
        return (name, sources)

    def _union(self, number: int, branches: Sequence[int]) -> list[Out]:
        """Columns by place, named by the first branch; a branch may name the union itself."""
        merged: list[Out] = []
        for branch in branches:
            outs = self.outs(branch)
            if not merged:
                merged = [(name, dict(sources)) for name, sources in outs]
            else:
                for (_name, into), (_other, more) in zip(merged, outs, strict=False):
                    merge(into, more)
            self._outs[number] = merged
        return merged

    def relations(self, number: int) -> list[tuple[str, list[Out], str]]:
        """What a block selects from: alias, columns, and the table's name if it is one."""
        known = self._relations.get(number)
        if known is None:
            known = self._relations[number] = []
            block = self.blocks[number]
            for one in block[2] if block is not None and block[0] == "s" else ():
                known.append(self._relation(number, one))  # it may look at those before it
        return known

    def _relation(self, number: int, relation: Relation) -> tuple[str, list[Out], str]:
        alias, kind, what, columns = relation
        table = ""
        if kind == "t":
            table = str(what)
            outs = self._table(table)
        elif kind == "b":
            outs = self.outs(what)
        elif kind == "f":
            outs = self._function(number, what, bool(columns))
        elif kind == "i":
            names = self.tables.columns(what[0]) or ()
            given = self.outs(what[1])
            outs = [(name, out[1]) for name, out in zip(names, given, strict=False)] or given
        else:
            outs = self._pivot(number, what)
        return (alias, _renamed(outs, columns), table)

    def _table(self, table: str) -> list[Out]:
        columns = self.tables.columns(table)
        if columns is None:
            return [(STAR, {(table, STAR): ("copy", ONLY_TABLE)})] if table else []
        return [(one, {(table, one): ("copy", CERTAIN)}) for one in columns]

    def _function(self, number: int, what: tuple[Any, ...], is_named: bool) -> list[Out]:
        """The columns of a function in FROM: what it gives, or anything made of its arguments."""
        known = self.tables.results(what[0]) if what[0] else None
        if known is not None:
            given = what[2] if len(what) > 2 else ()
            return [(name, self._bound(number, what[0], given, got)) for name, got in known]
        sources: Sources = {}
        for ref in what[1]:
            merge(sources, self.ref(number, ref), "expression")
        return [(ANY, sources)] * (40 if is_named else 1)

    def _bound(
        self, number: int, function: str, given: Sequence[tuple[Ref, ...]], sources: Sources
    ) -> Sources:
        """What a column of a function comes from, its parameters replaced by the arguments."""
        if not any(table == PARAMETERS for table, _column in sources):
            return sources
        takes = [one.lower() for one in self.tables.takes(function)]
        found: Sources = {}
        for (table, column), (how, sure) in sources.items():
            place = takes.index(column.lower()) if column.lower() in takes else len(given)
            if table != PARAMETERS:
                merge(found, {(table, column): (how, sure)})
            for ref in given[place] if table == PARAMETERS and place < len(given) else ():
                merge(found, self.ref(number, ref), how, sure)
        return found

    def _pivot(
        self, number: int, what: tuple[Relation, tuple[Output, ...], tuple[str, ...]]
    ) -> list[Out]:
        inner, overrides, consumed = what
        _alias, outs, _table = self._relation(number, inner)
        gone = {one.lower() for one in consumed}
        kept = [out for out in outs if out[0].lower() not in gone]
        for name, refs, how in overrides:
            sources: Sources = {}
            for ref in refs:
                found = self._lookup(outs, ref[-1])
                merge(sources, found[0] if found else {}, how)
            kept.append((name, sources))
        return kept

    def _star(self, number: int, qualifier: str) -> list[Out]:
        relations = self.relations(number)
        if qualifier:
            called = (
                outs for alias, outs, table in relations if _is_called(qualifier, alias, table)
            )
            return next(called, self._record(qualifier))
        joined = {one.lower() for one in self.blocks[number][5]}
        found: list[Out] = []
        for _alias, outs, _table in relations:
            for name, sources in outs:
                same = next((one for one in found if one[0].lower() == name.lower()), None)
                is_joined = name.lower() in joined or (STAR in joined and name not in {STAR, ANY})
                if same is not None and is_joined:
                    merge(same[1], sources)
                else:
                    found.append((name, dict(sources)))
        if self._is_open(number):
            for name, sources in found:
                if name == STAR:
                    sources.update({key: (how, CANDIDATE) for key, (how, _) in sources.items()})
        return found

    def _is_open(self, number: int) -> bool:
        """Whether a block selects from a function that may have columns nobody knows."""
        return any(
            kind == "f"
            and what[0]
            and not columns
            and parts(what[0])[-1].lower() not in _OF_ONE_COLUMN
            and self.tables.results(what[0]) is None
            for _alias, kind, what, columns in self.blocks[number][2]
        )

    def _record(self, name: str) -> list[Out]:
        """Every column of a record, or of the row a trigger sees: ``OLD.*``."""
        columns = self.tables.columns(name) if self.tables.is_record(name) else None
        return [(one, {(name, one): ("copy", CERTAIN)}) for one in columns or ()]

    def ref(self, number: int, ref: Ref) -> Sources:
        """What a name means in a block, or in those around it."""
        if len(ref) == 1:
            outs = self.outs(ref[0])
            return dict(outs[0][1]) if outs else {}
        if len(ref) == 3:
            return {(ref[1], ref[2]): ("copy", CERTAIN)}
        qualifier, column = ref
        if column == STAR:
            return {}
        if column == CALLED:
            given = self.tables.value(qualifier)
            return {key: (INDIRECT, sure) for key, (_how, sure) in given.items()}
        if qualifier == MAYBE_VARIABLE:
            found = self._bare(number, column)
            if any(sure >= CERTAIN for _how, sure in found.values()):
                return found
            return {(VARIABLES, column): ("copy", CERTAIN)}
        if qualifier:
            return self._qualified(number, qualifier, column)
        return self._bare(number, column)

    def _qualified(self, number: int, qualifier: str, column: str) -> Sources:
        here = number
        while here != NOWHERE:
            for alias, outs, table in self.relations(here):
                if _is_called(qualifier, alias, table):
                    found = self._lookup(outs, column)
                    if found is not None:
                        return {
                            key: (how, max(sure, ONLY_TABLE) if len(found[0]) == 1 else sure)
                            for key, (how, sure) in found[0].items()
                        }
                    return {(table, column): ("copy", UNLISTED)} if table else {}
            block = self.blocks[here]
            here = block[1] if block[0] == "s" else NOWHERE
        if self.tables.is_record(qualifier):
            return {(qualifier, column): ("copy", CERTAIN)}
        whole = self._bare(number, qualifier)  # a field of a column: (address).street
        return whole if all(sure >= CERTAIN for _how, sure in whole.values()) else {}

    def _bare(self, number: int, column: str) -> Sources:
        """A name without a table: the nearest scope that has it, or the only one that may."""
        block = self.blocks[number]
        if block is None or block[0] == "u":
            return {}
        exact, open_, made = self._having(number, column)
        joined = {one.lower() for one in block[5]}
        is_joined = column.lower() in joined or STAR in joined
        if exact:
            return united(exact, CERTAIN if is_joined or len(exact) == 1 else AMBIGUOUS, is_joined)
        rows = self._row(number, column)
        if rows is not None:
            return rows
        outside = self._bare(block[1], column) if block[1] != NOWHERE else {}
        if any(sure >= CERTAIN for _how, sure in outside.values()):
            return united([outside], ELSEWHERE if open_ else CERTAIN, True)
        if open_:
            is_one = len(open_) == 1 and not (made and self._is_open(number))
            is_one = is_one or column.lower() in joined
            sure = (ELSEWHERE if outside else ONLY_TABLE) if is_one else CANDIDATE
            return united(open_, sure, True)
        return outside or united(made, CERTAIN, False)

    def _row(self, number: int, name: str) -> Sources | None:
        """A relation's own name as a value is its whole row; SQLite's rows have a number."""
        relations = self.relations(number)
        for alias, outs, _table in relations:
            if alias.lower() == name.lower() and not (outs and outs[0][0] == ANY):
                return united([sources for _name, sources in outs], CERTAIN, True)
        if name.lower() == _ROW_NUMBER and len(relations) == 1 and relations[0][2]:
            return {(relations[0][2], name): ("copy", UNLISTED)}
        return None

    def _having(
        self, number: int, column: str
    ) -> tuple[list[Sources], list[Sources], list[Sources]]:
        """Who has a column: certainly, perhaps, and functions that may call it anything."""
        exact: list[Sources] = []
        open_: list[Sources] = []
        made: list[Sources] = []
        for alias, outs, _table in self.relations(number):
            found = self._lookup(outs, column)
            if found is None:
                continue
            is_function = outs[0][0] == ANY and not found[1]
            if is_function and alias.lower() != column.lower():
                made.append(found[0])
            else:
                (exact if found[1] or is_function else open_).append(found[0])
        return exact, open_, made

    def _lookup(self, outs: list[Out], column: str) -> tuple[Sources, bool] | None:
        """A column by name: its sources, and whether it is certainly there."""
        _kept, named = self._named.get(id(outs)) or self._index(outs)
        found = named.get(column.lower())
        if found is not None:
            return found, True
        if STAR in named:
            stars = [one for name, sources in outs if name == STAR for one in sources.items()]
            most = ONLY_TABLE if len(stars) == 1 else CANDIDATE
            return {(key[0], column): ("copy", min(sure, most)) for key, (_, sure) in stars}, False
        return (named[ANY], False) if ANY in named else None

    def _index(self, outs: list[Out]) -> tuple[list[Out], dict[str, Sources]]:
        """Columns by name in lower case, the first of a name counts; kept while the list stands."""
        named: dict[str, Sources] = {}
        for name, sources in outs:
            named.setdefault(name.lower(), sources)
        if len(outs) > _WORTH_AN_INDEX:
            self._named[id(outs)] = (outs, named)
        return outs, named


def _renamed(outs: list[Out], columns: Sequence[str]) -> list[Out]:
    """With the column names an alias gives, as far as places are known."""
    if not columns or any(name == STAR for name, _sources in outs[: len(columns)]):
        return outs
    named = [(name, out[1]) for name, out in zip(columns, outs, strict=False)]
    return named + [out for out in outs[len(columns) :] if out[0] != ANY]


def _is_called(qualifier: str, alias: str, table: str) -> bool:
    """Whether a qualifier means this relation: by alias, or by the table's own name."""
    wanted = qualifier.lower()
    if wanted == alias.lower():
        return True
    if not table or alias.lower() != table.lower():
        return False  # a table with an alias has no other name
    return fold(qualifier) == fold(table) or wanted == parts(table)[-1].lower()
