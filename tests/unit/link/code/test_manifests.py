"""Import paths by the manifests of a program."""

import pytest

from commonplace.domain.media import media_type_of
from commonplace.languages import language_for
from commonplace.link.code.modules import modules, qualified
from commonplace.link.code.program import Place, Program, Unit


def program_of(files: dict[str, str]) -> Program:
    program = Program()
    for path, text in files.items():
        language = language_for(media_type_of(path.rpartition("/")[2]) or "")
        assert language is not None
        facts = language.extract(text, path)
        program.put(Unit(document_id=path, source_id="s", path=path, facts=facts))
    return program


def meant(files: dict[str, str], importer: str, written: str) -> str | None:
    program = program_of(files)
    return modules(program).script(program.units[importer], written)


@pytest.mark.requirement("TS-20")
def test_the_nearest_configuration_decides() -> None:
    files = {
        "tsconfig.json": '{"compilerOptions": {"paths": {"@lib/*": ["./lib/*"]}}}',
        "apps/web/tsconfig.json": '{"compilerOptions": {"paths": {"@lib/*": ["./own/*"]}}}',
        "lib/a.ts": "",
        "lib/b.ts": "",
        "apps/web/own/a.ts": "",
        "apps/web/main.ts": "",
        "main.ts": "",
    }
    assert meant(files, "apps/web/main.ts", "@lib/a") == "apps/web/own/a.ts"
    assert meant(files, "apps/web/main.ts", "@lib/b") == "lib/b.ts"
    assert meant(files, "main.ts", "@lib/a") == "lib/a.ts"


@pytest.mark.requirement("TS-20")
def test_packages_of_a_workspace_are_found_by_their_sources() -> None:
    files = {
        "core/package.json": '{"name": "@x/core", "exports": {".": "./dist/esm/index.js"}}',
        "core/src/index.ts": "",
        "core/src/util.ts": "",
        "app/package.json": '{"name": "app", "imports": {"#db/*": "./src/db/*.ts"}}',
        "app/src/main.ts": "",
        "app/src/db/orders.ts": "",
    }
    assert meant(files, "app/src/main.ts", "@x/core") == "core/src/index.ts"
    assert meant(files, "app/src/main.ts", "@x/core/util") == "core/src/util.ts"
    assert meant(files, "app/src/main.ts", "#db/orders") == "app/src/db/orders.ts"
    assert meant(files, "app/src/main.ts", "react") is None


@pytest.mark.requirement("GO-11")
def test_packages_of_go_are_called_by_their_module() -> None:
    program = program_of(
        {
            "go.mod": "module example.com/shop\nreplace example.com/lib => ./lib\n",
            "store/store.go": "package store\nfunc Save() {}\n",
            "lib/go.mod": "module example.com/lib\n",
            "lib/deep/deep.go": "package deep\n",
        }
    )
    assert qualified(program, Place("store/store.go", 1)) == "example.com/shop/store.Save"
    index = modules(program)
    assert index.go("example.com/shop/store") == "example.com/shop/store"
    assert index.go("example.com/lib/deep") == "example.com/lib/deep"
    assert index.go("fmt") is None
