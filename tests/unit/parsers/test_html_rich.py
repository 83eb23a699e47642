"""What pages hold beside prose: formulas, notes, images, links in tables (seed 001 §7)."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.document import Document, Resource
from commonplace.parsers import parser_for


def parse(markup: str) -> Document:
    resource = Resource(
        uri="https://docs.example/a/page.html",
        path="docs.example/a/page.html",
        content=f"<main><h1>Page</h1>{markup}</main>".encode(),
        media_type="text/html; charset=utf-8",
        modified_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return parser_for("text/html").parse(resource)


@pytest.mark.requirement("PAR-H20")
@pytest.mark.parametrize(
    ("inner", "formula"),
    [
        ("<mfrac><mn>1</mn><mi>x</mi></mfrac>", r"\frac{1}{x}"),
        ("<msup><mi>e</mi><mrow><mi>i</mi><mi>π</mi></mrow></msup>", r"e^{i\pi}"),
        ("<msub><mi>a</mi><mn>1</mn></msub>", "a_{1}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_{i}^{2}"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", r"\sqrt{x+1}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3]{x}"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>i</mi>", r"\sum_{i}^{n}i"),
        ("<munder><mi>lim</mi><mi>n</mi></munder>", r"\lim_{n}"),
        ("<mover><mi>x</mi><mo>^</mo></mover>", r"\hat{x}"),
        ("<mi>α</mi><mo>≤</mo><mi>β</mi>", r"\alpha\le\beta"),
        ("<mi>sin</mi><mi>x</mi>", r"\sin x"),
        ("<mtext>if </mtext><mi>x</mi>", r"\text{if}x"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"),
        (
            "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>",
            r"\begin{matrix}1 & 2\end{matrix}",
        ),
        ("<mfrac><mn>1</mn></mfrac>", "1"),
        ("<munknown><mi>y</mi></munknown>", "y"),
    ],
)
def test_formulas_are_read_from_their_structure(inner: str, formula: str) -> None:
    assert f"before ${formula}$ after" in parse(f"<p>before <math>{inner}</math> after</p>").text


@pytest.mark.requirement("PAR-H20")
def test_the_author_s_own_latex_comes_first() -> None:
    alt = parse(r'<p><math alttext="E = mc^2"><mi>E</mi></math></p>')
    assert "$E = mc^2$" in alt.text
    note = '<math display="block"><semantics><mi>a</mi><annotation encoding="application/x-tex">a'
    shown = parse(f"{note}_0</annotation></semantics></math>")
    assert "$$a_0$$" in shown.text


@pytest.mark.requirement("PAR-H20")
@given(st.recursive(st.just("<mi>x</mi>"), lambda t: t.map(lambda i: f"<msup>{i}{i}</msup>")))
def test_no_formula_is_too_deep(inner: str) -> None:
    assert "x" in parse(f"<p><math>{inner}</math></p>").text


@pytest.mark.requirement("PAR-H21")
@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (
            '<div class="admonition warning"><p class="admonition-title">Warning</p>'
            "<p>Deprecated since 1.2.</p></div>",
            "⚠️ WARNING: Deprecated since 1.2.",
        ),
        ('<div class="note"><p>Only here.</p></div>', "ℹ️ NOTE: Only here."),
        (
            '<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p>'
            "<p>Try it.</p></div>",
            "💡 TIP: Try it.",
        ),
        (
            '<div class="admonition"><p class="admonition-title">Good to know</p><p>Yes.</p></div>',
            "ℹ️ NOTE (Good to know): Yes.",
        ),
        ('<div class="alert alert-danger">Stop.</div>', "🛑 DANGER: Stop."),
        (
            '<div class="admonitionblock"><table><tr><td class="icon"><div class="title">Warning'
            '</div></td><td class="content">It rewrites history. Beware.</td></tr></table></div>',
            "⚠️ WARNING: It rewrites history. Beware.",
        ),
        ('<div class="note-list big"><p>Plain.</p></div>', "Plain."),
    ],
)
def test_notes_and_warnings_carry_their_label(markup: str, text: str) -> None:
    assert parse(f"<p>First.</p>{markup}<p>Last.</p>").text == (
        f"# Page\n\nFirst.\n\n{text}\n\nLast.\n"
    )


@pytest.mark.requirement("PAR-05")
@pytest.mark.parametrize(
    "handle",
    [
        '<a class="permalink" title="Permanent link" href="#related">&para;</a>',
        '<a href="page.html#related">#</a>',
        '<a href="#related"><span>🔗</span></a>',
        '<a href="#header"><img alt="top" src="up.gif"></a>',
        '<a href="#">[Back to top]</a>',
    ],
)
def test_handles_of_the_page_are_no_words(handle: str) -> None:
    document = parse(f'<h2 id="related">Related {handle}</h2><p>Text.</p><div>{handle}</div>')
    assert document.text == "# Page\n\n## Related\n\nText.\n"


@pytest.mark.requirement("PAR-05")
def test_a_link_that_says_something_stays() -> None:
    links = '<a href="#top-level">top-level</a>, <a href="x.html">top</a>, <a href="#note">1</a>'
    assert parse(f"<p>See {links}.</p>").text == "# Page\n\nSee top-level, top, 1.\n"


@pytest.mark.requirement("PAR-H22")
def test_images_are_told_with_alt_caption_and_place() -> None:
    document = parse(
        '<p>Words.</p><figure><img src="../arch.png" alt="The parts"><figcaption>Figure 1: all '
        'parts</figcaption></figure><p><img src="data:image/png;base64,AAAA"><img alt="none"></p>'
    )
    (image,) = document.images
    assert (image.target, image.alt) == ("../arch.png", "The parts")
    assert image.caption == "Figure 1: all parts"
    assert document.text[image.span.start :].startswith("The parts")


@pytest.mark.requirement("PAR-H23")
def test_links_in_cells_survive_line_breaks_and_bars() -> None:
    cell = '<a href="x.html">One</a><br>a | b <a href="y.html">two</a>'
    document = parse(f"<table><tr><td>{cell}</td></tr></table>")
    shown = {link.target: link.span.of(document.text) for link in document.links}
    assert shown == {"x.html": "One", "y.html": "two"}
