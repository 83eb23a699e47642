"""TypeScript, with and without JSX, declaration files included."""

from commonplace.domain import media
from commonplace.domain.code import Facts
from commonplace.languages.base import Language


def extract(text: str, path: str) -> Facts:
    """Facts of one file."""
    import tree_sitter_typescript  # noqa: PLC0415 - grammars are loaded late

    from commonplace.languages.ecma.extract import extract as read  # noqa: PLC0415 - loads a grammar

    is_jsx = path.lower().endswith(".tsx")
    load = (
        tree_sitter_typescript.language_tsx
        if is_jsx
        else tree_sitter_typescript.language_typescript
    )
    return read(text, path, "typescript", load)


TYPESCRIPT = Language(
    name="typescript",
    media_types=(media.TYPESCRIPT, media.TSX),
    suffixes=(".ts", ".mts", ".cts", ".tsx"),
    extract=extract,
)
