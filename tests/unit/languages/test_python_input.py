"""Python that is broken, odd or huge: told as problems, never as an exception."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.languages.generated import is_generated
from commonplace.languages.python import extract
from commonplace.languages.pythonic.extract import MOST_CHARS
from tests.unit.languages.showing import calls, kinds, named, stray_places

WORDS = (
    *("def f(", "class A:", "class B(A):", "lambda", "return", "yield", "await", "async", "match"),
    *("x", "self", "case", "_", "if", "else:", "elif", "for", "in", "while", "try:", "except"),
    *("as", "with", "import", "from", ".", "..", "*", "**", "@", ":", ":=", "=", "+=", "->", ","),
    *("(", ")", "[", "]", "{", "}", '"', "'", '"""', 'f"{', "}", "%", "\\", "#", "\n", "\n    "),
    *("\n\t", "\r\n", "\f", "é", "日本", "1", "None", "global", "nonlocal", "del", "print", "type"),
)


@pytest.mark.requirement("PY-09")
@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=300))
def test_any_text_gives_facts_with_places_inside_it(text: str) -> None:
    assert stray_places(extract(text, "a.py"), text) == []


@pytest.mark.requirement("PY-09")
@settings(max_examples=400, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), max_size=80))
def test_any_row_of_words_gives_facts_whose_numbers_exist(words: list[str]) -> None:
    text = " ".join(words)
    facts = extract(text, "a.py")
    size = len(facts.symbols)
    assert stray_places(facts, text) == []
    assert all(0 <= one.parent < size for one in facts.symbols)
    assert all(one.scope < size for one in facts.calls)
    assert all(one.scope < size for one in facts.flows)
    assert all(one.scope < size for one in facts.uses)


@pytest.mark.requirement("PY-10")
def test_the_rest_of_a_broken_file_is_read() -> None:
    facts = extract(
        "def a(): return b()\n\nx = = 3\n\nclass C:\n    def m(self): self.n(\n\n"
        "def d():\n    e()\n",
        "a.py",
    )
    assert "Function a" in kinds(facts)
    assert "a: b()" in calls(facts)
    assert any(one.endswith("e()") for one in calls(facts))
    assert facts.problems
    assert any(one.at.line == 3 for one in facts.problems)


@pytest.mark.requirement("PY-10")
@pytest.mark.parametrize(
    "broken",
    [
        "    def m(self):\n        self.n(1,\n",
        "    def m(self): self.n(\n",
        "    x = [1, {2: (3,\n",
        "    def m(self, a\n        return 2\n",
    ],
)
def test_a_bracket_left_open_does_not_swallow_what_follows(broken: str) -> None:
    text = f"class C:\n{broken}\n    def after(self):\n        self.late()\n\ndef last(): pass\n"
    facts = extract(text, "a.py")
    after = named(facts, "C.after")
    assert text.split("\n")[after.at.line - 1].strip().startswith("def after")
    assert "C.after: self.late()" in calls(facts)
    assert "Function last" in kinds(facts)
    assert facts.problems


@pytest.mark.requirement("PY-10")
def test_old_print_statements_are_no_obstacle() -> None:
    facts = extract("def a():\n    print 'x', b()\n    c()\n", "a.py")
    assert calls(facts) == ["a: b()", "a: c()"]


@pytest.mark.requirement("PY-11")
@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 3000 + ")" * 3000,
        "x = " + "[" * 3000 + "]" * 3000,
        "x = a" + ".b" * 5000,
        "x = f" + "(1)" * 3000,
        "x = " + "lambda: " * 2000 + "1",
        "x = " + "-" * 5000 + "1",
        "x = " + "not " * 3000 + "1",
        "x: " + "list[" * 2000 + "int" + "]" * 2000,
        "for " + "(" * 2000 + "a" + ",)" * 2000 + " in b: pass",
        "".join(f"{' ' * depth}if x:\n" for depth in range(300)) + " " * 300 + "pass\n",
        "match a:\n case " + "[" * 2000 + "b" + "]" * 2000 + ": pass\n",
    ],
    ids=lambda text: text[:12],
)
def test_what_is_nested_too_deeply_is_told(text: str) -> None:
    facts = extract(text + "\n\ndef after(): pass\n", "a.py")
    assert [one.what for one in facts.problems] == ["nested too deeply"]
    assert any(one.name == "after" for one in facts.symbols)


@pytest.mark.requirement("PY-11")
def test_long_chains_of_operators_and_assignments_are_read() -> None:
    facts = extract("x = " + " + ".join(["a"] * 3000) + "\ny = " * 1 + "z = 1\n", "a.py")
    assert facts.problems == ()
    assert len(facts.calls) == 2999


@pytest.mark.requirement("PY-11")
def test_a_file_that_is_too_large_is_told_and_not_parsed() -> None:
    facts = extract("x=1;" * (MOST_CHARS // 4 + 1), "a.py")
    assert [one.what.partition(":")[0] for one in facts.problems] == ["too large to read"]
    assert len(facts.symbols) == 1
    assert facts.is_generated


@pytest.mark.requirement("PY-12")
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_places_are_counted_in_characters(newline: str) -> None:
    text = newline.join(
        ["\ufeffdef größe(wert):", '\tx = "日本語"; x.länge(wert)', "\f", "class Ñ: pass", ""]
    )
    facts = extract(text, "a.py")
    assert kinds(facts) == ["Function größe", "Class Ñ"]
    lines = text.split("\n")
    at = facts.calls[0].at
    assert lines[at.line - 1][at.column : at.end_column] == "länge"
    assert named(facts, "Ñ").at.line == 4


@pytest.mark.requirement("PY-12")
def test_places_on_a_long_line_are_counted_in_characters() -> None:
    text = "x = ['é', f(1), '日本', g(2), " + "'ü' " * 500 + ", h(3)]\n"
    facts = extract(text, "a.py")
    found = [text[one.at.column : one.at.end_column] for one in facts.calls]
    assert found == ["f", "g", "h"]


@pytest.mark.requirement("PY-12")
def test_an_empty_file_is_a_module() -> None:
    facts = extract("", "a.py")
    assert (len(facts.symbols), facts.problems) == (1, ())


@pytest.mark.requirement("PY-13")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Generated by the protocol buffer compiler.  DO NOT EDIT!\nx = 1\n", True),
        ("# @generated by a tool\n", True),
        ("// Code generated by mockgen. DO NOT EDIT.\npackage a\n", True),
        ("/* <auto-generated> */\n", True),
        ("a" * 5000, True),
        ('MESSAGE = "do not edit this"\n', False),
        ("# This makes what is generated elsewhere.\n", False),
        ("x = 1\n" * 3000, False),
    ],
)
def test_generated_files_are_recognised(text: str, expected: bool) -> None:
    assert is_generated(text) is expected
