"""Binding anew what a change affects gives what binding everything gives: scripts and Go."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonplace.link.code.affected import affected
from commonplace.link.code.passes.calls import CALLS
from commonplace.link.code.program import Program
from tests.unit.link.code.binding import LARGE, edges_of, program_of, unit_of

_name = st.sampled_from(("make", "run", "Base", "Child", "helper", "value"))
_script = st.sampled_from(("./one", "./two", "./lib", "./lib/three", "pkg"))
_script_line = st.one_of(
    st.builds('import {{ {} }} from "{}";\n'.format, _name, _script),
    st.builds('import {} from "{}";\n'.format, _name, _script),
    st.builds('import * as {} from "{}";\n'.format, _name, _script),
    st.builds('export * from "{}";\n'.format, _script),
    st.builds('export {{ {} as {} }} from "{}";\n'.format, _name, _name, _script),
    st.builds("export function {}(x) {{ x.{}(); return {}(); }}\n".format, *[_name] * 3),
    st.builds("export default {};\n".format, _name),
    st.builds("module.exports = {};\n".format, _name),
    st.builds('const {} = require("{}");\n'.format, _name, _script),
    st.builds("export class {} extends {} {{ {}() {{ this.{}(); }} }}\n".format, *[_name] * 4),
    st.builds("export const {} = {{ {}() {{ return {}; }} }};\n".format, *[_name] * 3),
    st.builds("{}.{}(new {}());\n".format, *[_name] * 3),
    st.builds(
        "export function {}(x: typeof {}) {{ x.{}(); x['ma' + x](); }}\n".format, *[_name] * 3
    ),
    st.builds("export class {} {{ toString() {{}} get {}() {{ {}(); }} }}\n".format, *[_name] * 3),
    st.builds("const {{ {} }} = new {}(); `${{{}}}`;\n".format, *[_name] * 3),
    st.builds("module.exports.{} = {};\n".format, _name, _name),
    st.builds("{}.{}.call({});\n".format, *[_name] * 3),
    st.builds("{}.{}(() => {}());\n".format, *[_name] * 3),
)
_package = st.sampled_from(("example.com/x/one", "example.com/x/two", "example.com/x", "two"))
_go_line = st.one_of(
    st.builds('import {} "{}"\n'.format, _name | st.sampled_from((".", "_")), _package),
    st.builds('import "{}"\n'.format, _package),
    st.builds("func {}() {} {{ return {}() }}\n".format, *[_name] * 3),
    st.builds("func {}(x {}) {{ x.{}(); one.{}() }}\n".format, *[_name] * 4),
    st.builds("type {} struct {{ {} }}\n".format, _name, _name),
    st.builds("type {} interface {{ {}() }}\n".format, _name, _name),
    st.builds("func (x *{}) {}() {{ x.{}() }}\n".format, *[_name] * 3),
    st.builds("var {} = {}{{}}\n".format, _name, _name),
)
PATHS = {
    "typescript": ("one.ts", "two.js", "lib/index.ts", "lib/three.ts"),
    "go": ("one/a.go", "one/b.go", "two/c.go", "main.go"),
}
TEXTS = {
    "typescript": st.lists(_script_line, max_size=6).map("".join),
    "go": st.builds(
        "package {}\n{}".format,
        st.sampled_from(("one", "one", "two", "one_test")),
        st.lists(_go_line, max_size=6).map("".join),
    ),
}
MANIFESTS = {
    "typescript": {"lib/package.json": '{"name": "pkg", "main": "three.js"}'},
    "go": {"go.mod": "module example.com/x\n"},
}


def _bound(program: Program) -> dict[str, object]:
    return {key: one.edges for key, one in CALLS.run(program, list(program.units)).items()}


@pytest.mark.requirement("TS-21")
@pytest.mark.requirement("GO-12")
@pytest.mark.parametrize("language", ["typescript", "go"])
@given(data=st.data())
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_what_is_bound_anew_equals_what_is_bound_from_the_start(
    language: str, data: st.DataObject
) -> None:
    path, text = st.sampled_from(PATHS[language]), TEXTS[language]
    files = data.draw(st.dictionaries(path, text)) | MANIFESTS[language]
    program = program_of(files, LARGE)
    held = _bound(program)
    for changed, written in data.draw(
        st.lists(st.tuples(path, st.none() | text), min_size=1, max_size=3)
    ):
        document_id = f"d:{changed}"
        old = program.units.get(document_id)
        files = {key: value for key, value in files.items() if key != changed}
        if written is None:
            program.remove([document_id])
            program.reads.pop(document_id, None)
            held.pop(document_id, None)
        else:
            files[changed] = written
            program.put(unit_of(changed, written))
        new = program.units.get(document_id)
        facts = (old.facts if old else None, new.facts if new else None)
        chosen = affected(program, *facts, document_id, changed)
        held |= {key: one.edges for key, one in CALLS.run(program, chosen).items()}
        assert held == _bound(program_of(files, LARGE))


@pytest.mark.requirement("GO-13")
def test_go_imports_lead_to_files_and_types_to_interfaces() -> None:
    edges = edges_of(
        program_of(
            {
                "go.mod": "module example.com/x\n",
                "store/a.go": "package store\ntype Saver interface { Save(n int) }\n",
                "store/b.go": "package store\ntype Disk struct{}\nfunc (d *Disk) Save(n int) {}\n",
                "store/c.go": "package store\ntype Tape struct{}\nfunc (t *Tape) Save() {}\n",
                "store/b_test.go": "package store\n",
                "main.go": 'package main\nimport (\n"example.com/x/store"\n"fmt"\n)\n',
            }
        )
    )
    store = "example.com/x/store"
    told = {key for key in edges if key[1] in ("IMPORTS", "IMPLEMENTS")}
    assert told == {
        ("example.com/x", "IMPORTS", store),
        ("example.com/x", "IMPORTS", "<fmt>"),
        (f"{store}.Disk", "IMPLEMENTS", f"{store}.Saver"),
    }


@pytest.mark.requirement("GO-14")
@pytest.mark.parametrize(
    "other",
    [
        {"go.mod": "module hello\n", "a.go": "package other\nfunc greet() {}\n"},
        {"b/go.mod": "module hello\n", "b/a.go": "package main\nfunc greet() {}\n"},
        {"b/a.go": "package main\nfunc greet() {}\n"},
    ],
)
def test_files_of_go_see_those_of_their_folder_and_package_only(other: dict[str, str]) -> None:
    own = {"go.mod": "module hello\n", "main.go": "package main\nfunc main() { greet() }\n"}
    beside = {"c.go": "package main\nfunc greet() {}\n"}
    calls = {key for key in edges_of(program_of(own | other)) if key[1] == "CALLS"}
    assert calls == set()
    calls = {key for key in edges_of(program_of(own | other | beside)) if key[1] == "CALLS"}
    assert calls == {("hello.main", "CALLS", "hello.greet")}
