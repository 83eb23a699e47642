"""EPUB books: order of chapters, headings of the contents, anchors, and archives that attack."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.domain.errors import ParseError
from tests.contract.test_parsers import assert_holds
from tests.golden.reading import read
from tests.unit.parsers.book import make_epub, page


@pytest.mark.requirement("EPB-01")
@pytest.mark.parametrize("contents", ["nav", "ncx"])
def test_chapters_are_read_in_the_order_of_the_spine_under_their_contents(contents: str) -> None:
    document = read("b.epub", make_epub(contents=contents))
    assert " ".join(document.text.split()) == (
        "Part I The time has come, said nobody. # The Walrus Of cabbages and kings, see there. "
        "## Oysters They were eaten."
    )
    assert [(one.level, one.heading, one.anchor) for one in document.sections] == [
        (2, "Part I", "OEBPS/text/two.xhtml"),
        (3, "The Walrus", "OEBPS/text/one.xhtml#a"),
        (4, "Oysters", "OEBPS/text/one.xhtml#b"),
    ]
    assert_holds(document)


@pytest.mark.requirement("EPB-01")
def test_without_contents_the_chapters_own_headings_stand() -> None:
    document = read("b.epub", make_epub(contents=""))
    assert [(one.level, one.heading) for one in document.sections] == [
        (2, "The Walrus"),
        (3, "Oysters"),
    ]


@pytest.mark.requirement("EPB-02")
def test_title_and_metadata_are_told_and_links_lead_to_anchors() -> None:
    document = read("b.epub", make_epub())
    assert document.title == "A Small Book"
    assert document.attributes["author"] == "L. Carroll"
    assert document.attributes["doi"] == "10.1000/walrus.1"
    assert document.attributes["lang"] == "en"
    targets = {link.text: link.target for link in document.links}
    assert targets == {"kings": "#OEBPS/text/two.xhtml#k", "there": "https://example.org/"}
    assert all(link.text in link.span.of(document.text) for link in document.links)


@pytest.mark.requirement("EPB-03")
@pytest.mark.parametrize(
    ("content", "told"),
    [
        (make_epub(extra={"OEBPS/text/big.xhtml": b" " * 40_000_000}), "unpack to"),
        (make_epub(extra={f"OEBPS/{n}.png": b"" for n in range(10_001)}), "holds 10"),
        (make_epub(extra={"META-INF/container.xml": "<container/>"}), "not in it"),
        (make_epub(spine=()), "names no chapters"),
        (make_epub({"one": "", "two": "<!-- -->"}, contents=""), "no chapter of it has text"),
        (
            make_epub(
                extra={
                    "META-INF/encryption.xml": "<encryption><CipherReference "
                    'URI="OEBPS/text/one.xhtml"/></encryption>'
                }
            ),
            "locked",
        ),
        (b"PK\x03\x04" + b"\0" * 50, "cannot parse"),
        (b"", "cannot parse"),
    ],
    ids=["bomb", "entries", "lost", "no spine", "blank", "locked", "no zip", "empty"],
)
def test_a_book_that_cannot_be_read_is_told(content: bytes, told: str) -> None:
    with pytest.raises(ParseError, match=told):
        read("bad.epub", content)


@pytest.mark.requirement("EPB-03")
def test_entities_and_paths_out_of_the_book_are_not_followed() -> None:
    laughs = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c SYSTEM "file:///etc/passwd">]>'
    container = (
        f'{laughs}<container><rootfile full-path="OEBPS/book.opf"/><x>&b;&c;</x></container>'
    )
    chapter = page(f"{laughs}<p>Words &c; here.</p>")
    document = read(
        "x.epub",
        make_epub(
            {"one": "<p>Fine.</p>", "../../../../etc/passwd": "x"},
            spine=("one", "../../../../etc/passwd"),
            contents="",
            extra={"META-INF/container.xml": container, "OEBPS/text/one.xhtml": chapter},
        ),
    )
    assert "root:" not in document.text
    assert "Words" in document.text
    assert any("etc/passwd" in one and "not in the book" in one for one in document.warnings)


@pytest.mark.requirement("EPB-03")
@settings(max_examples=60)
@given(cut=st.integers(0, 3000), noise=st.binary(max_size=30), keep=st.booleans())
def test_any_bytes_give_a_book_or_a_parse_error(cut: int, noise: bytes, keep: bool) -> None:
    whole = make_epub()
    content = whole[:cut] + noise + (whole[cut + len(noise) :] if keep else b"")
    try:
        document = read("fuzz.epub", content)
    except ParseError:
        return
    assert_holds(document)
