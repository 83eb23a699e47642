"""Facts of a Python file: one walk over its syntax tree."""

import builtins
from functools import lru_cache
from typing import TYPE_CHECKING

from commonplace.domain.code import At, Facts, Problem, Symbol, Use
from commonplace.languages.generated import is_generated
from commonplace.languages.pythonic.definitions import doc_of
from commonplace.languages.pythonic.expressions import READERS, children
from commonplace.languages.pythonic.notes import Doer, Notes, Reader, Scope, grammar
from commonplace.languages.pythonic.repair import repaired
from commonplace.languages.pythonic.statements import DOERS, value
from commonplace.languages.queried import texts_in

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_CHARS = 1_000_000  # seconds at worst; larger files are data or bundles
MOST_PROBLEMS = 100  # of one file: the rest is the same story
BUILTINS = frozenset(dir(builtins))


@lru_cache(maxsize=1)
def _tables() -> tuple[tuple[Reader, ...], tuple[Doer, ...]]:
    """For every kind of node what reads it as a value and as a statement."""
    language, _ = grammar()
    names = [language.node_kind_for_id(number) for number in range(language.node_kind_count)]
    readers = [READERS.get(name or "", children) for name in names]
    doers = [DOERS.get(name or "", value) for name in names]
    error = 65535  # the grammar's number for what it could not place
    padding = error + 1 - len(names)
    return (
        (*readers, *([children] * padding)),
        (*doers, *([DOERS["ERROR"]] * padding)),
    )


def extract(text: str, path: str) -> Facts:
    """The facts of one file."""
    if len(text) > MOST_CHARS:
        return _unread(text, path, f"too large to read: {len(text)} characters")
    source = text.encode("utf-8", "replace")
    readers, doers = _tables()
    root = grammar()[1].parse(source).root_node
    broken = errors(source, root) if root.has_error else []
    if broken:
        root = grammar()[1].parse(repaired(source) or source).root_node
    notes = Notes(source, readers, doers)
    notes.is_test_file = is_test_file(path)
    notes.symbols.append(None)
    notes.scopes.append(notes.scope)
    notes.is_broken = root.has_error
    notes.problems.extend(broken)
    notes.texts = texts_in(root, source, notes.at)
    notes.run(root.named_children)
    notes.close(_module(path, notes.at(root), doc_of(notes, root)))
    return _facts(notes, is_generated(text))


def is_test_file(path: str) -> bool:
    """Whether its name is one test runners look into.

    >>> is_test_file("tests/test_order.py"), is_test_file("src/latest.py")
    (True, False)
    """
    name = path.rpartition("/")[2]
    return name.startswith("test_") or name.endswith("_test.py") or name in ("tests.py", "test.py")


def _module(path: str, at: At, doc: str) -> Symbol:
    folder, _, name = path.rpartition("/")
    name = name.rpartition(".")[0] or name
    if name == "__init__":
        name = folder.rpartition("/")[2]
    whole = At(1, 0, at.end_line, at.end_column)
    return Symbol(kind="Module", name=name, path="", parent=0, at=whole, doc=doc)


def _unread(text: str, path: str, why: str) -> Facts:
    last = text.rfind("\n")
    at = At(1, 0, text.count("\n") + 1, len(text) - last - 1)
    return Facts(
        language="python",
        symbols=(_module(path, at, ""),),
        problems=(Problem(why, at),),
        is_generated=is_generated(text),
    )


def errors(source: bytes, root: "Node") -> list[Problem]:
    """Every region the grammar could not place, from the outside in."""
    notes = Notes(source, (), ())
    found: list[Problem] = []
    waiting = [root]
    while waiting and len(found) < MOST_PROBLEMS:
        node = waiting.pop()
        if node.is_missing:
            found.append(Problem(f"missing {node.type}", notes.at(node)))
        elif node.is_error:
            found.append(Problem("syntax error", notes.at(node)))
        elif node.has_error:
            waiting.extend(reversed(node.children))
    return found


def _names(notes: Notes) -> list[Use]:
    """Names read that are not the function's own: of the module, of a class, from outside."""
    found: list[Use] = []
    defined = notes.scopes[0].local
    for scope in notes.scopes:
        if not scope.reads:
            continue
        bound = _bound(scope)
        number = scope.number
        for name, node in scope.reads:
            word = name[1]
            if word not in bound and (word not in BUILTINS or word in defined):
                at = notes.at_first(node, word)
                found.append(tuple.__new__(Use, (number, name, at, "read")))
    return found


def _bound(scope: Scope) -> set[str]:
    """Names that mean a variable of this function or of one around it."""
    found: set[str] = set()
    current: Scope | None = scope
    while current is not None:
        if current.kind == "function":
            found |= current.local
        current = current.outer
    return found


def _facts(notes: Notes, made_by_program: bool) -> Facts:
    return Facts(
        language="python",
        symbols=tuple(symbol for symbol in notes.symbols if symbol is not None),
        imports=tuple(notes.imports),
        flows=tuple(notes.flows),
        calls=tuple(notes.calls),
        uses=(*notes.uses, *_names(notes)),
        exports=tuple(notes.exports.items()),
        texts=notes.texts,
        problems=tuple(notes.problems),
        is_generated=made_by_program,
    )
