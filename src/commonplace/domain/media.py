"""Which file is what: the one table from file names to media types.

Sources ask it before reading a file; parsers take their suffixes from it.
"""

from collections.abc import Mapping

MARKDOWN = "text/markdown"
HTML = "text/html"
RESTRUCTURED = "text/x-rst"
PLAIN = "text/plain"
NOTEBOOK = "application/x-ipynb+json"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PDF = "application/pdf"
EPUB = "application/epub+zip"
ANNOTATIONS = "application/x-annotations+json"
PYTHON = "text/x-python"
JAVASCRIPT = "text/javascript"
TYPESCRIPT = "text/x-typescript"
TSX = "text/x-tsx"
JAVA = "text/x-java"
CSHARP = "text/x-csharp"
GO = "text/x-go"
SQL = "application/sql"
PRISMA = "text/x-prisma"
MYBATIS = "text/x-mybatis"
GO_MODULE = "text/x-go-module"
PACKAGE_JSON = "application/x-package+json"
TSCONFIG_JSON = "application/x-tsconfig+json"

CODE_SUFFIXES: Mapping[str, str] = {
    ".py": PYTHON,
    ".pyi": PYTHON,
    ".pyw": PYTHON,
    ".js": JAVASCRIPT,
    ".jsx": JAVASCRIPT,
    ".mjs": JAVASCRIPT,
    ".cjs": JAVASCRIPT,
    ".ts": TYPESCRIPT,
    ".mts": TYPESCRIPT,
    ".cts": TYPESCRIPT,
    ".tsx": TSX,
    ".java": JAVA,
    ".cs": CSHARP,
    ".go": GO,
    ".sql": SQL,
    ".ddl": SQL,
    ".prisma": PRISMA,
}

# Files that are code by their whole name.
CODE_NAMES: Mapping[str, str] = {
    "go.mod": GO_MODULE,
    "package.json": PACKAGE_JSON,
    "tsconfig.json": TSCONFIG_JSON,
    "tsconfig.base.json": TSCONFIG_JSON,
    "jsconfig.json": TSCONFIG_JSON,
}

SUFFIXES: Mapping[str, str] = {
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".mdown": MARKDOWN,
    ".mkd": MARKDOWN,
    ".mdx": MARKDOWN,
    ".qmd": MARKDOWN,
    ".rmd": MARKDOWN,
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": HTML,
    ".rst": RESTRUCTURED,
    ".rest": RESTRUCTURED,
    ".txt": PLAIN,
    ".text": PLAIN,
    ".adoc": PLAIN,
    ".asciidoc": PLAIN,
    ".org": PLAIN,
    ".ipynb": NOTEBOOK,
    ".docx": DOCX,
    ".pdf": PDF,
    ".epub": EPUB,
}

# Files that carry prose although their names have no suffix.
PLAIN_NAMES = frozenset(
    {"readme", "license", "licence", "copying", "notice", "changelog", "changes", "history", "news"}
    | {"authors", "contributors", "maintainers", "thanks", "credits", "contributing"}
    | {"install", "faq", "todo"}
)


def media_type_of(name: str) -> str | None:
    """The media type a file's name promises; None when no parser reads it.

    >>> media_type_of("Guide.MD"), media_type_of("README"), media_type_of("logo.png")
    ('text/markdown', 'text/plain', None)
    >>> media_type_of("app.tsx"), media_type_of("go.mod"), media_type_of("OrderMapper.xml")
    ('text/x-tsx', 'text/x-go-module', 'text/x-mybatis')
    """
    lower = name.lower()
    dot = lower.rfind(".")
    if dot <= 0:
        return PLAIN if lower in PLAIN_NAMES else None
    suffix = lower[dot:]
    if suffix == ".xml":  # of all that is written so, what mappers of MyBatis are called
        return MYBATIS if lower.endswith(("mapper.xml", "dao.xml")) else None
    if suffix == ".json" and lower.startswith(("tsconfig.", "jsconfig.")):
        return TSCONFIG_JSON  # also tsconfig.base.json and the like
    return SUFFIXES.get(suffix) or CODE_SUFFIXES.get(suffix) or CODE_NAMES.get(lower)


CODE_TYPES = tuple(dict.fromkeys((*CODE_SUFFIXES.values(), *CODE_NAMES.values(), MYBATIS)))
_CODE = frozenset(CODE_TYPES)


def is_code_type(media_type: str) -> bool:
    """Whether files of this type are code, or say how code is put together.

    >>> is_code_type(PYTHON), is_code_type(MARKDOWN)
    (True, False)
    """
    return media_type in _CODE


def suffixes_of(*media_types: str) -> tuple[str, ...]:
    """The file name endings of these media types.

    >>> suffixes_of(DOCX)
    ('.docx',)
    """
    return tuple(suffix for suffix, found in SUFFIXES.items() if found in media_types)


def is_text(media_type: str) -> bool:
    """Whether files of this type are characters, so that a NUL byte betrays another type.

    >>> is_text("text/html"), is_text(NOTEBOOK), is_text(PDF)
    (True, True, False)
    """
    return media_type.startswith("text/") or media_type.endswith("json") or media_type == SQL
