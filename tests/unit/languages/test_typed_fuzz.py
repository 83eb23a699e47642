"""Java and C# that is broken, odd or huge: told as problems, never as an exception."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.languages import csharp, java
from commonplace.languages.base import Language
from tests.unit.languages.showing import kinds, stray_places

LANGUAGES = (java.JAVA, csharp.CSHARP)
WORDS = (
    *("class", "interface", "enum", "record", "struct", "namespace", "package", "import", "using"),
    *("public", "static", "void", "int", "var", "new", "this", "super", "base", "return", "if"),
    *("else", "for", "foreach", "switch", "case", "=>", "->", "::", "@", "[", "]", "(", ")", "{"),
    *("}", "<", ">", ";", ",", ".", "?.", "=", "+=", "+", '"', '"""', "$", "'", "//", "/*", "*/"),
    *("///", "#if", "#endif", "a", "B", "émile", "日本", "\r\n", "\n", "\t", "1", "0.5", "await"),
    *("from", "in", "select", "where", "is", "as", "when", "try", "catch", "yield", "get", "set"),
)


@pytest.mark.requirement("JAVA-10")
@pytest.mark.requirement("CS-11")
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.name)
@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=200))
def test_any_text_gives_facts_with_places_inside_it(language: Language, text: str) -> None:
    facts = language.extract(text, "any")
    assert stray_places(facts, text) == []


@pytest.mark.requirement("JAVA-10")
@pytest.mark.requirement("CS-11")
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.name)
@settings(max_examples=250, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), max_size=80))
def test_any_row_of_words_gives_facts_with_places_inside_it(
    language: Language, words: list[str]
) -> None:
    text = " ".join(words)
    facts = language.extract(text, "any")
    assert stray_places(facts, text) == []
    assert all(0 <= one.parent < len(facts.symbols) for one in facts.symbols)
    assert all(one.scope < len(facts.symbols) for one in facts.calls)
    assert all(one.scope < len(facts.symbols) for one in facts.flows)
    assert all(one.scope < len(facts.symbols) for one in facts.uses)


JAVA_TEXT = """package a.b;
/** Über alles. */
@Table(name = "größe")
public class Füße<T extends Comparable<T>> extends Base implements I {
  static final String SQL = "SELECT ä" + x + "b";
  Map<String, List<T>> m = new HashMap<>();
  <R> R run(Function<T, R> f, int... xs) throws E {
    for (var e : m.entrySet()) { f.apply(e.getValue().get(0)); }
    return switch (xs.length) { case 0 -> null; default -> { yield f.apply(null); } };
  }
  enum E { A(1) { void x() { } }; E(int i) { } }
  record P(int x, int y) { P { check(x); } }
}
"""
CSHARP_TEXT = """using System;
namespace A.B;
/// <summary>Über alles.</summary>
[Table("größe")]
public partial class Füße<T> : Base, I where T : class, new() {
  const string Sql = $"SELECT ä {x:N2}" + @"b";
  public event Action E; public int P { get => p; set => p = value; }
  public async Task<R> Run<R>(Func<T, R> f, params int[] xs) {
    foreach (var (k, v) in m) { await f?.Invoke(v); }
    return xs switch { [] => default, { Length: > 1 } l => l[0], _ => throw new X() };
  }
#if DEBUG
  record Pair(int A, int B) : Q(A);
#endif
}
"""
TEXTS = {"java": JAVA_TEXT, "csharp": CSHARP_TEXT}


@pytest.mark.requirement("JAVA-10")
@pytest.mark.requirement("CS-11")
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.name)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_half_written_files_give_facts(language: Language, data: st.DataObject) -> None:
    text = TEXTS[language.name]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    cut = text[:start] + data.draw(st.sampled_from(("", "{", ")", '"', "/*", "<"))) + text[end:]
    assert stray_places(language.extract(cut, "cut"), cut) == []


