"""Facts of a Java file."""

from functools import lru_cache
from typing import TYPE_CHECKING

from commonplace.domain.code import Facts
from commonplace.languages.typed.java_declarations import DECLARATIONS
from commonplace.languages.typed.java_expressions import EXPRESSIONS
from commonplace.languages.typed.java_statements import STATEMENTS
from commonplace.languages.typed.reading import read, start

if TYPE_CHECKING:
    from tree_sitter import Parser

TABLES = (EXPRESSIONS, {**STATEMENTS, **DECLARATIONS})


@lru_cache(maxsize=1)
def _parser() -> "Parser":
    import tree_sitter  # noqa: PLC0415 - read by workers only
    import tree_sitter_java  # noqa: PLC0415

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_java.language()))


def extract(text: str, path: str) -> Facts:
    """What a Java file says."""
    return read(start(text, path, TABLES), _parser(), "java")
