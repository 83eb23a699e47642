"""Entries of a reference that a question names."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.scope import Selection
from commonplace.engines.base import Entry
from commonplace.engines.memory.store import MemoryStore
from commonplace.retrieve.search import Reader, Request, search
from tests.unit.retrieve.shelf import PROJECT, card, locate

MANUAL = {
    "work_mem": ["work_mem (integer): the memory of one sort, four by default.", "Sorts add up."],
    "hash_factor": ["By default work_mem is doubled: the default work_mem is thus eight."],
    "keep_work_mem": ["keep_work_mem (integer): as work_mem, for upkeep. By default 64."],
    "History": [f"{word} was changed since work_mem came" + " and so on" * 9 for word in "ABCDEF"],
}


async def _found(
    manual: Mapping[str, list[str]], question: str, limit: int = 8, max_per_doc: int = 8
) -> list[tuple[str, str]]:
    """The heading and text of each passage found in a manual of one document."""
    store = MemoryStore()
    headings = [heading for heading, texts in manual.items() for _ in texts]
    located = locate("Manual", *(text for texts in manual.values() for text in texts))
    passages = [
        replace(one.passage, headings=("Manual", heading))
        for one, heading in zip(located, headings, strict=True)
    ]
    await store.passages.write([Entry(card=card("Manual"), passages=passages)])
    reader = Reader(passages=store.passages, graph=store.graph, embedders=())
    selection = Selection(project=PROJECT)
    request = Request(text=question, selection=selection, limit=limit, max_per_doc=max_per_doc)
    found = await search(reader, request)
    return [(one.passage.headings[-1], one.passage.text) for one in found.located]


@pytest.mark.requirement("RET-31")
@pytest.mark.parametrize("question", ["What is the default of work_mem?", "default WORK_MEM"])
async def test_the_entry_that_a_question_names_comes_first(question: str) -> None:
    plain = await _found(MANUAL, question.replace("work_mem", "work mem").replace("_", " "))
    named = await _found(MANUAL, question, max_per_doc=1)
    assert (plain[0][0], named[0][0]) == ("hash_factor", "work_mem")


@pytest.mark.requirement("RET-32")
async def test_a_name_alone_gets_what_tells_what_it_is() -> None:
    entry = ["**work_mem** (integer): the memory of one sort.", "More work_mem, work_mem at once."]
    found = await _found({**MANUAL, "work_mem": entry}, "work_mem", max_per_doc=1)
    assert found[0][1].startswith("**work_mem**")


@pytest.mark.requirement("RET-31")
async def test_entries_too_short_for_a_section_of_their_own_are_named_too() -> None:
    entries = "**sort_mem**: By default four.\n\n**`work_mem` (`integer`)**: As sort_mem."
    found = await _found({**MANUAL, "work_mem": ["None."], "Memory": [entries]}, "default work_mem")
    assert found[0][0] == "Memory"


@pytest.mark.requirement("RET-13")
@given(
    st.lists(st.sampled_from(sorted(MANUAL)), min_size=1, max_size=30),
    st.sampled_from(["work_mem", "the default of work_mem", "keep_work_mem or hash_factor"]),
    st.integers(1, 20),
)
async def test_a_larger_limit_extends_what_is_named_too(
    said: list[str], question: str, limit: int
) -> None:
    manual = {
        f"{heading}_{place}" if place % 2 else heading: [f"{place} {MANUAL[heading][0]}"]
        for place, heading in enumerate(said)
    }
    few = await _found(manual, question, limit, max_per_doc=40)
    assert (await _found(manual, question, limit + 7, max_per_doc=40))[: len(few)] == few