@pytest.mark.requirement("JAVA-10")
@pytest.mark.requirement("CS-11")
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.name)
def test_line_ends_and_marks_of_order_change_nothing(language: Language) -> None:
    text = TEXTS[language.name]
    plain = language.extract(text, "a")
    assert plain.problems == ()
    for other in (text.replace("\n", "\r\n"), "\ufeff" + text):
        assert kinds(language.extract(other, "a")) == kinds(plain)
    names = [one.name for one in plain.symbols]
    assert "Füße" in names


NESTED = {
    "parentheses": ("class A { int x = ", "(", "1", ")", "; }"),
    "blocks": ("class A { void m() ", "{ ", "", "}", " }"),
    "classes": ("", "class A { ", "", "}", ""),
    "arguments": ("class A { int x = ", "f(", "1", ")", "; }"),
    "generics": ("class A { ", "List<", "int", ">", " x; }"),
    "conditions": ("class A { void m() { ", "if (a) ", ";", "", " } }"),
    "ifs": ("class A { void m() { if (a) b(); ", "else if (a) b(); ", "", "", " } }"),
    "sums": ('class A { String x = "a"', ' + "b"', "", "", "; }"),
    "choices": ("class A { int x = ", "a ? 1 : ", "2", "", "; }"),
    "arrays": ("class A { int x = ", "a[", "1", "]", "; }"),
    "negations": ("class A { boolean x = ", "!", "a", "", "; }"),
    "brackets that do not end": ("class A { int x = ", "f(g[{", "", "", ""),
}


@pytest.mark.requirement("JAVA-10")
@pytest.mark.requirement("CS-11")
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.name)
@pytest.mark.parametrize("shape", NESTED)
def test_depth_is_told_as_a_problem(language: Language, shape: str) -> None:
    before, opened, middle, closed, after = NESTED[shape]
    text = before + opened * 3000 + middle + closed * 3000 + after
    facts = language.extract(text, "deep")
    assert stray_places(facts, text) == []


@pytest.mark.requirement("JAVA-10")
@pytest.mark.requirement("CS-11")
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.name)
def test_chains_of_thousands_are_read_whole(language: Language) -> None:
    text = "class A { void m() { x" + ".a()" * 3000 + "; } }"
    facts = language.extract(text, "chain")
    assert facts.problems == ()
    assert len(facts.calls) == 3000


@pytest.mark.requirement("JAVA-10")
@pytest.mark.requirement("CS-11")
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.name)
def test_a_file_of_many_megabytes_is_told_and_not_read(language: Language) -> None:
    facts = language.extract("class A { }\n" * 400_000, "huge")
    assert [one.what for one in facts.problems] == ["too long to read"]
    assert len(facts.symbols) == 1


@pytest.mark.requirement("CS-11")
def test_directives_that_cut_through_statements_are_read_over() -> None:
    facts = csharp.extract(
        "namespace A {\nclass B : C\n#if X\n  , D\n#endif\n{\n  void E() { F(\n#if Y\n    1\n"
        "#else\n    2\n#endif\n  ); }\n}\n}\n",
        "A.cs",
    )
    assert facts.problems == ()
    assert facts.namespace == "A"
    assert [one.callee for one in facts.calls] == [("name", "F")]
    assert [one.at.line for one in facts.calls] == [7]


@pytest.mark.requirement("CS-11")
def test_a_file_that_is_no_file_as_a_whole_keeps_its_parts() -> None:
    facts = csharp.extract("namespace A.B;\nclass C { void D() { E(); } }\n}}} ) class", "A.cs")
    assert facts.problems != ()
    assert facts.namespace == "A.B"
    assert "Method C.D" in kinds(facts)


@pytest.mark.requirement("CS-11")
def test_both_sides_of_a_directive_are_read() -> None:
    facts = csharp.extract(
        "class A {\n#if X\n  void B() { C(); }\n#else\n  void D() { E(); }\n#endif\n}\n", "A.cs"
    )
    assert kinds(facts) == ["Class A", "Method A.B", "Method A.D"]
    assert [one.callee for one in facts.calls] == [("name", "C"), ("name", "E")]
