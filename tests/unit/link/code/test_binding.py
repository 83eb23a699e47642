"""Names are bound to what they mean."""

import pytest

from commonplace.domain.expr import attr, name
from commonplace.link.code.folding import fold, folded
from commonplace.link.code.passes.calls import CALLS, open_calls
from commonplace.link.code.program import Place
from commonplace.link.code.resolve import resolve
from commonplace.link.code.values import flows
from tests.unit.link.code.binding import LARGE, calls_of, edges_of, names_of, program_of, told

SHOP = {
    "shop/__init__.py": "from shop.orders import Order as Order\nfrom shop.tools import *\n",
    "shop/orders.py": (
        "from . import tools\nclass Order:\n    def save(self):\n        tools.log(self)\n"
    ),
    "shop/tools.py": (
        "from shop.orders import Order\n"
        "__all__ = ['log']\n"
        "def log(x): hidden()\n"
        "def hidden(): pass\n"
    ),
    "main.py": "import shop\nfrom shop import Order, log\nshop.Order().save()\nlog(Order())\n",
}


@pytest.mark.requirement("BIND-01")
def test_names_are_followed_through_re_exports_stars_and_cycles() -> None:
    found = calls_of(SHOP)
    assert ("main", "shop.orders.Order.save") in found
    assert ("main", "shop.tools.log") in found
    assert ("shop.orders.Order.save", "shop.tools.log") in found
    assert ("shop.tools.log", "shop.tools.hidden") in found


@pytest.mark.requirement("BIND-01")
def test_a_star_brings_only_what_a_module_lists() -> None:
    files = {**SHOP, "main.py": "from shop.tools import *\nhidden()\n"}
    assert not any(caller == "main" for caller, _ in calls_of(files))


@pytest.mark.requirement("BIND-01")
def test_a_module_of_ours_does_not_hide_one_of_the_language() -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/json.py": "def dumps(x): pass\n",
        "pkg/web.py": "import json\njson.dumps(1)\n",
    }
    edges = edges_of(program_of(files))
    assert ("pkg.web", "CALLS", "<json.dumps>") in edges
    assert ("pkg.web", "CALLS", "pkg.json.dumps") not in edges


@pytest.mark.requirement("BIND-02")
def test_the_line_of_classes_is_that_of_the_language() -> None:
    text = """
class Root:
    def run(self): pass
class Left(Root): pass
class Right(Root):
    def run(self): super().run()
class Both(Left, Right): pass
Both().run()
"""
    found = calls_of({"main.py": text})
    assert ("main", "main.Right.run") in found
    assert ("main", "main.Root.run") not in found
    assert ("main.Right.run", "main.Root.run") in found


@pytest.mark.requirement("BIND-02")
def test_classes_that_contradict_one_another_are_read_all_the_same() -> None:
    text = """
class A(B):
    def a(self): self.b()
class B(A):
    def b(self): self.a()
class X(A, B): pass
class Y(B, A): pass
class Z(X, Y): pass
Z().b()
"""
    assert ("main", "main.B.b") in calls_of({"main.py": text})


@pytest.mark.requirement("BIND-03")
def test_values_flow_within_a_file_at_once() -> None:
    text = """
def twice(f):
    def inner(*args):
        return f(*args)
    return inner
@twice
def work(job): job.run()
class Job:
    def run(self): pass
table = {"work": work}
table["work"](Job())
"""
    found = calls_of({"main.py": text})
    assert ("main", "main.twice.inner") in found
    assert ("main.twice.inner", "main.work") in found
    assert ("main.work", "main.Job.run") in found


