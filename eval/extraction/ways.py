"""The extractors: ours, ours as it was without choosing, and others that are installed."""

import importlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from commonplace.domain.document import Resource
from commonplace.parsers import parser_for

Extract = Callable[[bytes], str]
_NOW = datetime(2026, 1, 1, tzinfo=UTC)


def ours(content: bytes) -> str:
    """The text our parser stores."""
    resource = Resource(
        uri="https://docs.example/page.html",
        path="docs.example/page.html",
        content=content,
        media_type="text/html",
        modified_at=_NOW,
    )
    return parser_for("text/html").parse(resource).text


def _trafilatura(library: Any) -> Extract:  # noqa: ANN401 - not installed here
    return lambda content: library.extract(content, fast=True, include_comments=False) or ""


def _trafilatura_all(library: Any) -> Extract:  # noqa: ANN401
    return lambda content: (
        library.extract(content, include_comments=False, include_tables=True) or ""
    )


def _resiliparse(library: Any) -> Extract:  # noqa: ANN401
    encoding = importlib.import_module("resiliparse.parse.encoding")

    def extract(content: bytes) -> str:
        text = encoding.bytes_to_str(content, encoding.detect_encoding(content))
        return str(library.extract_plain_text(text, main_content=True))

    return extract


def _readability(library: Any) -> Extract:  # noqa: ANN401
    lxml_html = importlib.import_module("lxml.html")

    def extract(content: bytes) -> str:
        summary = library.Document(content).summary()
        return str(lxml_html.fromstring(summary).text_content())

    return extract


def whole(content: bytes) -> str:
    """Every word of the page, scripts and styles left out."""
    lxml_html = importlib.import_module("lxml.html")
    tree = lxml_html.document_fromstring(content)
    for element in list(tree.iter("script", "style", "noscript", "template")):
        element.drop_tree()
    return str(tree.text_content())


_PEERS: dict[str, tuple[str, Callable[[Any], Extract]]] = {
    "trafilatura, fast": ("trafilatura", _trafilatura),
    "trafilatura": ("trafilatura", _trafilatura_all),
    "resiliparse": ("resiliparse.extract.html2text", _resiliparse),
    "readability-lxml": ("readability", _readability),
}


def ways() -> tuple[dict[str, Extract], list[str]]:
    """Every extractor that is installed, by name, and the names of the others."""
    found: dict[str, Extract] = {"ours": ours, "whole page": whole}
    missing = []
    for name, (module, make) in _PEERS.items():
        try:
            found[name] = make(importlib.import_module(module))
        except ImportError:
            missing.append(name)
    return found, missing
