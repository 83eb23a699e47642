import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.errors import UserError
from commonplace.serve.install import (
    CLIENTS,
    SERVER_NAME,
    Client,
    config_file,
    merge,
    program,
    server_entry,
    write_entry,
)
from commonplace.settings import Settings

EVERY_CLIENT = pytest.mark.parametrize("client", CLIENTS.values(), ids=list(CLIENTS))
DESKTOP = CLIENTS["claude-desktop"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@EVERY_CLIENT
@pytest.mark.requirement("CLI-11")
def test_other_servers_and_settings_of_the_client_stay(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    mine = {"theme": "dark", client.servers_key: {"other": {"command": "o", "args": []}}}
    file.write_text(json.dumps(mine))
    write_entry(file, client, server_entry(client, Settings(), []))
    after = json.loads(file.read_text())
    entry = after[client.servers_key].pop(SERVER_NAME)
    assert after == mine
    assert entry["args"][-1] == "serve"


@given(st.dictionaries(st.text().filter(lambda key: key != "mcpServers"), JSON))
@pytest.mark.requirement("CLI-11")
def test_a_merge_changes_nothing_but_our_own_entry(config: dict[str, object]) -> None:
    merged = merge(config, DESKTOP, {"command": "c"})
    assert merged.pop("mcpServers") == {SERVER_NAME: {"command": "c"}}
    assert merged == config


@pytest.mark.requirement("CLI-12")
def test_the_old_file_is_kept_and_an_older_copy_of_it_too(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text('{"a": 1}')
    first = write_entry(file, DESKTOP, {"command": "one"})
    middle = file.read_text()
    second = write_entry(file, DESKTOP, {"command": "two"})
    assert first.backup is not None
    assert second.backup is not None
    assert first.backup.read_text() == '{"a": 1}'
    assert second.backup.read_text() == middle


@pytest.mark.requirement("CLI-12")
def test_writing_the_same_entry_again_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "sub" / "config.json"
    assert write_entry(file, DESKTOP, {"command": "c"}).changed
    again = write_entry(file, DESKTOP, {"command": "c"})
    assert not again.changed
    assert [path.name for path in file.parent.iterdir()] == ["config.json"]


@pytest.mark.parametrize(
    "broken",
    [
        b'{"mcpServers": {',
        b'{"a": 1, // comment\n "b": 2}',
        b"[1, 2]",
        b'{"mcpServers": 3}',
        b"\xff\xfe\x00",
    ],
    ids=["cut off", "comments", "a list", "servers not an object", "not text"],
)
@pytest.mark.requirement("CLI-13")
def test_a_file_that_is_not_plain_json_is_left_untouched(broken: bytes, tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_bytes(broken)
    with pytest.raises(UserError, match="mend"):
        write_entry(file, DESKTOP, {"command": "c"})
    assert file.read_bytes() == broken
    assert [path.name for path in tmp_path.iterdir()] == ["config.json"]


def test_an_empty_file_and_one_with_a_byte_order_mark_are_taken(tmp_path: Path) -> None:
    for content in (b"", b"  \n", b"\xef\xbb\xbf{}"):
        file = tmp_path / "config.json"
        file.write_bytes(content)
        write_entry(file, DESKTOP, {"command": "c"})
        assert json.loads(file.read_text())["mcpServers"][SERVER_NAME] == {"command": "c"}


def test_a_linked_configuration_file_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "dotfiles.json", tmp_path / "config.json"
    real.write_text("{}")
    link.symlink_to(real)
    write_entry(link, DESKTOP, {"command": "c"})
    assert link.is_symlink()
    assert SERVER_NAME in json.loads(real.read_text())["mcpServers"]


@EVERY_CLIENT
@pytest.mark.requirement("CLI-14")
def test_the_entry_names_this_installation_its_home_and_projects(
    client: Client, tmp_path: Path
) -> None:
    entry = server_entry(client, Settings(home=tmp_path), ["team/docs"])
    assert [entry["command"], *entry["args"]] == [
        *program(),
        *("serve", "--home", str(tmp_path), "--project", "team/docs"),
    ]
    assert Path(entry["command"]).is_absolute()


def test_a_client_without_settings_per_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="leave out --here"):
        config_file(DESKTOP, tmp_path)
    assert config_file(CLIENTS["vscode"], tmp_path) == tmp_path / ".vscode" / "mcp.json"
