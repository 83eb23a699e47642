"""Go: definitions, calls and where values go."""

import pytest

from commonplace.domain.code import Facts
from commonplace.languages import go
from tests.unit.languages.showing import calls, flows, kinds, named, shown, uses


def extract(text: str, path: str = "shop/order.go") -> Facts:
    return go.extract("package shop\n" + text, path)


@pytest.mark.requirement("GO-01")
def test_types_have_their_members() -> None:
    facts = extract(
        """type Order[K comparable, V Item] struct {
          Base
          *pkg.Other
          ID, count int `db:"order_id"`
        }
        type Saver interface { Base; Save(o *Order, names ...string) (int, error) }
        type (
          Names []string
          Alias = pkg.X
        )
        """
    )
    assert facts.namespace == "shop"
    assert facts.symbols[0].kind == "File"
    assert kinds(facts) == [
        "Struct Order",
        "Interface Saver",
        "Type Names",
        "Type Alias",
        "Field Order.Base",
        "Field Order.Other",
        "Field Order.ID",
        "Field Order.count",
        "Method Saver.Save",
    ]
    order = named(facts, "Order")
    assert [shown(facts, one) for one in order.bases] == ["Base", "pkg.Other"]
    assert [(one.name, shown(facts, one.type)) for one in order.type_parameters] == [
        ("K", ""),
        ("V", "Item"),
    ]
    assert [shown(facts, one) for one in named(facts, "Order.ID").decorators] == ['"db:"order_id""']
    assert named(facts, "Order.count").visibility == "internal"
    save = named(facts, "Saver.Save")
    assert [(one.name, one.flavour, shown(facts, one.type)) for one in save.parameters] == [
        ("o", "plain", "Order"),
        ("names", "rest", "Array<string>"),
    ]
    assert shown(facts, save.type) == "[int, error]"
    assert [shown(facts, one) for one in named(facts, "Saver").bases] == ["Base"]
    assert shown(facts, named(facts, "Names").type) == "Array<string>"


@pytest.mark.requirement("GO-02")
def test_methods_belong_to_their_type() -> None:
    facts = extract(
        """func (o *Order[K]) Save(n int) error { return o.check() }
        type Order[K any] struct{}
        func (Other) Run() {}
        """
    )
    assert kinds(facts) == ["Struct Order", "Method Order.Save", "Method Other.Run"]
    save, run = named(facts, "Order.Save"), named(facts, "Other.Run")
    assert (save.parent, run.parent) == (1, 0)
    assert [(one.name, one.flavour) for one in save.parameters] == [
        ("o", "receiver"),
        ("n", "plain"),
    ]
    assert save.signature == "func (o *Order[K]) Save(n int) error"
    assert calls(facts) == ["Order.Save: o.check()"]


@pytest.mark.requirement("GO-03")
def test_constants_and_variables_of_the_package_are_symbols() -> None:
    facts = extract(
        """const ( Red Color = iota; Green; blue )
        var a, b = load()
        var handler = func() { run() }
        var _ Saver = (*Order)(nil)
        """
    )
    assert kinds(facts) == [
        "Constant Red",
        "Constant Green",
        "Constant blue",
        "Variable a",
        "Variable b",
        "Function handler",
    ]
    assert shown(facts, named(facts, "blue").type) == "Color"
    assert shown(facts, named(facts, "b").value) == "load()[1]"
    assert named(facts, "blue").visibility == "internal"


@pytest.mark.requirement("GO-04")
def test_imports_are_kept() -> None:
    facts = extract(
        """import (
          "fmt"
          m "math"
          . "strings"
          _ "embed"
          "gopkg.in/yaml.v3"
          "github.com/go-chi/chi/v5"
        )"""
    )
    assert [(one.module, one.name, one.alias, sorted(one.modifiers)) for one in facts.imports] == [
        ("fmt", None, "fmt", []),
        ("math", None, "m", []),
        ("strings", "*", "", []),
        ("embed", None, "", ["effect"]),
        ("gopkg.in/yaml.v3", None, "yaml", []),
        ("github.com/go-chi/chi/v5", None, "chi", []),
    ]


@pytest.mark.requirement("GO-05")
def test_calls_and_literals() -> None:
    facts = extract(
        """func main() {
          defer db.Close()
          go work(xs...)
          Map[int, string](xs, f)
          o := &pkg.Order{ID: 1, Lines: []Line{{2}}, By: map[string]Line{"a": {N: 3}}}
          n := new(Order)
          ys = append(ys, o, n)
          s := "SELECT " + col + ` FROM t`
        }"""
    )
    assert calls(facts) == [
        "main: db.Close()",
        "main: work(star(xs))",
        "main: Map<int, string>(xs, f)",
        "main: new Line(int)",
        "main: new Line(N=int)",
        "main: new pkg.Order(ID=int, Lines=[new Line()], By={a: new Line()})",
    ]
    assert facts.calls[0].at == (3, 19, 3, 24)
    assert flows(facts, "main") == [
        "o = new pkg.Order()",
        "n = <Order>",
        "ys = ys | [o, n]",
        's = "SELECT {col} FROM t"',
    ]


