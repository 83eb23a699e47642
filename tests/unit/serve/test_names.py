"""Which tools are listed and which names find them."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from commonplace.domain.errors import UserError
from commonplace.index.code.snapshots import Delta, Snapshot, record
from commonplace.serve.build import open_store
from commonplace.serve.names import CODE, has_code, listed_tools, served_tools, tools_by_name
from commonplace.settings import Settings
from tests.e2e.demo_tools import ECHO, OLD

SEARCH = replace(ECHO, name="kb.search", bare="search", aliases=())
PATHS = replace(ECHO, name="graph.paths", bare="", aliases=())
VERIFY = replace(ECHO, name="verify_quote", bare="", aliases=())
TOOLS = {tool.name: tool for tool in (SEARCH, PATHS, VERIFY, OLD)}


def served(*toolsets: str) -> list[str]:
    return [tool.name for tool in served_tools(TOOLS, Settings(toolsets=toolsets))]


@pytest.mark.requirement("SRV-17")
def test_toolsets_choose_families_and_legacy_names_stay_callable() -> None:
    assert served("default") == ["kb.search", "verify_quote", "old_echo"]
    assert served("graph") == ["graph.paths", "old_echo"]
    assert served("default", "graph") == served("all") == list(TOOLS)


@pytest.mark.requirement("SRV-17")
def test_an_unknown_toolset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UserError, match="known: default, all, kb, graph, web"):
        served("kbb")


@pytest.mark.requirement("SRV-17")
def test_lists_show_family_or_bare_names_and_legacy_tools_only_on_rollback() -> None:
    tools = TOOLS.values()
    assert list(listed_tools(tools, Settings())) == ["kb_search", "graph_paths", "verify_quote"]
    bare = Settings(tool_names="bare")
    assert list(listed_tools(tools, bare)) == ["search", "graph_paths", "verify_quote"]
    rolled_back = listed_tools(tools, Settings(kb_v2_enabled=False))
    assert list(rolled_back) == ["graph_paths", "verify_quote", "old_echo"]


@pytest.mark.requirement("SRV-02")
def test_a_name_of_its_own_wins_over_a_short_name_of_another() -> None:
    rival = replace(PATHS, bare="verify_quote", aliases=("kb_search",))
    found = tools_by_name([rival, SEARCH, VERIFY])
    assert found["verify_quote"] is VERIFY
    assert found["kb_search"] is SEARCH
    assert found["search"] is SEARCH


@pytest.mark.requirement("SRV-17")
def test_a_family_without_tools_yet_may_be_named_but_no_family_at_all_may_not() -> None:
    named = served_tools(TOOLS, Settings(toolsets=("kb", "memory")))
    assert {tool.family for tool in named if not tool.is_legacy} == {"kb"}
    with pytest.raises(UserError, match="toolsets is empty"):
        served_tools(TOOLS, Settings(toolsets=()))


@pytest.mark.requirement("CODE-T17")
async def test_the_core_of_code_is_default_where_code_is_indexed(tmp_path: Path) -> None:
    family = {name: replace(ECHO, name=name, bare="", aliases=()) for name in (*CODE, "code.more")}

    def listed(*toolsets: str, with_code: bool) -> set[str]:
        chosen = Settings(toolsets=toolsets)
        return {tool.name for tool in served_tools(family, chosen, with_code=with_code)}

    assert listed("default", with_code=False) == set()
    assert listed("default", with_code=True) == set(CODE)
    assert listed("kb", with_code=True) == set()
    assert listed("code", with_code=False) == set(family)
    store = open_store(Settings(home=tmp_path))
    try:
        assert not await has_code(store.keyvalue, Settings(home=tmp_path))
        made = Snapshot(number=0, source_id="s", made_at=datetime(2026, 1, 1, tzinfo=UTC))
        await record(store.keyvalue, "org/code", made, Delta())
        await store.keyvalue.put("projects", "org/code", b"{}")
        assert await has_code(store.keyvalue, Settings(home=tmp_path))
        assert not await has_code(store.keyvalue, Settings(home=tmp_path, projects=("other",)))
    finally:
        await store.close()
