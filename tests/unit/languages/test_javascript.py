"""JavaScript: functions, modules, calls and where values go."""

import pytest

from commonplace.domain.code import Facts, Import
from commonplace.languages import javascript, typescript
from tests.unit.languages.showing import calls, flows, kinds, named, shown, uses


def extract(text: str) -> Facts:
    return javascript.extract(text, "src/order.js")


def brought(one: Import) -> tuple[str, str | None, str, list[str]]:
    return one.module, one.name, one.alias, sorted(one.modifiers)


@pytest.mark.requirement("TS-03")
def test_functions_are_called_by_what_they_are_assigned_to() -> None:
    facts = extract(
        """function plain() { const local = () => 1; run(() => 2, function named() {}); }
        const arrow = async (a) => a;
        let later; later = function () {};
        const api = { get() {}, post: () => 1, inner: { put: function () {} } };
        export const Memo = memo(forwardRef((props) => props));
        call({ onDone() {} });
        class A { field = () => 1 }
        """
    )
    assert kinds(facts) == [
        "Function plain",
        "Function arrow",
        "Variable later",
        "Function later",
        "Constant api",
        "Method api.get",
        "Method api.post",
        "Method api.inner.put",
        "Function Memo",
        "Method onDone",
        "Class A",
        "Function plain.local",
        "Function plain.<lambda1>",
        "Function plain.named",
        "Method A.field",
    ]
    assert named(facts, "arrow").modifiers == {"async", "arrow"}
    assert named(facts, "arrow").signature == "arrow = async (a)"
    assert flows(facts, "plain.<lambda1>") == ["result = int"]


@pytest.mark.requirement("TS-04")
def test_modules_import_and_export_in_every_form() -> None:
    facts = typescript.extract(
        """import d, { a as b, type C } from "./x";
        import * as ns from "y"; import "z"; import type { T } from "t"; import fs = require("fs");
        export { a as c, e }; export * from "q"; export * as w from "q";
        export { r as default } from "q"; export * as default from "v";
        export default function () {}
        """,
        "a.ts",
    )
    assert [brought(one) for one in facts.imports] == [
        ("./x", "default", "d", ["default"]),
        ("./x", "a", "b", []),
        ("./x", "C", "C", ["type"]),
        ("y", None, "ns", []),
        ("z", None, "", ["effect"]),
        ("t", "T", "T", ["type"]),
        ("fs", None, "fs", []),
        ("q", "*", "", ["export"]),
        ("q", None, "w", ["export"]),
        ("q", "r", "default", ["export"]),
        ("v", None, "default", ["export"]),
    ]
    assert facts.exports == (("c", "a"), ("e", "e"), ("default", "default"))
    assert typescript.extract("export = foo;", "a.ts").exports == (("=", "foo"),)


@pytest.mark.requirement("TS-04")
def test_modules_loaded_when_needed_are_imports_of_their_function() -> None:
    facts = extract(
        """async function run() {
          const { work: job } = await import("./a");
          (await import("./b")).go();
          const c = require(name);
        }"""
    )
    assert [brought(one) for one in facts.imports] == [
        ("./a", "work", "job", []),
        ("./b", None, "<import1>", []),
    ]
    assert {one.scope for one in facts.imports} == {1}
    assert calls(facts)[0] == "run: wait(<import1>).go()"


@pytest.mark.requirement("TS-05")
def test_modules_require_and_export_in_every_form() -> None:
    facts = extract(
        """const fs = require("fs"), { a, b: c } = require("./x");
        function one() {}
        module.exports = { one, two: c, three() {}, four: () => 4, ...require("./y") };
        exports.five = function () {};
        module.exports.six = make();
        """
    )
    assert [brought(one) for one in facts.imports] == [
        ("fs", None, "fs", []),
        ("./x", "a", "a", []),
        ("./x", "b", "c", []),
        ("./y", "*", "", ["export"]),
    ]
    assert kinds(facts) == [
        "Function one",
        "Function three",
        "Function four",
        "Function five",
        "Constant six",
    ]
    assert facts.exports == (("one", "one"), ("two", "c"))
    assert all("exported" in one.modifiers for one in facts.symbols[1:])
    assert extract("module.exports = class Order {}").exports == (("=", "Order"),)
    assert extract("module.exports = class {}").exports == (("=", "exports"),)
    assert extract("const o = 1; module.exports = o").exports == (("=", "o"),)


