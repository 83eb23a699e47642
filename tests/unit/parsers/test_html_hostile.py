"""Pages made to hurt: each is read as far as it goes, or says what of it was not."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.domain.document import Document, Resource
from commonplace.parsers import parser_for

DEEP = 100_000
SENTENCE = b"<p>Some words of a sentence that is long enough to be taken for prose, surely.</p>"


def parse(content: bytes, media_type: str = "text/html") -> Document:
    resource = Resource(
        uri="https://docs.example/page.html",
        path="docs.example/page.html",
        content=content,
        media_type=media_type,
        modified_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return parser_for("text/html").parse(resource)


@pytest.mark.requirement("PAR-H26")
@pytest.mark.parametrize(
    "opening",
    [
        *(b"<div>", b"<b>", b"<ul><li>", b"<table><tr><td>", b"<dl><dt>a<dd>", b"<blockquote>"),
        *(b"<div class=note>", b"<math><mrow>", b"<pre><span>", b"<details><summary>", b"<sup>"),
    ],
)
def test_a_hundred_thousand_levels_end_and_are_told(opening: bytes) -> None:
    document = parse(b"<p>Above all this.</p>" + opening * DEEP + b"deep")
    assert document.text.startswith("Above all this.")
    assert document.warnings == ("nested too deeply: what follows the 2048th level was not read",)


@pytest.mark.requirement("PAR-H26")
def test_marks_that_were_never_closed_cost_no_text() -> None:
    document = parse(b"<p><font>word " * 900 + b"<p>the last</p>")
    assert document.text.count("word") == 900
    assert document.text.rstrip().endswith("the last")
    assert document.warnings == ()


@pytest.mark.requirement("PAR-H26")
def test_ten_thousand_links_are_all_there_and_cover_their_words() -> None:
    items = (b'<li><a href="/p%d">page %d</a>' % (one, one) for one in range(10_000))
    document = parse(b"<ul>" + b"".join(items) + b"</ul>")
    assert len(document.links) == 10_000
    assert document.links[-1].span.of(document.text) == "page 9999"


MADE: dict[str, Callable[[], bytes]] = {
    "megabytes of prose": lambda: SENTENCE * 20_000,
    "one endless paragraph": lambda: b"<p>" + b"word " * 1_000_000,
    "attributes without end": lambda: b"<div " + b"a=b " * 200_000 + b">word</div>",
    "classes without end": lambda: b"<div class='" + b"ad " * 200_000 + b"'>word</div>",
    "tags that never close": lambda: (
        b"word <p <a href='x>y</b></table><td><<<>>><div class=\"" * 999
    ),
    "a table of spans": lambda: b"<table><tr><td rowspan=9999 colspan=9999>word</table>" * 20,
    "terms without end": lambda: b"<dl>" + b"<dt>word<dd>b" * 5_000,
    "a comment that never closes": lambda: b"<p>word<!--" + b"x" * 300_000,
}


@pytest.mark.requirement("PAR-H26")
@pytest.mark.parametrize("made", MADE.values(), ids=list(MADE))
def test_much_of_anything_is_read_or_told(made: Callable[[], bytes]) -> None:
    assert "word" in parse(made()).text


@pytest.mark.requirement("PAR-H26")
@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        ("<p>Größe</p>".encode("latin-1"), "text/html; charset=utf-8"),
        ("<p>Größe</p>".encode(), "text/html; charset=iso-8859-1x"),
        ('<meta charset="utf-8"><p>Größe</p>'.encode("cp1252"), "text/html"),
        ('<meta charset="no-such"><p>Größe</p>'.encode(), "text/html"),
    ],
)
def test_a_charset_that_is_not_true_costs_no_page(content: bytes, media_type: str) -> None:
    assert parse(content, media_type).text == "Größe\n"


@pytest.mark.requirement("PAR-H26")
def test_text_that_scripts_would_write_is_told_as_missing() -> None:
    document = parse(b"<div id=app></div><script>document.write('cheese')</script>")
    assert document.text == ""
    assert "web_render" in document.warnings[0]


PIECES = (
    *(b"<div class=ad>", b"</div>", b"<p>", SENTENCE, b"<a href=x>l</a>", b"<main>", b"<td>", b"<"),
    *(b"<article>", b"</article>", b"<h2>", b"<ul>", b"<li>", b"<nav>", b"x", b"\xff"),
)


@pytest.mark.requirement("PAR-H26")
@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.sampled_from(PIECES),
        max_size=60,
    )
)
def test_prose_is_never_lost_whatever_stands_around_it(pieces: list[bytes]) -> None:
    document = parse(b"".join(pieces) + SENTENCE * 3)
    assert all(0 <= one.span.start <= one.span.end <= len(document.text) for one in document.links)
    if b"<nav>" not in pieces and b"<main>" not in pieces:
        assert "Some words of a sentence" in document.text
