"""reStructuredText: what docutils finds, where it stands."""

from pathlib import Path

import docutils.core
import docutils.frontend
import docutils.nodes
import docutils.parsers.rst
import docutils.utils
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.golden.reading import read

GUIDE = Path(__file__).parents[2] / "golden" / "rst" / "guide.in"


def sections_of_docutils(source: str) -> list[tuple[int, str]]:
    """Titles with their depth, without the transforms that move the first one."""
    parser = docutils.parsers.rst.Parser()
    chosen = docutils.frontend.get_default_settings(docutils.parsers.rst.Parser)
    chosen.report_level = 5
    chosen.file_insertion_enabled = chosen.raw_enabled = False
    tree = docutils.utils.new_document("<test>", chosen)
    parser.parse(source, tree)
    found: list[tuple[int, str]] = []
    for title in tree.findall(docutils.nodes.title):
        if isinstance(title.parent, docutils.nodes.section):
            depth = 0
            above: docutils.nodes.Element | None = title.parent
            while isinstance(above, docutils.nodes.section):
                depth, above = depth + 1, above.parent
            found.append((depth, title.astext()))
    return found


def sections(source: str) -> list[tuple[int, str]]:
    return [(one.level, one.heading) for one in read("a.rst", source).sections]


@pytest.mark.requirement("PAR-07")
def test_the_guide_has_the_sections_docutils_finds() -> None:
    source = GUIDE.read_text("utf-8").replace(":func:`one`", "one")
    source = source.replace(".. py:function:: open", ".. unknown:: open")  # nor does docutils
    assert sections(source) == sections_of_docutils(source)


ENTRIES = """\
subprocess --- Subprocesses
===========================

Before.

.. function:: run(args, *, timeout=None)

   Run the command.

   .. attribute:: CompletedProcess.returncode

      Its exit status.

After.

Waiting
-------

.. method:: Waiting(more)

   The heading names it already.

.. option:: --jobs

Without a body it is a mark.
"""


@pytest.mark.requirement("PAR-33")
def test_what_a_directive_describes_is_a_section_of_its_name() -> None:
    document = read("a.rst", ENTRIES)
    told = [(one.level, one.heading) for one in document.sections]
    title = "subprocess --- Subprocesses"
    assert told == [
        (1, title),
        (2, "run"),
        (3, "CompletedProcess.returncode"),
        (1, title),
        (2, "Waiting"),
    ]
    texts = [one.span.of(ENTRIES) for one in document.sections]
    assert texts[1].startswith(".. function:: run(")
    assert texts[2].strip().endswith("exit status.")
    assert texts[3].startswith("After.")
    assert document.sections[0].anchor == document.sections[3].anchor