@pytest.mark.requirement("TS-06")
def test_calls_have_their_arguments_and_the_place_of_the_name() -> None:
    facts = extract("order?.lines[0].save(`a`, ...rest);\nnew ns.Order(1); sql`x ${y}`;")
    assert calls(facts) == [
        ": [rest.[Symbol.iterator]()]",
        ': order.lines[0].save("a", star(rest))',
        ": new ns.Order(int)",
        ': sql("x {y}", y)',
    ]
    assert facts.calls[1].at == (1, 16, 1, 20)
    assert facts.calls[2].at == (2, 7, 2, 12)
    facts = extract("class A extends B { constructor() { super(1); super.go(); } }")
    assert calls(facts) == [
        "A.constructor: new super(int)",
        "A.constructor: super.go()",
    ]


@pytest.mark.requirement("TS-07")
def test_elements_call_their_components() -> None:
    facts = typescript.extract(
        """const App = () => <Page title="x" {...rest}><p onClick={go}>{a}</p><ui.Row /></Page>;""",
        "app.tsx",
    )
    assert calls(facts) == [
        "App: ui.Row({})",
        'App: Page({title: "x", None: rest, children: [jsx, jsx]})',
    ]
    assert uses(facts, "App") == ["read rest", "read go", "read a"]


@pytest.mark.requirement("TS-08")
def test_parts_go_to_the_names_they_are_given() -> None:
    facts = extract(
        """function f({ a, b: { c = one() } }, [d, , ...e]) {
          const { g, ...rest } = load(), [h] = pair;
          for (const [k, v] of all) {}
          [a.x, d] = [d, g];
        }"""
    )
    assert [one.name for one in named(facts, "f").parameters] == ["<parameter1>", "<parameter2>"]
    assert flows(facts, "f") == [
        "a = <parameter1>.a",
        "c = <parameter1>.b.c | one()",
        "d = <parameter2>[0]",
        "e = tail(<parameter2>, 2)",
        "g = load().g",
        "rest = load()",
        "h = pair[0]",
        "k = each(all)[0]",
        "v = each(all)[1]",
        "<value1> = [d, g]",
        "a.x = <value1>[0]",
        "d = <value1>[1]",
    ]


@pytest.mark.requirement("TS-09")
def test_names_belong_to_their_block_and_function() -> None:
    facts = extract(
        """let state;
        function f(a) {
          for (const x of a) go(x);
          for (const x of b) { go(x); later(() => x.y()); }
          const set = () => { state = a; a = 1; other = 2; };
        }"""
    )
    assert [one for one in calls(facts) if "[" not in one][:3] == [
        "f: go(x)",
        "f: go(x~2)",
        "f: later(<lambda1>)",
    ]
    assert calls(facts)[:2] == [
        "f: [a.[Symbol.iterator]()]",
        "f: [a.[Symbol.iterator]().next()]",
    ]
    assert calls(facts)[-1] == "f.<lambda1>: x~2.y()"
    homes = {shown(facts, one.target): one.home for one in facts.flows if one.home is not None}
    assert homes == {"state": 0, "a": 2, "other": 0}


@pytest.mark.requirement("TS-12")
def test_strings_are_one_with_holes() -> None:
    facts = extract(
        r"""run("SELECT " + column + " FROM t\n" + 'x', `a\u0041${b.c}d`, A + B);
        let q = "x"; q += " y";"""
    )
    assert calls(facts) == [': run("SELECT {column} FROM t\nx", "aA{b.c}d", "{A}{B}")']
    assert flows(facts, "") == ['q = "{q} y"']


