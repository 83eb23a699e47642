"""Quotes that answer, verbatim and short."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.answer.choose import Bounds, Chooser, Field
from commonplace.answer.evidence import LEAST_SHARE, Method, QuoteLimits, select_quotes
from commonplace.answer.likelihood import Weigher
from commonplace.answer.spans import split_spans
from commonplace.answer.windows import measure
from commonplace.domain.evidence import Quote
from commonplace.domain.passage import Located
from commonplace.embedders.static import StaticEmbedder
from commonplace.tokens import token_counter
from commonplace.tools.kb.evidence import FLOOR
from tests.unit.retrieve.shelf import locate

COUNT = token_counter("cl100k_base")
WEIGHER = Weigher(tokens=COUNT, embedder=StaticEmbedder())
TREES = (
    "The orchard has two kinds of trees. Apple trees are pruned in February by the gardener. "
    "Pear trees follow in March. The gardener is Ada Lopez, who came in 1998. "
)
PUMPS = "The pump freezes at minus four degrees. It delivers 12 litres per hour. Nobody likes it."

words = st.sampled_from(
    [
        "apple",
        "trees.",
        "pump",
        "freezes!",
        "in",
        "1998",
        "-",
        "|",
        "#",
        "```",
        "\n\n",
        ",",
        ";",
        "who",
        "中文",
        "。",
        "Ärger",
        "gardener's",
        "x",
    ]
)
texts = st.lists(words, max_size=60).map(" ".join) | st.text(max_size=80)
DEFAULTS = QuoteLimits()
methods: st.SearchStrategy[Method] = st.sampled_from(["best", "overlap"])


async def _quotes(
    question: str, candidates: list[Located], limits: QuoteLimits = DEFAULTS
) -> list[Quote]:
    scores = [1.0 / (place + 1) for place in range(len(candidates))]
    return await select_quotes(question, candidates, scores, limits, WEIGHER)


@pytest.mark.requirement("EVI-01")
@pytest.mark.requirement("EVI-02")
@pytest.mark.requirement("EVI-03")
@pytest.mark.requirement("EVI-04")
@given(
    question=texts,
    bodies=st.lists(texts, max_size=4),
    cap=st.integers(1, 90),
    context=st.integers(0, 90),
    method=methods,
)
async def test_quotes_are_verbatim_short_apart_and_always_the_same(
    question: str, bodies: list[str], cap: int, context: int, method: Method
) -> None:
    candidates = locate("Guide", *bodies)
    whole = "".join(bodies)
    limits = QuoteLimits(
        max_quotes=5, max_quote_tokens=cap, include_context_tokens=context, method=method
    )
    quotes = await _quotes(question, candidates, limits)
    assert quotes == await _quotes(question, candidates, limits)
    assert len(quotes) <= 5
    shown: set[int] = set()
    for quote in quotes:
        assert quote.text == quote.span.of(whole)
        assert quote.text.strip()
        assert COUNT(quote.text) <= cap or len(quote.text) == 1
        assert 0.0 <= quote.score <= 1.0
        assert not shown.intersection(range(quote.span.start, quote.span.end))
        shown.update(range(quote.span.start, quote.span.end))


@pytest.mark.requirement("EVI-06")
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When are apple trees pruned?", "February"),
        ("At what temperature does the pump freeze?", "minus four"),
        ("How much water does it deliver per hour?", "12 litres"),
        ("Who is the gardener?", "Ada Lopez"),
    ],
)
async def test_the_sentence_that_answers_comes_first(question: str, answer: str) -> None:
    candidates = [*locate("Trees", TREES), *locate("Pumps", PUMPS)]
    limits = QuoteLimits(max_quote_tokens=16, include_context_tokens=0)
    quotes = await _quotes(question, candidates, limits)
    assert any(answer in quote.text for quote in quotes[:2])


@pytest.mark.requirement("EVI-05")
async def test_quotes_end_where_sentences_end() -> None:
    candidates = [*locate("Trees", TREES), *locate("Pumps", PUMPS)]
    for question in ("pruned in March", "pump", "who came when", "zebra"):
        for quote in await _quotes(question, candidates, QuoteLimits(max_quote_tokens=30)):
            text = quote.located.passage.text
            start = quote.span.start - quote.located.passage.span.start
            pieces = split_spans(text)
            assert start in {piece.start for piece in pieces}
            assert start + len(quote.text) in {piece.end for piece in pieces}


@pytest.mark.requirement("EVI-05")
async def test_a_sentence_longer_than_the_cap_is_clipped_after_a_clause() -> None:
    long = "First we wash the apples in cold water, then we peel them with a knife, and we bake."
    quotes = await _quotes("peel apples", locate("Cake", long), QuoteLimits(max_quote_tokens=14))
    assert all(quote.text[-1] in ",." for quote in quotes)


@pytest.mark.requirement("EVI-10")
async def test_a_question_for_a_time_prefers_a_sentence_with_one() -> None:
    text = "The bridge was built over the river by many. The bridge was built in 1871 by many."
    limits = QuoteLimits(max_quotes=1, max_quote_tokens=12, include_context_tokens=0)
    quotes = await _quotes("When was the bridge built?", locate("Bridge", text), limits)
    assert "1871" in quotes[0].text


@pytest.mark.requirement("EVI-27")
async def test_sentences_under_a_heading_need_not_repeat_it() -> None:
    (entry,) = locate("Settings", "If it is above zero, replies carry the header.")
    (other,) = locate("Settings", "It has no effect unless SECURE_SECONDS is above zero.")
    named = replace(entry, passage=replace(entry.passage, headings=("Settings", "SECURE_SECONDS")))
    limits = QuoteLimits(max_quotes=1, include_context_tokens=0)
    quotes = await _quotes("What does SECURE_SECONDS do?", [named, other], limits)
    assert quotes[0].text.startswith("If it is above zero")


@pytest.mark.requirement("EVI-28")
async def test_the_entry_of_a_name_is_the_one_that_has_all_of_it() -> None:
    text = "If it is not set, the default value is {} megabytes."
    limits = QuoteLimits(max_quotes=1, include_context_tokens=0)
    found = [
        replace(one, passage=replace(one.passage, headings=("Memory", name)))
        for size, name in (("sixty", "keep_work_mem"), ("four", "work_mem"), ("one", "work_memo"))
        for one in locate("Memory", text.format(size))
    ]
    for asked in ("What is the default value of work_mem?", "The default value: work_mem"):
        assert "four" in (await _quotes(asked, found, limits))[0].text


@pytest.mark.requirement("EVI-29")
async def test_a_name_alone_is_answered_by_what_tells_what_it_is() -> None:
    text = (
        "**handle()**: Calls handle_request() once, or as often as the client asks for it.\n\n"
        "**handle_request()**: Parses what came and passes it on to the method of its name."
    )
    limits = QuoteLimits(max_quotes=1, max_quote_tokens=25, include_context_tokens=0)
    for asked in ("handle_request", "What does handle_request do?", "What is handle_request()?"):
        quotes = await _quotes(asked, locate("Server", text), limits)
        assert quotes[0].text.startswith("**handle_request()**: Parses")


@pytest.mark.requirement("EVI-29")
@pytest.mark.parametrize("heading", ["## acks_late", ".. _acks:\n\n``acks_late``\n~~~~~~~~~~~~~"])
async def test_a_name_alone_is_answered_by_the_opening_of_its_section(heading: str) -> None:
    opening, warning = "Default: disabled.", "Without acks_late a task may be lost: beware."
    limits = QuoteLimits(max_quotes=1, max_quote_tokens=20, include_context_tokens=0)
    found = [
        replace(one, passage=replace(one.passage, headings=("Settings", "acks_late")))
        for one in locate("Settings", f"{heading}\n\n{opening}\n", warning)
    ]
    assert opening in (await _quotes("acks_late", found, limits))[0].text


@pytest.mark.requirement("EVI-11")
async def test_context_adds_whole_neighbours_inside_the_cap() -> None:
    bare = QuoteLimits(max_quotes=1, include_context_tokens=0)
    more = QuoteLimits(max_quotes=1, include_context_tokens=20)
    asked = "When are apple trees pruned in February by the gardener"
    alone = await _quotes(asked, locate("Trees", TREES), bare)
    wider = await _quotes(asked, locate("Trees", TREES), more)
    assert alone[0].text in wider[0].text
    assert len(wider[0].text) > len(alone[0].text)
    assert COUNT(wider[0].text) <= more.max_quote_tokens


@pytest.mark.requirement("EVI-12")
@pytest.mark.parametrize(
    "question", ["", "?", "\x00", "\ud800", "a " * 8000, "中" * 5000, "((((" * 999]
)
async def test_hostile_questions_still_give_quotes(question: str) -> None:
    assert await _quotes(question, locate("Trees", TREES))


async def test_no_candidates_give_no_quotes() -> None:
    assert await _quotes("anything", []) == []


@pytest.mark.requirement("EVI-18")
async def test_foreign_questions_get_small_confidences() -> None:
    candidates = [*locate("Trees", TREES), *locate("Pumps", PUMPS)]
    own = await _quotes("When are apple trees pruned?", candidates)
    foreign = await _quotes("Which king signed the treaty of Utrecht?", candidates)
    assert own[0].score > 0.3
    assert all(quote.score < 0.1 for quote in foreign)
    floored = QuoteLimits(least_answered=FLOOR)
    assert await _quotes("Which king signed the treaty of Utrecht?", candidates, floored) == []
    assert await _quotes("When are apple trees pruned?", candidates, floored)
    wordy = replace(WEIGHER, embedder=None)
    assert await select_quotes("Utrecht?", candidates, [1.0, 0.5], floored, wordy)


@pytest.mark.requirement("EVI-22")
@pytest.mark.parametrize(
    "question",
    [
        "Welcher König unterzeichnete den Frieden von Utrecht?",
        "Was verlangt die Betriebsratsrichtlinie?",
        "Welches Prinzip wurde in The Mask of Anarchy dargestellt?",
    ],
)
async def test_a_question_in_another_language_is_not_refused(question: str) -> None:
    candidates = [*locate("Trees", TREES), *locate("Pumps", PUMPS)]
    assert await _quotes(question, candidates, QuoteLimits(least_answered=1.0))


@pytest.mark.requirement("EVI-19")
@pytest.mark.parametrize(("citation", "quotes"), [(0, 7), (20, 2), (60, 1)])
def test_the_dearer_a_citation_the_fewer_and_longer_the_quotes(citation: int, quotes: int) -> None:
    candidates = [*locate("Trees", TREES), *locate("Pumps", PUMPS)]
    units = measure(candidates, COUNT, 40)
    field = Field(
        texts=[located.passage.text for located in candidates],
        units=units,
        chances=[0.5 if unit.text[:5] in ("Apple", "The g", "It de") else 0.1 for unit in units],
    )
    bounds = Bounds(
        quotes=9,
        quote_tokens=80,
        context_tokens=80,
        page_tokens=80,
        citations=[citation, citation],
    )
    page = next(Chooser(field, bounds, COUNT, COUNT).pages())
    assert len(page) == quotes
    assert sum(draft.cost for draft in page) <= bounds.page_tokens
    assert [draft.chance for draft in page] == sorted((d.chance for d in page), reverse=True)


@pytest.mark.requirement("EVI-26")
@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("Prune so::\n\n    cut(tree)\n\nThen rest.", "Prune so::\n\n    cut(tree)"),
        ("Prune so:\n\n```\ncut(tree)\n```\nRest.", "Prune so:\n\n```\ncut(tree)\n```"),
        ("Two steps:\n\n1. Cut. Slowly.\n\n2. Burn.\n\nRest.", None),
        ("Two steps:\n- cut\n- burn\n\nRest.", "Two steps:\n- cut\n- burn"),
        ("It takes:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nRest.", None),
    ],
)
def test_what_announces_is_one_with_what_it_announces(text: str, unit: str | None) -> None:
    units = measure(locate("Trees", text), COUNT, 40)
    assert units[0].text == (unit or text.removesuffix("\n\nRest."))
    assert not any(one.text.endswith(":") for one in units)


@pytest.mark.requirement("EVI-26")
def test_what_announces_more_than_fits_stands_with_its_beginning() -> None:
    text = f"It takes:\n\n- {'twigs, ' * 40}and more"
    first = measure(locate("Trees", text), COUNT, 40)[0].text
    assert first.startswith("It takes:\n\n- twigs, twigs,")
    assert COUNT(first) <= 40


@pytest.mark.requirement("EVI-20")
async def test_no_quote_is_far_less_likely_than_the_best() -> None:
    candidates = [*locate("Trees", TREES), *locate("Pumps", PUMPS)]
    question = "Who prunes the apple trees in February?"
    every = await _quotes(question, candidates, QuoteLimits(max_quotes=20))
    likely = await _quotes(question, candidates, QuoteLimits(max_quotes=20, least_chance=1e-9))
    least = min(quote.score for quote in every)
    assert least < LEAST_SHARE * max(quote.score for quote in every)
    assert least not in [quote.score for quote in likely]
    assert likely[0].text in [quote.text for quote in every]


ROWS = (
    "| `candidates[].id` | string | Of the node; the same after re-indexing. |",
    "| `symbols[].id` | string | Of the node; the same after re-indexing. |",
    "| `pages[].size` | number | At most 30 after re-indexing. |",
    "| `rows[].size` | number | At most 60 after re-indexing. |",
)


@pytest.mark.requirement("EVI-24")
async def test_of_sentences_that_say_the_same_one_is_quoted() -> None:
    candidates = [
        located for place, row in enumerate(ROWS) for located in locate(f"Page {place}", row)
    ]
    limits = QuoteLimits(max_quotes=9, least_chance=1e-9)
    found = await _quotes("What is the same after re-indexing?", candidates, limits)
    texts = [quote.text for quote in found]
    assert len({ROWS[0], ROWS[1]} & set(texts)) == 1
    assert {ROWS[2], ROWS[3]} <= set(texts)
    named = await _quotes("What is `symbols[].id` after re-indexing?", candidates, limits)
    assert ROWS[1] in [quote.text for quote in named]
