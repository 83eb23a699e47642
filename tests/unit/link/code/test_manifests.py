"""Import paths by the manifests of a program."""

import pytest

from commonplace.domain.media import media_type_of
from commonplace.languages import language_for
from commonplace.link.code.names.modules import modules, qualified
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
    index, unit = modules(program), program.units["store/store.go"]
    assert index.go.files(unit, "example.com/shop/store") == ["store/store.go"]
    assert index.go.files(unit, "example.com/lib/deep") == ["lib/deep/deep.go"]
    assert index.go.files(unit, "fmt") == []


STORE = "package store\nfunc Save() {}\n"


def imported(files: dict[str, str], importer: str, written: str) -> list[str]:
    """The files an import of Go leads to."""
    program = program_of(files)
    return modules(program).go.files(program.units[importer], written)


@pytest.mark.requirement("GO-14")
@pytest.mark.parametrize(
    ("folder", "written"),
    [
        ("src/github.com/acme/app/store", "github.com/acme/app/store"),
        ("go/src/store", "store"),
        ("store", "github.com/acme/app/store"),
        ("store", "example.com/app/store"),
        ("app/vendor/github.com/acme/store", "github.com/acme/store"),
        ("app/go-store", "example.com/app/go-store"),
        ("new/store", "example.com/old/store"),
        ("loose/store", "example.com/loose/store"),
    ],
)
def test_a_package_of_go_is_found_where_it_lies(folder: str, written: str) -> None:
    mod = "module example.com/app\nreplace (\n\texample.com/old v1.0.0 => example.com/new v1.2.3\n"
    files = {
        "app/go.mod": f"{mod}\texample.com/loose => ../loose\n)\n",
        "new/go.mod": "module example.com/new\n",
        f"{folder}/s.go": STORE,
        f"{folder}/s_test.go": "package store_test\n",
        "app/main.go": "package main\n",
    }
    assert imported(files, "app/main.go", written) == [f"{folder}/s.go"]


@pytest.mark.requirement("GO-14")
@pytest.mark.parametrize(
    "written",
    ["errors", "encoding/errors", "github.com/pkg/errors", "golang.org/x/net/errors", "C"],
)
def test_a_folder_that_is_called_like_a_library_is_not_taken_for_it(written: str) -> None:
    files = {"errors/e.go": "package errors\n", "main.go": "package main\n"}
    assert imported(files, "main.go", written) == []


@pytest.mark.requirement("GO-14")
def test_of_packages_imported_alike_the_nearest_is_meant() -> None:
    files = {
        "a/go.mod": "module hello\n",
        "a/store/s.go": STORE,
        "a/main.go": "package main\n",
        "b/go.mod": "module hello\n",
        "b/store/s.go": STORE,
        "b/main.go": "package main\n",
    }
    assert imported(files, "a/main.go", "hello/store") == ["a/store/s.go"]
    assert imported(files, "b/main.go", "hello/store") == ["b/store/s.go"]
