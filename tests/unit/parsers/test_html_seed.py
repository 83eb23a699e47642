"""Rich content as seed 001 §7 draws it, case by case and character by character."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.domain.document import Document, Resource
from commonplace.parsers import parser_for


def parse(markup: str, media_type: str = "text/html") -> Document:
    resource = Resource(
        uri="https://docs.example/a/page.html",
        path="docs.example/a/page.html",
        content=markup.encode(),
        media_type=f"{media_type}; charset=utf-8",
        modified_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return parser_for(media_type).parse(resource)


def lines(markup: str) -> list[str]:
    return parse(markup).text.splitlines()


@pytest.mark.requirement("PAR-S71")
def test_tables_are_aligned_as_the_seed_draws_them() -> None:
    page = """<table><thead><tr><th>Column A</th><th>Column B</th><th>Column C</th></tr></thead>
    <tbody><tr><td>Value number 1</td><td>42</td><td>Yes</td></tr>
    <tr><td>Value 2</td><td>17</td><td>No</td></tr></tbody></table>"""
    assert lines(page) == [
        "| Column A       | Column B | Column C |",
        "|----------------|----------|----------|",
        "| Value number 1 | 42       | Yes      |",
        "| Value 2        | 17       | No       |",
    ]


@pytest.mark.requirement("PAR-S71")
def test_spans_are_expanded_so_that_every_row_reads_alone() -> None:
    page = (
        "<table><tr><th rowspan=2>Name<th colspan=2>Size</tr><tr><th>min<th>max</tr>"
        "<tr><td>pool<td>1<td>9</tr><tr><td colspan=3>none</tr></table>"
    )
    assert lines(page) == [
        "| Name | Size | Size |",
        "|------|------|------|",
        "| Name | min  | max  |",
        "| pool | 1    | 9    |",
        "| none | none | none |",
    ]


@pytest.mark.requirement("PAR-S71")
def test_a_table_inside_a_table_of_facts_stays_in_its_cell() -> None:
    inner = "<table><tr><td>min</td><td>1</td></tr><tr><td>max</td><td>9</td></tr></table>"
    page = f"<table><tr><th>Name</th><th>Limits</th></tr><tr><td>pool</td><td>{inner}</td></tr>"
    assert lines(page) == [
        "| Name | Limits         |",
        "|------|----------------|",
        "| pool | min, 1; max, 9 |",
    ]


@pytest.mark.requirement("PAR-S71")
def test_a_table_inside_a_table_that_lays_out_stands_alone() -> None:
    inner = "<table><tr><th>Key</th></tr><tr><td>a</td></tr></table>"
    page = f"<table><tr><td>Left words</td><td>{inner}</td></tr></table>"
    assert lines(page) == ["Left words", "", "| Key |", "|-----|", "| a   |"]


@pytest.mark.requirement("PAR-S71")
def test_one_long_cell_does_not_widen_every_row() -> None:
    long = "word " * 60
    rows = lines(f"<table><tr><th>A<th>B</tr><tr><td>{long}<td>1</tr><tr><td>x<td>2</tr></table>")
    assert rows[3] == f"| {'x'.ljust(40)} | 2 |"


@pytest.mark.requirement("PAR-S71")
@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.lists(st.text("ab |\n", max_size=8), min_size=1, max_size=4), min_size=1, max_size=4
    )
)
def test_links_in_aligned_tables_cover_their_words(grid: list[list[str]]) -> None:
    cells = [
        "".join(f'<td><a href="t{r}-{c}">{text or "x"}</a></td>' for c, text in enumerate(row))
        for r, row in enumerate(grid)
    ]
    document = parse("<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>")
    for link in document.links:
        assert link.span.of(document.text) == link.text


@pytest.mark.requirement("PAR-S72")
@pytest.mark.parametrize(
    ("markup", "language"),
    [
        ('<pre><code class="language-python">{}</code></pre>', "python"),  # CommonMark, Prism
        ('<pre class="language-js"><code>{}</code></pre>', "js"),
        ('<div class="highlight-python3 notranslate"><div class="highlight"><pre>{}', "python3"),
        ('<div class="highlight highlight-source-shell"><pre>{}</pre></div>', "shell"),  # GitHub
        ('<div class="highlight highlight-text-html-basic"><pre>{}</pre></div>', "html"),
        ('<pre><code class="hljs rust">{}</code></pre>', "rust"),  # highlight.js
        ('<pre><code class="hljs language-c++">{}</code></pre>', "c++"),
        ('<div class="sourceCode"><pre class="sourceCode haskell"><code>{}', "haskell"),  # pandoc
        ('<pre class="brush: java; gutter: false">{}</pre>', "java"),  # SyntaxHighlighter
        ('<pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: sql">{}', "sql"),
        ('<pre class="prettyprint lang-go">{}</pre>', "go"),  # prettify
        ('<div class="language-ruby highlighter-rouge"><div><pre>{}</pre></div></div>', "ruby"),
        ('<pre class="chroma"><code class="language-toml" data-lang="toml">{}', "toml"),  # Hugo
        ('<pre class="shiki" data-language="ts"><code>{}</code></pre>', "ts"),  # Shiki
        ('<pre class="src src-emacs-lisp">{}</pre>', "emacs-lisp"),  # Org
        ('<div class="mw-highlight mw-highlight-lang-lua"><pre>{}</pre></div>', "lua"),
        ('<pre class="EnlighterJSRAW" data-enlighter-language="css">{}</pre>', "css"),
        ('<pre class="crayon lang:php decode:true">{}</pre>', "php"),  # Crayon
        ('<pre><code class="language-rust,ignore">{}</code></pre>', "rust"),  # mdBook
        ('<pre class="programlisting xml">{}</pre>', "xml"),  # DocBook
        ("<pre><code>{}</code></pre>", ""),
        ('<pre><code class="language-text">{}</code></pre>', ""),
        ('<div class="highlight-default notranslate"><pre>{}</pre></div>', ""),
        ('<pre class="codehilite">{}</pre>', ""),
    ],
)
def test_code_is_fenced_with_the_language_its_highlighter_names(markup: str, language: str) -> None:
    code = "def gradient_boost(X, y, n_estimators=100):\n    ..."
    assert parse(markup.replace("{}", code)).text == f"```{language}\n{code}\n```\n"


@pytest.mark.requirement("PAR-S72")
@pytest.mark.parametrize(
    "markup",
    [
        "<pre><span class=lineno>1</span>a = 1\n<span class=lineno>2</span>b = 2</pre>",
        "<pre>a = 1<br>b = 2</pre>",
        "<pre><div class=line>a = 1</div><div class=line>b = 2</div></pre>",
        "<pre><button>Copy</button>a = 1\nb = 2</pre>",
        "<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre></td>"
        "<td class=code><pre>a = 1\nb = 2</pre></td></tr></table>",
        "<pre><code><table class=hljs-ln><tr><td class=hljs-ln-numbers>1</td><td>a = 1</td></tr>"
        "<tr><td class=hljs-ln-numbers>2</td><td>b = 2</td></tr></table></code></pre>",
    ],
)
def test_line_numbers_and_buttons_are_not_code(markup: str) -> None:
    assert parse(markup).text == "```\na = 1\nb = 2\n```\n"


@pytest.mark.requirement("PAR-S72")
@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("use <code>new_method()</code> now", "use `new_method()` now\n"),
        ("a <code>x`y</code> b", "a ``x`y`` b\n"),
        ("press <kbd>Ctrl</kbd>+<kbd>C</kbd>", "press `Ctrl`+`C`\n"),
    ],
)
def test_inline_code_keeps_its_marks(markup: str, text: str) -> None:
    assert parse(f"<p>{markup}</p>").text == text


@pytest.mark.requirement("PAR-S73")
@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ('<p>so <math alttext="x^2"><mi>y</mi></math> is</p>', "so $x^2$ is\n"),
        ('<math display="block"><mfrac><mi>a</mi><mi>b</mi></mfrac></math>', "$$\\frac{a}{b}$$\n"),
        ("<p><math>words only</math></p>", "$words only$\n"),
        (r'<p><span class="math notranslate">\(a+b\)</span></p>', "$a+b$\n"),  # Sphinx
        (r'<div class="math notranslate">\[a = b\]</div>', "$$a = b$$\n"),
        (r'<p><span class="math inline">\(c\)</span></p>', "$c$\n"),  # pandoc
        (r'<div class="arithmatex">\[d\]</div>', "$$d$$\n"),  # MkDocs
        ('<p>is <script type="math/tex">e_1</script></p>', "is $e_1$\n"),  # MathJax 2
        ('<p>is</p><script type="math/tex; mode=display">f</script>', "is\n\n$$f$$\n"),
        (
            '<p><span class="katex"><span class="katex-mathml"><math><semantics><mi>g</mi>'
            '<annotation encoding="application/x-tex">g^2</annotation></semantics></math></span>'
            '<span class="katex-html" aria-hidden="true">g2</span></span></p>',
            "$g^2$\n",
        ),
        (
            '<p><span class="mwe-math-element"><span class="mwe-math-mathml-inline" '
            'style="display: none;"><math alttext="{\\displaystyle h}"><mi>h</mi></math></span>'
            '<img class="mwe-math-fallback-image-inline" alt="{\\displaystyle h}" src="h.svg">'
            "</span></p>",
            "$h$\n",
        ),
    ],
)
def test_formulas_stand_between_dollars_once(markup: str, text: str) -> None:
    assert parse(markup).text == text


@pytest.mark.requirement("PAR-S74")
@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (
            "<dt>Term 1</dt><dd>Definition text for term 1.</dd>"
            "<dt>Term 2</dt><dd>Definition text for term 2.</dd>",
            "**Term 1**: Definition text for term 1.\n\n**Term 2**: Definition text for term 2.\n",
        ),
        ("<dt>A</dt><dt>B</dt><dd>Both.", "**A**, **B**: Both.\n"),
        ("<dt>A<dd><p>One.</p><p>Two.</p><dd>Three.", "**A**: One.\n\nTwo.\n\nThree.\n"),
        ("<dt>A<dd><pre>x</pre>", "**A**:\n\n```\nx\n```\n"),
        ("<dt>A<dd><ul><li>x<li>y</ul>", "**A**:\n\n- x\n- y\n"),
        ("<dt>A<dd><table><tr><td>x<td>y</table>", "**A**:\n\n| x | y |\n|---|---|\n"),
        ("<dt>Alone", "**Alone**\n"),
        ("<dd>Only said.", "Only said.\n"),
        ("<div><dt>A<dd>a.</div><div><dt>B<dd>b.</div>", "**A**: a.\n\n**B**: b.\n"),
        ("<dt><code>f(x)</code><dd>Calls.", "**`f(x)`**: Calls.\n"),
        ("<dt>A<dd><dl><dt>B<dd>b.</dl>", "**A**:\n\n**B**: b.\n"),
    ],
)
def test_definitions_follow_their_terms(markup: str, text: str) -> None:
    assert parse(f"<dl>{markup}</dl>").text == text


@pytest.mark.requirement("PAR-S74")
def test_links_of_a_term_and_its_definition_cover_their_words() -> None:
    document = parse('<dl><dt>The <a href="t">term</a><dd>Is <a href="d">said</a> here.</dl>')
    assert document.text == "**The term**: Is said here.\n"
    found = [(one.target, one.span.of(document.text)) for one in document.links]
    assert found == [("t", "term"), ("d", "said")]


@pytest.mark.requirement("PAR-S75")
@pytest.mark.parametrize(
    ("image", "target"),
    [
        ('<img src="../img/arch.png" alt="Parts">', "../img/arch.png"),
        ('<img src="data:image/gif;base64,R0" data-src="late.png" alt="Parts">', "late.png"),
        ('<img srcset="small.png 480w, big.png 960w" alt="Parts">', "small.png"),
        (
            '<picture><source srcset="a.webp"><img src="a.png" alt="Parts"></picture>',
            "a.png",
        ),
    ],
)
def test_images_tell_address_alt_and_caption(image: str, target: str) -> None:
    document = parse(f"<figure>{image}<figcaption>Figure 1: all <b>parts</b></figcaption></figure>")
    (found,) = document.images
    assert (found.target, found.alt, found.caption) == (target, "Parts", "Figure 1: all parts")
    assert document.text == "Parts\n\nFigure 1: all parts\n"


@pytest.mark.requirement("PAR-S75")
def test_the_base_of_a_page_counts_for_its_links_and_images() -> None:
    document = parse(
        '<head><base href="https://other.example/root/"></head><p><a href="b.html">next</a> '
        '<img src="c.png" alt="a sign"> <a href="#here">here</a></p>'
    )
    assert [one.target for one in document.links] == [
        "https://other.example/root/b.html",
        "#here",
    ]
    assert document.images[0].target == "https://other.example/root/c.png"


NOTES = {
    '<div class="admonition warning"><p class="admonition-title">Warning</p>'
    "<p>This method is deprecated in version 1.2. Use <code>new_method()</code> instead.": (
        "⚠️ WARNING: This method is deprecated in version 1.2. Use `new_method()` instead."
    ),
    '<div class="note"><p>This only applies when <code>n_estimators &gt; 100</code>.</p></div>': (
        "ℹ️ NOTE: This only applies when `n_estimators > 100`."
    ),
    '<div class="markdown-alert markdown-alert-caution"><p class="markdown-alert-title">Caution'
    "</p><p>Hot.</p></div>": "⚠️ CAUTION: Hot.",
    '<div class="theme-admonition theme-admonition-tip admonition_x1 alert alert--success">'
    '<div class="admonitionHeading_y2"><span>tip</span></div><div><p>Try it.</p></div></div>': (
        "💡 TIP: Try it."
    ),
    '<div class="tip custom-block"><p class="custom-block-title">TIP</p><p>Yes.</p></div>': (
        "💡 TIP: Yes."
    ),
    '<div class="alert alert-danger" role="alert">Stop.</div>': "🛑 DANGER: Stop.",
    '<div class="admonitionblock note"><table><tr><td class="icon"><div class="title">Note</div>'
    '</td><td class="content">Said.</td></tr></table></div>': "ℹ️ NOTE: Said.",
    '<aside class="starlight-aside starlight-aside--caution"><p class="starlight-aside__title">'
    "Caution</p><div><p>Slow.</p></div></aside>": "⚠️ CAUTION: Slow.",
    '<details class="note"><summary>Note</summary><p>Folded.</p></details>': "ℹ️ NOTE: Folded.",
    '<div class="callout" data-callout="info"><div class="callout-title">Info</div><p>So.</p>'
    "</div>": "ℹ️ INFO: So.",
    '<div class="admonition"><p class="admonition-title">Good to know</p><p>Yes.</p></div>': (
        "ℹ️ NOTE (Good to know): Yes."
    ),
    '<div class="warning"><pre>rm -rf</pre></div>': "⚠️ WARNING:\n\n```\nrm -rf\n```",
    '<div class="note"><ul><li>one</li></ul></div>': "ℹ️ NOTE:\n\n- one",
}


@pytest.mark.requirement("PAR-S76")
@pytest.mark.parametrize(("markup", "text"), NOTES.items())
def test_notes_are_labelled_as_the_seed_draws_them(markup: str, text: str) -> None:
    assert parse(f"<p>First.</p>{markup}<p>Last.</p>").text == f"First.\n\n{text}\n\nLast.\n"


@pytest.mark.requirement("PAR-S77")
@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<custom-tag>Kept <blink>words</blink></custom-tag>", "Kept words\n"),
        ("<p>One   \n two</p><p>Three</p>", "One two\n\nThree\n"),
        ("<details><summary>More</summary><p>Folded.</p></details>", "**More**\n\nFolded.\n"),
        ("<p>H<sub>2</sub>O and x<sub>i</sub></p>", "H2O and x_i\n"),
        ("<p>10<sup>2</sup>, x<sup>n+1</sup>, 5<sup>th</sup></p>", "10^2, x^(n+1), 5th\n"),
        ("<p><del>old</del> <q>said</q></p>", "~~old~~ “said”\n"),
        ("<p>Is so.<sup><a href=#fn1>1</a></sup></p>", "Is so.[1]\n"),
        ('<p>So<a class="footnote-reference brackets" href="#id2">2</a>.</p>', "So[2].\n"),
        ('<p>Cited<sup class=reference><a href="#cite_note-3">[3]</a></sup></p>', "Cited[3]\n"),
        (
            '<ol><li id=fn1><p>The note. <a class="footnote-backref" href="#r">↩</a></p></li></ol>',
            "1. The note.\n",
        ),
        (
            '<aside class="footnote brackets"><span class="label">[2]</span><p>Said.</p></aside>',
            "[2]\n\nSaid.\n",
        ),
    ],
)
def test_everything_else_is_its_words(markup: str, text: str) -> None:
    assert parse(markup).text == text


@pytest.mark.requirement("PAR-S78")
def test_markdown_pages_pass_as_they_are() -> None:
    source = "# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\nx\n```\n\n<b>kept</b>\n"
    document = parse(source, "text/markdown")
    assert document.text == source


NESTED = (
    *("div", "dl", "dt", "dd", "ul", "li", "table", "tr", "td", "details", "summary", "blockquote"),
    *("sup", "h2", 'div class="note"', "figure", "del"),
)


@pytest.mark.requirement("PAR-S78")
@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.sampled_from(["<p>w</p>", "<pre>c</pre>", "x", '<a href="t">l</a>', "<br>"]),
        lambda inner: st.builds(
            lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
            st.sampled_from(NESTED),
            st.lists(inner, max_size=4),
        ),
        max_leaves=20,
    )
)
def test_every_offset_holds_whatever_is_nested_in_what(markup: str) -> None:
    document = parse(markup)
    at = 0
    for block in document.blocks:
        assert at <= block.span.start < block.span.end <= len(document.text)
        at = block.span.end
    for link in document.links:
        assert not len(link.span) or link.span.of(document.text).split() == link.text.split()
