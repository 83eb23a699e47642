"""SQL inside code: functions to the tables, columns and routines their statements name."""

from collections.abc import Collection, Iterator

from commonplace.domain.code import Problem, Query
from commonplace.domain.expr import Expr
from commonplace.link.code.aspects import ASKS_TABLES, note
from commonplace.link.code.base import Found, Pass
from commonplace.link.code.drawing import Drawing, Proof
from commonplace.link.code.lineage.draw import Drafting
from commonplace.link.code.lineage.order import scope_queries
from commonplace.link.code.lineage.trace import Trace
from commonplace.link.code.names.look import look
from commonplace.link.code.orm.base import Sight
from commonplace.link.code.orm.mapped import mapped_classes, sight_of
from commonplace.link.code.program import Place, Program, Unit
from commonplace.link.code.queries.chains import noted, owner
from commonplace.link.code.queries.dialects import dialect_of
from commonplace.link.code.queries.jpql import Entities, to_sql
from commonplace.link.code.queries.runners import RUNNERS
from commonplace.link.code.queries.statements import (
    SURE,
    Statement,
    looks_like_sql,
    parts_named,
    statements,
)
from commonplace.link.code.queries.strings import HOLE
from commonplace.link.code.queries.values_in import readable, valued
from commonplace.sql.prose import is_begun, is_prose
from commonplace.sql.resolve import Resolver

_PARTIAL = 0.5
_UNPARSED = "unparsed SQL in a string"
_OWN = frozenset({"READS", "WRITES", "CALLS"})


class _Embedding(Drafting):
    """Draws statements as the strings they are written in: as sure as those are."""

    how = "literal"
    sure = 1.0

    def table(self, name: str) -> str:
        """A table; none where its name is not known."""
        return "" if HOLE in name else super().table(name)

    def column(self, table: str, column: str) -> str:
        """A column; none where its name or its table's is not known."""
        return "" if HOLE in table + column else super().column(table, column)

    def _edge(self, source: str, relation: str, target: str, proof: Proof) -> None:
        if not source or not target:
            return
        if relation in _OWN:
            proof = proof._replace(how=self.how)
        if relation != "CONTAINS":
            proof = proof._replace(confidence=min(proof.confidence, self.sure))
        super()._edge(source, relation, target, proof)


def run(program: Program, document_ids: Collection[str]) -> dict[str, Found]:
    """Edges of these documents; SQL that cannot be read is noted in the program."""
    found = {}
    for unit in program.chosen(document_ids):
        drawing = Drawing(unit)
        problems: tuple[Problem, ...] = ()
        if unit.facts.language in RUNNERS:
            problems = _file(program, drawing)
        elif unit.facts.language == "mybatis" and unit.facts.calls:
            problems = _mapper(program, drawing)
        program.unparsed.pop(unit.document_id, None)
        if problems:
            program.unparsed[unit.document_id] = problems
        found[unit.document_id] = drawing.found()
    return found


def _file(program: Program, drawing: Drawing) -> tuple[Problem, ...]:
    """Draw what the statements of a file say; what could not be read, each once for its place."""
    unit = drawing.unit
    sight = sight_of(program, unit)
    embedding: _Embedding | None = None
    unread: dict[Problem, None] = {}
    for one in statements(sight):
        if not one.routine and is_prose(one.written.text):
            continue
        embedding = embedding or _Embedding(program, drawing)
        note(program, unit.document_id, ASKS_TABLES)
        embedding.how = one.how
        embedding.sure = min(one.confidence, _PARTIAL) if one.how == "partial" else one.confidence
        number = owner(unit.facts, one.scope)
        source = unit.ids[number]
        if one.routine:
            _call(embedding, source, one)
            continue
        queries, problems = _queries(program, sight, one)
        unread.update(dict.fromkeys(problems))
        named = noted(unit, "parts", parts_named).get(number, ())
        queries = [*_kept_for_itself(embedding, one, named), *queries]
        embedding.queries(number, source, queries)
        for kept in one.kept_as if len(one.kept_as) == 1 else ():
            _results(embedding, sight, (one, kept), queries)
    return tuple(sorted(unread, key=lambda problem: (problem.at, problem.what)))


def _mapper(program: Program, drawing: Drawing) -> tuple[Problem, ...]:
    """Draw what the statements of a mapper file say: they are of the methods of its interface."""
    from commonplace.sql.read import read_queries  # noqa: PLC0415 - loaded where there is SQL

    unit = drawing.unit
    embedding = _Embedding(program, drawing)
    owner_name = unit.facts.namespace.rpartition(".")[2]
    note(program, unit.document_id, ASKS_TABLES, f"name:{owner_name}")
    interface = _interface(program, unit)
    drawing.is_apart = interface is not None
    unread: list[Problem] = []
    for call in unit.facts.calls:
        method, text = (str(one[1][0]) for one in call.arguments)
        embedding.how = "partial" if HOLE in text else "file"
        embedding.sure = _PARTIAL if HOLE in text else SURE
        place = look(program).member(interface, method) if interface is not None else None
        source = program.node_id(place) if place is not None else unit.ids[0]
        found, problems = read_queries(
            readable(valued(text)), dialect_of(program, unit), 0, call.at
        )
        embedding.queries(0, source, found)
        unread += (Problem(one.what, call.at) for one in problems)
    return tuple(unread)


