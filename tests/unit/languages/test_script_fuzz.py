"""Scripts and Go that are broken, odd or huge: told as problems, never as an exception."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.domain.code import Facts
from commonplace.languages import go, javascript, manifests, typescript
from tests.unit.languages.showing import kinds, stray_places

SCRIPT_WORDS = (
    *("class", "interface", "enum", "namespace", "declare", "module", "import", "export", "from"),
    *("default", "as", "type", "function", "=>", "async", "await", "yield", "*", "new", "this"),
    *("super", "return", "if", "else", "for", "of", "in", "switch", "case", "const", "let", "var"),
    *(
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        "</",
        "/>",
        ";",
        ":",
        ",",
        ".",
        "?.",
        "??",
        "=",
        "+=",
    ),
    *(
        "+",
        '"',
        "'",
        "`",
        "${",
        "//",
        "/**",
        "*/",
        "@",
        "#",
        "...",
        "a",
        "B",
        "émile",
        "日本",
        "😀",
    ),
    *("\r\n", "\n", "1", "static", "get", "set", "extends", "implements", "keyof", "typeof", "|"),
    *("require", "module.exports", "exports.a", "A.prototype.b", "describe", "it", "catch", "try"),
)
GO_WORDS = (
    *("package", "import", "func", "type", "struct", "interface", "map", "chan", "var", "const"),
    *("iota", "go", "defer", "return", "if", "else", "for", "range", "switch", "case", "select"),
    *("default", "{", "}", "(", ")", "[", "]", ":=", "=", "+=", "<-", ".", ",", ";", ":", "*", "&"),
    *("...", '"', "`", "//", "/*", "*/", "a", "B", "émile", "日本", "😀", "\r\n", "\n", "1", "nil"),
    *("any", "~", "|", "goto", "x.(type)", "T{", "'", "_", "append", "make", "t.Run"),
)
SCRIPT_TEXT = """import d, { a as b, type C } from "./x"; import * as ns from "y";
/** Über alles. @param {Füße} x */
@Entity({ name: "größe" })
export abstract class Füße<T extends B = C> extends ns.Base<T> implements I {
  static #count?: number = one();
  constructor(private readonly s: S, @Inject(X) public y?: Y, ...rest: Z[]) { super(s); }
  @Get(":id") async *m({ b, c: { d = 1 } }: D = {}, [e, ...f]: E[]): Promise<void> { yield* x; }
  get v(): number { return this.s.find((q) => q.w(`ä${q}`))?.z!; }
}
export type U<T> = { a: A; f(x: T): void } | B[] | typeof c.d | ((x: A) => B) | A["k"];
enum E { A = 1, "C-d" = foo() }
namespace N.M { export const q = { r() { return this.t; }, t: function () {} }; }
function over(a: string): void;
function over(a: any) { for (const [k, v] of Object.entries(a)) { try { k(); } catch { v(); } } }
export default over; export { over as other }; export * from "q";
A.prototype.f = function () {}; module.exports = { over, z: require("./z") };
describe("x", () => { it("ä", async () => { const { w } = await import("./w"); w(); }); });
"""
GO_TEXT = """// Package größe is.
package größe

import ( m "math"; . "strings"; _ "embed" )

