"""Calls of scripts: blocks, syntax that runs something, borrowed methods, types of values."""

import pytest

from tests.unit.link.code.binding import calls_of, edges_of, program_of


@pytest.mark.requirement("TS-23")
def test_a_name_of_a_block_hides_what_is_around_it_only_there() -> None:
    text = """
function save() {}
export function run() {
  save();
  { const save = () => {}; save(); }
}
"""
    found = edges_of(program_of({"main.js": text}))
    assert found["main.run", "CALLS", "main.save"].confidence == 1.0
    assert found["main.run", "CALLS", "main.run.save"].confidence == 1.0


@pytest.mark.requirement("TS-23")
@pytest.mark.parametrize(
    ("body", "is_drawn"),
    [
        ("let x = new A(); x = new B(); x.go();", False),
        ("let x = new A(); if (flag) x = new B(); x.go();", True),
        ("let x = new A(); const go = () => x.go(); x = new B(); go();", True),
        ("let x = new A(); while (flag) { x.go(); x = new B(); }", True),
    ],
)
def test_a_local_that_is_set_anew_is_another_where_nothing_else_sees_it(
    body: str, is_drawn: bool
) -> None:
    classes = "class A { go() {} }\nclass B { go() {} }\n"
    found = calls_of({"main.js": f"{classes}export function run(flag) {{ {body} }}\n"})
    callees = {callee for _, callee in found}
    assert ("main.A.go" in callees) == is_drawn
    assert "main.B.go" in callees


@pytest.mark.requirement("TS-24")
@pytest.mark.parametrize(
    ("line", "callee"),
    [
        ("`is ${box}`;", "main.Box.toString"),
        ("'is ' + box;", "main.Box.toString"),
        ("const { size } = box;", "main.Box.size"),
        ("const { size: wide = 1 } = box;", "main.Box.size"),
        ("tag`a ${() => fill()}`;", "main.tag"),
    ],
)
def test_what_syntax_runs_is_called(line: str, callee: str) -> None:
    text = f"""
class Box {{ toString() {{ return ""; }} get size() {{ return 1; }} plain() {{}} }}
function tag(parts, value) {{ value(); }}
function fill() {{}}
const box = new Box();
export function run() {{ {line} }}
"""
    found = calls_of({"main.js": text})
    assert ("main.run", callee) in found
    assert ("main.run", "main.Box.plain") not in found
    assert (("main.tag", "main.run.<lambda1>") in found) == (callee == "main.tag")


@pytest.mark.requirement("TS-24")
def test_a_getter_is_taken_out_of_the_object_at_hand() -> None:
    text = "export class Box { get size() { return 1; } grow() { const { size } = this; } }\n"
    assert calls_of({"main.js": text}) == {("main.Box.grow", "main.Box.size")}


@pytest.mark.requirement("TS-22")
@pytest.mark.parametrize("path", ["main.js", "main.ts"])
def test_using_ends_what_it_declares(path: str) -> None:
    text = """
class Lock { [Symbol.dispose]() {} async [Symbol.asyncDispose]() {} }
export function work() { using lock = new Lock(); }
export async function copy() {
  await using lock = new Lock();
}
"""
    found = calls_of({path: text.replace("{ using", "{\n  using")})
    assert ("main.work", "main.Lock.[Symbol.dispose]") in found
    assert ("main.copy", "main.Lock.[Symbol.asyncDispose]") in found


@pytest.mark.requirement("TS-25")
@pytest.mark.parametrize(
    "line",
    ["a.hi.call(b);", "a.hi.apply(b, []);", "a.hi.bind(b)();", "Object.assign(b, a); b.hi();"],
)
def test_a_borrowed_method_runs_on_what_it_is_given(line: str) -> None:
    text = f"""
const a = {{ hi() {{ this.name(); }} }};
class B {{ name() {{}} }}
const b = new B();
{line}
"""
    assert ("main.a.hi", "main.B.name") in calls_of({"main.js": text})


@pytest.mark.requirement("TS-26")
@pytest.mark.parametrize(
    ("type_", "line"),
    [
        ("typeof shared", "x.go();"),
        ("ReturnType<typeof make>", "x.go();"),
        ("InstanceType<typeof A>", "x.go();"),
        ("Awaited<ReturnType<typeof later>>", "x.go();"),
        ("Made", "x.go();"),
        ("typeof A", "new x().go();"),
        ("A, key: keyof A", "x[key]();"),
    ],
)
def test_types_of_values_say_what_is_meant(type_: str, line: str) -> None:
    text = f"""
class A {{ go() {{}} }}
function make() {{ return new A(); }}
async function later() {{ return new A(); }}
const shared = make();
type Made = ReturnType<typeof make>;
export function run(x: {type_}) {{ {line} }}
"""
    assert ("main.run", "main.A.go") in calls_of({"main.ts": text})


@pytest.mark.requirement("TS-27")
@pytest.mark.parametrize(
    ("line", "is_called"),
    [
        ("Object.assign(f, { x: 1 });", False),
        ("Object.freeze(f);", False),
        ("String(f);", False),
        ("Promise.resolve(f);", False),
        ("store.has(f);", False),
        ("store.get(f);", False),
        ("isFunction(f);", False),
        ("new WeakRef(f);", False),
        ("Reflect.apply(f, null, []);", True),
        ("store.get('/', f);", True),
        ("Object.keys(store).map(f);", True),
        ("whatever(f);", True),
    ],
)
def test_what_is_only_kept_is_not_called(line: str, is_called: bool) -> None:
    found = calls_of({"main.js": f"function f() {{}}\nexport function run(store) {{ {line} }}\n"})
    assert (("main.run", "main.f") in found) == is_called


@pytest.mark.requirement("TS-26")
def test_what_is_put_under_a_key_of_a_type_is_found_under_it() -> None:
    text = """
export class Bus<M> {
  private all: { [K in keyof M]?: Array<() => void> } = {};
  on<K extends keyof M>(key: K, listener: () => void) { (this.all[key] ??= []).push(listener); }
  emit<K extends keyof M>(key: K) { this.all[key]?.forEach((listener) => listener()); }
}
function heard() {}
new Bus<{ a: string }>().on("a", heard);
"""
    assert ("main.Bus.emit.<lambda1>", "main.heard") in calls_of({"main.ts": text})


@pytest.mark.requirement("TS-27")
def test_a_function_that_is_given_members_is_given_back() -> None:
    text = "const f = Object.assign(() => {}, { label: 1 });\nexport function run() { f(); }\n"
    assert ("main.run", "main.<lambda1>") in calls_of({"main.js": text})
