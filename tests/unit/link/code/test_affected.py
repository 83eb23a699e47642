"""Binding anew what a change affects gives what binding everything gives."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonplace.link.code.affected import affected
from commonplace.link.code.passes.calls import CALLS
from commonplace.link.code.program import Program, Scale
from tests.unit.link.code.binding import LARGE, program_of, unit_of

# What a file of Python may be made of; names are few, so that files meet.
_NAMES = ("make", "run", "Base", "Child", "helper", "value")
_MODULES = ("one", "two", "pkg.three")
_PATHS = {"one.py": "one", "two.py": "two", "pkg/three.py": "pkg.three", "pkg/__init__.py": "pkg"}
_name = st.sampled_from(_NAMES)
_module = st.sampled_from(_MODULES)
_line = st.one_of(
    st.builds("from {} import {}\n".format, _module, _name),
    st.builds("from {} import *\n".format, _module),
    st.builds("import {}\n".format, _module),
    st.builds("def {}(x=None):\n    return {}()\n".format, _name, _name),
    st.builds("def {}(x):\n    x.{}()\n    return {}\n".format, _name, _name, _name),
    st.builds("class {}({}):\n    def {}(self): return self.{}()\n".format, *[_name] * 4),
    st.builds("class {}:\n    {} = {}\n".format, *[_name] * 3),
    st.builds("class {}:\n    @property\n    def {}(self): return {}()\n".format, *[_name] * 3),
    st.builds("{} = {}\n".format, _name, _name),
    # Locals nobody else sees, and those that are given back; names only one file has.
    st.builds("def {}(x):\n    y = {}()\n    y.{}()\n    return {}\n".format, *[_name] * 4),
    st.builds("def {}(x):\n    y = {}()\n    z = y\n    return z\n".format, _name, _name),
    st.builds("def {}(x):\n    def y(): return z\n    z = {}\n    return y\n".format, _name, _name),
    st.builds("class {}:\n    def {}(self):\n        self.{} = {}()\n".format, *[_name] * 4),
    st.builds("def alone(x):\n    return {}()\n".format, _name),
    st.builds("{} = alone\nlonely = {}\n".format, _name, _name),
    st.builds("from {} import lonely as {}\n".format, _module, _name),
    st.builds("{}().{}()\n".format, _name, _name),
    st.builds("{} = one.{}(two.{})\n".format, *[_name] * 3),
    st.builds("@{}\ndef {}(): {}.{}\n".format, *[_name] * 4),
)
_text = st.lists(_line, max_size=6).map("".join)
_path = st.sampled_from(tuple(_PATHS))
_edit = st.tuples(_path, st.none() | _text)


def _bound(program: Program) -> dict[str, object]:
    return {key: one.edges for key, one in CALLS.run(program, list(program.units)).items()}


@pytest.mark.requirement("BIND-06")
@pytest.mark.parametrize("small", [-1, 3000])
@given(files=st.dictionaries(_path, _text), edits=st.lists(_edit, min_size=1, max_size=4))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_what_is_bound_anew_equals_what_is_bound_from_the_start(
    small: int,
    files: dict[str, str],
    edits: list[tuple[str, str | None]],
) -> None:
    scale = Scale(calls_at_once=small)
    program = program_of(files, scale)
    held = _bound(program)
    for path, text in edits:
        document_id = f"d:{path}"
        old = program.units.get(document_id)
        files = {key: value for key, value in files.items() if key != path}
        if text is None:
            program.remove([document_id])
            program.reads.pop(document_id, None)
            held.pop(document_id, None)
        else:
            files[path] = text
            program.put(unit_of(path, text))
        new = program.units.get(document_id)
        facts = (old.facts if old else None, new.facts if new else None)
        chosen = affected(program, *facts, document_id, path)
        held |= {key: one.edges for key, one in CALLS.run(program, chosen).items()}
        assert held == _bound(program_of(files, scale))


@pytest.mark.requirement("BIND-06")
def test_a_change_nobody_looks_at_binds_nothing_else() -> None:
    files = {
        "a.py": "import logging\ndef f():\n    x = 1\n    return x\n",
        "b.py": "from a import f\nf()\n",
        "c.py": "x = 1\n",
        "d.py": "import b\nb.f()\n",
        "e.py": "from a import logging\n",
    }
    program = program_of(files, LARGE)
    _bound(program)
    edits = {
        "import logging\n\ndef f():\n    'Doc.'\n    logging.log()\n    x = 1\n    return x\n": "",
        "import logging\ndef f():\n    x = 1\n    return x\ndef alone(): return f()\n": "",
        "import logging\ndef f():\n    x = alone()\n    return x\ndef alone(): return f\n": "bd",
    }
    for text, others in edits.items():
        old = program.units["d:a.py"].facts
        program.put(unit_of("a.py", text))
        found = affected(program, old, program.units["d:a.py"].facts, "d:a.py")
        assert found == {"d:a.py", *(f"d:{one}.py" for one in others)}
        CALLS.run(program, found)
