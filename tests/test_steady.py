"""Tests of the tests: what a property tries depends on nothing but itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROPERTY = """
from hypothesis import given, strategies as st
{more}

@given(st.text(), st.integers(), st.lists(st.floats()))
def test_any(words, number, numbers):
    print(repr((words, number, numbers)))
"""


def tried(folder: Path, more: str = "", *options: str, **environ: str) -> list[str]:
    """The examples of a property, tried by a process of its own with this conftest."""
    folder.mkdir()
    (folder / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text("utf-8"))
    (folder / "test_any.py").write_text(PROPERTY.format(more=more))
    config = ("-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), "-p", "no:randomly")
    command = [sys.executable, "-m", "pytest", "-q", "-s", *config, str(folder), *options]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={**os.environ, **environ},  # noqa: TID251 - a child's
    )
    return [line for line in done.stdout.splitlines() if line.startswith(("(", ".("))]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What is tried in `make test`."""
    return tried(tmp_path_factory.mktemp("steady") / "one", PYTHONHASHSEED="1")


@pytest.mark.requirement("TST-01")
def test_a_property_tries_the_same_whatever_else_is_loaded(
    first: list[str], tmp_path: Path
) -> None:
    names = [f"a word nobody else says {number}" for number in range(500)]
    (tmp_path / "local_words.py").write_text(f"NAMES = {names}\nNUMBERS = {[*range(7000, 7500)]}\n")
    more = f"import sys; sys.path.append({str(tmp_path)!r}); import local_words"
    assert len(first) >= 100
    assert tried(tmp_path / "two", more, PYTHONHASHSEED="2") == first


@pytest.mark.requirement("TST-02")
def test_a_search_tries_more_and_others(first: list[str], tmp_path: Path) -> None:
    more = tried(tmp_path / "three", "", "--hypothesis-seed=7", COMMONPLACE_FUZZ="3")
    assert len(more) >= 2 * len(first)
    assert more[: len(first)] != first