@pytest.mark.requirement("BIND-03")
def test_values_flow_between_files_afterwards_where_a_program_is_large() -> None:
    files = {
        "lib.py": "def each(items, do):\n    for one in items:\n        do(one)\n",
        "main.py": "from lib import each\ndef show(x): pass\neach([1], show)\n",
    }
    program = program_of(files, LARGE)
    at_once = edges_of(program)
    assert ("lib.each", "CALLS", "main.show") not in at_once
    assert flows.is_needed(program)
    later = told(program, flows.later(program, list(program.units)))
    assert ("lib.each", "CALLS", "main.show") in later
    assert at_once.keys() <= later.keys()
    assert open_calls(program, "d:lib.py") != flows.open_calls(program, "d:lib.py")


@pytest.mark.requirement("BIND-04")
def test_an_edge_tells_how_it_is_known_and_how_surely() -> None:
    text = """
class Store:
    def put(self, x): pass
def direct(): pass
def use(store: Store, other):
    direct()
    store.put(1)
    other.rare_method()
class Rare:
    def rare_method(self): pass
"""
    edges = edges_of(program_of({"main.py": text}))
    assert edges["main.use", "CALLS", "main.direct"].properties["how"] == "scope"
    assert edges["main.use", "CALLS", "main.direct"].confidence >= 0.9
    typed = edges["main.use", "CALLS", "main.Store.put"]
    assert (typed.properties["how"], typed.properties["at"]) == ("type", "7:10-13")
    guess = edges["main.use", "CALLS", "main.Rare.rare_method"]
    assert guess.properties["how"] == "name"
    assert guess.confidence <= 0.3


@pytest.mark.requirement("BIND-04")
def test_a_common_name_says_nothing() -> None:
    classes = "".join(f"class C{n}:\n    def get(self): pass\n" for n in range(6))
    edges = edges_of(program_of({"main.py": f"{classes}def use(x): x.get()\n"}))
    assert not [key for key in edges if key[:2] == ("main.use", "CALLS")]


@pytest.mark.requirement("BIND-05")
def test_calls_that_are_not_resolved_are_counted_with_their_caller() -> None:
    text = "def use(x):\n    x.one()\n    x.one()\n    (lambda: x.two())()\n"
    program = program_of({"main.py": text})
    found = open_calls(program, "d:main.py")
    names = {names_of(program)[program.node_id(place)]: one for place, one in found.items()}
    assert names == {"main.use": {"one": 2}, "main.use.<lambda1>": {"two": 1}}


@pytest.mark.requirement("BIND-07")
def test_the_order_in_which_files_come_does_not_matter() -> None:
    forwards, backwards = program_of(SHOP), program_of(dict(reversed(SHOP.items())))
    one = CALLS.run(forwards, list(forwards.units))
    other = CALLS.run(backwards, list(backwards.units))
    assert {key: found.edges for key, found in one.items()} == {
        key: found.edges for key, found in other.items()
    }


@pytest.mark.requirement("BIND-08")
def test_libraries_are_shared_nodes_and_built_in_functions_are_not_told() -> None:
    text = "import requests as r\ndef get(u):\n    print(len(u))\n    return r.get(u)\n"
    edges = edges_of(program_of({"main.py": text}))
    assert ("main.get", "CALLS", "<requests.get>") in edges
    assert [key for key in edges if key[0] == "main.get"] == [
        ("main.get", "CALLS", "<requests.get>")
    ]


@pytest.mark.requirement("BIND-09")
def test_overloads_and_implementations_of_typed_languages() -> None:
    text = """
interface Store { void put(String x); }
class Disk implements Store { public void put(String x) {} }
class Main {
    static void show(int x) {}
    static void show(String x) {}
    static void run(Store store) { show("a"); store.put("b"); }
}
"""
    edges = edges_of(program_of({"Main.java": text}))
    shown = [edge for key, edge in edges.items() if key == ("Main.run", "CALLS", "Main.show")]
    assert len(shown) == 1
    declared = edges["Main.run", "CALLS", "Store.put"]
    implemented = edges["Main.run", "CALLS", "Disk.put"]
    assert implemented.properties["how"] == "dispatch"
    assert implemented.confidence < declared.confidence


