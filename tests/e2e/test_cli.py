"""The command line as people use it: a folder in, quotes out."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from commonplace.serve.cli.root import run


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - whatever the command wrote
        return json.loads(self.out)


Cli = Callable[..., Ran]


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command line on a home of its own."""

    def call(*arguments: str, home: Path | None = None) -> Ran:
        code = run(["--home", str(home or tmp_path / "home"), *arguments])
        return Ran(code, *capsys.readouterr())

    return call


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "backups.md").write_text(
        "# Backups\n\nEvery database is copied at night.\n\n## Restore\n\n"
        "Stop the writers first. Then run `restore --from SITE` on the standby.\n"
    )
    (folder / "on-call.md").write_text(
        "# On call\n\nIf nobody confirms the pager within ten minutes, the team lead is called.\n"
    )
    return folder


@pytest.mark.requirement("CLI-20")
def test_what_is_added_is_found(cli: Cli, handbook: Path) -> None:
    added = cli("add", str(handbook), "--no-wait")
    assert added.code == 0
    assert "2 documents: 2 added" in added.out
    asked = cli("ask", "What is done before a restore?", "--json").json
    assert "Stop the writers first." in asked["quotes"][0]["quote"]


@pytest.mark.requirement("CLI-20")
def test_add_improves_vectors_and_says_that_search_works_already(cli: Cli, handbook: Path) -> None:
    added = cli("add", str(handbook), "--json").json
    assert [one["remaining"] for one in added["vectors"]] == [0, 0]
    (handbook / "new.md").write_text("# New\n\nSomething else.\n")
    again = cli("sync", "--no-wait")
    assert "Searchable now; 1 passage" in again.err


@pytest.mark.requirement("CLI-21")
def test_a_document_that_cannot_be_read_is_named_and_the_others_are_indexed(
    cli: Cli, handbook: Path
) -> None:
    (handbook / "broken.docx").write_bytes(b"PK\x03\x04 this is no archive")
    added = cli("add", str(handbook), "--no-wait")
    assert added.code == 3
    assert re.search(r"not read\s+broken\.docx", added.out)
    assert "2 documents" in added.out


@pytest.mark.requirement("CLI-21")
def test_a_source_that_is_not_there_fails_and_among_others_is_partial(
    cli: Cli, handbook: Path
) -> None:
    alone = cli("add", str(handbook / "nowhere"))
    assert alone.code == 1
    assert alone.err.startswith("error: ")
    among = cli("add", str(handbook / "nowhere"), str(handbook), "--no-wait")
    assert among.code == 3
    assert "2 documents" in among.out


@pytest.mark.requirement("CLI-22")
def test_sync_takes_changed_new_and_removed_files(cli: Cli, handbook: Path) -> None:
    cli("add", str(handbook), "--no-wait")
    (handbook / "backups.md").write_text("# Backups\n\nCopies are kept for 35 days.\n")
    (handbook / "on-call.md").unlink()
    (handbook / "holidays.md").write_text("# Holidays\n\nThe other site takes over.\n")
    synced = cli("sync", "--no-wait", "--json").json["sources"][0]
    assert [synced[name] for name in ("added", "changed", "removed")] == [1, 1, 1]
    assert "nothing changed" in cli("sync", "--no-wait").out
    quotes = cli("ask", "team lead pager", "--json").json["quotes"]
    assert all("pager" not in quote["quote"] for quote in quotes)


@pytest.mark.requirement("CLI-23")
def test_remove_forgets_a_source_and_all_of_it(cli: Cli, handbook: Path) -> None:
    cli("add", str(handbook), "--no-wait")
    removed = cli("remove", str(handbook))
    assert removed.code == 0
    assert "with 2 documents" in removed.out
    assert cli("status", "--json").json["projects"][0]["documents"] == 0
    unknown = cli("remove", str(handbook))
    assert unknown.code == 1
    assert "none yet" in unknown.err


