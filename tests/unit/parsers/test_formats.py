"""Plain text, Word documents and notebooks."""

import json

import pytest

from commonplace.domain.errors import ParseError
from tests.golden.reading import read
from tests.unit.parsers.word import make_docx


@pytest.mark.requirement("PAR-09")
@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("Title\n=====\n\ntext", ["Title"]),
        ("Title\n-----\ntext goes on", ["Title"]),
        ("NAME\n    ls - list", ["NAME"]),
        ("2.1 Getting started\n\ntext", ["2.1 Getting started"]),
        ("2.1 apples were eaten.\n\ntext", []),
        ("WARNING! DO NOT DO THIS.\n\ntext", []),
        ("A TITLE\nthat goes on", []),
        ("-----\n=====\n", []),
        ("a list of things\n===\n", []),
        ("x", []),
    ],
)
def test_only_clear_headings_count(source: str, found: list[str]) -> None:
    document = read("a.txt", source)
    assert [one.heading for one in document.sections] == found
    assert document.text == source


@pytest.mark.requirement("PAR-07")
def test_restructuredtext_in_a_text_file_is_recognised() -> None:
    document = read(
        "a.txt", "Title\n=====\n\n.. note:: Mind\n\n.. code-block:: sql\n\n   SELECT 1\n"
    )
    assert [one.language for one in document.blocks if one.kind == "code"] == ["sql"]


@pytest.mark.requirement("PAR-10")
def test_a_word_document_gives_sections_links_and_tables() -> None:
    document = read("r.docx", make_docx())
    assert document.is_rendered
    assert [(one.level, one.heading) for one in document.sections] == [(1, "Report"), (2, "Costs")]
    assert [(one.target, one.text) for one in document.links] == [
        ("https://example.org/", "the site")
    ]
    assert "| Ink  | 3   |" in document.text


@pytest.mark.requirement("PAR-11")
def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = make_docx(extra={"word/comments.xml": b" " * 40_000_000})
    assert len(bomb) < 100_000
    with pytest.raises(ParseError, match="unpack"):
        read("bomb.docx", bomb)


@pytest.mark.requirement("PAR-11")
def test_an_archive_of_too_many_parts_is_refused() -> None:
    with pytest.raises(ParseError, match="parts"):
        read("many.docx", make_docx(extra={f"word/{n}.bin": b"" for n in range(10_001)}))


@pytest.mark.requirement("PAR-11")
def test_xml_entities_are_refused() -> None:
    laughs = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">]><x>&a;</x>'
    with pytest.raises(ParseError, match="entities"):
        read("laughs.docx", make_docx(extra={"word/comments.xml": laughs}))


def notebook(*cells: object, **metadata: object) -> str:
    return json.dumps({"nbformat": 4, "metadata": metadata, "cells": cells})


@pytest.mark.requirement("PAR-12")
def test_a_notebook_keeps_prose_and_code_in_order() -> None:
    document = read(
        "n.ipynb",
        notebook(
            {"cell_type": "markdown", "source": ["# A\n", "see [b](c)"]},
            {"cell_type": "code", "source": "x = 1", "outputs": []},
            language_info={"name": "julia"},
        ),
    )
    assert document.text == "# A\nsee [b](c)\n\n```julia\nx = 1\n```\n"
    assert [(one.kind, one.language) for one in document.blocks][-1] == ("code", "julia")
    assert document.links[0].span.of(document.text) == "[b](c)"


@pytest.mark.requirement("PAR-12")
def test_long_output_is_shortened_at_a_line() -> None:
    output = {"output_type": "stream", "text": "line\n" * 5000}
    text = read("n.ipynb", notebook({"cell_type": "code", "source": "x", "outputs": [output]})).text
    assert len(text) < 2200
    assert text.endswith("line\n…\n```\n")


@pytest.mark.requirement("PAR-12")
def test_the_third_format_is_read() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Old"},
        {"cell_type": "code", "input": "y", "outputs": [{"output_type": "pyout", "text": "1"}]},
    ]
    document = read("n.ipynb", json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}))
    assert document.title == "Old"
    assert document.text == "## Old\n\n```python\ny\n```\n\n```text\n1\n```\n"


@pytest.mark.requirement("PAR-12")
def test_json_that_is_no_notebook_is_a_parse_error() -> None:
    with pytest.raises(ParseError, match="no notebook"):
        read("n.ipynb", "[1]")


@pytest.mark.requirement("PAR-09")
def test_a_title_between_two_rules_is_that_of_the_text_and_others_stand_below_it() -> None:
    text = "=====\nNotes\n=====\n\nWords.\n\nBugfixes\n========\n\nMore words.\n"
    document = read("a.txt", text.encode())
    assert document.title == "Notes"
    assert [(one.level, one.heading) for one in document.sections] == [
        (1, "Notes"),
        (2, "Bugfixes"),
    ]


@pytest.mark.requirement("PAR-07")
@pytest.mark.parametrize("role", ["meth", "ticket", "py:class", "c:func"])
def test_a_text_with_a_title_and_any_role_is_restructured_text(role: str) -> None:
    text = (
        f"=====\nNotes\n=====\n\nWords.\n\nMore ``words``\n==============\n\nFixes :{role}:`it`.\n"
    )
    document = read("a.txt", text.encode())
    assert [one.heading for one in document.sections] == ["Notes", "More words"]


@pytest.mark.requirement("PAR-09")
@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("TAR(1)                  GNU TAR Manual                  TAR(1)", "tar(1)"),
        ("File::Find(3perl)   Perl Reference Guide   File::Find(3perl)", "File::Find(3perl)"),
        ("TAR(1) and ZIP(1) are compared here", "NAME"),
    ],
)
def test_a_page_of_a_manual_is_called_by_its_first_line(head: str, title: str) -> None:
    document = read("page.txt", f"{head}\n\nNAME\n       tar - an archiver\n\nOPTIONS\n       -x\n")
    assert document.title == title
    assert [section.heading for section in document.sections] == ["NAME", "OPTIONS"]