def _interface(program: Program, unit: Unit) -> Place | None:
    """The interface a mapper file is for: by its whole name, its namespace."""
    space, _dot, name = unit.facts.namespace.rpartition(".")
    for place in sorted(program.named.get(name, ())):
        if program.units[place.document_id].facts.namespace == space:
            return place
    return None


def _queries(program: Program, sight: Sight, one: Statement) -> tuple[list[Query], list[Problem]]:
    """What a statement says, and what of it could not be read.

    Of a file that is loaded, what that file says: what could not be read of it is told of it.
    """
    if one.written.file:
        loaded = _loaded(program, sight.unit, one.written.file)
        said = (query for unit in loaded for query in scope_queries(unit, 0))
        return [query._replace(at=one.at) for query in said], []
    from commonplace.sql.read import read_queries  # noqa: PLC0415 - loaded where there is SQL

    text = readable(one.written.text)
    if one.objects:
        text = to_sql(text, _entities(program))
    found, problems = read_queries(text, dialect_of(program, sight.unit), one.scope, one.at)
    # Other languages are written where SQL may be: @Query of a store of documents.
    is_sql = looks_like_sql(one.written.text) and not (one.confidence < SURE and is_begun(text))
    return found, [_told(problem, one) for problem in problems if is_sql]


def _kept_for_itself(
    embedding: _Embedding, one: Statement, named: Collection[str]
) -> Iterator[Query]:
    """Names of parts of a query as tables of the statement itself, unless they are tables."""
    for name in sorted(named):
        if embedding.schema.table(name) is None:
            yield Query(one.scope, "DECLARE", name, (), (), (), (), one.at)


def _told(problem: Problem, one: Statement) -> Problem:
    what = problem.what.removeprefix("unparsed statement: ")
    return Problem(f"{_UNPARSED}: {what}", one.at)


def _loaded(program: Program, unit: Unit, name: str) -> list[Unit]:
    """The .sql files a name may mean: those of the source whose path ends so, if just one."""
    found = [
        program.units[document_id]
        for path, documents in program.paths.items()
        if path == name or path.endswith(f"/{name}")
        for document_id in documents
        if program.units[document_id].source_id == unit.source_id
    ]
    stem = name.rpartition("/")[2].partition(".")[0]
    note(program, unit.document_id, f"module:{stem}", *(one.document_id for one in found))
    return found if len(found) == 1 else []


def _entities(program: Program) -> Entities:
    found = program.memo.get("jpql.entities")
    if found is None:
        found = program.memo["jpql.entities"] = Entities(look(program), mapped_classes(program))
    known: Entities = found
    return known


def _call(embedding: _Embedding, source: str, one: Statement) -> None:
    """A routine called by its name alone."""
    routine = embedding.schema.routine(one.written.text)
    kind = routine.kind if routine is not None else "Procedure"
    name = routine.name if routine is not None else one.written.text
    target = embedding.drawing.node(embedding.node(kind, name))
    embedding.drawing.edge(source, "CALLS", target, Proof("name", one.confidence, one.at))


def _results(
    embedding: _Embedding, sight: Sight, told: tuple[Statement, Expr], queries: list[Query]
) -> None:
    """Fields of the class rows are read into, by the names of the columns that are selected."""
    one, kept = told
    subject = sight.look.class_of(sight.unit, one.scope, kept)
    if subject is None or HOLE in one.written.text:
        return
    for query in queries:
        for name, (table, column), how in _selected(embedding, sight.unit, query):
            for place in _fields(sight, subject, name):
                target = embedding.column(table, column)
                proof = Proof("result" if how == "copy" else how, min(0.9, one.confidence), one.at)
                embedding.drawing.edge(embedding.program.node_id(place), "MAPS_TO", target, proof)


def _selected(
    embedding: _Embedding, unit: Unit, query: Query
) -> Iterator[tuple[str, tuple[str, str], str]]:
    """The columns a SELECT gives that come from one column each."""
    if not query.shape or query.verb != "SELECT":
        return
    trace = Trace(embedding.program, embedding.schema, Place(unit.document_id, query.scope))
    resolver = Resolver(query.shape, trace)
    for given in query.shape[1]:
        if given[0] != "give":
            continue
        for name, sources in resolver.outs(given[3]):
            if len(sources) == 1:
                (((table, column), (how, _sure)),) = sources.items()
                if column != "*":
                    yield name, (embedding.schema.canonical(table), column), how


def _fields(sight: Sight, subject: Place, name: str) -> list[Place]:
    """Members a column is read into: by name, case and underscores aside."""
    plain = name.replace("_", "").lower()
    return [
        place
        for place in sight.look.members(subject)
        if sight.look.symbol(place).kind in ("Property", "Field", "Parameter")
        and sight.look.symbol(place).name.replace("_", "").lower() == plain
    ]


EMBEDDED = Pass(
    name="embedded",
    relations=frozenset({"READS", "WRITES", "FLOWS_TO", "CALLS", "CONTAINS", "MAPS_TO"}),
    run=run,
)
