"""Splitting, for any document: nothing lost, nothing torn, nothing too long."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.domain.document import Block, Document
from commonplace.domain.passage import Passage
from commonplace.split.prose import split_prose
from commonplace.tokens import token_counter
from tests.golden.reading import card_of, read

COUNT = token_counter("cl100k_base")
WORDS = st.lists(
    st.sampled_from(
        ["pool", "size", "Über", "数据", "naïve", "`x`", "a_b.", "End.", "🙂", "e\u0301"]
    ),
    min_size=1,
    max_size=60,
).map(" ".join)
FENCES = st.lists(WORDS, min_size=1, max_size=40).map(
    lambda lines: "```py\n" + "\n".join(lines) + "\n```"
)
TABLES = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=12).map(
    lambda rows: "| a | b |\n|---|---|\n" + "\n".join(f"| {x} | {y} |" for x, y in rows)
)
LISTS = st.lists(WORDS, min_size=1, max_size=8).map(
    lambda items: "\n".join(f"- {one}" for one in items)
)
HEADINGS = st.tuples(st.integers(1, 4), st.sampled_from(["Usage", "Limits", "Notes"])).map(
    lambda one: f"{'#' * one[0]} {one[1]}"
)
MARKDOWN = st.lists(
    st.one_of(WORDS, FENCES, TABLES, LISTS, HEADINGS, st.just("Run this:"), st.text(max_size=80)),
    max_size=25,
).map("\n\n".join)
TARGETS = st.sampled_from([32, 64, 256])


def split(text: str, target: int, name: str = "a.md") -> tuple[Document, list[Passage]]:
    document = read(name, text)
    return document, split_prose(document, card_of(name, document), COUNT, target)


def assert_covers(document: Document, passages: list[Passage]) -> None:
    if not document.text.strip():
        assert passages == []
        return
    assert "".join(passage.text for passage in passages) == document.text
    at = 0
    for ordinal, passage in enumerate(passages):
        assert passage.ordinal == ordinal
        assert passage.span.start == at
        assert passage.span.of(document.text) == passage.text
        at = passage.span.end
    assert at == len(document.text)
    assert len({passage.id for passage in passages}) == len(passages)


@pytest.mark.requirement("SPL-01")
@pytest.mark.requirement("SPL-07")
@given(st.text(), TARGETS, st.sampled_from(["a.md", "a.rst", "a.txt", "a.html"]))
def test_passages_of_any_text_cover_it(text: str, target: int, name: str) -> None:
    assert_covers(*split(text.encode("utf-8", "replace").decode(), target, name))


@pytest.mark.requirement("SPL-01")
@pytest.mark.requirement("SPL-03")
@settings(max_examples=60)
@given(MARKDOWN, TARGETS)
def test_passages_of_any_markdown_cover_it_and_keep_the_cap(text: str, target: int) -> None:
    document, passages = split(text, target)
    assert_covers(document, passages)
    for passage in passages:
        assert passage.text.strip(), "white space alone is no passage"
        longest = max((COUNT(word) for word in passage.text.split()), default=0)
        fences = [block.span for block in document.blocks if block.kind == "code"]
        inside = [s for s in fences if s.start < passage.span.end and s.end > passage.span.start]
        whole = max((COUNT(fence.of(document.text)) for fence in inside), default=0)
        assert COUNT(passage.text) <= max(2 * target, longest + 4, min(whole, 8 * target) + target)


def cuts_inside(block: Block, passages: list[Passage]) -> list[int]:
    starts = [passage.span.start for passage in passages]
    return [at for at in starts if block.span.start < at < block.span.end]


@pytest.mark.requirement("SPL-02")
@settings(max_examples=60)
@given(MARKDOWN, TARGETS)
def test_code_and_tables_are_whole_or_cut_between_lines(text: str, target: int) -> None:
    document, passages = split(text, target)
    for block in document.blocks:
        cuts = cuts_inside(block, passages)
        if block.kind in {"code", "table"} and cuts:
            whole = 8 if block.kind == "code" else 1
            assert COUNT(block.span.of(document.text)) > whole * target, (
                "a block that fits is whole"
            )
            long_lines = any(COUNT(atom.of(document.text)) > target for atom in block.atoms)
            edges = {atom.start for atom in block.atoms}
            assert long_lines or set(cuts) <= edges


@pytest.mark.requirement("SPL-02")
@settings(max_examples=60)
@given(MARKDOWN, TARGETS)
def test_no_word_is_split(text: str, target: int) -> None:
    document, passages = split(text, target)
    for passage in passages[1:]:
        at = passage.span.start
        around = document.text[at - 1 : at + 1]
        is_cjk = bool(re.match(r"[。！？]", around))
        assert around[0].isspace() or is_cjk, f"cut inside {document.text[at - 10 : at + 10]!r}"


@pytest.mark.requirement("SPL-04")
@settings(max_examples=60)
@given(MARKDOWN, TARGETS)
def test_a_heading_never_ends_a_passage_that_another_follows(text: str, target: int) -> None:
    document, passages = split(text, target)
    ends = {passage.span.end for passage in passages[:-1]}
    blocks = document.blocks
    for block, following in pairwise(blocks):
        if block.kind == "heading" and following.kind != "heading":
            room = COUNT(block.span.of(document.text)) + COUNT(following.span.of(document.text))
            assert following.span.start not in ends or room > target


@pytest.mark.requirement("SPL-06")
@settings(max_examples=30)
@given(st.lists(WORDS, min_size=2, max_size=6, unique=True), WORDS)
def test_ids_survive_edits_elsewhere(parts: list[str], added: str) -> None:
    before = "\n\n".join(f"# Part {number}\n\n{one}" for number, one in enumerate(parts))
    _document, old = split(before, 256)
    _document, new = split(before + f"\n\n# Last\n\n{added}", 256)
    kept = {passage.id for passage in new}
    assert {passage.id for passage in old[:-2]} <= kept