@pytest.mark.requirement("BIND-10")
def test_tests_lead_to_what_they_call_and_what_they_are_named_after() -> None:
    files = {
        "app.py": "def pay(): pass\ndef refund(): pass\n",
        "test_app.py": "from app import pay\ndef test_pay(): pay()\ndef test_refund(): pass\n",
    }
    edges = edges_of(program_of(files))
    by_call = edges["test_app.test_pay", "TESTS", "app.pay"]
    by_name = edges["test_app.test_refund", "TESTS", "app.refund"]
    assert by_call.properties["how"] == "call"
    assert by_name.properties["how"] == "convention"
    assert by_name.confidence < by_call.confidence


@pytest.mark.requirement("BIND-11")
def test_functions_without_a_name_are_told_under_what_is_around_them() -> None:
    text = "def work(): pass\ndef run(): return (lambda: work())()\n"
    program = program_of({"main.py": text})
    found = CALLS.run(program, list(program.units))
    assert ("main.run.<lambda1>", "CALLS", "main.work") in told(program, found)
    under = {key: folded(program, one) for key, one in found.items()}
    assert ("main.run", "CALLS", "main.work") in told(program, under)
    assert not any("<lambda" in end for key in told(program, under) for end in key)
    number = next(
        number
        for number, symbol in enumerate(program.units["d:main.py"].facts.symbols)
        if symbol.name == "<lambda1>"
    )
    place = fold(program, Place("d:main.py", number))
    assert program.symbol(place).name == "run"


@pytest.mark.requirement("BIND-12")
def test_definitions_lead_to_one_another() -> None:
    files = {
        "base.py": "from abc import ABC\nLIMIT = 3\nclass Base(ABC):\n    def run(self): pass\n",
        "main.py": (
            "from base import Base, LIMIT\nclass Child(Base):\n    def run(self): return LIMIT\n"
        ),
    }
    edges = edges_of(program_of(files))
    assert ("main.Child", "INHERITS", "base.Base") in edges
    assert ("base.Base", "INHERITS", "<abc.ABC>") in edges
    assert ("main.Child.run", "OVERRIDES", "base.Base.run") in edges
    assert ("main", "IMPORTS", "base") in edges
    assert ("main", "IMPORTS", "base.Base") in edges
    assert ("main.Child.run", "REFERENCES", "base.LIMIT") in edges


@pytest.mark.requirement("BIND-22")
@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {
                "a/Consts.java": 'package a;\npublic interface Consts { String INSERT = "x"; }\n',
                "a/More.java": "package a;\npublic interface More extends Consts { int M = 1; }\n",
                "b/Del.java": (
                    "package b;\nclass Del implements a.More {\n"
                    "  void run() { go(INSERT); }\n  void go(String s) {}\n"
                    "  class In { int f() { return M; } }\n}\n"
                ),
            },
            {("b.Del.run", "a.Consts.INSERT"), ("b.Del.In.f", "a.More.M")},
            id="constants of interfaces",
        ),
        pytest.param(
            {
                "a/K.java": (
                    "package a;\npublic class K { public static int BIG = 9, SMALL = 1;\n"
                    "  public static class In { public static int DEEP = 2; } }\n"
                ),
                "b/U.java": (
                    "package b;\nimport static a.K.BIG;\nimport static a.K.In.DEEP;\n"
                    "import static a.K.*;\n"
                    "class U { int f() { return BIG + SMALL + DEEP; } }\n"
                ),
            },
            {("b.U.f", "a.K.BIG"), ("b.U.f", "a.K.SMALL"), ("b.U.f", "a.K.In.DEEP")},
            id="static imports",
        ),
        pytest.param(
            {
                "A.cs": (
                    "namespace N;\npublic class Base { protected const int Limit = 3;"
                    " public string Title { get; set; } }\n"
                    "public static class K { public const int Big = 9; }\n"
                ),
                "B.cs": (
                    "using static N.K;\nnamespace M;\npublic class Derived : N.Base {\n"
                    "  int F() { return Limit + Big + Title.Length; } }\n"
                ),
            },
            {("M.Derived.F", "N.Base.Limit"), ("M.Derived.F", "N.K.Big")}
            | {("M.Derived.F", "N.Base.Title")},
            id="members of C#",
        ),
    ],
)
def test_members_named_without_their_class_are_meant(
    files: dict[str, str], expected: set[tuple[str, str]]
) -> None:
    edges = edges_of(program_of(files))
    assert expected <= {(a, b) for a, relation, b in edges if relation == "REFERENCES"}


