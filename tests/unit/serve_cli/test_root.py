import json
import subprocess
import sys
from pathlib import Path

import click
import pytest

from commonplace.serve.cli import root
from commonplace.serve.cli.choices import Choices, shared_options
from commonplace.serve.cli.root import COMMANDS, cli, run

EVERY_COMMAND = pytest.mark.parametrize("name", COMMANDS)


def command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


@pytest.mark.requirement("CLI-01")
def test_help_lists_every_command_without_importing_one() -> None:
    program = (
        "import sys; from commonplace.serve.cli.root import COMMANDS, run; run(['--help']); "
        "loaded = {m.rpartition('.')[2] for m in sys.modules if 'serve.cli.' in m}; "
        "assert not loaded & {e.module for e in COMMANDS.values()}, loaded; "
        "assert not {'rich', 'numpy', 'mcp', 'onnxruntime'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr == ""
    assert all(f"\n  {name} " in done.stdout for name in COMMANDS)


@EVERY_COMMAND
@pytest.mark.requirement("CLI-02")
def test_the_purpose_in_the_table_opens_the_commands_own_help(name: str) -> None:
    opening = (command(name).help or "").split("\n\n")[0].replace("\n", " ")
    assert opening.startswith(COMMANDS[name].purpose.rstrip("."))


@EVERY_COMMAND
@pytest.mark.requirement("CLI-09")
def test_every_command_takes_the_shared_options(name: str) -> None:
    taken = {flag for param in command(name).params for flag in param.opts}
    assert taken >= {flag for option in shared_options() for flag in option.opts}


@pytest.mark.requirement("CLI-03")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--project", "a/b", "install", "cursor"], "a/b"),
        (["install", "cursor", "--project", "a/b"], "a/b"),
        (["--project", "a", "install", "cursor", "--project", "b"], "b"),
    ],
)
def test_shared_options_stand_before_or_after_the_command(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["entry"]["args"][-1] == expected


@pytest.mark.requirement("CLI-04")
def test_a_failure_is_one_line_and_names_the_fix(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["install", "cursor", "--project", "../etc"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: '../etc' cannot name a project; use")
    assert captured.err.count("\n") == 1


@pytest.mark.requirement("CLI-05")
def test_a_failure_is_an_envelope_with_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["install", "cursor", "--project", "../etc", "--json"]) == 1
    envelope = json.loads(capsys.readouterr().out)["error"]
    assert envelope["code"] == "INVALID_ARGUMENT"
    assert "cannot name a project" in envelope["message"]


@pytest.mark.requirement("CLI-06")
def test_verbose_shows_the_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["-v", "install", "cursor", "--project", "../etc"]) == 1
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.requirement("CLI-07")
@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["install"], ["install", "emacs"], ["add"], ["ask", "--nope"]]
)
def test_a_wrong_command_line_is_exit_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert "Usage:" in capsys.readouterr().err


@pytest.mark.requirement("CLI-08")
def test_an_interrupted_command_says_it_can_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    stopped = click.Command("doctor", callback=click.pass_obj(interrupted))
    monkeypatch.setattr(root.Root, "get_command", lambda *_: stopped)
    assert run(["doctor"]) == 130
    assert "run it again to go on" in capsys.readouterr().err


@pytest.mark.requirement("CLI-10")
def test_install_prints_the_entry_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mcp.json"
    assert run(["install", "vscode", "--path", str(file)]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["servers"]["commonplace"]["type"] == "stdio"
    assert str(file) in captured.err
    assert not file.exists()


@pytest.mark.requirement("CLI-11")
def test_install_yes_writes_the_entry_and_tells_what_comes_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mcp.json"
    file.write_text('{"mcpServers": {"other": {}}}')
    assert run(["install", "cursor", "--path", str(file), "--yes"]) == 0
    assert set(json.loads(file.read_text())["mcpServers"]) == {"other", "commonplace"}
    assert "Kept the old file" in capsys.readouterr().out


def test_quiet_and_verbose_set_the_least_severity_of_log_lines() -> None:
    assert Choices(is_quiet=True).settings().log_level == "ERROR"
    assert Choices(is_verbose=True).settings().log_level == "DEBUG"
