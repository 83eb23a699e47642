"""Git work trees: named repositories, and rules from above."""

import subprocess
from pathlib import Path

import pytest

from commonplace.sources.git import GIT, repository_name
from tests.needing import needs_git
from tests.unit.sources.walking import kind_of, paths, plant


def make_repository(folder: Path, config: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    plant(folder, ".git/HEAD", text="ref: refs/heads/main\n")
    plant(folder, ".git/config", text=config)
    return folder


@pytest.mark.requirement("SRC-10")
@pytest.mark.parametrize(
    ("config", "name"),
    [
        ('[remote "origin"]\n\turl = https://me:secret@example.org/team/docs.git\n', "team/docs"),
        ('[remote "up"]\n url = git@example.org:a/b/docs\n', "b/docs"),
        ('[remote "x"]\n url = ssh://h/x/y\n[remote "origin"]\n url = ssh://h/o/p\n', "o/p"),
        ('[remote "origin"]\n url = /srv/git/docs.git\n', "docs"),
        ("", "tree"),
        ("[core]\n url = nothing\n", "tree"),
    ],
)
def test_the_repository_is_named_after_its_remote(tmp_path: Path, config: str, name: str) -> None:
    tree = make_repository(tmp_path / "tree", config)
    assert GIT.describe(str(tree)).repository == name


@pytest.mark.requirement("SRC-10")
def test_a_folder_inside_a_work_tree_is_of_git_and_one_outside_is_not(tmp_path: Path) -> None:
    tree = make_repository(tmp_path / "tree")
    plant(tree, "docs/a.md")
    plant(tmp_path, "other/a.md")
    assert kind_of(str(tree / "docs")) is GIT
    assert GIT.describe(str(tree / "docs")).repository == "tree"
    assert kind_of(str(tmp_path / "other")).name == "folder"
    assert kind_of(str(tree / "docs" / "a.md")).name == "file"


@pytest.mark.requirement("SRC-10")
def test_a_linked_work_tree_finds_its_repository(tmp_path: Path) -> None:
    tree = make_repository(tmp_path / "tree", '[remote "o"]\nurl = https://h/a/b\n')
    plant(tree, ".git/worktrees/second/commondir", text="../..\n")
    plant(tmp_path, "second/.git", text=f"gitdir: {tree}/.git/worktrees/second\n")
    assert repository_name(tmp_path / "second") == "a/b"


@pytest.mark.requirement("SRC-11")
async def test_rules_above_the_added_folder_count(tmp_path: Path) -> None:
    tree = make_repository(tmp_path / "tree")
    plant(tree, "docs/a.md", "docs/draft.md", "docs/old/b.md", "docs/c.txt", "docs/local.md")
    plant(tree, ".gitignore", text="draft.md\n/docs/old/\n*.txt\n")
    plant(tree, "docs/.commonplaceignore", text="!c.txt\n")
    plant(tree, ".git/info/exclude", text="local.md\n")
    assert await paths(tree / "docs") == ["a.md", "c.txt"]


@pytest.mark.requirement("SRC-11")
async def test_an_ignored_folder_added_by_name_is_read(tmp_path: Path) -> None:
    tree = make_repository(tmp_path / "tree")
    plant(tree, "build/html/a.html", "build/html/b.md")
    plant(tree, ".gitignore", text="build/\n")
    assert await paths(tree) == []
    assert await paths(tree / "build" / "html") == ["a.html", "b.md"]


def files_git_keeps(tree: Path) -> set[str]:
    git = ["git", "-C", str(tree), "-c", "core.quotepath=off"]
    subprocess.run([*git, "init", "-q"], check=True)
    command = [*git, "ls-files", "-co", "--exclude-standard"]
    return set(
        subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    )


@needs_git
@pytest.mark.requirement("SRC-11")
async def test_what_git_ignores_is_what_we_ignore(tmp_path: Path) -> None:
    """Compared with git itself over rules that are easy to get wrong."""
    tree = tmp_path / "tree"
    rules = (
        "*.txt\n!keep.txt\n/top.md\nsub/*\n!sub/in\n**/deep/*.md\nx?.md\n[ab].md\n# c\n\\#d.md\n"
    )
    names = ["a.txt", "keep.txt", "top.md", "in/top.md", "sub/a.md", "sub/in/b.md", "p/deep/c.md"]
    names += ["x1.md", "x.md", "a.md", "c.md", "#d.md", "p/deep/q/e.md", "sp ace.md", "é.md"]
    plant(tree, *names)
    plant(tree, ".gitignore", text=rules)
    kept = files_git_keeps(tree)
    assert sorted(await paths(tree)) == sorted(kept - {".gitignore"})
