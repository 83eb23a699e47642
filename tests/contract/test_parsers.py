"""Every parser, whatever the bytes: a document whose offsets hold, or ParseError."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace import parsers
from commonplace.catalog import collect
from commonplace.domain.document import Document
from commonplace.domain.errors import ParseError
from commonplace.domain.media import SUFFIXES
from commonplace.parsers import parser_for
from commonplace.parsers.base import Parser
from commonplace.split.prose import split_prose
from commonplace.tokens import token_counter
from tests.golden.reading import card_of, resource
from tests.unit.parsers.word import make_docx

PARSERS = collect(parsers, Parser)
COUNT = token_counter("cl100k_base")
DEEP = 100_000

HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \n\t\r\n",
    "nul": b"a\0b\0",
    "only nul": b"\0" * 100,
    "invalid utf-8": b"caf\xe9 \xff\xfe\xfa",
    "truncated utf-8": "naïve 数".encode()[:-1],
    "utf-8 mark": b"\xef\xbb\xbf# A\n\nb",
    "utf-16": "# Ü\n\nb".encode("utf-16"),
    "broken utf-16": b"\xff\xfe\x00\xd8a",
    "utf-32": "# Ü\n\nb".encode("utf-32"),
    "crlf": b"# A\r\n\r\nb\r\n\r\n```\r\nc\r\n```\r\n",
    "cr": b"# A\r\rb\r\rC\r=\r\r| a |\r| - |\r| b |\r",
    "line separator": "# A\u2028b\u2029\u0085c\x0b\x0c\x1cd".encode(),
    "combining": ("e" + "\u0301" * 5000).encode(),
    "emoji": ("👩‍👩‍👧‍👦" * 2000).encode(),
    "right to left": "# שלום \u202eabc\u202c\n\nمرحبا".encode(),
    "huge line": b"x" * 300_000,
    "huge words": b"word " * 40_000,
    "deep list": b"- " * DEEP,
    "deep quote": b">" * DEEP,
    "deep brackets": b"[" * DEEP,
    "deep images": b"![" * DEEP,
    "deep links": b"[a](" * DEEP,
    "deep html": b"<div>" * DEEP + b"x",
    "deep spans": b"<p>" + b"<span>" * DEEP + b"x",
    "deep html list": b"<ul><li>" * DEEP + b"x",
    "deep tables": b"<table><tr><td>" * 10_000,
    "deep json": b"[" * DEEP,
    "deep cells": b'{"cells":' * DEEP,
    "deep indent": b"".join(b" " * n + b"a\n" for n in range(1500)),
    "deep front matter": b"---\n" + b"[" * 30_000 + b"\n---\n",
    "yaml aliases": b"---\na: &a [x]\n"
    + b"".join(b"b%d: &b%d [*%b, *%b]\n" % (n, n, p, p) for n, p in enumerate([b"a"] * 99))
    + b"---\n",
    "open fence": b"```\n" + b"x\n" * 1000,
    "open comment": b"<!-- " * 1000,
    "wide spans": b"<table>" + b"<tr><td colspan=1000 rowspan=65534>x" * 400 + b"</table>",
    "zip head": b"PK\x03\x04" + b"\0" * 100,
    "truncated docx": make_docx()[:-50],
    "docx": make_docx(),
    "not a word document": make_docx("<w:p><w:r>"),
    "json scalar": b"3",
    "odd notebook": b'{"cells": [1, {"cell_type": "code", "source": 3, "outputs": {}}, null]}',
    "surrogates": b'{"cells": [{"cell_type": "markdown", "source": "# \\ud800 a"}]}',
    "adornments": b"====\n" * 1000,
    "directives": b".. a::\n\n   " * 1000,
}


def assert_holds(document: Document) -> None:
    """Every offset lies in the text, in order, and the text can be stored."""
    text = document.text
    text.encode("utf-8")
    assert "\0" not in text
    assert document.title
    document.title.encode("utf-8")
    at = 0
    for block in document.blocks:
        assert at <= block.span.start < block.span.end <= len(text)
        gap = text[at : block.span.start]
        assert not any(char.isalnum() for char in gap), f"words outside of blocks: {gap[:80]!r}"
        at = block.span.end
        edge = block.span.start
        for atom in block.atoms:
            assert atom.start == edge
            edge = atom.end
        assert not block.atoms or edge >= block.span.end
    starts = [section.span.start for section in document.sections]
    assert starts == sorted(starts)
    for section in document.sections:
        assert 0 <= section.span.start < section.span.end <= len(text)
    for link in document.links:
        assert 0 <= link.span.start <= link.span.end <= len(text)
        link.target.encode("utf-8")


def parse(parser: Parser, content: bytes) -> Document | None:
    try:
        return parser.parse(resource("a" + parser.suffixes[0], content, parser.media_types[0]))
    except ParseError:
        return None


@pytest.mark.requirement("PAR-01")
@pytest.mark.requirement("PAR-13")
@pytest.mark.parametrize("content", HOSTILE.values(), ids=list(HOSTILE))
@pytest.mark.parametrize("parser", PARSERS.values(), ids=list(PARSERS))
def test_hostile_bytes_give_a_document_or_a_parse_error(parser: Parser, content: bytes) -> None:
    document = parse(parser, content)
    if document is None:
        return
    assert_holds(document)
    passages = split_prose(document, card_of("a", document), COUNT, 256)
    assert "".join(one.text for one in passages) == document.text or not document.text.strip()


@pytest.mark.requirement("PAR-01")
@pytest.mark.parametrize("parser", PARSERS.values(), ids=list(PARSERS))
@settings(max_examples=50)
@given(content=st.one_of(st.binary(max_size=400), st.text(max_size=400).map(str.encode)))
def test_random_bytes_give_a_document_or_a_parse_error(parser: Parser, content: bytes) -> None:
    document = parse(parser, content)
    if document is not None:
        assert_holds(document)


BLANKS = [" ", "\n", "\n\n", "    ", "\t", "\r\n", "\u2028"]
TEXT_MARKS = ["#", "-", ">", "```", "|", "---", "===", "::", "..", "_", "`", "[x](y)", "1."]
RST_MARKS = ["+--+", "|x|", "code::", "== ==", "a", "b:", "é", "~~~", "*"]
OPENING = ["<p>", "<table>", "<td>", "<h2>", "<pre>", "<li>", "<ul>", "<div>", "<dl><dt>", "<dd>"]
OTHER_TAGS = ["</p>", "</ul>", "<br>", "<a href=x>", "<script>", "<!--", "-->", "&lt;"]
MARKS = st.lists(
    st.sampled_from(BLANKS + TEXT_MARKS + RST_MARKS + OPENING + OTHER_TAGS), max_size=60
).map("".join)


@pytest.mark.requirement("PAR-01")
@pytest.mark.parametrize("parser", PARSERS.values(), ids=list(PARSERS))
@settings(max_examples=100)
@given(text=MARKS)
def test_random_markup_gives_a_document_or_a_parse_error(parser: Parser, text: str) -> None:
    document = parse(parser, text.encode())
    if document is not None:
        assert_holds(document)


@pytest.mark.requirement("PAR-14")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_suffix_has_a_parser_that_knows_it(suffix: str) -> None:
    assert suffix in parser_for(SUFFIXES[suffix]).suffixes


@pytest.mark.requirement("PAR-14")
def test_an_unknown_media_type_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(ParseError, match="text/markdown"):
        parser_for("image/png")
