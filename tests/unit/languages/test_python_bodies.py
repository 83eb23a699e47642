"""Python: what happens in bodies: flows, calls, uses, strings."""

import pytest

from commonplace.languages.python import extract
from tests.unit.languages.showing import calls, flows, shown, uses


def body(*lines: str) -> str:
    return "def f(p):\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.requirement("PY-05")
@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("a = b = p", ["b = p", "a = p"]),
        ("a, (b, *c) = p", ["[a, [b, star(c)]] = p"]),
        ("a: Order = p", ["a = <Order>", "a = p"]),
        ("a: Order", ["a = <Order>"]),
        ("p.x = p", ["p.x = p"]),
        ('p["x"] = p', ["p[x] = p"]),
        ("p[0] = p", ["p[0] = p"]),
        ("for a in p: pass", ["a = each(p)"]),
        ("if (a := p): pass", ["a = p"]),
        ("a = p if p else None", ["a = p | none"]),
        ("a = p or []", ["a = p | []"]),
        ("a = await p", ["a = wait(p)"]),
        ("a = p[1:2]", ["a = p"]),
        ('a = {"x": p, **p}', ["a = {x: p, None: star(p)}"]),
        ("return p", ["result = p"]),
        ("yield p", ["yielded = p"]),
        ("yield from p", ["yielded = each(p)"]),
        ("with p as a: pass", ["a = enter(p)"]),
        ("with (p as a, p as b): pass", ["a = enter(p)", "b = enter(p)"]),
        ("a = [b for b in p]", ["b~1 = each(p)", "a = [b~1]"]),
        ("a = {k: v for k, v in p}", ["[k~1, v~1] = each(p)", "a = {None: v~1}"]),
    ],
)
def test_every_statement_says_where_values_go(statement: str, expected: list[str]) -> None:
    facts = extract(body(statement), "a.py")
    assert flows(facts, "f") == expected


@pytest.mark.requirement("PY-05")
@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("return \\\n        p", ["result = p"]),
        ("a = p and \\\n        q", ["a = p | q"]),
        ("a = [p, \\\n        q]", ["a = [p, q]"]),
        ("a = 'x' \\\n        'y'", ['a = "xy"']),
        ("a = 'x' \\\n        + p", ['a = "x{p}"']),
        ("a = ('x'  # why\n        + p)", ['a = "x{p}"']),
        ("a = [  # why\n        b for b in p]", ["b~1 = each(p)", "a = [b~1]"]),
        (
            "a = {\n        # why\n        k: v for k, v in p}",
            ["[k~1, v~1] = each(p)", "a = {None: v~1}"],
        ),
    ],
)
def test_comments_and_lines_that_go_on_say_nothing_of_values(
    statement: str, expected: list[str]
) -> None:
    facts = extract(body(statement), "a.py")
    assert flows(facts, "f") == expected
    assert facts.problems == ()


@pytest.mark.requirement("PY-06")
def test_a_line_that_goes_on_is_no_argument_no_parameter_and_no_import() -> None:
    source = "from m import a, \\\n    b\ndef f(x, \\\n      y): g(x, \\\n      y) == \\\n      h\n"
    facts = extract(source, "a.py")
    assert [one.name for one in facts.imports] == ["a", "b"]
    assert [one.name for one in facts.symbols[1].parameters] == ["x", "y"]
    assert calls(facts) == ["f: g(x, y)", "f: [g().__eq__(h)]"]


@pytest.mark.requirement("PY-05")
def test_errors_and_patterns_bind_what_they_ask_for() -> None:
    facts = extract(
        body(
            "try: pass",
            "except (A, B) as e: pass",
            "match p:",
            "    case Circle(r, size=s): pass",
            "    case [a, *rest] | {'k': a}: pass",
            "    case Square() as q if q: pass",
            "    case Color.RED: pass",
            "    case other: pass",
        ),
        "a.py",
    )
    assert flows(facts, "f") == [
        "e = <A> | <B>",
        "p = <Circle>",
        "r = <Circle>[0]",
        "s = <Circle>.size",
        "a = p[0]",
        "rest = p[1]",
        "a = p[k]",
        "p = <Square>",
        "q = <Square>",
        "other = p",
    ]


@pytest.mark.requirement("PY-05")
def test_global_and_nonlocal_names_go_home() -> None:
    facts = extract(
        """
def outer():
    x = 1
    def inner():
        nonlocal x
        global y
        x = y = 2
""",
        "a.py",
    )
    homes = {one.target[1]: one.home for one in facts.flows if one.scope == 2}
    assert homes == {"x": 1, "y": 0}


@pytest.mark.requirement("PY-05")
def test_what_isinstance_asks_flows_into_the_variable() -> None:
    facts = extract(body("if isinstance(p, (A, m.B)): pass"), "a.py")
    assert flows(facts, "f")[:2] == ["p = <A>", "p = <m.B>"]


@pytest.mark.requirement("PY-05")
def test_below_what_isinstance_asks_a_name_is_of_that_class_until_it_is_set_anew() -> None:
    lines = ("if c and isinstance(p, A):", "    p.a()", "    p = q", "    p.b()", "p.c()")
    facts = extract(body(*lines), "a.py")
    called = {one.callee[2]: one.callee[1][1] for one in facts.calls if one.callee[0] == "attr"}
    assert called["a"].startswith("p~")
    assert (called["b"], called["c"]) == ("p", "p")
    assert ("narrow", ("name", "p"), (("name", "A"),)) in [one.value for one in facts.flows]


