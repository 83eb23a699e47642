"""Facts of a C# file."""

from functools import lru_cache
from typing import TYPE_CHECKING

from commonplace.domain.code import Facts
from commonplace.languages.typed.csharp_declarations import DECLARATIONS
from commonplace.languages.typed.csharp_expressions import EXPRESSIONS
from commonplace.languages.typed.csharp_statements import STATEMENTS
from commonplace.languages.typed.directives import without_directives
from commonplace.languages.typed.reading import read, start

if TYPE_CHECKING:
    from tree_sitter import Parser

TABLES = (EXPRESSIONS, {**STATEMENTS, **DECLARATIONS})


@lru_cache(maxsize=1)
def _parser() -> "Parser":
    import tree_sitter  # noqa: PLC0415 - read by workers only
    import tree_sitter_c_sharp  # noqa: PLC0415

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_c_sharp.language()))


def extract(text: str, path: str) -> Facts:
    """What a C# file says."""
    return read(start(text, path, TABLES), _parser(), "csharp", without_directives)
