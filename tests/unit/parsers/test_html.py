"""HTML becomes the text a reader sees."""

import pytest

from tests.golden.reading import read


@pytest.mark.requirement("PAR-06")
def test_nothing_hidden_reaches_the_text() -> None:
    page = (
        "<body><script>evil()</script><style>p{}</style><!-- secret --><nav>menu</nav>"
        "<p hidden>gone</p><p aria-hidden=true>gone</p><template>gone</template>"
        "<noscript>gone</noscript><div role=navigation>gone</div><p>Kept</p><footer>gone</footer>"
    )
    assert read("a.html", page).text == "Kept\n"


@pytest.mark.requirement("PAR-05")
@pytest.mark.parametrize("tag", ["main", "div role=main", "article"])
def test_the_marked_content_is_preferred(tag: str) -> None:
    words = "The content that matters, long enough to be taken for it."
    page = f"<body><div>before</div><{tag}><p>{words}</p></{tag.split()[0]}><div>after</div>"
    assert read("a.html", page).text == f"{words}\n"


@pytest.mark.requirement("PAR-05")
def test_an_empty_main_does_not_hide_the_page() -> None:
    assert "Words" in read("a.html", "<main></main><p>Words outside of it").text


@pytest.mark.requirement("PAR-05")
def test_code_keeps_its_lines_and_language() -> None:
    page = '<pre><code class="hljs language-rust">fn main() {\n    let x = "```";\n}</code></pre>'
    document = read("a.html", page)
    (block,) = document.blocks
    assert block.language == "rust"
    assert document.text == '```rust\nfn main() {\n    let x = "```";\n}\n```\n'


@pytest.mark.requirement("PAR-05")
def test_a_fence_inside_code_gets_a_longer_fence() -> None:
    assert read("a.html", "<pre>```\nx\n```</pre>").text == "````\n```\nx\n```\n````\n"


@pytest.mark.requirement("PAR-05")
def test_spanning_cells_are_repeated_so_that_each_row_reads_alone() -> None:
    page = (
        "<table><tr><th>K<th colspan=2>V</tr><tr><td rowspan=2>a<td>1<td>2</tr>"
        "<tr><td>3<td>4</tr><tr><td>b</table>"
    )
    assert read("a.html", page).text.splitlines() == [
        "| K | V | V |",
        "|---|---|---|",
        "| a | 1 | 2 |",
        "| a | 3 | 4 |",
        "| b |   |   |",
    ]


@pytest.mark.requirement("PAR-05")
def test_links_in_tables_and_lists_point_at_their_words() -> None:
    page = (
        "<ul><li>x <a href=one>first<br>link</a></li></ul><table><tr><td>h</td><td>i</td></tr>"
        "<tr><td>a <a href=two>second</a></td><td><a href=three>third</a></td></tr></table>"
    )
    document = read("a.html", page)
    found = [(one.target, one.text, one.span.of(document.text)) for one in document.links]
    assert found == [
        ("one", "first\nlink", "first\n  link"),
        ("two", "second", "second"),
        ("three", "third", "third"),
    ]


@pytest.mark.requirement("PAR-05")
def test_a_layout_table_is_read_as_blocks() -> None:
    document = read("a.html", "<table><tr><td><h2>Left</h2><p>words</td><td><pre>x</pre></table>")
    assert [one.kind for one in document.blocks] == ["heading", "paragraph", "code"]


@pytest.mark.requirement("PAR-05")
@pytest.mark.parametrize(
    "markup",
    [
        "<h2 id=own>T</h2>",
        "<section id=own><h2>T</h2></section>",
        "<h2><a id=own></a>T</h2>",
        "<a name=own></a><h2>T</h2>",
        "<div id=own class=section><h2>T<a class=headerlink href=#x>¶</a></h2></div>",
    ],
)
def test_a_heading_finds_its_anchor(markup: str) -> None:
    (section,) = read("a.html", markup).sections
    assert (section.heading, section.anchor) == ("T", "own")


@pytest.mark.requirement("PAR-05")
@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        ('<meta charset="koi8-r"><p>Привет'.encode("koi8-r"), "text/html"),
        ("<p>Привет".encode("koi8-r"), "text/html; charset=koi8-r"),
        ('<?xml version="1.0" encoding="koi8-r"?><p>Привет'.encode("koi8-r"), "text/html"),
        ("<p>Привет".encode("utf-16"), "text/html"),
    ],
)
def test_the_declared_charset_is_used(content: bytes, media_type: str) -> None:
    assert read("a.html", content, media_type).text == "Привет\n"


@pytest.mark.requirement("PAR-13")
def test_what_lies_too_deep_is_told() -> None:
    document = read("a.html", "<p>Top</p>" + "<div>" * 5000 + "deep")
    assert document.text.startswith("Top")
    assert "too deeply" in document.warnings[0]


@pytest.mark.requirement("PAR-05")
def test_white_space_collapses_and_entities_are_characters() -> None:
    assert read("a.html", "<p> a\n\t b&nbsp;c &lt;d&gt; <i>e</i>f </p>").text == "a b\xa0c <d> ef\n"


@pytest.mark.requirement("PAR-05")
def test_a_page_without_words_is_an_empty_document() -> None:
    assert read("a.html", "<!-- only this -->").text == ""