@pytest.mark.requirement("PY-06")
def test_calls_have_arguments_and_the_place_of_their_name() -> None:
    facts = extract(body("p.repo.save(p, *a, key=1, **k)(2)"), "a.py")
    assert calls(facts) == [
        "f: p.repo.save(p, star(a), key=int, **=k)",
        "f: p.repo.save()(int)",
    ]
    at = facts.calls[0].at
    assert (at.line, at.column, at.end_column) == (2, 11, 15)


@pytest.mark.requirement("PY-06")
@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("with p: pass", ["p.__enter__()", "p.__exit__()"]),
        ("async with p: pass", ["p.__aenter__()", "p.__aexit__()"]),
        ("for a in p: pass", ["p.__iter__()", "p.__iter__().__next__()"]),
        ("for a in [1]: pass", []),
        ("p + 1", ["p.__add__(int)"]),
        ("2 * p", ["p.__rmul__(int)"]),
        ("-p", ["p.__neg__()"]),
        ("p < 1 == p", ["p.__lt__(int)"]),
        ("1 in p", ["p.__contains__(int)"]),
        ("1 + 2", []),
        ("p[a]", ["p.__getitem__(a)"]),
        ("p[a] = 1", ["p.__setitem__(a)"]),
        ("del p[a]", ["p.__delitem__(a)"]),
        ("p += 1", ["p.__iadd__(int)"]),
        ("raise Refused", ["Refused()"]),
    ],
)
def test_syntax_that_calls_a_method_is_an_implicit_call(
    statement: str, expected: list[str]
) -> None:
    facts = extract(body(statement), "a.py")
    assert calls(facts) == [f"f: [{one}]" for one in expected]


@pytest.mark.requirement("PY-06")
def test_decorators_defaults_and_class_bodies_are_called_where_they_stand() -> None:
    facts = extract(
        "@d(1)\ndef f(a=make()): pass\nclass C:\n    x = field()\n    def m(self): super().m()\n",
        "a.py",
    )
    assert calls(facts) == [": d(int)", ": make()", "C: field()", "C.m: super.m()"]


@pytest.mark.requirement("PY-07")
def test_uses_are_attributes_types_and_names_from_outside() -> None:
    facts = extract(
        """
LIMIT = 1
def f(p: Order, q=LIMIT) -> m.Reply:
    local = p.size
    p.state = LIMIT
    local
    print(len, f)
""",
        "a.py",
    )
    assert uses(facts, "f") == [
        "type Order",
        "type m.Reply",
        "read p.size",
        "write p.state",
        "read LIMIT",
        "read f",
    ]
    assert uses(facts, "") == ["read LIMIT"]


@pytest.mark.requirement("PY-08")
@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('"a" "b"', '"ab"'),
        ('f"a{p.x!r:>3}b{{"', '"a{p.x}b{"'),
        ('"a" + p + "b"', '"a{p}b"'),
        ('"a %s b %(c)s" % p', '"a {p} b {p[c]}"'),
        ('"%s-%d%%" % (p, q)', '"{p}-{q}%"'),
        ('"%(a)s" % {"a": p}', '"{p}"'),
        ('"{} {1} {k.x}{{".format(p, q, k=r)', '"{p} {q} {r}{"'),
        ('", ".join(["a", p])', '"a, {p}"'),
        ('", ".join(p)', '"{each(p)}, {each(p)}"'),
        (r'"a\tb"', '"a\tb"'),
        (r'r"\d"', r'"\d"'),
        ('"""a\nb"""', '"a\nb"'),
        ('b"a"', "bytes"),
        (r'"\ud800"', '"\N{REPLACEMENT CHARACTER}"'),
    ],
)
def test_strings_keep_their_parts_and_their_holes(written: str, read: str) -> None:
    facts = extract(f"x = {written}\n", "a.py")
    assert shown(facts, facts.flows[0].value) == read


@pytest.mark.requirement("PY-08")
def test_long_strings_are_kept_whole_only_where_they_look_like_sql() -> None:
    query = "SELECT a" + ", a" * 100
    prose = "Word " * 100
    facts = extract(f"a = '''{query}'''\nb = '{prose}'\n", "a.py")
    assert facts.flows[0].value == ("text", (query,))
    assert facts.flows[1].value == ("text", (prose[:200] + "…",))


@pytest.mark.requirement("PY-08")
def test_a_query_grows_by_adding() -> None:
    facts = extract(body('q = "SELECT 1"', 'q += " WHERE " + p'), "a.py")
    assert flows(facts, "f") == ['q = "SELECT 1"', 'q = "{q} WHERE {p}"']


@pytest.mark.requirement("PY-14")
def test_a_name_that_is_set_anew_is_another_name() -> None:
    facts = extract(
        """def f(x):
    x = first()
    if x:
        x = second()
    x, y = y, x
    for x in all: x.use()
    x.go()
def g():
    x = 1
    x = 2
    return lambda: x
""",
        "a.py",
    )
    assert flows(facts, "f") == [
        "x~1 = first()",
        "x~1 = second()",
        "[x~2, y] = [y, x~1]",
        "x~2 = each(all)",
    ]
    assert [one for one in calls(facts) if "[" not in one][-2:] == ["f: x~2.use()", "f: x~2.go()"]
    assert flows(facts, "g")[:3] == ["x = int", "x~3 = int", "result = <lambda1>"]
    assert "x = x~3" in flows(facts, "g")
