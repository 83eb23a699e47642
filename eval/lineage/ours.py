"""The edges this project draws for a case."""

from commonplace.link.code.passes.lineage import LINEAGE
from commonplace.link.code.program import Program, Unit
from commonplace.sql.read import read_script
from eval.lineage.cases import Case, Edge, folded

CONFIDENT = 0.5
"""Below it an edge says what might be, not what is."""


def edges(case: Case, is_schema_known: bool = True) -> tuple[set[Edge], list[str]]:
    """Column edges, and what was not understood."""
    program = Program()
    if is_schema_known:
        facts = read_script(case.schema_sql, "a_schema.sql", case.dialect)
        program.put(Unit(document_id="d1", source_id="s", path="a_schema.sql", facts=facts))
    facts = read_script(case.sql, "b_case.sql", case.dialect)
    program.put(Unit(document_id="d2", source_id="s", path="b_case.sql", facts=facts))
    found = LINEAGE.run(program, ["d2"])["d2"]
    names = {
        node.id: folded(str(node.properties["fqn"]))
        for node in found.nodes
        if node.kind == "Column"
    }
    drawn = {
        (names[edge.source], names[edge.target])
        for edge in found.edges
        if edge.relation == "FLOWS_TO" and edge.confidence >= CONFIDENT and edge.source in names
    }
    return drawn, [problem.what for problem in facts.problems]