@pytest.mark.requirement("CLI-24")
def test_ask_shows_quotes_with_headings_file_and_line(
    cli: Cli, handbook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(handbook)
    cli("add", ".", "--no-wait")
    asked = cli("ask", "What is done before a restore?")
    assert "▌ Stop the writers first." in asked.out
    assert "Backups › Restore  backups.md:7" in asked.out
    assert re.search(r"quotes? · \d+ tokens", asked.err)


@pytest.mark.requirement("CLI-24")
def test_every_quote_is_the_text_at_its_offsets(cli: Cli, handbook: Path) -> None:
    cli("add", str(handbook), "--no-wait")
    for quote in cli("ask", "restore pager backups", "--json").json["quotes"]:
        text = Path(quote["source_uri"].removeprefix("file://")).read_text()
        assert text[quote["start_char"] : quote["end_char"]] == quote["quote"]


@pytest.mark.requirement("CLI-25")
def test_search_is_narrowed_by_tag_path_and_date(cli: Cli, handbook: Path) -> None:
    (handbook / "old").mkdir()
    (handbook / "old" / "backups.md").write_text("# Old backups\n\nRestore from tape.\n")
    cli("add", str(handbook), "--tag", "ops", "--no-wait")

    def titles(*narrow: str) -> list[str]:
        found = cli("search", "restore backups", "--json", *narrow).json["results"]
        return [row["title"] for row in found]

    assert {"Backups", "Old backups"} <= set(titles("--tag", "ops"))
    assert titles("--tag", "nothing") == []
    assert titles("--path-prefix", "old/") == ["Old backups"]
    assert titles("--updated-after", "2999-01-01") == []
    shown = cli("search", "restore backups", "-k", "1")
    assert "[1] " in shown.out
    assert "[2] " not in shown.out


@pytest.mark.requirement("CLI-26")
def test_get_shows_a_passage_by_id_and_a_document_by_path(cli: Cli, handbook: Path) -> None:
    cli("add", str(handbook), "--no-wait")
    hit = cli("search", "pager", "--json").json["results"][0]
    assert "team lead" in cli("get", hit["section_id"]).out
    text = (handbook / "backups.md").read_text()
    assert cli("get", str(handbook / "backups.md")).out == text
    assert cli("get", "backups.md").out == text
    assert cli("get", "nonsense").code == 1


@pytest.mark.requirement("CLI-26")
def test_the_end_of_several_paths_is_answered_with_all_of_them(cli: Cli, handbook: Path) -> None:
    (handbook / "old").mkdir()
    (handbook / "old" / "backups.md").write_text("# Old\n\nTape.\n")
    cli("add", str(handbook), "--no-wait")
    several = cli("get", "backups.md")
    assert several.code == 1
    assert "old/backups.md" in several.err
    assert "Tape." in cli("get", "old/backups.md").out


@pytest.mark.requirement("CLI-26")
def test_a_long_document_is_read_in_whole_passages_to_its_end(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "long.md"
    text = "".join(f"## Part {n}\n\n" + f"Sentence {n} of many. " * 60 + "\n\n" for n in range(9))
    file.write_text(text)
    cli("add", str(file), "--no-wait")
    read, start = "", 0
    while start is not None:
        page = cli("get", str(file), "--tokens", "500", "--from", str(start), "--json").json
        read += "".join(passage["text"] for passage in page["passages"])
        start = page["next"]
    assert read == text
    assert "--from" in cli("get", str(file), "--tokens", "500").err


@pytest.mark.requirement("CLI-27")
@pytest.mark.parametrize("name", ["kb.search", "kb_search"])
def test_call_runs_a_tool_by_any_of_its_names(cli: Cli, handbook: Path, name: str) -> None:
    cli("add", str(handbook), "--no-wait")
    called = cli("call", name, '{"query": "pager"}', "--json")
    assert called.json["results"][0]["title"] == "On call"
    assert called.json["_meta"]["tokens"] > 0


@pytest.mark.requirement("CLI-27")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("kb.serch", "{}"), "did you mean kb.search"),
        (("kb.search", "{query: 1}"), "not JSON"),
        (("kb.search", "[1]"), "JSON object"),
        (("kb.search", '{"query": "x", "top_k": -1}'), "top_k"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(
    cli: Cli, arguments: tuple[str, ...], message: str
) -> None:
    called = cli("call", *arguments)
    assert called.code == 1
    assert message in called.err


@pytest.mark.requirement("CLI-28")
def test_status_shows_what_is_there_and_how_complete(
    cli: Cli, handbook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Nothing indexed yet" in cli("status").out
    cli("add", str(handbook), "--no-wait", "--project", "team/ops")
    facts = cli("status", "--json").json["projects"]
    assert [row["project"] for row in facts] == ["team/ops"]
    assert facts[0]["documents"] == 2
    assert facts[0]["sources"][0]["location"] == str(handbook)
    coverage = {row["tier"]: row["embedded"] for row in facts[0]["vectors"]}
    assert coverage == {"transformer": 0, "static": facts[0]["passages"]}
    shown = cli("status").out
    assert "2 documents" in shown
    assert "`commonplace embed --project team/ops` finishes" in shown
    monkeypatch.setenv("COMMONPLACE_DEFAULT_PROJECT", "team/ops")
    assert "`commonplace embed` finishes" in cli("status", "--project", "team/ops").out


@pytest.mark.requirement("BAD-13")
def test_status_counts_generated_code(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    text = "# Code generated by protoc. DO NOT EDIT.\ndef gen(): pass\n"
    (folder / "gen_pb2.py").write_text(text, "utf-8")
    assert cli("add", str(folder), "--no-wait")[0] == 0
    assert "1 file of generated code, marked" in cli("status")[1]


@pytest.mark.requirement("CLI-34")
def test_embed_completes_the_better_vectors(cli: Cli, handbook: Path) -> None:
    cli("add", str(handbook), "--no-wait")
    assert cli("embed").code == 0
    vectors = cli("status", "--json").json["projects"][0]["vectors"]
    assert all(row["embedded"] == row["passages"] for row in vectors)


@pytest.mark.requirement("CLI-29")
def test_doctor_is_content_with_a_healthy_home(cli: Cli, handbook: Path) -> None:
    cli("add", str(handbook), "--no-wait")
    examined = cli("doctor", "--json")
    assert examined.code == 0
    states = {row["about"]: row["state"] for row in examined.json["findings"]}
    wanted = ("Python", "packages", "token counter", "model static", "model transformer")
    assert all(states[about] == "ok" for about in (*wanted, "SQLite", "data folder", "index"))
    assert "snapshot answers" in cli("doctor").out


@pytest.mark.requirement("CLI-29")
@pytest.mark.parametrize("harm", ["damaged index", "home is a file", "wrong setting"])
def test_doctor_fails_on_a_fault_and_names_the_fix(cli: Cli, tmp_path: Path, harm: str) -> None:
    home = tmp_path / "home"
    if harm == "home is a file":
        home.write_text("not a folder")
    else:
        home.mkdir()
        damaged = {
            "damaged index": ("index.db", "no database"),
            "wrong setting": ("settings.toml", "port = 99999"),
        }
        name, content = damaged[harm]
        (home / name).write_text(content * 100 if harm == "damaged index" else content)
    examined = cli("doctor", "--json")
    assert examined.code == 1
    failed = [row for row in examined.json["findings"] if row["state"] == "fail"]
    assert failed
    assert all(row["fix"] for row in failed)


@pytest.mark.requirement("CLI-29")
def test_doctor_looks_at_what_clients_start(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert cli("install", "cursor", "--yes").code == 0
    findings = cli("doctor", "--json").json["findings"]
    assert {"about": "Cursor", "state": "ok"}.items() <= findings[-1].items()
    (tmp_path / ".cursor" / "mcp.json").write_text(
        '{"mcpServers": {"commonplace": {"command": "/gone/commonplace", "args": ["serve"]}}}'
    )
    broken = cli("doctor", "--json")
    assert broken.code == 1
    assert broken.json["findings"][-1]["fix"] == "run `commonplace install cursor --yes`"


@pytest.mark.requirement("CLI-30")
def test_projects_are_created_listed_and_removed(cli: Cli, handbook: Path) -> None:
    assert cli("projects", "create", "team/ops").code == 0
    cli("add", str(handbook), "--no-wait", "--project", "team/api")
    names = [row["project"] for row in cli("projects", "list", "--json").json["projects"]]
    assert names == ["team/api", "team/ops"]
    removed = cli("projects", "remove", "team/api", "--yes")
    assert "with 2 documents" in removed.out
    assert "team/api" not in cli("projects").out
    assert handbook.exists()
    assert cli("projects", "remove", "team/api", "--yes").code == 1


@pytest.mark.requirement("CLI-31")
def test_a_project_moved_to_another_home_gives_the_same_answers(
    cli: Cli, handbook: Path, tmp_path: Path
) -> None:
    cli("add", str(handbook), "--no-wait")
    file, elsewhere = tmp_path / "moved.jsonl", tmp_path / "elsewhere"
    assert cli("export", "default", str(file)).code == 0
    assert cli("import", str(file), home=elsewhere).code == 0
    for question in ("restore", "Who is called when the pager stays silent?"):
        here = cli("ask", question, "--json").json["quotes"]
        there = cli("ask", question, "--json", home=elsewhere).json["quotes"]
        differ = {"passage_id", "uri"}  # handles of one session
        assert [{k: q[k] for k in q.keys() - differ} for q in here] == [
            {k: q[k] for k in q.keys() - differ} for q in there
        ]
    again = cli("export", "default", "-", home=elsewhere)
    assert again.out == file.read_text()


@pytest.mark.requirement("CLI-31")
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "line 1"),
        ("not json\n", "line 1 is not JSON"),
        ('{"commonplace": 99}\n', "not an export"),
        ('{"commonplace": 1, "project": "p", "documents": 1}\n{"document": {}}\n', "line 2"),
    ],
)
def test_a_file_that_is_no_export_is_refused_with_its_line(
    cli: Cli, tmp_path: Path, content: str, message: str
) -> None:
    file = tmp_path / "moved.jsonl"
    file.write_text(content)
    imported = cli("import", str(file))
    assert imported.code == 1
    assert message in imported.err


@pytest.mark.requirement("CLI-33")
def test_a_question_to_an_empty_project_says_how_to_add_documents(cli: Cli) -> None:
    asked = cli("ask", "anything?")
    assert asked.code == 1
    assert "run `commonplace add FOLDER`" in asked.err


@pytest.mark.requirement("CLI-36")
def test_documents_cannot_write_control_sequences_to_the_terminal(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "hostile\x1b[31m.md"
    file.write_text("# Hostile \x1b[31m\n\nThe \x1b]8;;http://x\x07pager\u202e colour.\n")
    assert "\x1b" not in cli("add", str(file), "--no-wait").out + cli("status").out
    for command in (("ask", "pager colour"), ("search", "pager colour"), ("get", str(file))):
        shown = cli(*command)
        assert "pager" in shown.out
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", shown.out)


@pytest.mark.requirement("CLI-09")
def test_quiet_says_nothing_when_all_is_well(cli: Cli, handbook: Path) -> None:
    added = cli("add", str(handbook), "--no-wait", "--quiet")
    assert (added.code, added.out, added.err) == (0, "", "")


@pytest.mark.requirement("CLI-40")
def test_the_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "commonplace", "--version"]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    assert told.stdout.startswith("commonplace")
