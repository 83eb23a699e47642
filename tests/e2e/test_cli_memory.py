"""``commonplace memory`` as people use it, and the project's own export with memory in it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commonplace.serve.cli.root import run

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command line on a home of its own: exit code, output, remarks."""

    def call(*arguments: str, home: str = "home") -> tuple[int, str, str]:
        code = run(["--home", str(tmp_path / home), *arguments])
        return (code, *capsys.readouterr())

    return call


def tool(cli: Cli, name: str, home: str = "home", **arguments: Any) -> Any:  # noqa: ANN401 - JSON
    code, out, err = cli("call", name, json.dumps(arguments), "--json", home=home)
    assert code == 0, err
    return json.loads(out)


@pytest.fixture
def stored(cli: Cli, tmp_path: Path) -> list[str]:
    """A document, a decision about it, and what supersedes the decision."""
    (tmp_path / "pump.md").write_text("# Pump\n\n## Spare\n\nThe old pump stays as a spare.\n")
    assert cli("add", str(tmp_path / "pump.md"), "--no-wait")[0] == 0
    address = (tmp_path / "pump.md").as_uri()
    first = tool(
        cli,
        "memory.store_context",
        type="decision",
        content={"title": "Buy a second pump", "why": "The first one fails in dry summers."},
        relationships=[{"type": "concerns", "target": f"{address}#spare"}],
    )
    second = tool(
        cli,
        "memory.store_context",
        type="decision",
        content={"title": "Rent a pump instead", "why": "Buying costs more than ten summers."},
        relationships=[
            {"type": "supersedes", "target": first["id"]},
            {"type": "implements", "target": "req-still-to-come"},
        ],
    )
    return [first["id"], second["id"]]


def answers(cli: Cli, home: str) -> list[Any]:
    """What a caller sees of the memory of a home, without the handles of one session."""
    seen = []
    for query in ("which pump did we choose", "req-still-to-come", "spare pump"):
        for mode in ("vector", "graph", "hybrid"):
            asked = {"query": query, "search_mode": mode, "sort_by": "relevance"}
            seen.append(tool(cli, "memory.retrieve_context", home, **asked)["results"])
    evidence = tool(cli, "kb.retrieve_evidence", home, question="Why rent a pump?")
    seen.append([(one["quote"], one["source_uri"]) for one in evidence["quotes"]])
    return seen


@pytest.mark.requirement("MEM-17")
@pytest.mark.parametrize("name", ["memory.jsonl", "memory.md"])
def test_an_export_read_into_a_fresh_home_gives_equal_answers(
    cli: Cli, tmp_path: Path, stored: list[str], name: str
) -> None:
    file = str(tmp_path / name)
    code, _, err = cli("memory", "export", file)
    assert code == 0
    assert "Wrote 2 contexts" in err
    assert cli("add", str(tmp_path / "pump.md"), "--no-wait", home="fresh")[0] == 0
    assert "2 of them new" in cli("memory", "import", file, home="fresh")[1]
    assert answers(cli, "fresh") == answers(cli, "home")
    assert "0 of them new" in cli("memory", "import", file, home="fresh")[1]
    assert answers(cli, "fresh") == answers(cli, "home")
    again = str(tmp_path / f"again-{name}")
    cli("memory", "export", again, home="fresh")
    assert Path(again).read_text() == Path(file).read_text()
    assert all(one in Path(file).read_text() for one in stored)


@pytest.mark.requirement("MEM-18")
def test_a_project_moves_with_its_memory_and_every_relationship(
    cli: Cli, tmp_path: Path, stored: list[str]
) -> None:
    file = str(tmp_path / "project.jsonl")
    assert cli("export", "default", file)[0] == 0
    assert cli("import", file, home="fresh")[0] == 0
    assert answers(cli, "fresh") == answers(cli, "home")
    audits = [
        json.loads(cli("memory", "audit", "--json", home=home)[1]) for home in ("home", "fresh")
    ]
    assert audits[0] == audits[1]
    assert audits[1]["dangling"][0]["target"] == "req-still-to-come"
    assert audits[1]["superseded"] == [
        {"id": stored[0], "title": "Buy a second pump", "by": stored[1]}
    ]


@pytest.mark.requirement("MEM-19")
def test_an_audit_is_read_on_a_terminal_as_json_and_as_markdown(
    cli: Cli, stored: list[str]
) -> None:
    code, out, _ = cli("memory", "audit")
    assert code == 0
    assert "2 contexts" in out
    assert f"{stored[0]} by {stored[1]}" in out
    assert json.loads(cli("memory", "audit", "--json")[1])["contexts"] == 2
    markdown = cli("memory", "audit", "--markdown")[1]
    assert markdown.startswith("# Memory of default\n")
    assert "| decision | 2 |" in markdown
    assert "2 contexts" in cli("memory", "audit", "--sweep")[1]


@pytest.mark.requirement("MEM-20")
def test_forget_asks_and_forgets(cli: Cli, stored: list[str]) -> None:
    code, _, err = cli("memory", "forget")
    assert code == 1
    assert "say what to forget" in err
    code, _, err = cli("memory", "forget", stored[0])
    assert code == 1
    assert "nothing was forgotten" in err
    code, out, _ = cli("memory", "forget", "--superseded", "--yes", "--json")
    assert json.loads(out) == {"forgotten": [stored[0]]}
    assert json.loads(cli("memory", "audit", "--json")[1])["contexts"] == 1
    code, out, _ = cli("search", "spare pump", "--json")
    assert "The old pump stays as a spare." in out
    assert cli("memory", "forget", "ctx_nothing", "--yes")[0] == 1


@pytest.mark.requirement("MEM-17")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "{}",
        '{"commonplace_memory":1,"project":"default","contexts":1}\n{"id":1}\n',
        '{"commonplace_memory":1,"project":"default","contexts":2}\n',
    ],
)
def test_what_is_no_export_is_refused_with_its_line(cli: Cli, tmp_path: Path, text: str) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_text(text)
    code, _, err = cli("memory", "import", str(file))
    assert code == 1
    assert "export" in err
    assert json.loads(cli("memory", "audit", "--json")[1])["contexts"] == 0


@pytest.mark.requirement("MEM-22")
def test_sync_and_status_live_with_memory(cli: Cli, stored: list[str]) -> None:
    code, _, err = cli("sync", "--no-wait")
    assert code == 0, err
    assert stored
    status = json.loads(cli("status", "--json")[1])
    kinds = {one["kind"]: one["documents"] for one in status["projects"][0]["sources"]}
    assert kinds["memory"] == 2
    assert "memory:" in cli("status")[1]