NAMES = st.sampled_from(["Alpha", "Beta gamma", "Delta"])
BODIES = st.sampled_from(
    [
        "Words.",
        "A list:\n\n- one\n\n  more\n- two",
        "Code::\n\n   Title\n   =====\n",
        ".. note::\n\n   Inside\n",
        "term\n   definition",
        "===  ===\nA    B\n===  ===\n1    2\n===  ===",
        "+---+\n| a |\n+---+",
        ".. code-block:: text\n\n   Not\n   ---\n",
        ".. a comment\n   Title\n   =====\n",
        "1. one\n2. two",
        "| line\n| block",
        "----------",
    ]
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Documents whose title styles are consistent: docutils drops sections that are not."""
    parts = []
    depth = 0
    for _ in range(draw(st.integers(1, 6))):
        depth = draw(st.integers(1, min(depth + 1, 3)))
        mark, name = "=-~"[depth - 1], draw(NAMES)
        parts += [f"{name}\n{mark * len(name)}", draw(BODIES), "Then."]
    return "\n\n".join(parts) + "\n"


@pytest.mark.requirement("PAR-07")
@settings(max_examples=60)
@given(documents())
def test_sections_are_those_of_docutils(source: str) -> None:
    assert sections(source) == sections_of_docutils(source)


@pytest.mark.requirement("PAR-07")
@pytest.mark.parametrize(
    ("source", "language", "code"),
    [
        (".. code-block:: sql\n\n   SELECT 1\n", "sql", ".. code-block:: sql\n\n   SELECT 1"),
        ("Run::\n\n  ls\n   -l\n\nEnd", None, "  ls\n   -l"),
        (".. highlight:: sh\n\n::\n\n  ls\n", "sh", "  ls"),
        (">>> 1\n1\n", "pycon", ">>> 1\n1"),
        ("- item::\n\n    deep\n", None, "    deep"),
        (".. tabs::\n\n   .. code:: go\n\n      x\n", "go", "   .. code:: go\n\n      x"),
    ],
)
def test_code_is_found_in_every_form(source: str, language: str | None, code: str) -> None:
    found = [one for one in read("a.rst", source).blocks if one.kind == "code"]
    assert [(one.language, one.span.of(source)) for one in found] == [(language, code)]


@pytest.mark.requirement("PAR-07")
def test_tables_of_every_form_are_whole() -> None:
    source = (
        "+--+\n|a |\n+==+\n|b |\n+--+\n\n==  ==\nA   B\n==  ==\n1   2\n3   4\n==  ==\n\n"
        ".. list-table::\n\n   * - a\n   * - b\n\n.. csv-table::\n\n   a,b\n   c,d\n\nEnd\n"
    )
    found = [one for one in read("a.rst", source).blocks if one.kind == "table"]
    assert [one.span.of(source).splitlines()[-1].strip() for one in found] == [
        "+--+",
        "==  ==",
        "* - b",
        "c,d",
    ]


@pytest.mark.requirement("PAR-07")
def test_references_are_resolved_to_their_targets() -> None:
    source = (
        "See `the site <https://a.b/>`__, named_, `two words`_, :doc:`/other`, :ref:`x y`, "
        "``not_``, https://c.d and unknown_.\n\n"
        ".. _named: https://n.m\n.. _two words:\n\nT\n=====\n"
    )
    assert [(one.target, one.text) for one in read("a.rst", source).links][:6] == [
        ("https://a.b/", "the site"),
        ("https://n.m", "named"),
        ("#two-words", "two words"),
        ("/other", "/other"),
        ("#x-y", "x y"),
        ("https://c.d", "https://c.d"),
    ]


@pytest.mark.requirement("PAR-07")
def test_an_explicit_target_is_the_anchor_of_the_heading_after_it() -> None:
    document = read("a.rst", ".. _My Label:\n\nTitle\n=====\n\nOther one\n=========\n")
    assert [one.anchor for one in document.sections] == ["my-label", "other-one"]


@pytest.mark.requirement("PAR-31")
def test_labels_and_directives_that_name_a_title_belong_to_its_section() -> None:
    source = (
        "NAME\n====\n\nThe name.\n\n.. versionadded:: 1.2\n\n"
        ".. index:: age\n.. setting:: AGE\n.. _max-age:\n\n``AGE``\n=======\n\nDefault: 0\n"
    )
    above, named = read("a.rst", source).sections
    assert above.span.of(source).rstrip().endswith(".. versionadded:: 1.2")
    assert named.span.of(source).startswith(".. index:: age\n.. setting:: AGE\n")
    assert named.anchor == "max-age"


@pytest.mark.requirement("PAR-31")
def test_a_version_right_above_a_title_is_said_of_what_is_above() -> None:
    source = "Old\n===\n\nText.\n\n.. versionadded:: 3.2\n\nNew in 3.2\n==========\n"
    above, below = read("a.rst", source).sections
    assert above.span.of(source).rstrip().endswith(".. versionadded:: 3.2")
    assert below.span.of(source).startswith("New in 3.2")


@pytest.mark.requirement("PAR-08")
def test_nothing_is_included_or_run(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret", "utf-8")
    source = f".. include:: {secret}\n\n.. raw:: html\n   :file: {secret}\n\n.. eval:: 1/0\n"
    document = read("a.rst", source)
    assert document.text == source
    assert "the secret" not in document.text
