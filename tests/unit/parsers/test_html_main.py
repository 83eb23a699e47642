"""Of a page only its content is read: what surrounds it is left out, its links are not lost."""

from datetime import UTC, datetime

import pytest

from commonplace.domain.document import Document, Resource
from commonplace.parsers import parser_for

PROSE = (
    "A pool holds every volume of a cluster, and each volume takes its space from the pool as it "
    "grows. Reading this sentence, nobody would take it for a menu."
)
MENU = "".join(f'<li><a href="/{word}">{word} page</a></li>' for word in ("one", "two", "three"))


def parse(markup: str, title: str = "Page") -> Document:
    resource = Resource(
        uri="https://docs.example/a/page.html",
        path="docs.example/a/page.html",
        content=f"<html><head><title>{title}</title></head><body>{markup}</body></html>".encode(),
        media_type="text/html; charset=utf-8",
        modified_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return parser_for("text/html").parse(resource)


@pytest.mark.requirement("PAR-H24")
@pytest.mark.parametrize(
    "opening",
    [
        '<div class="body" role="main">',  # Sphinx: alabaster, classic
        '<article class="bd-article">',  # pydata-sphinx-theme, sphinx-book-theme
        '<article id="furo-main-content">',
        '<div class="rst-content">',  # Read the Docs
        '<article class="md-content__inner md-typeset">',  # MkDocs Material
        '<div class="theme-doc-markdown markdown">',  # Docusaurus
        '<div class="vp-doc">',  # VitePress
        '<div class="theme-default-content">',  # VuePress
        '<div class="sl-markdown-content">',  # Starlight
        '<div class="td-content">',  # Docsy
        '<article class="markdown-body">',  # GitHub
        '<div class="mw-parser-output">',  # MediaWiki
        "<main>",
        '<div role="main">',
        "<article>",
        '<div class="entry-content">',
    ],
)
def test_the_content_a_tool_marks_is_the_document(opening: str) -> None:
    closing = f"</{opening[1:].split()[0].rstrip('>')}>"
    page = parse(
        f"<div class=sidebar><ul>{MENU}</ul><p>{PROSE} Aside.</p></div>{opening}<h1 id=top>Pools"
        f"</h1><p>{PROSE}</p><h2 id=limits>Limits</h2><p>{PROSE}</p>{closing}"
        f"<div class=related><p>{PROSE} Related.</p></div><footer>© nobody</footer>"
    )
    assert page.text == f"# Pools\n\n{PROSE}\n\n## Limits\n\n{PROSE}\n"
    assert [(one.heading, one.anchor) for one in page.sections] == [
        ("Pools", "top"),
        ("Limits", "limits"),
    ]


@pytest.mark.requirement("PAR-H24")
@pytest.mark.parametrize(
    "chrome",
    [
        f'<div id="nav"><ul>{MENU}</ul></div>',
        f'<div class="col left-sidebar"><p>{PROSE} Aside.</p></div>',
        f'<div id="cookie-consent"><p>We use cookies. {PROSE}</p></div>',
        f'<div class="gdpr banner"><p>{PROSE} Accept all.</p></div>',
        f'<section class="relatedPosts"><h3>Read on</h3><ul>{MENU}</ul></section>',
        f'<div class="newsletter-signup"><p>{PROSE} Subscribe!</p></div>',
        '<div class="share-buttons">Tell your friends about this</div>',
        f"<div><h3>You may also like</h3><ul>{MENU}</ul></div>",
        f'<div class="comments-area"><p>{PROSE} First!</p></div>',
        f"<nav>{MENU}</nav>",
        "<footer>All rights reserved</footer>",
        f"<aside><p>{PROSE} By the way.</p></aside>",
        '<div style="display: none"><p>Nobody sees this sentence, which is long enough.</p></div>',
        '<table><tr><td><a href="/a">Alpha</a> <a href="/b">Beta</a></td></tr></table>',
    ],
)
@pytest.mark.parametrize("place", ["before", "after", "inside"])
def test_chrome_is_left_out_where_nothing_is_marked(chrome: str, place: str) -> None:
    prose = f"<h2 id=why>Why</h2><p>{PROSE}</p><p>{PROSE}</p>"
    inner = prose + (chrome if place == "inside" else "") + f"<p>{PROSE}</p>"
    page = parse(
        f"<div class=wrap>{chrome if place == 'before' else ''}<div class=text>{inner}</div>"
        f"{chrome if place == 'after' else ''}</div>"
    )
    assert page.text == f"## Why\n\n{PROSE}\n\n{PROSE}\n\n{PROSE}\n"


@pytest.mark.requirement("PAR-H25")
def test_the_links_of_what_is_left_out_still_lead_on() -> None:
    page = parse(
        f'<div class=text><p>{PROSE} See <a href="/in">the inner one</a>.</p><p>{PROSE}</p>'
        f"<div class=related><ul>{MENU}</ul></div></div>"
    )
    found = [(one.target, one.text, one.span.of(page.text)) for one in page.links]
    assert found == [
        ("/in", "the inner one", "the inner one"),
        ("/one", "one page", ""),
        ("/two", "two page", ""),
        ("/three", "three page", ""),
    ]
    assert "two page" not in page.text


@pytest.mark.requirement("PAR-H25")
def test_a_page_that_is_a_list_of_links_keeps_them() -> None:
    page = parse(f"<h1>Contents</h1><ul>{MENU}</ul>")
    assert page.text == "# Contents\n\n- one page\n- two page\n- three page\n"
    marked = parse(
        f"<p>{PROSE}</p><div role=main class=body><h1>All pages there are</h1><ul>{MENU}</ul></div>"
    )
    assert marked.text == "# All pages there are\n\n- one page\n- two page\n- three page\n"


@pytest.mark.requirement("PAR-H25")
@pytest.mark.parametrize("name", ["sidebar", "comments", "related", "footer-wrap", "header"])
def test_no_name_condemns_what_holds_the_prose(name: str) -> None:
    page = parse(f'<div class="{name}"><p>{PROSE}</p><p>{PROSE}</p></div><p>Little more.</p>')
    assert page.text.count(PROSE) == 2


@pytest.mark.requirement("PAR-H25")
def test_an_introduction_beside_the_text_belongs_to_it() -> None:
    intro = "This is the introduction which stands in a box of its own, above the article."
    body = f"<p>{PROSE}</p>" * 6
    page = parse(f"<div><div class=intro><p>{intro}</p></div><div class=text>{body}</div></div>")
    assert page.text.startswith(intro)


@pytest.mark.requirement("PAR-H25")
def test_code_tables_and_quotations_inside_the_text_stay() -> None:
    inner = (
        "<pre>x = 1</pre><table><tr><th>Key</th><th>Value</th></tr><tr><td>a</td><td>1</td></tr>"
        "</table><blockquote class=twitter-tweet><p>Said.</p></blockquote><ul><li>short</li></ul>"
    )
    text = parse(f"<div><p>{PROSE}</p>{inner}<p>{PROSE}</p></div>").text
    for kept in ("x = 1", "| Key", "> Said.", "- short"):
        assert kept in text


@pytest.mark.requirement("PAR-H24")
def test_the_title_is_that_of_the_page_not_of_the_site() -> None:
    article = f"<div class=entry-content><p>{PROSE}</p><p>{PROSE}</p></div>"
    assert parse(f"<h1>Pools</h1>{article}", "Pools - The Site").title == "Pools"
    assert parse(f"<h1>The Site</h1>{article}", "Pools").title == "Pools"


@pytest.mark.requirement("PAR-34")
@pytest.mark.parametrize(
    "part",
    [
        f'<div class="sect2" id="SQL-SYNTAX-COMMENTS"><h3>Comments</h3><p>{PROSE} Kept.</p></div>',
        f'<section id="shared-tools" class="level2"><h2>Shared</h2><p>{PROSE} Kept.</p></section>',
        f'<section id="comments"><h2>Comments</h2><p>{PROSE} Kept.</p></section>',
        f'<dl><dt id="GUC-SHARED-BUFFERS">Kept.</dt><dd>{PROSE}</dd></dl>',
        f'<dl><dt>Term</dt><dd id="meta-data">{PROSE} Kept.</dd></dl>',
    ],
)
def test_an_id_says_what_a_part_tells_of_and_not_that_it_is_a_menu(part: str) -> None:
    page = parse(f"<h1>Pools</h1><p>{PROSE}</p><p>{PROSE}</p>{part}<p>{PROSE}</p>")
    assert "Kept." in page.text


@pytest.mark.requirement("PAR-35")
@pytest.mark.parametrize(
    "page",
    [
        "<div class=body role=main><h1>Pools</h1><p>Read on.</p>{}</div>",
        f"<h1>Pools</h1><p>{PROSE}</p><p>{PROSE}</p><p>Read on.</p>{{}}",
        "<h1>Pools</h1><p>Read on.</p>{}",
    ],
)
def test_a_long_table_of_contents_gives_links_and_no_words(page: str) -> None:
    rows = [f"<li><a href=/{number}>Pool.drain{number}()</a></li>" for number in range(20)]
    whole = f"<h2>Contents</h2><div class='toctree-wrapper compound'><ul>{''.join(rows)}</ul></div>"
    read = parse(page.format(whole))
    assert "Read on." in read.text
    assert "drain" not in read.text
    assert "Contents" not in read.text
    assert [link.target for link in read.links] == [f"/{number}" for number in range(20)]
    short = whole.replace(rows[0], "")
    assert "drain19" in parse(page.format(short)).text or PROSE in page


@pytest.mark.requirement("PAR-35")
def test_a_block_of_that_name_with_sentences_is_read() -> None:
    rows = "".join(f"<li><a href=/{number}>Pool {number}</a></li>" for number in range(30))
    read = parse(f"<h1>Pools</h1><div class=contents><p>{PROSE}</p><ul>{rows}</ul></div>")
    assert PROSE in read.text


@pytest.mark.requirement("PAR-34")
def test_comments_below_an_article_are_still_left_out() -> None:
    said = f'<div id="comments"><h2>Comments</h2><p>{PROSE} Said.</p></div>'
    assert "Said." not in parse(f"<h1>Pools</h1><p>{PROSE}</p><p>{PROSE}</p>{said}").text


@pytest.mark.requirement("PAR-34")
def test_definitions_that_are_all_links_are_no_menu() -> None:
    rows = "".join(f'<dt>{n}</dt><dd><p><a href="/{n}">Word {n}</a></p></dd>' for n in "abcdef")
    page = parse(f'<h1>Pools</h1><p>{PROSE}</p><dl class="variablelist">{rows}</dl>')
    assert "**f**: Word f" in page.text


@pytest.mark.requirement("PAR-33")
def test_an_entry_with_an_anchor_is_a_section_of_its_name() -> None:
    page = parse(
        f"<h1>Memory</h1><p>{PROSE}</p><dl><dt id=GUC-WORK-MEM>\n<code>work_mem</code> "
        f"(<code>integer</code>)</dt><dd><p>Sets the memory.</p><p>The default is 4MB.</p><dl>"
        f"<dt id=inner>size()</dt><dd>Its size.</dd></dl></dd><dt>Plain</dt><dd>No anchor.</dd>"
        f"</dl><p>{PROSE}</p><h2>Disk</h2><p>{PROSE}</p>"
    )
    told = [(one.level, one.heading, one.anchor) for one in page.sections]
    assert told == [
        (1, "Memory", None),
        (2, "work_mem", "GUC-WORK-MEM"),
        (3, "size", "inner"),
        (1, "Memory", None),
        (2, "Disk", None),
    ]
    entry = page.sections[1].span.of(page.text)
    assert entry.startswith("**`work_mem` (`integer`)**: Sets the memory.\n\nThe default is 4MB.")
    assert page.sections[3].span.of(page.text).startswith("**Plain**: No anchor.")


@pytest.mark.requirement("PAR-33")
def test_marks_of_footnotes_are_no_entries() -> None:
    note = '<dl class="footnote brackets"><dt class="label" id="id1">a</dt><dd>A note.</dd></dl>'
    page = parse(f"<h1>Pools</h1><p>{PROSE}</p>{note}")
    assert [one.heading for one in page.sections] == ["Pools"]
