"""The measures of PDF reading tell what they are said to tell."""

from eval.ocr import distance
from eval.pdf.papers import Paper, Part, clean
from eval.pdf.readers import Extract, parse
from eval.pdf.scans import as_pdf, draw
from eval.pdf.score import blocks_of, score, words_of
from tests.unit.parsers.paper import Sheet, make_pdf

PAPER = Paper(
    name="p",
    language="en",
    title="On Known Words",
    authors="Ada Lovell",
    abstract="Everything printed here is known beforehand.",
    parts=(
        Part("heading", "Introduction", 1),
        Part("paragraph", "The first paragraph speaks of extraordinary walruses and oysters."),
        Part("paragraph", "Another paragraph follows, which tells of cabbages and kings."),
    ),
    table=(("System", "Score"), ("Model A", "0.5")),
    table_caption="What the systems scored.",
    figure_caption="A drawing of a walrus.",
    works=("A. Author. A work. 2001.",),
)


def test_what_is_printed_scores_full_marks() -> None:
    told = score(PAPER, Extract("\n".join(blocks_of(PAPER))))
    assert (told.words, told.order, told.whole, told.captions, told.rows) == (1, 1, 1, 1, 1)
    assert told.pairs > 0.99
    assert told.headings is None


def test_columns_read_across_cost_pairs_and_order_and_broken_words_cost_words() -> None:
    blocks = blocks_of(PAPER)
    across = [
        word for pair in zip(*(one.split() for one in blocks[4:6]), strict=False) for word in pair
    ]
    mixed = score(PAPER, Extract("\n".join([*blocks[:4], " ".join(across), *blocks[6:]])))
    assert mixed.pairs < 0.8
    assert mixed.order < 1
    broken = score(PAPER, Extract("\n".join(blocks).replace("extraordinary", "extra- ordinary")))
    assert broken.whole < 1
    assert broken.words < 1


def test_words_are_compared_without_punctuation_and_ligatures() -> None:
    assert words_of("A \ufb01ne, well-known (thing).") == ["a", "fine", "well-known", "thing"]
    assert clean("the F$_1$-score BIBREF19 is 3") == "the F -score [19] is 3"


def test_character_errors_are_edits() -> None:
    assert distance("walrus", "walus!") == 2
    assert distance("abc", "") == 3
    assert distance("", "") == 0


def test_a_drawn_page_has_no_text_and_its_size() -> None:
    (dots,) = draw(make_pdf([Sheet().line(72, 700, "Words.")]), 100)
    assert dots.shape == (1100, 850)
    (again,) = draw(as_pdf([dots], 100), 100)
    assert again.shape == dots.shape
    assert (again < 128).sum() > 10
    assert parse(make_pdf([Sheet().line(72, 700, "Words.")])).text == "Words.\n"