@pytest.mark.requirement("BIND-22")
def test_what_is_nearer_hides_an_inherited_member() -> None:
    files = {
        "a/Base.java": "package a;\npublic class Base { protected int size = 1, left = 2; }\n",
        "a/Sub.java": (
            "package a;\nclass Sub extends Base {\n  int left = 3;\n"
            "  int f(int size) { return size + left; }\n}\n"
        ),
    }
    targets = {b for a, relation, b in edges_of(program_of(files)) if relation == "REFERENCES"}
    assert "a.Sub.left" in targets
    assert targets.isdisjoint({"a.Base.size", "a.Base.left"})


@pytest.mark.requirement("BIND-09")
def test_extensions_of_generic_types_are_their_methods() -> None:
    files = {
        "I.cs": (
            "namespace R { public interface IObs<T> { void Sub(T x); }\n"
            "public class Subject<T> : IObs<T> { public void Sub(T x) {} public void Own() {} } }\n"
        ),
        "X.cs": (
            "namespace R { public static class Ext {\n"
            "  public static void Each<T>(this IObs<T> source, int a) { }\n"
            "  public static void Own<T>(this IObs<T> source) { }\n"
            "  public static void Many(this Subject<int> source) { } } }\n"
        ),
        "C.cs": (
            "namespace R { public class Use {\n"
            "  void A(IObs<bool> one) { one.Each(1); }\n"
            "  void B(Subject<int> one) { one.Each(1); one.Many(); one.Own(); }\n"
            "  void C(IObs<int> one) { one.Many(); } } }\n"
        ),
    }
    edges = edges_of(program_of(files))
    sure = {(a, b) for (a, relation, b), edge in edges.items() if edge.confidence >= 0.9}
    assert ("R.Use.A", "R.Ext.Each") in sure
    assert {("R.Use.B", "R.Ext.Each"), ("R.Use.B", "R.Ext.Many")} <= sure
    assert ("R.Use.B", "R.Subject.Own") in sure
    assert ("R.Use.B", "R.Ext.Own") not in sure
    assert ("R.Use.C", "R.Ext.Many") not in sure


@pytest.mark.requirement("BIND-01")
def test_a_namespace_is_seen_in_files_of_several_and_within_directives() -> None:
    files = {
        "Foo.cs": (
            "namespace A.One { public class Foo { public void Bar() {} }\n"
            "public partial class Part { void P1() { P2(); } } }\n"
        ),
        "Users.cs": (
            "namespace A.One { public class User { void U() { new Foo().Bar(); } }\n"
            "public partial class Part { void P2() {} } }\n"
            "namespace B.Two { using A.One; class User { void U() { new Foo().Bar(); } } }\n"
            "namespace C { public class User { void U() { new Foo().Bar(); } } }\n"
        ),
        "Unity.cs": (
            "#if !OLD\nusing System;\nnamespace A.One {\n"
            "    class Late { void U() { new Foo().Bar(); } } }\n#endif\n"
        ),
    }
    found = calls_of(files)
    assert ("A.One.User.U", "A.One.Foo.Bar") in found
    assert ("A.One.Part.P1", "A.One.Part.P2") in found
    assert ("B.Two.User.U", "A.One.Foo.Bar") in found
    assert ("A.One.Late.U", "A.One.Foo.Bar") in found
    assert ("C.User.U", "A.One.Foo.Bar") not in found


