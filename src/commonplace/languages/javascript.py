"""JavaScript, JSX included."""

from commonplace.domain import media
from commonplace.domain.code import Facts
from commonplace.languages.base import Language


def extract(text: str, path: str) -> Facts:
    """Facts of one file."""
    import tree_sitter_javascript  # noqa: PLC0415 - grammars are loaded late

    from commonplace.languages.ecma.extract import extract as read  # noqa: PLC0415 - loads a grammar

    return read(text, path, "javascript", tree_sitter_javascript.language)


JAVASCRIPT = Language(
    name="javascript",
    media_types=(media.JAVASCRIPT,),
    suffixes=(".js", ".jsx", ".mjs", ".cjs"),
    extract=extract,
)