@pytest.mark.requirement("TS-13")
def test_tests_are_called_by_their_titles() -> None:
    facts = extract(
        """describe("an order", () => {
          beforeEach(() => setup());
          it("saves v1.0", async () => { save(); });
          test.each([1])("checks %i", (n) => check(n));
        });
        it(title, () => {});"""
    )
    assert kinds(facts) == [
        "Test an order",
        "Function <lambda1>",
        "Function an order.<lambda1>",
        "Test an order.saves v1 0",
        "Test an order.checks %i",
    ]
    test = named(facts, "an order.saves v1 0")
    assert test.name == "saves v1.0"
    assert test.modifiers == {"test", "async", "arrow"}


@pytest.mark.requirement("TS-17")
def test_members_set_from_outside_are_members() -> None:
    facts = extract(
        """function Dog() { this.name = "x"; this.run = function () {}; }
        Dog.prototype.bark = function () { this.run(); };
        Dog.create = () => new Dog();
        Dog.prototype = { eat() {} };
        util.inherits(Dog, Animal);
        function Cat() { Animal.call(this, 1); }
        Cat.prototype = Object.create(Animal.prototype);
        """
    )
    assert [shown(facts, one) for one in named(facts, "Cat").bases] == ["Animal"]
    assert "Cat.constructor: new super(int)" in calls(facts)
    assert kinds(facts) == [
        "Class Dog",
        "Constructor Dog.constructor",
        "Method Dog.bark",
        "Method Dog.create",
        "Method Dog.eat",
        "Class Cat",
        "Constructor Cat.constructor",
        "Method Dog.run",
    ]
    assert named(facts, "Dog.bark").parent == named(facts, "Dog.eat").parent == 1
    assert facts.symbols[named(facts, "Dog.run").parent].path == "Dog.constructor"
    assert "static" in named(facts, "Dog.create").modifiers
    assert [shown(facts, one) for one in named(facts, "Dog").bases] == ["Animal"]


@pytest.mark.requirement("TS-17")
def test_this_in_an_object_is_what_holds_it() -> None:
    facts = extract(
        """const o = { a() { this.b(); }, b() {}, in: { c() { this.d; } } };
        call({ e() { this.f(); }, f() {} });"""
    )
    assert calls(facts) == [
        ": call({e: e, f: f})",
        "o.a: this~.b()",
        "e: this~.f()",
    ]
    assert flows(facts, "o.a") == ["this~ = o"]
    assert flows(facts, "e") == ["this~ = <object1>"]
    assert uses(facts, "o.in.c") == ["read o.in.d"]
    assert flows(facts, "") == ["<object1> = {e: e, f: f}"]


@pytest.mark.requirement("TS-11")
def test_simple_types_of_doc_comments_are_kept() -> None:
    facts = extract(
        """/**
         * Saves.
         * @param {Order} order what
         * @param {?Array<Line>} [lines]
         * @returns {Promise<Order>}
         */
        function save(order, lines) {}
        /** @type {Repo} */
        const repo = make();
        """
    )
    save = named(facts, "save")
    assert [shown(facts, one.type) for one in save.parameters] == ["Order", "Array<Line>"]
    assert shown(facts, save.type) == "Promise<Order>"
    assert shown(facts, named(facts, "repo").type) == "Repo"
    assert save.doc.startswith("Saves.")


@pytest.mark.requirement("TS-14")
def test_syntax_errors_are_told_and_the_rest_is_read() -> None:
    facts = extract("function a() { b(; }\nfunction c() { d(); }\n")
    assert facts.problems
    assert {"a", "c"} <= {one.name for one in facts.symbols}
    assert "c: d()" in calls(facts)
