"""From the text of a file to its facts, by the tables of a language."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from commonplace.domain.code import At, Facts, Problem, Symbol
from commonplace.languages.generated import is_generated
from commonplace.languages.typed.places import Places
from commonplace.languages.typed.walk import Evaluate, Visit, Walk

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MOST_CHARS = 3_000_000  # a program wrote what is longer; its tree would take gigabytes
MOST_PROBLEMS = 50


def start(text: str, path: str, tables: tuple[Mapping[str, Evaluate], Mapping[str, Visit]]) -> Walk:
    """A walk that knows the file and nothing else."""
    places = Places(text)
    walk = Walk(places, *tables)
    walk.symbols.append(
        Symbol(kind="File", name=PurePosixPath(path).name, path="", parent=0, at=places.all())
    )
    return walk


def read(walk: Walk, parser: "Parser", language: str) -> Facts:
    """All the file says; what is no syntax of the language is told as problems."""
    text = walk.places.whole
    if len(text) > MOST_CHARS:
        walk.problems.append(Problem("too long to read", At(1, 0, 1, 0)))
    else:
        root = parser.parse(walk.places.encoded).root_node
        if root.has_error:
            _find_errors(walk, root)
        walk.visit(root)
    return Facts(
        language=language,
        namespace=walk.namespace,
        symbols=tuple(walk.symbols),
        imports=tuple(walk.imports),
        flows=tuple(walk.flows),
        calls=tuple(walk.calls),
        uses=tuple(walk.uses),
        problems=tuple(walk.problems),
        is_generated=is_generated(text),
    )


def _find_errors(walk: Walk, root: "Node") -> None:
    """Outermost places that are no syntax, or where something is missing."""
    waiting = [root]
    while waiting and len(walk.problems) < MOST_PROBLEMS:
        node = waiting.pop()
        if node.is_error:
            walk.problem("not understood", node)
        elif node.is_missing:
            walk.problem(f"{node.type} is missing", node)
        else:
            waiting.extend(child for child in reversed(node.children) if child.has_error)