@pytest.mark.requirement("GO-06")
def test_function_literals_are_symbols() -> None:
    facts = extract(
        """func main() {
          f := func(n int) { g() }
          defer func() { recover() }()
          run(func() { f(1) })
        }"""
    )
    assert kinds(facts) == [
        "Function main",
        "Function main.f",
        "Function main.<lambda1>",
        "Function main.<lambda2>",
    ]
    assert calls(facts) == [
        "main: <lambda1>()",
        "main: run(<lambda2>)",
        "main.f: g()",
        "main.<lambda2>: f(int)",
    ]


@pytest.mark.requirement("GO-07")
def test_values_go_to_locals() -> None:
    facts = extract(
        """func get() (a *A, err error) {
          x, err := load()
          v, ok := m["k"]
          for i, s := range xs { use(i, s) }
          for e := range ch { use(e) }
          ch <- x
          w := <-ch
          switch t := w.(type) {
          case *B: t.Go()
          default: t.Stop()
          }
          if x := other(); x != nil { x.Do() }
          a.Name = x.(C).Name
          return
        }"""
    )
    assert flows(facts, "get") == [
        "a = <A>",
        "err = <error>",
        "x = load()[0]",
        "err = load()[1]",
        "v = m[k]",
        "ok = bool",
        "i = int",
        "s = xs[]",
        "e = each(ch)",
        "ch[] = x",
        "w = each(ch)",
        "t = <B>",
        "t~2 = w",
        "x~2 = other()",
        "a.Name = <C>.Name",
        "result = [a, err]",
    ]
    assert "write a.Name" in uses(facts, "get")
    assert [one for one in calls(facts) if "use" not in one] == [
        "get: load()",
        "get: [xs()]",
        "get: [ch()]",
        "get: t.Go()",
        "get: t~2.Stop()",
        "get: other()",
        "get: x~2.Do()",
    ]


@pytest.mark.requirement("GO-07")
def test_a_local_that_hides_another_name_has_a_name_of_its_own() -> None:
    facts = extract(
        """import "example.com/app/db"
        func save() {}
        func main() {
          db := db.Open()
          db.Query()
          if save := other; true { save() }
          save()
        }"""
    )
    assert calls(facts) == [
        "main: db.Open()",
        "main: db~2.Query()",
        "main: save~2()",
        "main: save()",
    ]


@pytest.mark.requirement("GO-07")
def test_a_call_with_types_is_no_conversion() -> None:
    text = "func main() { a := Load[Order](path); s.ops[b](1); x := []byte(y); New[*Order]() }"
    facts = extract(text)
    assert calls(facts) == [
        "main: Load<Order>(path)",
        "main: s.ops<b>(int)",
        "main: New<Order>()",
    ]


@pytest.mark.requirement("GO-08")
def test_tests_are_tests() -> None:
    text = """func TestSave(t *testing.T) { t.Run("an order", func(t *testing.T) { save() }) }
        func BenchmarkSave(b *testing.B) {}
        func Testing() {}
        """
    assert kinds(extract(text, "a/order_test.go")) == [
        "Test TestSave",
        "Test BenchmarkSave",
        "Function Testing",
        "Test TestSave.an order",
    ]
    assert kinds(extract(text, "a/order.go"))[0] == "Function TestSave"


@pytest.mark.requirement("GO-09")
def test_comments_above_are_doc_text() -> None:
    facts = go.extract(
        """// Code generated by protoc. DO NOT EDIT.

// Package shop sells.
package shop

//go:generate stringer -type=State

// Order is sold.
//
// It has lines.
//nolint:all
type Order struct {
	// ID counts.
	ID int
}

// not this

func (o Order) Save() {}

/* Load loads. */
func Load() {}
""",
        "shop/order.go",
    )
    assert facts.is_generated
    assert facts.symbols[0].doc == "Package shop sells."
    assert [shown(facts, one) for one in facts.symbols[0].decorators] == [
        '"go:generate stringer -type=State"'
    ]
    order = named(facts, "Order")
    assert order.doc == "Order is sold.\n\nIt has lines."
    assert order.at.line == 8
    assert named(facts, "Order.ID").doc == "ID counts."
    assert named(facts, "Order.Save").doc == ""
    assert named(facts, "Load").doc == "Load loads."


@pytest.mark.requirement("GO-10")
def test_syntax_errors_are_told_and_the_rest_is_read() -> None:
    facts = extract("func a() { b(; }\nfunc c() { d() }\n")
    assert facts.problems
    assert "c: d()" in calls(facts)
