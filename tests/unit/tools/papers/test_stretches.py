"""Replies too small for whole passages: what of them is shown, and that nothing is lost."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonplace.embedders.transformer import TransformerEmbedder
from commonplace.index.projects import bind_model, create_project
from commonplace.tools.papers.stretches import Part, choose, narrowed
from tests.library import Library, open_library
from tests.unit.tools.papers.asking import PROJECT, ask, put_in

ANSWER = "The zither was tuned to forty hertz by the gardener."
TOPICS = ("soil", "clover", "rain", "roots", "mulch", "pruning", "grafting", "frost")


def _paper(topic: str, answer: str = "") -> str:
    told = [f"We measured {topic} in plot {number} before noon." for number in range(14)]
    told.insert(7, answer)
    return f"# On {topic}\n\n## Results\n\n{' '.join(told)}\n"


@pytest.fixture
async def orchard(tmp_path: Path, papers: Path) -> AsyncIterator[Library]:
    for topic in TOPICS:
        answer = ANSWER if topic == "rain" else ""
        (papers / f"{topic}.md").write_text(_paper(topic, answer), "utf-8")
    async with open_library(tmp_path / "orchard", passage_tokens=400) as lab:
        await create_project(lab.app.writer, PROJECT)
        await put_in(lab, papers)
        yield lab


async def _passages(lab: Library) -> dict[str, str]:
    found = await ask(lab, text="measured plot", top_k=50, max_response_tokens=10_000)
    whole = await ask(
        lab, text="measured plot", top_k=50, max_response_tokens=10_000, include_full_text=True
    )
    assert found["count"] == whole["count"]
    return {one["section_id"]: one["full_text"] for one in whole["items"]}


@pytest.mark.requirement("PAP-30")
@pytest.mark.parametrize("tool", ["query", "query_hybrid"])
async def test_a_small_reply_shows_the_sentence_that_answers(orchard: Library, tool: str) -> None:
    given_: dict[str, Any] = {"text": "Who tuned the zither to forty hertz?", "top_k": 8}
    whole = await ask(orchard, tool, **given_, max_response_tokens=6000)
    small = await ask(orchard, tool, **given_, max_response_tokens=1000)
    assert max(map(len, (one["render_text"] for one in whole["items"]))) > 600
    assert ANSWER in " ".join(one["render_text"] for one in small["items"])
    shown = {one["section_id"]: one["render_text"] for one in whole["items"]}
    assert any(len(one["render_text"]) < len(shown[one["section_id"]]) for one in small["items"])


@pytest.mark.requirement("PAP-30")
@given(
    tokens=st.integers(400, 3000),
    top_k=st.integers(1, 12),
    text=st.sampled_from(["zither hertz", "measured clover", "frost or mulch?", "nothing of it"]),
)
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_pages_show_verbatim_sentences_of_every_passage_once(
    orchard: Library, tokens: int, top_k: int, text: str
) -> None:
    whole = await _passages(orchard)
    asked: dict[str, Any] = {"project": PROJECT, "text": text, "top_k": top_k}
    seen: list[str] = []
    cursor: str | None = None
    while True:
        more = {"cursor": cursor} if cursor else {}
        outcome = await orchard.outcome(
            "papers.query_hybrid", **asked, **more, max_response_tokens=tokens
        )
        told: Any = outcome.structured
        assert "error" not in told, told
        assert outcome.meta["tokens"] <= tokens
        for one in told["items"]:
            seen.append(one["section_id"])
            assert one["render_text"] in whole.get(one["section_id"], one["render_text"])
            assert one["render_text"].rstrip("…").strip()
        cursor = told["next_cursor"]
        if not cursor:
            break
    assert len(seen) == len(set(seen)) == told["total_count"]
    again = await ask(orchard, "query_hybrid", text=text, top_k=top_k, max_response_tokens=10_000)
    assert seen == [one["section_id"] for one in again["items"]]


APART = (
    "A zither stood by the wall.",
    "It was never tuned.",
    "Of Hertz she knew.",
    "He was forty.",
)


@pytest.mark.requirement("PAP-29")
async def test_a_likely_sentence_lifts_its_passage_over_the_same_words_apart(
    orchard: Library, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = _paper("rain").split(". ")
    for place, told in enumerate(APART):
        words.insert(3 * place + 1, told.rstrip("."))
    (papers / "apart.md").write_text(". ".join(words), "utf-8")
    await put_in(orchard, papers)

    async def lead() -> float:
        told = await ask(orchard, "query_hybrid", text="Who tuned the zither to forty hertz?")
        with_answer = next(one for one in told["items"] if ANSWER in one["render_text"])
        apart = next(one for one in told["items"] if APART[0] in one["render_text"])
        return float(with_answer["score"] / apart["score"])

    both = await lead()
    monkeypatch.setattr("commonplace.tools.papers.finding._SENTENCES", 0.0)
    assert both > await lead()


MEANT = "The main city has a population of two million inhabitants."
BESIDE = "Many people came by. They live on bread. A capital idea. How was it?"


@pytest.mark.requirement("PAP-40")
async def test_a_better_model_reads_the_likeliest_sentences_again(
    lab: Library, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for topic in TOPICS[:4]:
        told = MEANT if topic == "rain" else BESIDE
        (papers / f"{topic}.md").write_text(_paper(topic, told), "utf-8")
    await bind_model(lab.app.writer, PROJECT, TransformerEmbedder.model)
    await put_in(lab, papers)

    async def score() -> float:
        told = await ask(lab, "query_hybrid", text="What is the number of citizens?")
        return next(float(one["score"]) for one in told["items"] if MEANT in one["render_text"])

    again = await score()
    monkeypatch.setattr("commonplace.tools.papers.sentences._NEARNESS", 0.0)
    assert again > await score()


PARTS = st.lists(
    st.lists(st.tuples(st.integers(1, 60), st.floats(0.001, 0.999)), min_size=1, max_size=9),
    min_size=1,
    max_size=8,
)


def _made(sizes: list[tuple[int, float]]) -> list[Part]:
    parts, start = [], 0
    for tokens, chance in sizes:
        parts.append(Part(start, start + 4 * tokens, tokens, chance))
        start += 4 * tokens
    return parts


@pytest.mark.requirement("PAP-30")
@given(drawn=PARTS, budget=st.integers(0, 900), each=st.integers(0, 40))
def test_chosen_runs_fit_unless_nothing_does(
    drawn: list[list[tuple[int, float]]], budget: int, each: int
) -> None:
    passages = [_made(sizes) for sizes in drawn]
    runs = choose(passages, lambda shown: budget - each * shown)
    assert 1 <= len(runs) <= len(passages)
    spent = 0
    for parts, (first, last) in zip(passages, runs, strict=False):
        assert 0 <= first <= last < len(parts)
        spent += sum(part.tokens for part in parts[first : last + 1])
    likeliest = max(passages[0], key=lambda part: part.chance)
    assert spent <= budget - each * len(runs) or (len(runs) == 1 and spent == likeliest.tokens)
    everything = sum(part.tokens for parts in passages for part in parts)
    if everything <= budget - each * len(passages):
        assert runs == [(0, len(parts) - 1) for parts in passages]


@pytest.mark.requirement("PAP-30")
@given(sizes=PARTS.map(lambda drawn: drawn[0]), most=st.integers(1, 2000))
def test_a_narrowed_run_keeps_its_likeliest_part(sizes: list[tuple[int, float]], most: int) -> None:
    parts = _made(sizes)
    first, last = narrowed(parts, (0, len(parts) - 1), most)
    assert first == last or parts[last].end - parts[first].start <= most
    best = max(part.chance for part in parts)
    assert best in [part.chance for part in parts[first : last + 1]]
