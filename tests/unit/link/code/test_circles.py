"""Classes that are their own ancestors: what is said of them does not depend on who is asked first.

No language allows it, and half-written programs have it: by two definitions of one name, by a file
that is there twice, by an edit not yet made in the other file.
"""

from itertools import permutations

import pytest

from commonplace.link.code.names.hierarchy import bases, mro
from commonplace.link.code.program import Place, Program
from commonplace.link.code.values.solving import outside
from commonplace.link.code.values.values import Value
from tests.unit.link.code.binding import LARGE, edges_of, program_of

TWINS = {
    "pkg/K.java": "package pkg;\nclass K extends L { void run(K x) {} }\n",
    "pkg/L.java": "package pkg;\nclass L implements K { K own; }\n"
    "class L extends L { void run(K x) {} }\n",
}
MEMBERS = {
    "a.py": "class A(A.B):\n    class B: pass\n",
    "b.py": "from a import A\nclass C(A.B): pass\nclass A(A.B): pass\n",
}
NESTED = {
    "One.java": "class One extends Two.In { class In extends Other {} class Other {} }\n",
    "Two.java": "class Two extends One.In { class In extends Other {} }\n",
}
MANY = {"a.py": "".join(f"class A(A.B):\n    class B(A): x = {n}\n" for n in range(30))}


def classes(program: Program) -> list[Value]:
    return [
        ("c", unit.document_id, number)
        for unit in program.units.values()
        for number, symbol in enumerate(unit.facts.symbols)
        if symbol.kind in ("Class", "Interface")
    ]


@pytest.mark.requirement("BIND-07")
@pytest.mark.parametrize("files", [TWINS, MEMBERS, NESTED])
def test_the_line_of_a_class_does_not_depend_on_who_is_asked_first(files: dict[str, str]) -> None:
    told = set()
    for order in permutations(classes(program_of(files, LARGE))):
        for first in (mro, bases):
            solver = outside(program_of(files, LARGE))
            for one in order:
                first(solver, one)
            told.add(tuple((one, mro(solver, one), bases(solver, one)) for one in sorted(order)))
    assert len(told) == 1


@pytest.mark.requirement("BIND-02")
def test_all_classes_of_a_circle_stand_above_each_other() -> None:
    program = program_of(TWINS, LARGE)
    solver = outside(program)
    everyone = set(classes(program))
    assert len(everyone) == 3
    assert {one: set(mro(solver, one)) for one in everyone} == dict.fromkeys(everyone, everyone)
    overrides = {key for key in edges_of(program) if key[1] == "OVERRIDES"}
    assert overrides == {
        ("pkg.K.run", "OVERRIDES", "pkg.L.run"),
        ("pkg.L.run", "OVERRIDES", "pkg.K.run"),
    }


@pytest.mark.requirement("BIND-02")
def test_a_class_may_be_named_by_a_member_of_itself() -> None:
    program = program_of(MEMBERS, LARGE)
    place = Place("d:a.py", 1)
    assert mro(outside(program), ("c", *place))[1] == ("c", "d:a.py", 2)


@pytest.mark.requirement("BIND-02")
def test_many_classes_in_a_circle_are_bound_in_the_time_of_many_classes() -> None:
    solver = outside(program_of(MANY, LARGE))
    lines = [mro(solver, one) for one in classes(solver.program)]
    assert {len(line) for line in lines} == {60}
