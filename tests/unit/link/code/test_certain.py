"""What reading edges marked certain showed to be wrong, or less than certain."""

import pytest

from eval.calls.drawn import edges_of, places_of, program_of


def calls(path: str, text: str) -> dict[tuple[str, int], float]:
    """Calls of a file as (caller, line of the callee), with their confidence."""
    program = program_of({path: text})
    places = places_of(program)
    unit = next(iter(program.units.values()))
    symbols = unit.facts.symbols
    return {
        (symbols[source.number].name, symbols[target.number].at.line): edge.confidence
        for edge in edges_of(program)
        if edge.relation == "CALLS"
        and (source := places.get(edge.source))
        and (target := places.get(edge.target))
    }


@pytest.mark.requirement("BIND-20")
def test_a_number_is_taken_by_the_nearest_wider_type() -> None:
    text = "class L {\n  L(String s) {}\n  L(double n) {}\n  L(long n) {}\n}\n"
    found = calls("A.java", text + "class B { void m() { new L(1); } void k() { new L(2f); } }\n")
    assert {key: one for key, one in found.items() if key[0] in "mk"} == (
        {("m", 4): 0.98, ("k", 3): 0.98}
    )


@pytest.mark.requirement("BIND-20")
def test_what_is_given_by_name_to_who_knows_whom_is_not_certainly_called() -> None:
    text = """using Lib;

class A
{
    void F() {}
    void Keep(Bus bus) { bus.Register(F); }
    void Drop(Bus bus) { bus.UnregisterAll(F); }
}
"""
    found = calls("A.cs", text)
    assert ("Drop", 5) not in found
    assert found.get(("Keep", 5), 0) < 0.9


@pytest.mark.requirement("BIND-20")
def test_a_conversion_of_go_calls_nothing_for_certain() -> None:
    text = 'package a\n\nimport "net/http"\n\nfunc f(w http.ResponseWriter, r *http.Request) {}\n\n'
    found = calls("a.go", text + "func g() http.Handler { return http.HandlerFunc(f) }\n")
    assert found[("g", 5)] == 0.8


@pytest.mark.requirement("BIND-20")
def test_a_property_that_reads_itself_reads_what_it_stored() -> None:
    text = "class A:\n    @cached_property\n    def files(self):\n        self.load()\n"
    text += "        return self.files\n\n    def load(self):\n        return self.files\n"
    found = calls("a.py", text)
    assert ("load", 2) in found or ("load", 3) in found
    assert not {("files", 2), ("files", 3)} & found.keys()


@pytest.mark.requirement("BIND-20")
def test_a_method_of_what_was_just_made_is_as_sure_as_through_a_variable() -> None:
    text = "class Engine:\n    def load(self):\n        return 1\n\n\n"
    text += "def f():\n    return Engine().load()\n\n\ndef g():\n    e = Engine()\n    e.load()\n"
    found = calls("a.py", text)
    assert found[("f", 2)] == found[("g", 2)] == 0.95


@pytest.mark.requirement("BIND-20")
def test_what_one_solver_found_can_be_asked_about_in_another() -> None:
    files = {
        "a.ts": "export function f(p: { blobs?: string[] }) {\n"
        "  return (p.blobs ?? []).map((x) => g(x));\n}\nfunction g(x: string) { return x }\n",
        "b.ts": "import { f } from './a';\nexport function h() { return f({ blobs: [] }) }\n",
    }
    assert any(edge.relation == "CALLS" for edge in edges_of(program_of(files)))
