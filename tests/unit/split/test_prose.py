"""Where passages begin and end."""

from itertools import pairwise

import pytest

from commonplace.domain.passage import Passage
from commonplace.split.prose import split_prose
from commonplace.split.sentences import sentence_ends
from commonplace.tokens import token_counter
from tests.golden.reading import card_of, read

COUNT = token_counter("cl100k_base")


def split(text: str, target: int = 64, name: str = "a.md") -> list[Passage]:
    document = read(name, text)
    return split_prose(document, card_of(name, document), COUNT, target)


def prose(words: int) -> str:
    return "Every pool holds one volume. " * (words // 5)


@pytest.mark.requirement("SPL-05")
def test_a_passage_knows_the_chain_of_headings_above_it() -> None:
    found = split(
        f"# A\n\n{prose(40)}\n\n## B\n\n{prose(40)}\n\n### C\n\n{prose(40)}\n\n## D\n\n{prose(40)}"
    )
    assert [(one.headings, one.anchor) for one in found] == [
        (("A",), "a"),
        (("A", "B"), "b"),
        (("A", "B", "C"), "c"),
        (("A", "D"), "d"),
    ]


@pytest.mark.requirement("SPL-05")
def test_a_passage_that_is_mostly_code_or_table_says_so() -> None:
    rows = "\n".join("| 1 | 2 |" for _ in range(8))
    found = split(
        f"```py\n{'x = 1; ' * 12}\n```\n\n# T\n\n| a | b |\n|---|---|\n{rows}\n\n# P\n\n{prose(40)}"
    )
    assert [one.kind for one in found] == ["code", "table", "prose"]


@pytest.mark.requirement("SPL-04")
def test_bare_headings_join_what_they_announce() -> None:
    found = split(f"# A\n\n## B\n\n### C\n\n{prose(40)}")
    assert [one.headings for one in found] == [("A", "B", "C")]
    assert found[0].text.startswith("# A\n\n## B")


@pytest.mark.requirement("SPL-04")
def test_a_sentence_that_announces_code_stays_with_it() -> None:
    found = split(f"{prose(45)}\n\nRun this:\n\n```sh\n{'ls -l; ' * 10}\n```\n")
    assert found[1].text.startswith("Run this:")


@pytest.mark.requirement("SPL-05")
def test_tiny_neighbours_become_one_passage_under_their_parent() -> None:
    found = split("# Codes\n\n## E1\n\nOne.\n\n## E2\n\nTwo.\n\n## E3\n\nThree.\n", target=128)
    assert len(found) == 1
    assert found[0].headings in {("Codes",), ("Codes", "E1")}


@pytest.mark.requirement("SPL-02")
def test_a_long_paragraph_is_cut_at_sentence_ends() -> None:
    found = split(prose(400))
    assert len(found) > 3
    assert all(one.text.endswith("volume. ") for one in found[:-1])
    assert all(one.tokens <= 64 for one in found)


@pytest.mark.requirement("SPL-02")
def test_a_fence_up_to_one_and_a_half_targets_is_whole() -> None:
    code = "```py\n" + "x = compute(1)\n" * 15 + "```"
    assert 64 < COUNT(code) <= 96
    found = split(f"{prose(30)}\n\n{code}\n\n{prose(30)}")
    assert any(code in one.text for one in found)


@pytest.mark.requirement("SPL-02")
def test_a_longer_fence_is_cut_between_lines() -> None:
    lines = [f"value_{number} = compute({number})" for number in range(100)]
    found = split("```py\n" + "\n".join(lines) + "\n```\n")
    assert len(found) > 5
    assert all(one.text.endswith("\n") and one.kind == "code" for one in found)
    assert all(one.tokens <= 64 for one in found)


@pytest.mark.requirement("SPL-03")
@pytest.mark.parametrize("text", ["x" * 200_000, "a" * 50_000 + " " + "b" * 50_000, "数" * 50_000])
def test_a_word_longer_than_eight_passages_is_cut(text: str) -> None:
    found = split(text)
    assert "".join(one.text for one in found) == text
    assert all(COUNT(one.text) <= 2 * 64 + 2 for one in found)


@pytest.mark.requirement("SPL-03")
def test_a_long_line_without_sentences_is_cut_at_white_space() -> None:
    found = split("word " * 20_000)
    assert all(one.text.endswith("word ") for one in found)
    assert all(COUNT(one.text) <= 128 for one in found)


@pytest.mark.requirement("SPL-06")
def test_equal_texts_have_different_ids_and_keep_them() -> None:
    first = split(f"# A\n\n{prose(40)}\n\n# A\n\n{prose(40)}\n")
    assert len({one.id for one in first}) == 2
    assert [one.id for one in first] == [
        one.id for one in split(f"# A\n\n{prose(40)}\n\n# A\n\n{prose(40)}\n")
    ]


@pytest.mark.requirement("SPL-07")
@pytest.mark.parametrize("text", ["", " \n\t\n", "\ufeff"])
def test_a_blank_document_has_no_passages(text: str) -> None:
    assert split(text) == []


@pytest.mark.requirement("SPL-02")
@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four", ["One. ", "Two! ", "Three? ", "Four"]),
        ("Ask e.g. Dr. Smith now. Then go.", ["Ask e.g. Dr. Smith now. ", "Then go."]),
        ("Version 3.11 is out. It works", ["Version 3.11 is out. ", "It works"]),
        ('He said "no." She left.', ['He said "no." ', "She left."]),
        ("第一句。第二句。", ["第一句。", "第二句。"]),
        ("End.\nNext line.", ["End.\n", "Next line."]),
    ],
)
def test_sentences_end_where_a_reader_says(text: str, sentences: list[str]) -> None:
    ends = [0, *sentence_ends(text)]
    if ends[-1] != len(text):
        ends.append(len(text))
    assert [text[a:b] for a, b in pairwise(ends)] == sentences
