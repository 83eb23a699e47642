"""Reading our own pages: blocks, headings, links."""

import itertools
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")])


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def tokens(page: Path) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(page.read_text("utf-8"))


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a language, in order."""
    fences = (token for token in tokens(page) if token.type == "fence")
    return [token.content for token in fences if token.info.strip() == language]


def commands(page: Path) -> Iterator[list[str]]:
    """The command lines of the shell blocks, without the texts fed to them."""
    for block in [*blocks(page, "sh"), *blocks(page, "console")]:
        text = re.sub(r"<<'(\w+)'\n.*?\n\1\n", "\n", block, flags=re.DOTALL)
        for line in text.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words:
                yield words


def slug(heading: str) -> str:
    """The anchor a page's renderer gives a heading: lower case, words joined by hyphens.

    >>> slug("1. Get the `program`!")
    '1-get-the-program'
    """
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


@cache
def anchors(page: Path) -> set[str]:
    found = tokens(page)
    return {
        slug("".join(child.content for child in inline.children or []))
        for opening, inline in itertools.pairwise(found)
        if opening.type == "heading_open"
    }


def links(page: Path) -> Iterator[str]:
    """Where the links and pictures of a page point to."""
    for token in tokens(page):
        for child in token.children or []:
            target = child.attrGet("href") or child.attrGet("src")
            if isinstance(target, str):
                yield target
        if token.type in ("html_block", "html_inline"):
            yield from re.findall(r'(?:href|src|srcset)="([^"]+)"', token.content)
