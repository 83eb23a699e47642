"""Settings: layers, names, refusals."""

from pathlib import Path

import pytest

from commonplace.domain.errors import UserError
from commonplace.engines.sqlite.store import parse_address
from commonplace.settings import ENVIRONMENT_ALIASES, Settings, load


@pytest.mark.requirement("SET-01")
def test_flags_win_over_environment_over_project_file_over_user_file(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    folder.mkdir()
    (home / "settings.toml").write_text('port = 1\nhost = "user"\nlog_level = "ERROR"\n')
    (folder / "commonplace.toml").write_text('port = 2\nhost = "project"\n')
    environ = {"COMMONPLACE_HOME": str(home), "COMMONPLACE_PORT": "3"}
    assert load({}, environ, folder).port == 3
    assert load({"port": 4}, environ, folder).port == 4
    settings = load({}, environ, folder)
    assert (settings.host, settings.log_level) == ("project", "ERROR")


@pytest.mark.requirement("SET-02")
@pytest.mark.parametrize(("name", "field"), ENVIRONMENT_ALIASES.items())
def test_names_other_servers_use_are_read_and_ours_win(
    tmp_path: Path, name: str, field: str
) -> None:
    values = {"MCP_TRANSPORT": "http", "MCP_LOG_LEVEL": "DEBUG", "MCP_HOST": "h"}
    given = values.get(name, "1" if "ENABLED" in name else "250")
    settings = load({}, {name: given, "COMMONPLACE_HOME": str(tmp_path)}, tmp_path)
    assert str(getattr(settings, field)).removesuffix(".0") in (given, "True")


@pytest.mark.requirement("SET-03")
@pytest.mark.parametrize(
    "environ",
    [{"COMMONPLACE_PORT": "many"}, {"COMMONPLACE_PASSAGE_TOKENS": "1"}, {"MCP_PORT": "-1"}],
)
def test_an_impossible_value_is_refused_with_the_settings_name(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    with pytest.raises(UserError, match=r"setting 'p.* from the environment"):
        load({}, environ | {"COMMONPLACE_HOME": str(tmp_path)}, tmp_path)


@pytest.mark.requirement("SET-04")
@pytest.mark.parametrize("text", ["port = ", "port = 1\n[", "\xff"])
def test_a_broken_settings_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "commonplace.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(UserError, match=r"commonplace\.toml"):
        load({}, {"COMMONPLACE_HOME": str(tmp_path)}, tmp_path)


@pytest.mark.requirement("SET-05")
@pytest.mark.parametrize("name", ["a?b", "a#b", "100%", "ü b", "a&wait_s=7"])
def test_any_home_folder_can_hold_the_store(name: str) -> None:
    settings = Settings(home=Path("/data") / name, writer_wait_s=7)
    assert parse_address(settings.store_url) == (Path("/data") / name / "index.db", 7.0)


@pytest.mark.requirement("SET-06")
def test_secrets_are_not_shown() -> None:
    shown = repr(Settings(auth_token="hunter2", embed_key="sk-1"))  # noqa: S106 - made up
    assert "hunter2" not in shown
    assert "sk-1" not in shown


@pytest.mark.requirement("SET-07")
@pytest.mark.parametrize(
    ("name", "value", "field", "meant"),
    [
        ("MCP_LOG_LEVEL", "info", "log_level", "INFO"),
        ("MCP_TRANSPORT", "streamable-http", "transport", "http"),
        ("MCP_TRANSPORT", "streamable_http", "transport", "http"),
        ("MCP_TRANSPORT", "STDIO", "transport", "stdio"),
    ],
)
def test_usual_spellings_of_other_servers_are_understood(
    tmp_path: Path, name: str, value: str, field: str, meant: str
) -> None:
    settings = load({}, {name: value, "COMMONPLACE_HOME": str(tmp_path)}, tmp_path)
    assert getattr(settings, field) == meant
