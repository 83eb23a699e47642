"""Content of any shape becomes text that can be searched and quoted, and comes back as it was."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.context import Context, Relationship, Repeat, Similar
from commonplace.memory.files import Format, read_lines, write_lines
from commonplace.memory.record import context_id, from_node, merge, to_edges, to_node
from commonplace.memory.render import text_of, title_of

MOMENT = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e6, 1e6) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
CONTENT = st.dictionaries(TEXT, JSON, min_size=1, max_size=4)


def make(content: dict[str, Any], **chosen: Any) -> Context:  # noqa: ANN401 - any field
    given: dict[str, Any] = {"type": "log", "agent": "a", "created_at": MOMENT} | chosen
    made = context_id("default", given["type"], content)
    return Context(id=made, project="default", content=content, **given)


CONTEXTS = st.builds(
    make,
    CONTENT,
    metadata=st.dictionaries(TEXT, JSON, max_size=2),
    agent=TEXT.filter(str.strip),
    type=st.sampled_from(["design", "log"]),
    environment=st.sampled_from([None, "prod"]),
    relationships=st.lists(st.builds(Relationship, TEXT, TEXT), max_size=2).map(tuple),
    similar=st.just((Similar(id="ctx_1", similarity=0.75),)) | st.just(()),
    repeats=st.just((Repeat(agent="b", metadata={"x": 1}, times=2, last_at=MOMENT),)) | st.just(()),
)


@pytest.mark.requirement("MEM-09")
def test_text_reads_as_a_person_would_write_it() -> None:
    content = {
        "title": "User Authentication API",
        "description": "JWT-based authentication system",
        "components": ["auth-service", {"name": "user-db", "kind": "postgres"}],
        "limits": {"tries": 3, "locked": False},
        "notes": "First line.\nSecond line.",
    }
    context = make(
        content,
        metadata={"author": "dev"},
        relationships=(Relationship("implements", "req-1"), Relationship("cites", "p" + "1" * 18)),
    )
    assert text_of(context) == (
        "# User Authentication API\n\n"
        "description: JWT-based authentication system\n"
        "components:\n- auth-service\n- name: user-db\n  kind: postgres\n"
        "limits:\n  tries: 3\n  locked: false\n\n"
        "## notes\n\nFirst line.\nSecond line.\n\n"
        "author: dev\n\nimplements: req-1\n"
    )


@pytest.mark.requirement("MEM-09")
def test_a_single_text_is_its_own_body_and_gives_the_title() -> None:
    context = make({"text": "We use the drip line.\nThe hose wastes half."})
    assert title_of(context) == "We use the drip line."
    assert text_of(context).endswith("\n\nWe use the drip line.\nThe hose wastes half.\n")
    assert len(title_of(make({"text": "word " * 100}))) <= 120
    assert title_of(make({"n": 1})).startswith("log ctx_")


@pytest.mark.requirement("MEM-09")
@given(context=CONTEXTS)
def test_any_context_comes_back_from_its_node_as_it_was(context: Context) -> None:
    assert from_node(to_node(context)) == context
    assert len(to_edges(context)) == len(context.relationships) + len(context.similar)
    assert text_of(context).startswith("# ")
    assert "\n" not in title_of(context)


@pytest.mark.requirement("MEM-17")
@pytest.mark.parametrize("form", ["jsonl", "markdown"])
@given(contexts=st.lists(CONTEXTS, max_size=3, unique_by=lambda one: one.id))
def test_any_contexts_come_back_from_a_file_as_they_were(
    form: Format, contexts: list[Context]
) -> None:
    lines = "".join(write_lines("default", contexts, form)).split("\n")
    assert read_lines(lines, None) == ("default", contexts)


@pytest.mark.requirement("MEM-17")
def test_in_another_project_ids_and_relationships_follow() -> None:
    first = make({"text": "one"})
    second = make({"text": "two"}, relationships=(Relationship("supersedes", first.id),))
    lines = "".join(write_lines("default", [first, second], "jsonl")).splitlines()
    project, moved = read_lines(lines, "org/other")
    assert project == "org/other"
    assert moved[0].id == context_id("org/other", "log", {"text": "one"}) != first.id
    assert moved[1].relationships[0].target == moved[0].id


@pytest.mark.requirement("MEM-05")
@given(known=CONTEXTS, other=CONTEXTS)
def test_of_two_records_of_one_context_nothing_is_lost_and_nothing_counted_twice(
    known: Context, other: Context
) -> None:
    once = merge(known, other)
    assert set(known.relationships) | set(other.relationships) == set(once.relationships)
    assert {one.agent for one in (*known.repeats, *other.repeats)} <= {
        one.agent for one in once.repeats
    }
    assert merge(once, other) == once
