"""Code with SQL in it, and what the pass finds there, by names."""

from tests.unit.link.code.crossing import found_by, lines, names_of, program_of, ties

SCHEMA = """
CREATE TABLE orders (id int, state text, total int, buyer_id int);
CREATE TABLE buyers (id int, name text);
"""


def embedded(files: dict[str, str], *relations: str) -> set[str]:
    found = ties({"schema.sql": SCHEMA, **files}, "embedded")
    return lines(found, *(relations or ("READS", "WRITES", "CALLS", "MAPS_TO")))


def manners(files: dict[str, str]) -> dict[str, tuple[str, float]]:
    """How each edge is known, and how surely."""
    program = program_of({"schema.sql": SCHEMA, **files})
    found = found_by(program, "embedded")
    names = names_of(program, found)
    return {
        f"{names[edge.source]} {edge.relation} {names[edge.target]}": (
            str(edge.properties["how"]),
            edge.confidence,
        )
        for one in found
        for edge in one.edges
        if edge.relation in ("READS", "WRITES", "CALLS")
    }


READ = {"{} READS orders", "{} READS orders.id", "{} READS orders.state"}


def read_by(name: str) -> set[str]:
    return {one.format(name) for one in READ}