@pytest.mark.requirement("BIND-20")
def test_the_title_of_a_subtest_is_no_name() -> None:
    files = {
        "m/a.go": "package m\n\nfunc GetService() {}\n",
        "m/a_test.go": (
            'package m\n\nimport "testing"\n\nfunc TestAll(t *testing.T) {\n'
            '\tt.Run("GetService", func(t *testing.T) { GetService() })\n}\n'
        ),
    }
    assert calls_of(files) >= {
        ("m.TestAll", "m.TestAll.GetService"),
        ("m.TestAll.GetService", "m.GetService"),
    }
    assert ("m.TestAll.GetService", "m.TestAll.GetService") not in calls_of(files)


@pytest.mark.requirement("BIND-20")
def test_new_of_a_value_calls_what_makes_the_value() -> None:
    files = {
        "m/a.go": (
            "package m\n\ntype T struct{}\n\nfunc (t T) Add(n int) T { return t }\n\n"
            'func f(t T) {\n\ta := new(t.Add(1))\n\tb := new("x")\n\tc := new(T{})\n'
            "\td := new(func(n int) { g() })\n\te := new((T{}).Add(2))\n\tc.Add(3)\n}\n\n"
            "func g() {}\n"
        ),
    }
    program = program_of(files)
    assert program.units["d:m/a.go"].facts.problems == ()
    assert calls_of(files) >= {("m.f", "m.T.Add"), ("m.f.<lambda1>", "m.g")}


def test_other_passes_ask_what_an_expression_means() -> None:
    program = program_of(SHOP)
    (found,) = resolve(program, "d:main.py", 0, attr(name("shop"), "Order"))
    assert found.role == "symbol"
    assert found.place is not None
    assert program.symbol(found.place).name == "Order"
    assert resolve(program, "d:main.py", 0, name("nobody")) == ()


@pytest.mark.requirement("BIND-13")
def test_types_of_types_do_not_double_with_every_call() -> None:
    """Without an end, forty calls would make a type of 2^40 parts; UniRx did."""
    chain = ".Wrap()" * 40
    box = f"""
    public class Box<A, B> {{
      public Box<Box<A, B>, Box<B, A>> Wrap() {{ return new Box<Box<A, B>, Box<B, A>>(); }}
      public void Mark() {{ }}
      public void Go(Box<int, string> x) {{ x{chain}.Mark(); }}
    }}
    """
    assert ("Box.Go", "Box.Mark") in calls_of({"Box.cs": box})


NODES = """
class Node:
    def visit(self): pass
class Leaf(Node):
    def visit(self): pass
"""


@pytest.mark.requirement("BIND-14")
@pytest.mark.parametrize(
    ("body", "is_drawn"),
    [
        ("def go():\n    x = Node()\n    x.visit()\n", False),
        ("def make():\n    return Node()\ndef go():\n    make().visit()\n", False),
        ("def go(x: Node):\n    x.visit()\n", True),
        ("def make() -> Node:\n    return Node()\ndef go():\n    make().visit()\n", True),
        ("def go(xs: list[Node]):\n    for x in xs:\n        x.visit()\n", True),
    ],
)
def test_an_override_is_drawn_for_a_declared_type_not_for_an_object_that_was_made(
    body: str, is_drawn: bool
) -> None:
    found = edges_of(program_of({"main.py": NODES + body}))
    assert ("main.go", "CALLS", "main.Node.visit") in found
    below = found.get(("main.go", "CALLS", "main.Leaf.visit"))
    assert (below is not None) == is_drawn
    assert below is None or below.confidence < 0.5


@pytest.mark.requirement("BIND-15")
def test_keywords_that_are_passed_on_reach_the_parameter_of_their_name() -> None:
    text = """
def work(check=None, done=None):
    done()
def relay(**options):
    work(**options)
def verify(): pass
def finish(): pass
relay(check=verify, done=finish)
"""
    found = calls_of({"main.py": text})
    assert ("main.work", "main.finish") in found
    assert ("main.work", "main.verify") not in found
