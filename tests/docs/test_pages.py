import re
import tomllib
from pathlib import Path
from urllib.parse import unquote

import click
import pytest

from commonplace import tools
from commonplace.catalog import collect
from commonplace.serve import reference
from commonplace.serve.cli.root import COMMANDS, cli
from commonplace.settings import ENVIRONMENT_ALIASES, Settings
from commonplace.tools.base import Tool
from tests.docs.pages import DOCS, PAGES, ROOT, anchors, commands, links, name_of

EVERY_PAGE = pytest.mark.parametrize("page", PAGES, ids=name_of)


@EVERY_PAGE
@pytest.mark.requirement("DOC-06")
def test_links_between_pages_resolve(page: Path) -> None:
    broken = []
    for target in links(page):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / unquote(path)).resolve() if path else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(target)
    assert broken == []


@pytest.mark.requirement("DOC-06")
def test_every_page_is_reached_from_the_front_page() -> None:
    reached, waiting = set(), [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md" or not page.is_file():
            continue
        reached.add(page)
        local = (target.partition("#")[0] for target in links(page) if "://" not in target)
        waiting += [(page.parent / unquote(target)).resolve() for target in local if target]
    assert sorted(map(name_of, set(DOCS.rglob("*.md")) - reached)) == []


@pytest.mark.requirement("DOC-04")
def test_the_reference_pages_are_what_the_code_says() -> None:
    assert [name_of(page) for page in reference.stale(DOCS)] == []


@pytest.mark.requirement("DOC-04")
def test_a_stale_reference_page_is_named(tmp_path: Path) -> None:
    reference.write.main([str(tmp_path)], standalone_mode=False)
    assert list(reference.stale(tmp_path)) == []
    page = tmp_path / "reference" / "settings.md"
    page.write_text(page.read_text("utf-8") + "by hand", "utf-8")
    assert list(reference.stale(tmp_path)) == [page]


@pytest.mark.requirement("DOC-05")
def test_every_tool_setting_and_command_has_its_place_in_the_reference() -> None:
    told = {page.name: page.read_text("utf-8") for page in (DOCS / "reference").glob("*.md")}
    assert [t for t in collect(tools, Tool) if f"\n## {t}\n" not in told["tools.md"]] == []
    names = [*Settings.model_fields, *ENVIRONMENT_ALIASES]
    assert [name for name in names if f"`{name}`" not in told["settings.md"]] == []
    assert [c for c in COMMANDS if f"\n## commonplace {c}\n" not in told["cli.md"]] == []


@pytest.mark.requirement("DOC-05")
def test_every_field_of_every_tool_is_explained() -> None:
    page = (DOCS / "reference" / "tools.md").read_text("utf-8")
    assert re.findall(r"^\| `([^`]+)` \|.*\|\s*\|$", page, re.M) == []


@pytest.mark.requirement("DOC-07")
def test_every_dependency_is_listed_with_its_reason_and_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = {re.split(r"[<>=\[ ;]", line)[0] for line in project["dependencies"]}
    table = re.findall(r"^\| `([^`]+)` \| (.+) \| (.+) \|$", _text("docs/dependencies.md"), re.M)
    assert {name for name, _, _ in table} == wanted
    assert all(why.endswith(".") and licence for _, why, licence in table)


@EVERY_PAGE
@pytest.mark.requirement("DOC-08")
def test_every_command_shown_is_one_the_program_accepts(page: Path) -> None:
    targets = set(re.findall(r"^(\w+):", _text("Makefile"), re.M))
    for words in commands(page):
        if words[0] == "make":
            assert set(words[1:]) <= targets
        if words[0].endswith("commonplace"):
            _parse(cli, words[1:])


def _parse(command: click.Command, words: list[str]) -> None:
    """Parse a command line down to its last command without running it."""
    context = command.make_context(command.name, list(words))
    if isinstance(command, click.Group) and context._protected_args + context.args:
        name, inner, rest = command.resolve_command(context, context._protected_args + context.args)
        assert inner is not None, name
        _parse(inner, rest)


def _text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")
