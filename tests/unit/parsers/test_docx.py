"""Word documents as firms and schools write them: own styles, tables of contents, formulas."""

import contextlib
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.document import Document, Resource
from commonplace.domain.errors import ParseError
from commonplace.domain.media import DOCX
from commonplace.parsers.docx import PARSER
from tests.unit.parsers.word import make_docx

MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def read(content: bytes) -> Document:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return PARSER.parse(
        Resource(
            uri="file:///a.docx",
            path="a.docx",
            content=content,
            media_type=DOCX,
            modified_at=moment,
        )
    )


def paragraph(text: str, style: str = "") -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'


def style(key: str, name: str, more: str) -> str:
    return f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/>{more}</w:style>'


def formula(inside: str, tag: str = "oMath") -> str:
    return f"<w:p><w:r><w:t>Is </w:t></w:r><m:{tag} {MATH}>{inside}</m:{tag}></w:p>"


def run(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


@pytest.mark.requirement("PAR-36")
def test_own_styles_are_headings_by_their_base_or_level() -> None:
    styles = (
        style("Firm1", "Firm's \\ Chapter", '<w:basedOn w:val="H1"/>')
        + style(
            "Firm2",
            "Firm part",
            '<w:basedOn w:val="Firm1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr>',
        )
        + style("Deep", "heading 8", "")
        + style(
            "Body", "Firm body", '<w:basedOn w:val="H1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>'
        )
        + style("A", "round", '<w:basedOn w:val="B"/>')
        + style("B", "and round", '<w:basedOn w:val="A"/>')
    )
    named = {"Firm1": "One", "Firm2": "Two", "Deep": "Three", "Body": "Four", "A": "Five"}
    body = "".join(paragraph(text, key) for key, text in named.items())
    found = read(make_docx(body, styles=styles))
    assert [(one.level, one.heading) for one in found.sections] == [
        (1, "One"),
        (2, "Two"),
        (6, "Three"),
    ]
    assert found.text.endswith("Four\n\nFive\n")


@pytest.mark.requirement("PAR-36")
def test_a_table_of_contents_is_left_out() -> None:
    body = paragraph("Costs 3", "Toc") + paragraph("Costs", "H1") + paragraph("They are low.")
    found = read(make_docx(body, styles=style("Toc", "toc 1", "")))
    assert found.text == "# Costs\n\nThey are low.\n"


@pytest.mark.requirement("PAR-37")
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (f"<m:sSup><m:e>{run('r')}</m:e><m:sup>{run('2')}</m:sup></m:sSup>", "r^{2}"),
        (f"<m:f><m:num>{run('a')}</m:num><m:den>{run('b')}</m:den></m:f>", r"\frac{a}{b}"),
        (f"<m:rad><m:deg/><m:e>{run('x')}</m:e></m:rad>", r"\sqrt{x}"),
        (
            '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>'
            f"<m:sub>{run('i')}</m:sub><m:sup>{run('n')}</m:sup><m:e>{run('i')}</m:e></m:nary>",
            r"\sum_{i}^{n} i",
        ),
        (f"<m:d><m:e>{run('a')}</m:e><m:e>{run('b')}</m:e></m:d>", "(a|b)"),
        (
            f"<m:m><m:mr><m:e>{run('1')}</m:e><m:e>{run('2')}</m:e></m:mr>"
            f"<m:mr><m:e>{run('3')}</m:e><m:e>{run('4')}</m:e></m:mr></m:m>",
            r"1 & 2 \\ 3 & 4",
        ),
        (f"{run('y=')}<m:unknown>{run('k')}</m:unknown>{run('x')}", "y=kx"),
    ],
)
def test_a_formula_stands_where_it_stood(written: str, meant: str) -> None:
    assert f"Is ${meant}$" in read(make_docx(formula(written))).text
    shown = formula(f"<m:oMath>{written}</m:oMath>", "oMathPara")
    assert f"$${meant}$$" in read(make_docx(shown)).text


@pytest.mark.requirement("PAR-01")
@given(st.binary(max_size=60), st.integers(0, 400))
def test_damaged_styles_and_formulas_end_in_a_document_or_an_error(noise: bytes, at: int) -> None:
    whole = formula(f"<m:sSup><m:e>{run('r')}</m:e></m:sSup>").encode()
    part = whole[:at] + noise + whole[at:]
    for name in ("word/styles.xml", "word/footnotes.xml"):
        with contextlib.suppress(ParseError):
            assert read(make_docx(extra={name: part})).text
