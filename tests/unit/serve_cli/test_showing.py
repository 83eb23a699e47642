import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from commonplace.serve.cli.showing import line_at, show_quotes, unwrapped

MARKDOWN = st.lists(
    st.sampled_from(
        ["A sentence", "goes on.", "", "- one", "  more", "| a | b |", "```", "```sh", "# H", "---"]
    ),
    max_size=12,
).map("\n".join)


def shown(text: str, question: str, width: int = 80, uri: str = "https://example.com/page") -> str:
    console = Console(file=io.StringIO(), width=width)
    row = {
        "quote": text,
        "title": "Title",
        "heading_path": ["Title", "Part"],
        "source_uri": uri,
        "start_char": 0,
    }
    show_quotes(console, question, {"quotes": [row]})
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@given(st.one_of(st.text(), MARKDOWN))
def test_unwrapping_moves_line_ends_and_nothing_else(text: str) -> None:
    assert " ".join(unwrapped(text)).split() == text.split()


@given(MARKDOWN)
def test_code_and_tables_keep_their_lines(text: str) -> None:
    rows = [line for line in text.splitlines() if line.startswith(("|", "```"))]
    assert [line for line in unwrapped(text) if line.startswith(("|", "```"))] == rows


@pytest.mark.requirement("CLI-36")
@given(st.text(max_size=200), st.text(max_size=30), st.integers(20, 120))
def test_any_text_can_be_shown_at_any_width_without_control_characters(
    text: str, question: str, width: int
) -> None:
    out = shown(text.encode("utf-8", "replace").decode(), question, width)
    assert not any(ord(char) < 32 and char != "\n" for char in out)


@pytest.mark.requirement("CLI-24")
def test_the_line_of_a_quote_is_told_only_where_the_file_says_the_same(tmp_path: Path) -> None:
    file = tmp_path / "a b.md"
    file.write_bytes("# Ü\r\n\r\nOne.\r\nTwo.\r\n".encode())
    text = file.read_bytes().decode()
    assert line_at(file.as_uri(), text.index("Two."), "Two.") == 4
    assert line_at(file.as_uri(), 0, "Two.") is None
    assert line_at((tmp_path / "gone.md").as_uri(), 0, "Two.") is None


@pytest.mark.requirement("CLI-24")
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_the_line_of_a_quote_is_told_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "a.md"
    file.write_bytes("# Größe\n\nZwei.\n".encode(encoding))
    assert line_at(file.as_uri(), len("# Größe\n\n"), "Zwei.") == 3


@pytest.mark.requirement("CLI-24")
def test_quotes_of_code_keep_their_lines() -> None:
    text = '@when("I add")\ndef when_add(context):\n    pass'
    assert text.replace("\n", "\n▌ ") in shown(text, "add", uri="file:///a/steps.py")
    assert text.replace("\n", "\n▌ ") not in shown(text, "add", uri="file:///a/steps.md")


@pytest.mark.requirement("CLI-24")
def test_of_headings_that_are_too_many_the_last_is_shown() -> None:
    row = {
        "quote": "Disabled.",
        "title": "Configuration and defaults",
        "heading_path": ["Configuration Directives", "Task execution settings", "task_acks_late"],
        "source_uri": "file:///docs/userguide/configuration.rst",
        "start_char": 0,
    }
    console = Console(file=io.StringIO(), width=60)
    show_quotes(console, "", {"quotes": [row]})
    assert isinstance(console.file, io.StringIO)
    assert "Configuration and defaults › … › task_acks_late\n" in console.file.getvalue()


@pytest.mark.requirement("CLI-24")
def test_rows_of_a_table_aligned_for_a_wider_place_lose_their_padding() -> None:
    wide = f"| ERR{' ' * 30} | Timed out.{' ' * 30} |\n|{'-' * 35}|{'-' * 42}|"
    assert "▌ | ERR | Timed out. |\n▌ |---|---|\n" in shown(wide, "", width=60)
    assert wide.splitlines()[0] in shown(wide, "", width=90)


@pytest.mark.requirement("CLI-36")
def test_the_name_of_a_file_stays_on_its_line() -> None:
    assert "new�line.md" in shown("One.", "one", uri="file:///a/new%0Aline.md")
    assert line_at("https://example.com/a b.md", 0, "Two.") is None
