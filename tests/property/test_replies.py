"""For any arguments: any reply of any tool keeps its budget and schema, and quotes are verbatim."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonplace import tools
from commonplace.answer.pack import MAX_RESPONSE_BYTES, minify
from commonplace.catalog import collect
from commonplace.serve.schemas import input_schema, output_schema
from commonplace.tools.base import Tool
from tests.library import GUIDE, NOTES, RECIPES, Library, open_library
from tests.property.arguments import arguments

TOOLS = collect(tools, Tool)
IDS = {"passage_ids": "passage_id", "section_ids": "section_id"} | dict.fromkeys(
    ("node_ids", "a_ids", "b_ids", "entity_ids", "start_ids", "seeds"), "parent_id"
)
"""Lists of ids, and the pool each is drawn from."""
TEXTS = {"orchard.md": GUIDE, "recipes.md": RECIPES, "notes.md": NOTES}


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with open_library(tmp_path) as opened:
        yield opened


async def pools(library: Library) -> dict[str, list[str]]:
    """Values a real conversation would have, and some it would not."""
    found = await library.call("kb.search", query="trees", options={"max_per_doc": 9}, page_size=2)
    handles = [row["passage_id"] for row in found["results"]] + ["nope"]
    sections = [row["section_id"] for row in found["results"]]
    near = await library.call("graph.expand", node_ids=sections, max_hops=3, page_size=100)
    nodes = [row["id"] for row in near.get("nodes", ())]
    return {
        "passage_id": handles,
        "section_id": sections,
        "parent_id": [*sections, *handles, *nodes],
        "cursor": [str(found["next_cursor"]), "000000000000000", "x"],
        "session_id": [str(found["session_id"]), "someone-else"],
        "project_id": ["default", "org/other"],
        "project": ["default", "default", "org/other"],
        # Texts of any kind would be paths of this machine.
        "source": [str(library.folder), str(library.folder / "notes.md"), "nowhere", "zotero"],
        "references_path": ["nowhere.bib", "notes.md"],
    }


@pytest.mark.requirement("BUD-05")
@pytest.mark.parametrize("name", TOOLS)
@given(data=st.data())
@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_any_reply_of_any_tool_keeps_every_promise(
    library: Library, name: str, data: st.DataObject
) -> None:
    tool, values = TOOLS[name], await pools(library)
    given_arguments = data.draw(arguments(input_schema(tool.args), values))
    for field, pool in IDS.items():
        if field in given_arguments:
            ids = st.lists(st.sampled_from(values[pool]), min_size=1, max_size=8)
            given_arguments[field] = data.draw(ids)
    outcome = await library.outcome(name, **given_arguments)
    structured = outcome.structured
    assert structured is not None
    for form in (outcome.text, minify(structured)):
        assert len(form) <= library.app.settings.response_chars
        assert len(form.encode("utf-8")) <= MAX_RESPONSE_BYTES
    if outcome.is_error:
        error = structured["error"]
        assert error["code"] != "INTERNAL_ERROR", (given_arguments, error)
        if tool.error_text is None:
            assert json.loads(outcome.text) == json.loads(minify(structured))
        else:  # the seeds give this family words of its own
            assert outcome.text.startswith("[ERROR]\n")
        return
    jsonschema.validate(json.loads(minify(structured)), output_schema(tool.output))
    tokens = given_arguments.get(_budget(tool), _default_tokens(tool))
    if tokens is not None:
        assert library.app.tokens(outcome.text) <= tokens
        assert library.app.tokens(minify(structured)) <= tokens
    check_verbatim(structured)


def _budget(tool: Tool) -> str:
    """The argument that bounds a reply; an older tool calls it otherwise."""
    return "token_budget" if "token_budget" in tool.args.model_fields else "max_response_tokens"


def _default_tokens(tool: Tool) -> int | None:
    field = tool.args.model_fields.get(_budget(tool))
    return field.default if field else None


def check_verbatim(structured: Any) -> None:  # noqa: ANN401 - any reply
    rows = [*structured.get("quotes", ()), *structured.get("results", ())]
    nodes = [
        row
        for field in ("nodes", "children", "entities", "sections")
        for row in structured.get(field, ())
    ]
    rows += [row["snippet"] for row in nodes if row.get("snippet")]
    for row in rows:
        text = TEXTS[row["source_uri"].rpartition("/")[2]]
        shown = row.get("quote") or row.get("preview") or row.get("text")
        assert text[row["start_char"] : row["end_char"]] == shown
