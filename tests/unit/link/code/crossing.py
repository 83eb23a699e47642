"""Small programs of several files and the edges passes draw in them, by names."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import commonplace.languages
from commonplace.catalog import collect
from commonplace.domain.media import media_type_of
from commonplace.languages.base import Language
from commonplace.link.code.base import Found
from commonplace.link.code.passes import passes
from commonplace.link.code.program import Program, Unit

Tie = tuple[str, str, str]
LANGUAGES = {
    suffix: language
    for language in collect(commonplace.languages, Language).values()
    for suffix in language.suffixes
}
KINDS = {
    kind: language
    for language in collect(commonplace.languages, Language).values()
    for kind in language.media_types
}


def program_of(files: Mapping[str, str]) -> Program:
    """A program of these files, by path; those in no language are left out."""
    program = Program()
    for path, text in files.items():
        language = KINDS.get(media_type_of(PurePosixPath(path).name) or "")
        if language is not None:
            facts = language.extract(text, path)
            program.put(Unit(document_id=f"d:{path}", source_id="s", path=path, facts=facts))
    return program


def files_of(folder: Path) -> dict[str, str]:
    """Every file of a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def found_by(program: Program, *names: str) -> list[Found]:
    """What the passes of these names find in all documents."""
    every = passes()
    return [
        found for name in names for found in every[name].run(program, list(program.units)).values()
    ]


def names_of(program: Program, found: list[Found]) -> dict[str, str]:
    """What nodes are called: symbols by their path in the file, shared ones by their full name."""
    names = {
        node_id: symbol.path or unit.path
        for unit in program.units.values()
        for node_id, symbol in zip(unit.ids, unit.facts.symbols, strict=True)
    }
    shared = (node for one in found for node in one.nodes)
    return names | {node.id: str(node.properties["fqn"]) for node in shared}


def ties(files: Mapping[str, str], *names: str) -> set[Tie]:
    """The edges these passes draw, without those that only say what a table has."""
    program = program_of(files)
    found = found_by(program, *names)
    called = names_of(program, found)
    return {
        (called[edge.source], edge.relation, called[edge.target])
        for one in found
        for edge in one.edges
        if edge.relation != "CONTAINS"
    }


def lines(edges: set[Tie], *relations: str) -> set[str]:
    """Edges as one reads them, of some relations or all."""
    return {" ".join(one) for one in edges if not relations or one[1] in relations}
