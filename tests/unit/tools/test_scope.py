"""Borders: projects, sessions, environments, repositories. Nothing leaks, not even existence."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from commonplace import tools
from commonplace.catalog import collect
from commonplace.serve.dispatch import Caller
from commonplace.tools.base import Tool
from tests.library import Library, open_library

SECRET = "The vault code is heliotrope."  # noqa: S105 - a sentence


async def add_secret(library: Library, folder: Path, project: str) -> None:
    folder.mkdir()  # noqa: ASYNC240 - a temporary folder
    (folder / "secret.md").write_text(f"# Secret\n\n{SECRET}\n")
    await library.add(folder, project, environment="prod", repository="vault")


@pytest.mark.requirement("SCO-01")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("kb.search", {"query": "vault code heliotrope"}),
        ("kb.retrieve_evidence", {"question": "vault code heliotrope"}),
        ("search_sections", {"query": "vault code heliotrope"}),
        ("search_documentation", {"query": "vault code heliotrope"}),
        ("verify_quote", {"quote": SECRET}),
    ],
)
async def test_no_tool_shows_another_projects_text(
    library: Library, tmp_path: Path, tool: str, arguments: dict[str, str]
) -> None:
    await add_secret(library, tmp_path / "b", "org/b")
    outcome = await library.outcome(tool, **arguments)
    assert not outcome.is_error, outcome.text
    shown = outcome.text.replace(arguments.get("query", ""), "")
    assert "secret.md" not in shown
    if tool != "verify_quote":
        assert "heliotrope" not in shown.replace(arguments.get("question", ""), "")


@pytest.mark.requirement("SCO-02")
async def test_a_project_the_server_does_not_serve_is_a_scope_violation(tmp_path: Path) -> None:
    async with open_library(tmp_path, projects=("default",)) as library:
        await add_secret(library, tmp_path / "b", "org/b")
        known = await library.outcome("kb.search", query="x", scope={"project_id": "org/b"})
        unknown = await library.outcome("kb.search", query="x", scope={"project_id": "org/z"})
        assert known.is_error
        assert "SCOPE_VIOLATION" in known.text
        assert known.text.replace("org/b", "org/z") == unknown.text
        for tool, arguments in (
            ("kb.retrieve_evidence", {"question": "x"}),
            ("kb.read_excerpt", {"passage_id": "x"}),
            ("kb.expand_excerpt", {"passage_id": "x"}),
            ("kb.extract_evidence", {"question": "x", "passage_ids": ["x"]}),
            ("verify_quote", {"quote": "x"}),
        ):
            scoped = {**arguments, "scope": {"project_id": "org/b"}}
            assert await library.error(tool, **scoped) == "SCOPE_VIOLATION"


@pytest.mark.requirement("SCO-03")
async def test_a_handle_of_one_project_is_missing_in_another(
    library: Library, tmp_path: Path
) -> None:
    await add_secret(library, tmp_path / "b", "org/b")
    there = {"project_id": "org/b"}
    found = await library.call("kb.search", query="vault code", scope=there)
    handle = found["results"][0]["passage_id"]
    read = await library.call("kb.read_excerpt", passage_id=handle, scope=there)
    assert SECRET in read["excerpt"]
    here = await library.outcome("kb.read_excerpt", passage_id=handle)
    nowhere = await library.outcome("kb.read_excerpt", passage_id="000000000")
    assert here.is_error
    assert here.text.replace(handle, "") == nowhere.text.replace("000000000", "")
    section = found["results"][0]["section_id"]
    assert await library.error("get_section_text", section_ids=[section]) == "NOT_FOUND"


@pytest.mark.requirement("SCO-04")
async def test_another_sessions_handle_is_missing_for_every_tool(library: Library) -> None:
    found = await library.call("kb.search", query="prune")
    handle = found["results"][0]["passage_id"]
    stranger = Caller(connection="other")
    for tool, arguments in (
        ("kb.read_excerpt", {"passage_id": handle}),
        ("kb.expand_excerpt", {"passage_id": handle}),
        ("kb.extract_evidence", {"question": "x", "passage_ids": [handle]}),
    ):
        outcome = await library.dispatcher.call(tool, arguments, stranger)
        assert outcome.is_error
        assert "NOT_FOUND" in outcome.text
    borrowed = {"passage_id": handle, "session_id": found["session_id"]}
    outcome = await library.dispatcher.call("kb.read_excerpt", borrowed, stranger)
    assert outcome.is_error


@pytest.mark.requirement("SCO-05")
async def test_environment_and_repository_narrow_the_scope(
    library: Library, tmp_path: Path
) -> None:
    await add_secret(library, tmp_path / "b", "default")

    async def found(**scope: object) -> bool:
        reply = await library.call("kb.search", query="vault code heliotrope", scope=scope)
        return any("secret" in row["source_uri"] for row in reply["results"])

    assert await found()
    assert await found(environment="prod")
    assert not await found(environment="dev")
    assert await found(repositories=["vault"])
    assert not await found(repositories=["elsewhere"])
    assert not await found(doc_tags=["orchard"])


@pytest.mark.requirement("KBS-13")
@pytest.mark.parametrize("tool", collect(tools, Tool).values(), ids=lambda tool: str(tool.name))
def test_null_is_as_good_as_left_out_in_every_tool(tool: Tool) -> None:
    tool.args.model_rebuild()
    optional = [name for name, one in tool.args.model_fields.items() if not one.is_required()]
    told: list[object] = []
    for given in ({}, dict.fromkeys(optional)):
        try:
            told.append(tool.args.model_validate(given).model_fields_set)
        except ValidationError as exc:
            told.append([(error["type"], error["loc"]) for error in exc.errors()])
    assert told[0] == told[1]
