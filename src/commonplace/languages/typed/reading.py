"""From the text of a file to its facts, by the tables of a language."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from commonplace.domain.code import At, Facts, Problem, Symbol
from commonplace.languages import brackets
from commonplace.languages.generated import is_generated
from commonplace.languages.queried import texts_in
from commonplace.languages.typed.places import Places
from commonplace.languages.typed.walk import Evaluate, Visit, Walk

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MOST_CHARS = 3_000_000  # a program wrote what is longer; its tree would take gigabytes
MOST_PROBLEMS = 50
Mend: TypeAlias = Callable[[bytes], Iterable[bytes]]


def nothing_mended(_encoded: bytes) -> Iterable[bytes]:
    """For languages whose grammar knows all of them."""
    return ()


def start(text: str, path: str, tables: tuple[Mapping[str, Evaluate], Mapping[str, Visit]]) -> Walk:
    """A walk that knows the file and nothing else."""
    places = Places(text)
    walk = Walk(places, *tables)
    walk.symbols.append(
        Symbol(kind="File", name=path.rpartition("/")[2], path="", parent=0, at=places.all())
    )
    return walk


def read(walk: Walk, parser: "Parser", language: str, mended: Mend = nothing_mended) -> Facts:
    """All the file says; what is no syntax of the language is told as problems.

    ``mended`` gives the text in other forms of the same length, to try where it has errors.
    """
    text = walk.places.whole
    if len(text) > MOST_CHARS:
        walk.problems.append(Problem("too long to read", At(1, 0, 1, 0)))
    else:
        root = parser.parse(walk.places.encoded).root_node
        if root.has_error:
            root = _read_again(walk, parser, root, mended)
        walk.texts = texts_in(root, walk.places.encoded, walk.places.at)
        walk.visit(root)
    facts = Facts(
        language=language,
        namespace=walk.namespace,
        symbols=tuple(walk.symbols),
        imports=tuple(walk.imports),
        flows=tuple(walk.flows),
        calls=tuple(walk.calls),
        uses=tuple(walk.uses),
        texts=walk.texts,
        problems=tuple(walk.problems),
        is_generated=is_generated(text),
    )
    return brackets.within(facts, walk.places.all()) if walk.problems else facts


def _read_again(walk: Walk, parser: "Parser", root: "Node", mended: Mend) -> "Node":
    """The form of the text in which the least is not understood; what remains is told."""
    source = walk.places.encoded
    errors = _errors(root)
    for other in mended(source):
        again = parser.parse(other).root_node
        fewer = _errors(again)
        if len(fewer) < len(errors):
            root, errors, source = again, fewer, other
    root, faults = brackets.better(parser, source, root)
    walk.problems += brackets.problems(faults, walk.places.at_byte)
    for node in _errors(root):
        walk.problem(f"{node.type} is missing" if node.is_missing else "not understood", node)
    return root


def _errors(root: "Node") -> "list[Node]":
    """Outermost places that are no syntax, or where something is missing."""
    waiting = [root] if root.has_error else []
    found: list[Node] = []
    while waiting and len(found) < MOST_PROBLEMS:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            found.append(node)
        else:
            waiting.extend(child for child in reversed(node.children) if child.has_error)
    return found
