"""Markdown gives structure with offsets into the file itself."""

import pytest

from commonplace.domain.document import Document
from tests.golden.reading import read


def headings(document: Document) -> list[tuple[int, str, str | None]]:
    return [(one.level, one.heading, one.anchor) for one in document.sections]


@pytest.mark.requirement("PAR-03")
def test_the_text_of_a_markdown_document_is_the_file() -> None:
    source = "# A\r\n\r\nb  \r\n"
    document = read("a.md", source)
    assert document.text == source
    assert not document.is_rendered


@pytest.mark.requirement("PAR-03")
def test_equal_headings_get_the_anchors_github_gives_them() -> None:
    document = read("a.md", "# Set up!\n\n## Use\n\n## Use\n\n### Use\n\n## C++ & `x_y`\n")
    assert headings(document) == [
        (1, "Set up!", "set-up"),
        (2, "Use", "use"),
        (2, "Use", "use-1"),
        (3, "Use", "use-2"),
        (2, "C++ & x_y", "c--x_y"),
    ]


@pytest.mark.requirement("PAR-32")
def test_a_paragraph_with_a_line_under_it_is_no_title() -> None:
    assert read("notes.md", f"{'Long words. ' * 20}\n---\n\nText.").title == "notes"
    assert read("notes.md", "Short words\n---\n\nText.").title == "Short words"


@pytest.mark.requirement("PAR-03")
@pytest.mark.parametrize(
    "heading",
    [
        "## Name {#own}",
        "## Name {/* #own */}",
        '## <a id="own"></a>Name',
        '## <a name="own">Name</a>',
    ],
)
def test_an_explicit_anchor_wins(heading: str) -> None:
    assert headings(read("a.md", heading)) == [(2, "Name", "own")]


@pytest.mark.requirement("PAR-03")
@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("# Java, C# and F#", "Java, C# and F#"),
        ("## Issue # 7 ##", "Issue # 7"),
        ("### C#", "C#"),
        ("#", ""),
    ],
)
def test_only_marks_around_a_heading_are_no_words(heading: str, words: str) -> None:
    assert [one.heading for one in read("a.md", f"{heading}\n\nText.\n").sections] == [words]


@pytest.mark.requirement("PAR-03")
def test_both_heading_styles_open_sections_and_quoted_ones_do_not() -> None:
    document = read(
        "a.md", "One\n===\n\nTwo\nlines\n---\n\n> # Quoted\n\n- # Listed\n\n# Three #\n"
    )
    assert [one.heading for one in document.sections] == ["One", "Two lines", "Three"]


@pytest.mark.requirement("PAR-03")
def test_a_section_reaches_to_the_next_of_its_rank() -> None:
    source = "# A\n\na\n\n## B\n\nb\n\n# C\n\nc\n"
    sections = read("a.md", source).sections
    assert [one.span.of(source)[:3] for one in sections] == ["# A", "## ", "# C"]
    assert [one.span.end for one in sections] == [
        source.index("# C"),
        source.index("# C"),
        len(source),
    ]


@pytest.mark.requirement("PAR-03")
def test_a_heading_mark_inside_a_fence_is_no_heading() -> None:
    document = read("a.md", "```sh\n# not a heading\n```\n\n~~~\n# nor this\n~~~\n")
    assert document.sections == ()
    assert [(one.kind, one.language) for one in document.blocks] == [("code", "sh"), ("code", None)]


@pytest.mark.requirement("PAR-03")
def test_every_link_points_at_its_own_characters() -> None:
    source = (
        "See [a](b.md 'T'), [c][r], [r], [![img](i.png)](big.html), <https://x.org/y> and\n"
        "https://x.org/z. Not `[d](e)` nor ![f](g.png).\n\n- in a [list](l.md)\n\n"
        "| t |\n|---|\n| [cell](c.md) |\n\n[r]: /ref 'title'\n"
    )
    document = read("a.md", source)
    assert [(one.target, one.text) for one in document.links] == [
        ("b.md", "a"),
        ("/ref", "c"),
        ("/ref", "r"),
        ("big.html", ""),
        ("https://x.org/y", "https://x.org/y"),
        ("https://x.org/z", "https://x.org/z"),
        ("l.md", "list"),
        ("c.md", "cell"),
    ]
    assert document.links[0].span.of(source) == "[a](b.md 'T')"
    assert document.links[7].span.of(source) == "[cell](c.md)"


@pytest.mark.requirement("PAR-03")
def test_a_table_is_one_block_whose_atoms_are_rows() -> None:
    source = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"
    (table,) = read("a.md", source).blocks
    assert [atom.of(source) for atom in table.atoms] == [
        "| a | b |\n|---|---|\n",
        "| 1 | 2 |\n",
        "| 3 | 4 |",
    ]


@pytest.mark.requirement("PAR-03")
@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("---\ntitle: Front\n---\n# H", "Front"),
        ("## Two\n\n# One", "One"),
        ("## Two", "Two"),
        ('<h1 align="center">Shown</h1>\n\ntext', "Shown"),
        ("text", "set-up"),
    ],
)
def test_the_title_is_the_best_there_is(source: str, title: str) -> None:
    assert read("docs/set-up.md", source).title == title


@pytest.mark.requirement("PAR-04")
def test_front_matter_in_toml_is_read_too() -> None:
    document = read("a.md", "+++\ntitle = 'T'\ntags = ['a', 'b']\n[deep]\nx = 1\n+++\n\nText\n")
    assert document.title == "T"
    assert document.tags == ("a", "b")
    assert document.attributes["deep"] == ""


@pytest.mark.requirement("PAR-04")
@pytest.mark.parametrize("head", ["a: [", "- b: {", "a: b: c", "!!python/object:os.system x"])
def test_broken_front_matter_is_a_warning(head: str) -> None:
    document = read("a.md", f"---\n{head}\n---\n\n# Title\n")
    assert document.title == "Title"
    assert "front matter" in document.warnings[0]


@pytest.mark.requirement("PAR-04")
def test_a_rule_at_the_start_is_no_front_matter() -> None:
    document = read("a.md", "---\n\nwords\n\n---\n\n# Title\n")
    assert document.attributes == {}
    assert "words" in [one.span.of(document.text) for one in document.blocks]


@pytest.mark.requirement("PAR-39")
@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "# dotenv [![version](v.svg)](https://npmjs.com) ![downloads](d.svg)\n\nIt loads.",
            "dotenv",
        ),
        ("# [![Fastify](logo.svg)](https://fastify.dev)\n\nFast.", "Fastify"),
        ('<h1 align="center"><img src="l.svg" alt="Ajv logo"></h1>\n\n## Use\n\nIt.', "Ajv logo"),
        ("<h3>Sponsors</h3>\n\nThanks.\n\n## Install\n\nRun it.\n\n## Use\n\nUse it.", "a"),
        ("## Install\n\nRun it.\n\n### Use\n\nUse it.", "Install"),
    ],
)
def test_badges_are_no_words_and_banners_no_title(text: str, title: str) -> None:
    found = read("a.md", text.encode())
    assert found.title == title
    assert "![" not in "".join(one.heading for one in found.sections)
