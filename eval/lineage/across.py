"""Edges from code to tables, columns, routines and routes, on small programs of several languages.

python -m eval.lineage.across [--programs third] [--misses]
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import commonplace.languages
from commonplace.catalog import collect
from commonplace.domain.media import media_type_of
from commonplace.languages.base import Language
from commonplace.link.code.passes import passes
from commonplace.link.code.program import Program, Unit

FOLDER = Path(__file__).parent / "crossing"
CONFIDENT = 0.5
"""Below it an edge says what might be, not what is."""
_PASSES = ("embedded", "mappings", "routes")
_RELATIONS = {
    "R": "READS", "W": "WRITES", "C": "CALLS", "M": "MAPS_TO", "H": "HANDLES", "Q": "REQUESTS",
    "F": "FLOWS_TO",
}  # fmt: skip
_TOLD = re.compile(r"(.+?) (M=|[RWCMHQF]) ([^:]+?)(?:: (.*))?")


class Small(NamedTuple):
    """One program: its files, and the edges it must give, in lower case."""

    name: str
    files: dict[str, str]
    edges: frozenset[str]


def load(name: str = "programs") -> Iterator[Small]:
    """Every program of one file."""
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    for block in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]:
        name, _, rest = block.partition("\n")
        body, _, expected = rest.partition("\n-->")
        parts = (one.partition("\n") for one in re.split(r"^--- ", body, flags=re.MULTILINE)[1:])
        files = {path: text for path, _, text in parts}
        yield Small(name, files, frozenset(one.lower() for one in _edges(expected)))


def _edges(expected: str) -> Iterator[str]:
    for told in expected.split(";"):
        match = _TOLD.fullmatch(told.strip())
        if match is None:
            continue
        source, mark, target, columns = match.groups()
        yield f"{source} {_RELATIONS[mark[0]]} {target}"
        for column in (columns or "").split():
            own = f"{source}.{column}" if mark == "M" else source
            yield f"{own} {_RELATIONS[mark[0]]} {target}.{column}"


def drawn(small: Small) -> set[str]:
    """The edges we draw that leave code, in lower case."""
    languages = {
        kind: language
        for language in collect(commonplace.languages, Language).values()
        for kind in language.media_types
    }
    program = Program()
    for path, text in small.files.items():
        if (language := languages.get(media_type_of(path) or "")) is None:
            continue  # nothing of ours reads it
        facts = language.extract(text, path)
        program.put(Unit(document_id=f"d:{path}", source_id="s", path=path, facts=facts))
    every, chosen = passes(), list(program.units)
    found = [one for name in _PASSES for one in every[name].run(program, chosen).values()]
    names = {node.id: str(node.properties["fqn"]) for one in found for node in one.nodes}
    scripts: set[str] = set()
    for unit in program.units.values():
        own = dict(zip(unit.ids, (one.path for one in unit.facts.symbols), strict=True))
        names = own | names if unit.facts.language == "sql" else names | own
        scripts |= own.keys() if unit.facts.language == "sql" else set()
    return {
        f"{names[edge.source]} {edge.relation} {names[edge.target]}".lower()
        for one in found
        for edge in one.edges
        if edge.relation in _RELATIONS.values()
        and edge.confidence >= CONFIDENT
        and (edge.source not in scripts or edge.relation == "FLOWS_TO")
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", action="store_true", help="list the programs that differ")
    parser.add_argument("--programs", default="programs", help="which file of programs")
    options = parser.parse_args()
    programs = list(load(options.programs))
    edges = found = invented = exact = 0
    for small in programs:
        got = drawn(small)
        edges, found = edges + len(small.edges), found + len(small.edges & got)
        invented, exact = invented + len(got - small.edges), exact + (got == small.edges)
        if options.misses and got != small.edges:
            lost, new = sorted(small.edges - got), sorted(got - small.edges)
            print(f"{small.name}: lost {lost}, invented {new}")
    print("| programs | exact | edges | found | invented |\n|--:|--:|--:|--:|--:|")
    print(f"| {len(programs)} | {exact} | {edges} | {found / edges:.3f} | {invented} |")


if __name__ == "__main__":
    main()
