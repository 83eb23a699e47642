"""From a file of Go to its facts."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import tree_sitter_go
from tree_sitter import Language, Parser

from commonplace.domain.code import Facts
from commonplace.domain.expr import text as text_expr
from commonplace.languages.golang.definitions import declare_types
from commonplace.languages.golang.expressions import EXPRESSIONS
from commonplace.languages.golang.statements import STATEMENTS
from commonplace.languages.golang.walk import GoWalk
from commonplace.languages.queried import texts_in
from commonplace.languages.sheet import Sheet
from commonplace.languages.told import facts, numbered, parsed, refused
from commonplace.languages.walk import Draft, Grammar

if TYPE_CHECKING:
    from tree_sitter import Node

# ``new(now.Add(day))`` of Go 1.26, where the grammar knows types only: a value, not a type.
_VALUE = re.compile(
    rb"(?<![\w.])new(?=\(\s*+(?:[(\"'`\d&!+^-]|\w++\.\w++\.|func\([^()\n]*+\)[^(){,\n]*+\{"
    rb"|(?!(?:func|struct|interface|map|chan)\b)[\w.]++(?:\[[^\]\n]*+\])?\s*+[({+/%&|^<>=!-]))"
)
_GENERATE = re.compile(r"^//(go:generate .{1,300})$", re.MULTILINE)


@lru_cache(maxsize=1)
def _grammar() -> tuple[Parser, Grammar]:
    language = Language(tree_sitter_go.language())
    grammar = Grammar(numbered(language, EXPRESSIONS), numbered(language, STATEMENTS))
    return Parser(language), grammar


def extract(text: str, path: str) -> Facts:
    """Facts of a file; one too large is told as a problem and not read."""
    sheet = Sheet(text)
    label = path.rpartition("/")[2]
    file = Draft(kind="File", name=label, path="", parent=0, start=0, end=len(text))
    no = refused(sheet, file, "go")
    if no is not None:
        return no
    parser, grammar = _grammar()
    root, problems = parsed(parser, sheet, sheet.source, _with_values)
    walk = GoWalk(sheet, grammar, is_test=label.endswith("_test.go"))
    walk.texts = texts_in(root, sheet.source, sheet.at)
    walk.drafts.append(file)
    namespace = _declare(walk, root.named_children, file)
    file.decorators = tuple(text_expr(found) for found in _GENERATE.findall(text))
    walk.comment = None
    walk.put_off(root.named_children)
    del root
    walk.run()
    return facts(walk, problems, "go", namespace)


def _with_values(source: bytes) -> bytes:
    """``new`` of a value as a call of any other function, for the grammar only.

    >>> _with_values(b"a, b, c := new(now.Add(d)), new(T), new(func() int)")
    b'a, b, c := neW(now.Add(d)), new(T), new(func() int)'
    """
    return _VALUE.sub(b"neW", source)


def _declare(walk: GoWalk, nodes: "list[Node]", file: Draft) -> str:
    """The package, and its types ahead of everything that may ask for them."""
    namespace = ""
    for node in nodes:
        if node.type == "comment":
            walk.comment = node
        elif node.type == "package_clause":
            file.doc = walk.documented(node)[1]
            namespace = walk.word(node.named_children[-1]) if node.named_children else ""
        elif node.type == "type_declaration":
            declare_types(walk, node)
    return namespace