// Füße are.
type Füße[K comparable, V any] struct {
	Base
	A, b int `json:"ä"`
	f func(int) (string, error)
}
type I interface { Base; M(a int, b ...string) (int, error); ~int | string }
const ( A Color = iota; B )
var x, y = f(1)
func (t *Füße[K, V]) M(a, c int, b ...string) (n int, err error) {
	if v, ok := t.m[1]; ok { v.go1() } else if z := 1; z > 0 { }
	for i, s := range xs { s.do(i) }
	switch q := a.(type) { case *T, int: q.M(); default: }
	select { case v := <-ch: v.x(); case ch <- 1: }
	go t.run(x...)
	p := &pkg.T{A: 1, B: []int{1,2}, C: map[string]X{"a": {1}}}
	g := func(a int) { defer p.close() }
	return 1, nil
}
"""


def script(text: str) -> Facts:
    return javascript.extract(text, "any.js")


def typed(text: str) -> Facts:
    return typescript.extract(text, "any.ts")


def marked_up(text: str) -> Facts:
    return typescript.extract(text, "any.tsx")


def golang(text: str) -> Facts:
    return go.extract(text, "any_test.go")


READERS = {"js": script, "ts": typed, "tsx": marked_up, "go": golang}
readers = pytest.mark.parametrize("kind", READERS)


def check(kind: str, text: str) -> Facts:
    """Facts whose parts point at each other and into the text."""
    facts = READERS[kind](text)
    count = len(facts.symbols)
    assert stray_places(facts, text) == []
    assert all(0 <= one.parent < max(number, 1) for number, one in enumerate(facts.symbols))
    assert all(0 <= one.scope < count for one in facts.calls)
    assert all(0 <= one.scope < count for one in facts.flows)
    assert all(0 <= one.scope < count for one in facts.uses)
    assert all(one.home is None or 0 <= one.home < count for one in facts.flows)
    return facts


@pytest.mark.requirement("TS-14")
@pytest.mark.requirement("GO-10")
@readers
@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=200))
def test_any_text_gives_facts_with_places_inside_it(kind: str, text: str) -> None:
    check(kind, text)


@pytest.mark.requirement("TS-14")
@pytest.mark.requirement("GO-10")
@readers
@settings(max_examples=250, deadline=None)
@given(data=st.data())
def test_any_row_of_words_gives_facts_with_places_inside_it(kind: str, data: st.DataObject) -> None:
    words = st.sampled_from(GO_WORDS if kind == "go" else SCRIPT_WORDS)
    check(kind, " ".join(data.draw(st.lists(words, max_size=80))))


@pytest.mark.requirement("TS-14")
def test_an_import_left_open_at_the_end_ends_with_the_text() -> None:
    half = SCRIPT_TEXT.partition('require("')
    check("js", f'{half[0]}require("/*) }};\ndescribe("x", () => {{ w(); }});\n')


@pytest.mark.requirement("TS-14")
@pytest.mark.requirement("GO-10")
@readers
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_half_written_files_give_facts(kind: str, data: st.DataObject) -> None:
    text = GO_TEXT if kind == "go" else SCRIPT_TEXT
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    middle = data.draw(st.sampled_from(("", "{", ")", '"', "/*", "<", "`", "=>")))
    check(kind, text[:start] + middle + text[end:])


@pytest.mark.requirement("TS-14")
@pytest.mark.requirement("GO-10")
@readers
def test_line_ends_and_marks_of_order_change_nothing(kind: str) -> None:
    text = GO_TEXT if kind == "go" else SCRIPT_TEXT
    plain = check(kind, text)
    assert "Füße" in [one.name for one in plain.symbols]
    for other in (text.replace("\n", "\r\n"), "\ufeff" + text):
        assert kinds(check(kind, other)) == kinds(plain)


NESTED = {
    "parentheses": ("x = ", "(", "1", ")", ""),
    "blocks": ("", "{ ", "", "}", ""),
    "arguments": ("x = ", "f(", "1", ")", ""),
    "functions": ("x = ", "function () { return ", "1", " }", ""),
    "arrows": ("x = ", "() => ", "1", "", ""),
    "objects": ("x = ", "{ a: ", "1", "}", ""),
    "lists": ("x = ", "[", "", "]", ""),
    "patterns": ("var ", "[", "a", "]", " = 1"),
    "classes": ("x = ", "class { a = ", "1", "}", ""),
    "ifs": ("if (a) b(); ", "else if (a) b(); ", "", "", ""),
    "sums": ('x = "a"', ' + "b"', "", "", ""),
    "choices": ("x = ", "a ? 1 : ", "2", "", ""),
    "members": ("x", ".a", "", "", ""),
    "templates": ("x = ", "`${", "1", "}`", ""),
    "elements": ("x = ", "<a>", "1", "</a>", ""),
    "types": ("let x: ", "A<", "B", ">", ""),
    "functions of types": ("let x: ", "(a: ", "B", ") => C", ""),
    "unions": ("type A = B", " | B", "", "", ""),
    "what does not end": ("x = ", "f(g[{", "", "", ""),
}


@pytest.mark.requirement("TS-14")
@pytest.mark.parametrize("shape", NESTED)
@pytest.mark.parametrize("kind", ["js", "ts", "tsx"])
def test_depth_of_scripts_costs_no_stack(kind: str, shape: str) -> None:
    before, opened, middle, closed, after = NESTED[shape]
    check(kind, before + opened * 2000 + middle + closed * 2000 + after)


GO_NESTED = {
    "parentheses": ("func m() { x = ", "(", "1", ")", " }"),
    "blocks": ("func m() ", "{ ", "", "}", ""),
    "arguments": ("func m() { x = ", "f(", "1", ")", " }"),
    "functions": ("func m() { x = ", "func() { y = ", "1", " }", " }"),
    "literals": ("func m() { x = ", "[]T{", "", "}", " }"),
    "types": ("var x ", "[]", "int", "", ""),
    "pointers": ("func m() { x = ", "*", "y", "", " }"),
    "sums": ('func m() { x = "a"', ' + "b"', "", "", " }"),
    "structs": ("type T ", "struct { a ", "int", "}", ""),
    "what does not end": ("func m() { x = ", "f(g[T{", "", "", ""),
}


@pytest.mark.requirement("GO-10")
@pytest.mark.parametrize("shape", GO_NESTED)
def test_depth_of_go_costs_no_stack(shape: str) -> None:
    before, opened, middle, closed, after = GO_NESTED[shape]
    check("go", "package a\n" + before + opened * 2000 + middle + closed * 2000 + after)


@pytest.mark.requirement("TS-14")
def test_calls_below_any_depth_are_kept() -> None:
    assert len(script("x = " + "f(" * 1000 + ")" * 1000).calls) == 1000
    assert len(script("x" + ".a()" * 1000).calls) == 1000
    assert len(golang("package a\nfunc m() { x" + ".a()" * 1000 + " }").calls) == 1000


@pytest.mark.requirement("TS-15")
@readers
def test_a_file_of_fifty_megabytes_is_told_and_not_read(kind: str) -> None:
    facts = READERS[kind]("var a=function(b){return b};" * 2_000_000)
    assert len(facts.symbols) == 1
    assert facts.is_generated
    (problem,) = facts.problems
    assert "56000000 characters" in problem.what


@pytest.mark.requirement("TS-15")
def test_a_bundle_is_told_and_not_read() -> None:
    facts = script("var a=function(b){return b};" * 20_000)
    assert [one.what for one in facts.problems] == ["not read: minified, 560000 characters"]


@pytest.mark.requirement("TS-16")
@pytest.mark.requirement("GO-10")
@pytest.mark.parametrize("name", ["package.json", "tsconfig.json", "go.mod"])
@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=200) | st.sampled_from(["[" * 100_000, '{"exports":' * 2000, "[]"]))
def test_any_manifest_gives_facts(name: str, text: str) -> None:
    facts = manifests.extract(text, f"a/{name}")
    assert len(facts.symbols) == 1
